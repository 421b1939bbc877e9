"""Lists of single queries: worst and best, to drag, what moved, and the texts beside them."""

import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from small_runs import NEW, QRELS, frame, html_of, report_at, report_on, rows_of, text_of, write

from byhand import Conventions, DataError, measure_list, ndcg, report

NASTY = ["<script>alert(1)</script>", "**bold**", "$x$", "&amp;", "`code`", "_a_", "한국어"]


def queries_in(found, name):
    """The queries of a section, in their order."""
    return re.findall(r"<summary><b><bdi>(.*?)</bdi></b>", html_of(found, name))


def states(html):
    """The states of the widgets in some HTML."""
    return [json.loads(unescape(each)) for each in re.findall(r"data-live='([^']*)'", html)]


class TestWorstAndBest:
    def test_a_line_a_query_and_behind_it_a_list_to_drag_and_a_table(self, sample):
        assert queries_in(sample, "worst")[0] == "q068"
        assert queries_in(sample, "best")[0] == "q192"
        assert "q068 nDCG@10 0.0000 · AP 0.0486 · RR 0.0526 35 rel" in sample.text("worst")
        assert "Not answered, so without a list: q012, q077, q158." in sample.text("worst")
        assert "q031" not in sample.text("worst")  # nothing relevant
        for name in ("worst", "best"):
            html = html_of(sample, name)
            assert html.count("<details") == html.count("<table") == len(states(html)) == 5
            assert len(rows_of(sample, name)) == 5 * 20
            assert "<details open" not in html
            assert all(f'</summary>\n<span id="{name}-{n}">' in html for n in range(5))

    def test_of_equal_values_those_that_miss_most_come_first(self):
        rows = [(f"q{n}", "x", 1.0) for n in range(8)]
        relevant = [(f"q{n}", f"d{m}", 1) for n in range(8) for m in range(1 + n % 4)]
        relevant += [("q8", "x", 1)]
        run = frame([*rows, ("q8", "x", 1.0)], "score")
        found = report_on(run, qrels=frame(relevant, "relevance"), measures=["RR", "AP"])
        assert queries_in(found, "worst") == ["q3", "q7", "q2", "q6"]  # 4, 4, 3 and 3 items

    @pytest.mark.parametrize(
        ("n", "n_worst", "n_best"), [(1, 0, 1), (3, 1, 2), (9, 4, 5), (11, 5, 5)]
    )
    def test_no_query_is_both(self, n, n_worst, n_best):
        names = [f"q{place:02d}" for place in range(n)]
        # the item of query n stands at rank n + 1
        rows = [(q, f"d{m:02d}", -m) for place, q in enumerate(names) for m in range(place + 1)]
        rows += [("q00", "x", -1)]
        relevant = [(q, f"d{place:02d}", 1) for place, q in enumerate(names)]
        found = report_on(frame(rows, "score"), qrels=frame(relevant, "relevance"), measures="RR")
        assert queries_in(found, "worst") == names[::-1][:n_worst]
        assert queries_in(found, "best") == names[:n_best]
        only_one = "Only one query could be ranked; it stands among the best."
        assert (only_one in found.text("worst")) == (n == 1)

    @pytest.mark.parametrize("dtype", ["uint64", "int64"])
    def test_whole_scores_are_shown_in_their_order_and_in_full(self, dtype):
        ends = np.iinfo(dtype)
        run = pd.DataFrame({"query_id": "q", "doc_id": list("abc")})
        run["score"] = np.array([ends.min, ends.max, ends.max - 1], dtype=dtype)
        found = report_on(run, qrels=frame([("q", "a", 1)], "relevance"), measures="RR")
        rows = [row[1:3] for row in rows_of(found, "best")]
        scores = {"b": ends.max, "c": ends.max - 1, "a": ends.min}
        assert rows == [[item, str(score)] for item, score in scores.items()]

    @pytest.mark.parametrize(("n_gone", "end"), [(20, "q20."), (21, "q20 and 1 more.")])
    def test_twenty_queries_without_an_answer_are_named(self, n_gone, end):
        qrels = frame([(f"q{n}", "a", 1) for n in range(n_gone + 1)], "relevance")
        found = report_on(frame([("q0", "a", 1.0), ("q0", "b", 0.5)], "score"), qrels=qrels)
        named = ", ".join(qrels["query_id"][1:20])
        assert f"Not answered, so without a list: {named}, {end}" in found.text("worst")

    @pytest.mark.parametrize(("n_hits", "end"), [(12, "12."), (13, "12 and more.")])
    def test_the_ranks_of_twelve_hits_are_named(self, n_hits, end):
        items = [("q", f"d{n:02d}", -n) for n in range(n_hits)]
        qrels = frame([("q", doc, 1) for _, doc, _ in items], "relevance")
        found = report_on(frame(items, "score"), qrels=qrels)
        assert f"at rank 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, {end}" in found.text("best")

    @pytest.mark.parametrize("ties", ["doc_id", "doc_id_ascending", "input", "best", "worst"])
    def test_lists_stand_in_the_order_that_was_evaluated(self, ties):
        rng, chosen = np.random.default_rng(3), Conventions(ties=ties)
        for _ in range(5):
            docs = [f"d{n}" for n in rng.permutation(12)]
            run = pd.DataFrame({"query_id": "q", "doc_id": docs, "score": rng.integers(0, 3, 12)})
            grade = {f"d{n}": int(g) for n, g in enumerate(rng.integers(0, 3, 12))} | {"d0": 1}
            qrels = frame([("q", *each) for each in grade.items()], "relevance")
            found = report_on(run, qrels=qrels, measures="nDCG", conventions=chosen)
            ranked = [row[1] for row in rows_of(found, "best")]
            assert ndcg(ranked, grade) == pytest.approx(found.results.first["nDCG"]["q"], abs=1e-12)

    @pytest.mark.parametrize(
        ("measure", "conventions", "column"),
        [
            ("nDCG@10", "trec_eval", True),
            ("AP", "recommenders", True),
            ("nDCG", Conventions(gain="exponential"), True),
            ("nDCG", Conventions(ties="expected"), False),
            ("RR", Conventions(unjudged="removed"), True),
            ("P@5", "trec_eval", True),
        ],
    )
    def test_shares_only_where_they_add_up(self, measure, conventions, column):
        found = report_at([1, 2], measures=measure, conventions=conventions)
        assert ("adds to" in html_of(found, "best")) == column

    def test_names_are_text(self):
        run = frame([(query, item, n) for query in NASTY for n, item in enumerate(NASTY)], "score")
        qrels = frame([(query, NASTY[0], 1) for query in NASTY], "relevance")
        found = report_on(run, run.assign(score=-run["score"]), qrels=qrels)
        html = "".join(html_of(found, name) for name in ("worst", "best", "moved", "summary"))
        assert "<script" not in html
        assert "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>" in html
        assert "<bdi>&amp;amp;</bdi>" in html
        # "$x$" is no formula in a notebook
        assert "mathjax_ignore" in found.section("moved")._repr_html_()


def tied_run(n_queries=4, n_items=50):
    """Long graded lists full of ties, some of whose items nobody judged and some missing."""
    rng = np.random.default_rng(11)
    run, qrels = [], []
    for query in (f"q{n}" for n in range(n_queries)):
        docs = [f"d{n}" for n in rng.permutation(n_items)]
        scores = rng.integers(0, 9, n_items)
        run += [(query, doc, score) for doc, score in zip(docs, scores, strict=True)]
        judged = [*docs[::4], "missed 1", "missed 2"]
        grades = rng.integers(-1, 4, len(judged))
        qrels += [(query, doc, grade) for doc, grade in zip(judged, grades, strict=True)]
    return frame(run, "score"), frame(qrels, "relevance")


def dragged(state, conventions):
    """Measure -> its value for a list to drag, as Python has it for what the browser gets."""
    ranks, fixed = state["fixed"]["ranks"], state["fixed"]["ranks"]["fixed"]
    order = []
    for place in ranks["order"]:
        order += [f"{place} {n}" for n in range(fixed["spans"].get(place, 1))]
    grades = {f"{place} 0": grade for place, grade in ranks["grades"].items() if grade is not None}
    asked = [each["asked"] for each in state["fixed"]["measures"]]
    return {name: measure_list(name, order, grades, conventions=conventions) for name in asked}


class TestDragged:
    @pytest.mark.parametrize(
        "conventions",
        [
            *("trec_eval -c", "trec_eval -c -l", "trec_eval -J"),
            *("ir_measures", "ranx", "recommenders"),
            Conventions(gain="exponential", ideal="retrieved", denominator="retrieved"),
            Conventions(unjudged="removed", ties="worst"),
            Conventions(denominator="capped", gain="binary", ties="best"),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("relevant_from", [None, 2])
    def test_values_are_those_of_the_report(self, conventions, relevant_from):
        measures = ["nDCG@10", "AP", "AP@5", "RR", "P@5", "R@30", "AP(rel=2)", "Success@1"]
        run, qrels = tied_run()
        found = report_on(
            run,
            qrels=qrels,
            measures=measures,
            conventions=conventions,
            relevant_from=relevant_from,
        )
        stated = found.results.first
        shown = [*zip(queries_in(found, "worst"), states(html_of(found, "worst")), strict=True)]
        shown += zip(queries_in(found, "best"), states(html_of(found, "best")), strict=True)
        assert len(shown) == 4
        own = conventions
        if isinstance(own, Conventions) or own == "trec_eval -J":
            own = found.results.preset.choices.but(unjudged="not_relevant", ties="input")
        for query, state in shown:
            values = dragged(state, own)
            assert {"nDCG@10", "AP(rel=2)"} <= set(values)
            # where nDCG keeps its low grades, they stand in the list, and to AP they are no hits
            assert "AP" in values or (conventions, relevant_from) == ("trec_eval -c -l", 2)
            for name, value in values.items():
                assert value == pytest.approx(stated.loc[query, name], abs=1e-12), name

    def test_a_measure_that_orders_ties_otherwise_is_left_out(self):
        # by descending identifier b comes first, by ascending a
        run = frame([("1", "a", 1.0), ("1", "b", 1.0), ("1", "c", 0.5)], "score")
        found = report_on(
            run,
            qrels=frame([("1", "a", 1)], "relevance"),
            measures=["nDCG", "RR@5", "RR"],
            conventions="ir_measures",
        )
        (state,) = states(html_of(found, "best"))
        assert [each["asked"] for each in state["fixed"]["measures"]] == ["nDCG", "RR"]

    @pytest.mark.parametrize(
        ("rows", "grades", "measures", "conventions", "why"),
        [
            ("ab", {"a": 1}, "RR", "sklearn", "its equal scores leave more than one order"),
            ("abc", {"a": 1, "b": 1}, "R@2", "sklearn", "its equal scores"),
            ("ab", {"a": 0.5}, "RR", "trec_eval", "its grades are not whole numbers up to 9"),
            ("ab", {"a": 10}, "RR", "trec_eval", "its grades are not whole numbers up to 9"),
            ("ab", {"a": 1}, ["Judged@2", "RR"], "trec_eval", "a browser cannot compute Judged@2"),
            (
                [f"d{n}" for n in range(200)],
                {f"d{n}": 1 for n in range(0, 200, 2)},
                "RR",
                "trec_eval",
                "it takes 200 rows, and 60 is the most",
            ),
            (
                "ab",
                {"a": 1, **{f"d{n}": 1 for n in range(80)}},
                "RR",
                "trec_eval",
                "it takes 81 rows, and 60 is the most",
            ),
        ],
    )
    def test_a_list_that_stands_still_says_why(self, rows, grades, measures, conventions, why):
        tied = conventions == "sklearn"
        run = frame([("1", item, 0 if tied else -n) for n, item in enumerate(rows)], "score")
        if tied:  # all scores alike stop a report
            run = pd.concat([run, frame([("2", "z", 1.0)], "score")])
        qrels = frame([("1", *each) for each in grades.items()], "relevance")
        html = html_of(
            report_on(run, qrels=qrels, measures=measures, conventions=conventions), "best"
        )
        assert f"stands still: {why}" in html
        assert states(html) == []
        assert html.count("<table") == 1

    def test_ties_without_a_hit_leave_a_list_movable(self):
        run = frame([("1", "a", 2), ("1", "b", 1), ("1", "c", 1)], "score")
        qrels = frame([("1", "a", 1)], "relevance")
        found = report_on(run, qrels=qrels, measures="AP", conventions="sklearn")
        assert len(states(html_of(found, "best"))) == 1

    def test_a_run_of_items_is_one_row(self, sample):
        first = states(html_of(sample, "worst"))[0]["fixed"]["ranks"]["fixed"]
        labels = [each["label"] for each in first["items"]]
        assert labels[20:22] == ["5 items, none relevant", "d1735"]
        assert (first["grading"], first["docking"]) == (False, False)
        assert (
            sum(first["spans"].values()) + len(first["start"]["order"]) - len(first["spans"]) == 100
        )

    def test_what_nobody_judged_is_said(self):
        only, every = ({("D", 1)}, {("D", 1)})
        run = report_at([1, 2])
        for state in states(html_of(run, "worst") + html_of(run, "best")):
            only |= set(state["fixed"]["ranks"]["grades"].items())
        rows = [f"x{place}" for place in range(1, 10)]
        assert only == every | {(row, None) for row in rows}


@pytest.fixture
def moved(tmp_path):
    """A report on two lists a query, best first, and grades: call it with these and texts."""

    def make(new, old, grades, measure="nDCG@10", conventions="trec_eval -c", **texts):
        runs = {
            name: {q: {d: -n for n, d in enumerate(ds)} for q, ds in lists.items()}
            for name, lists in (("new", new), ("old", old))
        }
        for name, rows in texts.items():
            texts[name] = tmp_path / f"{name}.jsonl"
            texts[name].write_text("".join(json.dumps(row) + "\n" for row in rows))
        return report(runs, grades, measures=measure, conventions=conventions, **texts)

    return make


def drawn(found):
    """The first two lists side by side: of each row the rank, name, grade and what it adds."""
    columns = re.findall(r"<ol>(.*?)</ol>", html_of(found, "moved"), re.DOTALL)[:2]
    rows = [re.findall("<li.*?</li>", column, re.DOTALL) for column in columns]
    return [[text_of(row) for row in column] for column in rows]


def parts(found):
    """What is drawn in the row of each item: as before, gained and lost, of the most."""
    bars = r'<s class="(\w+)" style="--part:(\S+)"'
    return [(kind, float(part)) for kind, part in re.findall(bars, html_of(found, "moved"))]


GRADES = {"q": {"d1": 3, "d2": 1, "x3": 0}}
OLDER = {"q": ["d1", "d2", "x1", "x2"]}
NEWER = {"q": ["x3", "x4", "d2", "x1", "d1"]}
IDEAL = 3 + 1 / np.log2(3)


class TestMoved:
    def test_what_is_said_of_a_query(self, moved):
        found = moved(NEWER, OLDER, GRADES)
        cost, small = (3 - 3 / np.log2(6)) / IDEAL, (1 / np.log2(3) - 1 / 2) / IDEAL
        assert small < 0.1 * (cost + small)  # so it is not named
        value = 1 - cost - small
        assert found.text("moved") == (
            "What moved?\n"
            "Each query against itself: nDCG@10 of new minus that of old, sorted. It is lower on 1 "
            f"query, q (−{cost + small:.3f}).\n"
            "Of the first 10 items, 75% are in both rankings.\n"
            f"q nDCG@10 1.000 → {value:.3f} (−{cost + small:.3f})\n"
            f"d1, grade 3, fell from rank 1 to 5: −{cost:.2f} of nDCG@10. Of the first 4 items, 2 "
            "are in both. Nobody judged x4 (rank 2), which came up."
        )

    def test_two_lists_with_lines_and_in_its_row_what_an_item_adds(self, moved):
        found = moved(NEWER, OLDER, GRADES)
        cost, small = (3 - 3 / np.log2(6)) / IDEAL, (1 / np.log2(3) - 1 / 2) / IDEAL
        left, right = drawn(found)
        assert left == ["1 d1 3", "2 d2 1", "3 x1 ?", "4 x2 ?"]
        assert right == [
            *("1 x3", "2 x4 ?", f"3 d2 1 −{small:.2f}", "4 x1 ?", f"5 d1 3 −{cost:.2f}")
        ]
        was = [3 / IDEAL, 1 / np.log2(3) / IDEAL]  # the most is what d1 added
        now = [3 / np.log2(6) / IDEAL, 1 / 2 / IDEAL]
        assert parts(found) == [
            ("kp", pytest.approx(now[1] / was[0], abs=1e-3)),
            ("ls", pytest.approx(small / was[0], abs=1e-3)),
            ("kp", pytest.approx(now[0] / was[0], abs=1e-3)),
            ("ls", pytest.approx(cost / was[0], abs=1e-3)),
        ]
        html = html_of(found, "moved")
        assert re.findall(r"<line (.*?) vector", html) == [
            'x2="100" y1="0.5" y2="4.5" class="fell"',
            'x2="100" y1="1.5" y2="2.5" class="fell"',
            'x2="100" y1="2.5" y2="3.5"',
            'class="out" x2="22" y1="3.5" y2="3.83"',
            'class="out" x1="78" x2="100" y1="0.83" y2="0.5"',
            'class="out" x1="78" x2="100" y1="1.83" y2="1.5"',
        ]
        # the fill of a mark is the grade, of the highest
        assert re.findall(r'mk g" style="--fill:(\S+)%"', html)[:2] == ["100", "33.33"]

    def test_what_is_beyond_the_cutoff_stands_below_its_dashes(self, moved):
        long = {"q": [*(f"y{n}" for n in range(12)), "d1"]}
        found = moved(long, OLDER, GRADES)
        assert [each.split()[:2] for each in drawn(found)[1][10:]] == [["13", "d1"], ["–", "d2"]]
        assert [kind for kind, _ in parts(found)] == ["ls", "ls"]
        html = html_of(found, "moved")
        assert html.count('class="r x"') == 1
        assert 'y1="0.5" y2="11" class="fell"' in html
        assert 'y1="1.5" y2="12" class="fell"' in html
        assert "--height:12.5" in html

    def test_items_that_came_and_went(self, moved):
        new, old = {"p": ["a", "z"], "q": ["b", "z"]}, {"p": ["b", "z"], "q": ["a", "z"]}
        text = moved(new, old, {"p": {"a": 1}, "q": {"a": 1}}).text("moved")
        lost = "a stood at rank 1 and is not retrieved any more: −1.00 of nDCG@10. Of"
        gained = "a came in at rank 1: +1.00 of nDCG@10. Of"
        assert (
            0
            < text.index(f"q nDCG@10 1.000 → 0.000 (−1.000)\n{lost}")
            < text.index(f"p nDCG@10 0.000 → 1.000 (+1.000)\n{gained}")
        )

    def test_shares_add_up_to_the_difference(self, sample):
        lines = re.findall(r"\(([+−]0\.\d+)\)\s(.*?)\. Of the", sample.text("moved"))
        assert len(lines) > 5
        for total, sentence in lines:
            named = re.findall(r": ([+−]\d\.\d\d)", sentence)
            sizes = [float(part[1:]) for part in named]
            assert 1 <= len(named) <= 3
            assert {part[0] for part in named} == {total[0]}
            assert sizes == sorted(sizes, reverse=True)

    def test_where_ties_have_no_order_nothing_is_said_of_what_items_add(self, moved):
        found = moved(NEWER, OLDER, GRADES, conventions="sklearn")
        assert "of nDCG@10." not in found.text("moved")
        assert "2 are in both" in found.text("moved")
        assert parts(found) == []

    def test_one_that_did_not_answer(self, moved):
        grades = {"p": {"a": 1}, "q": {"a": 1}}
        found = moved({"p": ["a", "b"]}, {"p": ["a", "b"], "q": ["a", "b"]}, grades)
        gone = "q nDCG@10 1.000 → not answered (−1.000)\nnew did not answer this query."
        assert gone in found.text("moved")
        assert drawn(found) == [["1 a", "2 b ?"], ["– a −1.00"]]

    def test_nothing_moved(self, moved):
        found = moved(OLDER, OLDER, GRADES)
        assert "No query has another nDCG@10." in found.text("moved")
        assert drawn(found) == []
        assert 'class="gains"' not in html_of(found, "moved")

    @pytest.mark.parametrize(
        ("moves", "said", "expected"),
        [
            ([0, 3], "higher on 1 query, q1 (+0.300). On 1 the", [3]),
            ([2, -1], "higher on 1 query, q0 (+0.200). It is lower on 1 query, q1 (", [-1, 2]),
            (
                [1, 2, 3, 4, 5, 6, -1],
                "higher on 6 queries, most on q5 (+0.600). It is lower on 1 query, q6 (−0.100).",
                [-1, 6, 5, 4, 3, 2],
            ),
            (
                [-1, -2, -3, -4, -5, -6],
                "lower on 6 queries, most on q5 (−0.6",
                [-6, -5, -4, -3, -2],
            ),
            (
                [5, *[1] * 9],
                "(+0.500). Of all that is gained, 3 queries make half.",
                [5, 1, 1, 1, 1],
            ),
        ],
    )
    def test_who_gains_where_and_the_five_that_lost_and_gained_most(
        self, moved, moves, said, expected
    ):
        # of ten items so many more are relevant that one system has and the other has not
        def lists(sign):
            return {
                f"q{n}": [f"d{m}" if m < move * sign else f"x{m}" for m in range(9)] + ["d9"]
                for n, move in enumerate(moves)
            }

        grades = {f"q{n}": {f"d{m}": 1 for m in range(10)} for n in range(len(moves))}
        found = moved(lists(1), lists(-1), grades, "P@10")
        assert said in found.text("moved")
        html = html_of(found, "moved")
        shown = re.findall(r"<bdi>(q\d)</bdi></b> <span>P@10 \S+ → \S+ \((\S+)\)", html)
        places = [int(each) for each in re.findall(r'id="moved-0-(\d+)"', html)]
        assert sorted(places) == [*range(len(expected))]
        by_place = dict(zip(places, shown, strict=True))
        changes = [by_place[n][1].replace("−", "-") for n in range(len(expected))]
        assert [round(10 * float(change)) for change in changes] == expected
        # one of those that lost and one of those that gained is open, where there are both
        n_lost = sum(change < 0 for change in expected)
        both = 0 < n_lost < len(expected)
        assert places[:2] == ([0, n_lost] if both else [*range(len(expected))][:2])
        assert html.count("<figure") == min(2, len(expected))
        won = sum(move > 0 for move in moves) / len(moves)
        assert f"--won:{100 * won:.4g}%" in html

    def test_the_outline_of_who_gains_where(self, moved):
        new, old = {"p": ["a", "b"], "q": ["b", "a"]}, {"p": ["b", "a"], "q": ["b", "x"]}
        html = html_of(moved(new, old, {"p": {"a": 1}, "q": {"a": 1}}, "RR"), "moved")
        assert "--zero:100%;--won:100%;--lost:0%" in html
        assert "polygon(0 100%,0% 0%,50% 0%,50% 0%,100% 0%,100% 100%)" in html
        html = html_of(moved(old, new, {"p": {"a": 1}, "q": {"b": 1}}, "RR"), "moved")
        assert "--zero:0%;--won:0%;--lost:50%" in html
        assert "polygon(0 0,0% 100%,100% 100%,100% 0)" in html

    def test_several_pairs_are_folded(self):
        found = report_at([1, 2, 3], [2, 2, 1], [3, 1, 3])
        html = html_of(found, "moved")
        assert re.findall(r"^<details data-said><summary>.*?</summary>", html, re.MULTILINE)
        assert [text_of(each) for each in re.findall(r"<summary>(.*?)</summary>", html)][:2] == [
            "a against b (higher on 1 queries, lower on 1)",
            "a against c (higher on 1 queries, lower on 1)",
        ]
        rows = [row[0] for row in rows_of(found, "moved")]
        assert rows == ["a and b", "a and c"]


class TestTexts:
    queries = ({"_id": "q", "text": f"How? {NASTY[0]}"},)
    docs = (
        {"_id": "d1", "title": f"One {NASTY[0]}", "text": "word " * 400,
         "url": "https://x.example/1"},
        {"_id": "d2", "title": "", "text": "Two", "url": "javascript:alert(1)"},
        {"_id": "x1", "title": "", "text": "Not shown elsewhere."},
        {"_id": "far", "title": "", "text": "Never retrieved."},
    )  # fmt: skip

    @pytest.mark.parametrize("section", ["moved", "best"])
    def test_what_is_shown_is_said_as_text(self, moved, section):
        html = html_of(moved(NEWER, OLDER, GRADES, queries=self.queries, docs=self.docs), section)
        assert "“<bdi>How? &lt;script&gt;alert(1)&lt;/script&gt;</bdi>”" in html
        assert "<script" not in html
        assert "One &lt;script&gt;" in html
        assert "Never retrieved" not in html
        assert max(map(len, re.findall(r"(?:word ?)+", html))) <= 500
        assert '<a href="https://x.example/1" rel="noopener noreferrer">' in html
        assert 'href="javascript' not in html
        assert "javascript:alert(1)" in html

    @pytest.mark.parametrize("url", ["https://[", "http:", "//x.example", "data:text/html,x"])
    def test_what_is_no_address_of_the_web_is_no_link(self, moved, url):
        found = moved(NEWER, OLDER, GRADES, docs=[{"_id": "d1", "text": "One", "url": url}])
        assert "<a " not in html_of(found, "moved")

    def test_texts_that_are_lacking_are_counted(self, moved):
        found = moved(NEWER, OLDER, GRADES, docs=self.docs, queries=[{"_id": "p", "text": "?"}])
        assert (
            "No text was found for 1 of the 1 queries that this report shows, such as q. The files "
            "of texts have ids such as 'p': check that these are the same ids. No text was found "
            "for 3 of the 6 items that this report shows, such as x3." in found.text("worst")
        )
        assert "No text" not in moved(NEWER, OLDER, GRADES).text("worst")

    def test_a_list_to_drag_says_them_too(self, moved):
        found = moved({"q": ["d2", "x9"]}, OLDER, GRADES, docs=self.docs)
        assert "d2 · Two" in html_of(found, "best")

    def test_a_file_is_gone_through_once(self, moved, monkeypatch):
        found = moved(NEWER, OLDER, GRADES, docs=self.docs)
        calls = []
        (texts,) = found.results.data.texts["doc"]
        monkeypatch.setattr(type(texts), "of", lambda self, ids: calls.append(set(ids)) or {})
        for name in ("worst", "best", "moved"):
            found.section(name)
        assert calls == [{"d1", "d2", "x1", "x2", "x3", "x4"}]

    def test_the_run_may_hold_them(self, tmp_path):
        run = frame([("q", "d1", 1.0), ("q", "d2", 0.5)], "score").assign(text=["One", "Two"])
        run = run.assign(query="How?").rename(columns={"query_id": "qid"})
        qrels = write(tmp_path / "qrels.csv", frame([("q", "d1", 1)], "relevance"))
        found = report(write(tmp_path / "run.csv", run), qrels, measures="RR")
        assert ["texts of queries", "run.csv"] in [row[:2] for row in rows_of(found, "files")]
        html = html_of(found, "best")
        assert "“<bdi>How?</bdi>”" in html
        assert "d1 · One" in html

    def test_a_file_that_is_not_there(self):
        with pytest.raises(DataError, match=r"There is no file gone\.csv"):
            report(NEW, QRELS, queries="gone.csv")
