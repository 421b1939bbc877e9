"""What a report claims first: no more than the numbers do, and where to look."""

import re

import numpy as np
import pandas as pd
import pytest
from small_runs import (
    frame,
    headline,
    html_of,
    ranked,
    report_at,
    report_on,
    rows_of,
    said,
    text_of,
)

import byhand
from byhand import Conventions, compare, evaluate, queries_needed, smallest_difference
from byhand.reports import SECTIONS

GOOD, BAD, SAME = [1, 2] * 10, [3, 4] * 10, [2, 1] * 10
NEAR, FAR = [1, 2, 1, 2, 3, 1, 4, 1] * 3, [2, 1, 1, 1, 3, 2, 4, 3] * 3


def summary(found):
    return found.text("summary")


def test_a_run_that_may_stand_on_its_head_is_doubted_before_all_else():
    _, doubt, claim, *_ = summary(report_at([9, 8] * 10, BAD)).splitlines()
    assert doubt.startswith("a: Relevant items stand lower than in a random order: the mean AP is")
    assert claim == "a is lower than b in RR (with a caution)."


class TestHeadline:
    @pytest.mark.parametrize(
        ("ranks", "says"),
        [
            ([GOOD, BAD], "a is higher than b in RR."),
            ([BAD, GOOD], "a is lower than b in RR."),
            ([GOOD, SAME], "a cannot be told from b in RR."),
            ([[1, 1], [2, 2]], "a cannot be told from b in RR."),
            ([GOOD, [3] * 12], "a has no verdict against b in RR."),
            ([GOOD, BAD, SAME], "a is higher than b in RR. It cannot be told from c."),
            ([GOOD, BAD, BAD[::-1]], "a is higher than b and c in RR."),
        ],
    )
    def test_follows_the_verdicts(self, ranks, says):
        assert headline(report_at(*ranks)) == says

    def test_of_one_system_it_is_the_mean_beside_that_of_chance(self):
        says = "a gets 0.750 in RR; a random order of its items would get 0.314."
        assert headline(report_at(GOOD)) == says

    def test_of_two_it_says_each_measure_those_alike_together(self):
        found = report_at(GOOD, BAD, measures=["RR", "P@1", "P@5"])
        assert (
            headline(found) == "a is higher than b in RR and P@1. In P@5 these queries cannot tell."
        )
        turned = report_at(SAME, GOOD[::-1][:10] + BAD[:10], measures=["P@9", "RR"])
        assert headline(turned).startswith("a cannot be told from b in P@9. In RR it is")

    def test_of_several_the_other_measures_follow(self):
        lead = "In P@1 it is higher than b. It cannot be told from c."
        assert lead in summary(report_at(GOOD, BAD, SAME, measures=["RR", "P@1"]))

    def test_of_all_pairs_it_is_about_the_highest(self):
        found = report_at(BAD, GOOD, SAME, all_pairs=True)
        assert headline(found) == "b is higher than a in RR. It cannot be told from c."

    @pytest.mark.parametrize(
        ("matters", "says"),
        [
            (None, "a cannot be told from b in RR."),
            (0.25, "a cannot be told from b in RR."),
            (0.3, "a and b differ by at most 0.27 in RR."),
        ],
    )
    def test_a_narrow_interval_says_more_than_that_it_cannot_tell(self, matters, says):
        assert headline(report_at(NEAR, FAR, matters=matters)) == says


class TestTable:
    def test_of_two_the_difference_stands_in_the_row_of_the_first(self):
        found = report_at(GOOD, BAD, measures=["RR", "P@1"])
        rows = [
            ["a", "0.750 ▲ +0.458", "0.500 ▲ +0.500"],
            ["b", "0.292 baseline", "0.000 baseline"],
            ["random order of the items of a", "0.314", "0.111"],
        ]
        assert rows_of(found, "summary", "means") == rows
        assert "<b>0.750</b>" in html_of(found, "summary")
        assert "<b>0.292</b>" not in html_of(found, "summary")
        turned = rows_of(report_at(BAD, GOOD, measures=["RR", "P@1"]), "summary", "means")
        assert turned[0] == ["a", "0.292 ▼ −0.458", "0.000 ▼ −0.500"]
        assert "Means, and the difference to b" in summary(found)

    @pytest.mark.parametrize("ranks", [(GOOD, BAD, SAME), (BAD, GOOD, SAME)])
    @pytest.mark.parametrize("all_pairs", [False, True])
    def test_of_several_each_stands_against_the_subject(self, ranks, all_pairs):
        found = report_at(*ranks, all_pairs=all_pairs)
        means = {name: table["RR"].mean() for name, table in found.results.tables.items()}
        base = max("ab", key=lambda name: all_pairs and means[name])
        assert f"Means, and the difference to {base}" in summary(found)
        for name, cell in rows_of(found, "summary", "means")[:-1]:
            apart = means[name] - means[base]
            mark = "▲" if apart > 0.2 else "▼" if apart < -0.2 else "?"
            number = f"{apart:+.3f}".replace("-", "−") if abs(apart) > 1e-9 else "0.000"
            assert cell == f"{means[name]:.3f} " + (f"{mark} {number}", "baseline")[name == base]

    def test_withheld(self):
        found = report_at(BAD, GOOD, [1] * 12)
        assert "– +0.308" in rows_of(found, "summary", "means")[2][1]
        assert ", – no verdict." in summary(found)

    def test_not_for_one_system(self):
        assert "▲" not in summary(report_at(GOOD))


class TestForest:
    def places(self, found):
        """What stands in each row of the figure, and where its mark and interval are."""
        marks = re.findall(
            r'x1="([\d.]+)%" x2="([\d.]+)%" y1="50%".*?<svg x="([\d.]+)%" y="50%" class="(k[ o]*)"',
            html_of(found, "summary"),
        )
        return [(*map(float, ends), kind) for *ends, kind in marks]

    def test_marks_stand_where_the_numbers_are(self):
        found = report_at(GOOD, BAD, measures=["RR", "P@1", "P@5"], matters=0.1)
        zero, least = (
            float(re.search(rf"--{name}:([\d.]+)%", html_of(found, "summary"))[1]) for name in "zb"
        )
        rows = found.results.comparison.to_dict("records")
        marks = self.places(found)[: len(rows)]
        for row, (low, high, at, kind) in zip(rows, marks, strict=False):
            for name, place in (("low", low), ("high", high), ("difference", at)):
                assert (place - zero) / (least - zero) == pytest.approx(row[name] / 0.1, abs=0.05)
            assert (kind == "k") == row["verdict"].endswith("higher")

    @pytest.mark.parametrize(
        ("ranks", "matters", "says"),
        [
            ((GOOD, BAD), None, "▲ higher"),
            ((BAD, GOOD), None, "▼ lower"),
            ((GOOD, BAD), 0.1, "▲ higher, by over 0.1"),
            ((GOOD, BAD), 0.45, "▲ higher, may be under 0.45"),
            ((BAD, GOOD), 0.9, "▼ lower, by under 0.9"),
            ((NEAR, FAR), 0.3, "? apart by at most 0.27"),
            ((NEAR, FAR), None, "? cannot tell"),
            (([1, 1], [2, 2]), None, "? too few to tell"),
            ((GOOD, GOOD), None, "? the same on every query"),
            ((GOOD, [3] * 12), None, "– no verdict"),
        ],
    )
    def test_each_row_says_what_its_mark_shows(self, ranks, matters, says):
        (row,) = rows_of(report_at(*ranks, matters=matters), "summary", 'forest"')
        assert row[0] == f"RR {says}"

    def test_eight_systems_have_eight_colours_and_shapes(self):
        found = html_of(report_at(*([1 + n % 4, 2] * 6 for n in range(8))), "summary")
        signs = re.findall(r'class="sys (c\d)".*?d="([^"]*)"', found)
        assert len({*signs}) == len({c for c, _ in signs}) == len({d for _, d in signs}) == 8

    def test_one_system_stands_beside_a_random_order(self):
        (row,) = rows_of(report_at(GOOD), "summary", 'forest"')
        assert row[0] == "RR random order 0.314"
        assert row[2].startswith("0.750 0.6")


class TestOverturn:
    def test_the_first_measure_under_each_choice_and_what_turns(self, sample):
        rows = rows_of(sample, "summary", "forest over")
        assert [row[0] for row in rows if not row[2]] == ["nDCG@10 stays", "RR turns"]
        numbers = {row[0]: row[2] for row in rows[:5]}
        assert numbers["as computed"] == "+0.051 ▲"
        for order in ("best", "worst"):
            other = sample.results.orders[order].comparison["difference"].iloc[0]
            label = f"ties: relevant {'first' if order == 'best' else 'last'}"
            assert numbers[label] == f"{other:+.3f} ▲"

    def test_nothing_where_nothing_is_open(self):
        assert "overturn" not in summary(report_at(GOOD, BAD))


class TestWhereToLook:
    def test_links_lead_to_what_moved(self):
        found = report_at([9, 2, 1, 8], [1, 1, 1, 1], [1, 1, 1, 1])
        html, moved = html_of(found, "summary"), html_of(found, "moved")
        assert "lost most to b\nq0 q3 q1" in summary(found)
        links = re.findall(r'href="#(moved[^"]*)"', html)
        places = {query: moved.index(f"<b><bdi>{query}</bdi></b>") for query in ("q0", "q3")}
        assert len(links) == len(set(links)) == 6
        assert all(f'id="{link}"' in moved for link in links)
        # inside of what opens: right behind the summary of its query
        assert places["q0"] < moved.index(f'id="{links[0]}"') < places["q3"]

    def test_one_system_has_its_worst(self):
        assert "worst\nq0 q3" in summary(report_at([9, 2, 1, 8]))

    def test_nothing_where_nothing_stands_out(self):
        assert "Look here first" not in summary(report_at([1, 1], [1, 1]))


class TestVerdict:
    def test_higher_if_p_and_interval_say_so(self):
        text = said(report_at([1] * 12, [2, 9] * 6))
        assert "So a is higher." in text
        assert "samples" not in text
        assert "So b is higher." in said(report_at([2, 9] * 6, [1] * 12))

    def test_four_queries_are_too_few_whatever_the_interval(self):
        text = said(report_at([1, 1, 1, 1], [2, 3, 2, 3]))
        # ++++ and ---- of 16
        assert "p = 0.125). The two differ on 4 queries only: too few to tell" in text
        assert "higher." not in text.replace("which is higher.", "")
        assert "On the mean: All 4 values are the same" not in text
        assert "On the mean and the difference: With 4 values, the interval may hold the" in text

    @pytest.mark.parametrize(
        ("conventions", "empty"), [("trec_eval -c", 6), ("trec_eval -c -l", 0)]
    )
    def test_what_is_not_relevant_enough_counts_as_the_first_measure_counts_it(
        self, conventions, empty
    ):
        run, qrels = ranked(*[1, 2] * 6)
        graded = qrels.assign(relevance=[1, 4] * 6)
        options = {"relevant_from": 4, "measures": ("nDCG", "AP"), "conventions": conventions}
        text = said(report_on(run, ranked(*[2, 1] * 6)[0], qrels=graded, **options))
        assert ("6 of 12 judged queries have no relevant item" in text) == bool(empty)

    def test_where_it_cannot_tell_it_says_how_small_a_difference_it_could_have_shown(self):
        found = report_at(NEAR, FAR)
        spread = found.results.differences("RR", "a", "b").std(ddof=1)
        least = smallest_difference(spread, len(NEAR))
        assert (
            "These queries cannot tell which is higher. So many queries show a true difference of "
            f"about {least:.3f} in four of five samples, a smaller one less often." in said(found)
        )

    @pytest.mark.parametrize(
        ("matters", "says"),
        [
            (
                0.02,
                "To show a difference of 0.02, which would matter, "
                "in four of five samples takes about {needed:,} queries.",
            ),
            (0.257, "A difference of 0.257, which would matter, shows in four of five samples."),
            (0.5, "The interval excludes the 0.5 that would matter, either way."),
        ],
    )
    def test_what_matters_was_chosen_and_not_observed(self, matters, says):
        found = report_at(NEAR, FAR, matters=matters)
        spread = found.results.differences("RR", "a", "b").std(ddof=1)
        assert says.format(needed=queries_needed(spread, matters)) in said(found)

    def test_the_same_mean_is_no_proof_of_anything(self):
        text = said(report_at([1, 2] * 6, [2, 1] * 6))
        assert "The mean of b is the same. These queries cannot tell which is higher." in text
        assert "show a true difference of about" in text

    def test_every_query_left_out(self):
        run = frame([("1", "a", 1.0), ("1", "b", 0.5)], "score")
        qrels = frame([("1", "b", 0), ("2", "c", 1)], "relevance")
        skip = Conventions(no_relevant="skip", missing="skip")
        found = report_on(run, qrels=qrels, conventions=skip)
        assert headline(found) == "No query of a has a value."
        assert "No query of a has a value, so there is no mean." in said(found)
        assert rows_of(found, "means")[0][2] == "–"
        assert html_of(found, "distributions") == ""


class TestMissing:
    def test_a_system_that_did_not_run_does_not_lose(self):
        text = said(report_at([1] * 30, [2]))
        assert (
            "There is no verdict, as what was not answered may decide: it is more than 5%. "
            "b did not answer 29 of 30 queries." in text
        )
        assert "b did not answer 29 of 30 queries. Each of these counts 0. Over the 1 that" in text

    def test_both_ways_of_counting_are_said(self):
        rng = np.random.default_rng(5)
        (run, qrels), (other, _) = (ranked(*rng.integers(1, most, 60)) for most in (5, 8))
        run = run[~run["query_id"].isin(["q3", "q8"])]
        as_zero = compare({"a": run, "b": other}, qrels, ["RR"]).iloc[0]
        rest = qrels[~qrels["query_id"].isin(["q3", "q8"])]
        answered = compare({"a": run, "b": other}, rest, ["RR"]).iloc[0]
        counted = said(report_on(run, other, qrels=qrels, measures="RR"))
        assert f"mean is {as_zero['difference']:.3f} above that of b" in counted
        assert (
            "a did not answer 2 of 60 queries. Each of these counts 0. Over the 58 that" in counted
        )
        assert f"both answered: the difference is {answered['difference']:+.3f} (" in counted
        skipped = said(report_on(run, other, qrels=qrels, measures="RR", conventions="trec_eval"))
        above = f"{answered['difference']:.3f} above that of b"
        assert f"Over the 58 with a value of both, its mean is {above}" in skipped
        assert (
            "Each of these is left out. Counted as 0: the difference is "
            f"{as_zero['difference']:+.3f} (" in skipped
        )

    def test_of_one_system(self):
        run, qrels = ranked(*[1, 2] * 10)
        text = said(report_on(run[run["query_id"] != "q0"], qrels=qrels, measures="RR"))
        assert "a did not answer 1 of 20 queries. Each of these counts 0. Over the 19 that" in text
        assert f"it answered: the mean is {(9 + 10 / 2) / 19:.3f}." in text

    def test_no_query_that_both_answered(self):
        run, qrels = ranked(1, 1)
        first = run["query_id"] == "q0"
        text = said(report_on(run[first], run[~first], qrels=qrels))
        assert "Over the 0 that both answered: there is nothing to compare." in text


@pytest.fixture(scope="module")
def pooled():
    """Two runs of much the same quality, and judgements of the first ten of one of them."""
    rng = np.random.default_rng(1)
    runs, qrels = {"a": [], "b": []}, []
    for query in range(40):
        good = rng.random(100) < 0.3
        top = {}
        for name, rows in runs.items():
            score = good + rng.normal(size=100)
            rows += [(f"q{query}", f"d{item}", score[item]) for item in range(100)]
            top[name] = np.argsort(-score)[:10]
        qrels += [(f"q{query}", f"d{item}", int(good[item])) for item in top["a"]]
    run, other = (frame(rows, "score") for rows in runs.values())
    return run, other, frame(qrels, "relevance")


class TestPool:
    def test_says_that_the_difference_may_be_an_artefact(self, pooled):
        run, other, qrels = pooled
        text = said(report_on(run, other, qrels=qrels, measures="P@10"))
        shares = [evaluate(each, qrels, ["Judged@10"]).mean().item() for each in (run, other)]
        judged = Conventions(unjudged="removed")
        fair = compare({"a": run, "b": other}, qrels, ["P@10"], conventions=judged).iloc[0]
        assert shares[0] == 1 > shares[1] + 0.1
        assert f"items, 100.0% for a and {shares[1]:.1%} for b are judged: the " in text
        assert "). So a is higher by these judgements." in text
        assert "may be an artefact of what was judged. On judged items only: the " in text
        assert fair["difference"] == 0
        assert "the difference is 0.000 (95% interval" in text

    def test_says_nothing_where_both_were_judged_alike(self, pooled, sample):
        assert "artefact" not in said(sample)
        run, other, qrels = pooled
        removed = Conventions(unjudged="removed")
        found = report_on(run, other, qrels=qrels, measures="P@10", conventions=removed)
        assert "artefact" not in said(found)

    @pytest.mark.parametrize(("n_judged", "says"), [(9, False), (8, True)])
    def test_a_tenth_more_may_be_judged_of_one_system(self, n_judged, says):
        run = frame([("q", f"d{n}", -n) for n in range(10)], "score")
        other = frame([("q", f"{'dx'[n >= n_judged]}{n}", -n) for n in range(10)], "score")
        qrels = run.drop(columns="score").assign(relevance=[1] + [0] * 9)
        assert ("artefact" in said(report_on(run, other, qrels=qrels, measures="P@10"))) == says


class TestWhoseNumbers:
    near = pd.DataFrame({"query_id": "q", "doc_id": list("ab"), "score": [1.0, 1.0 + 1e-12]})
    far = near.assign(score=[1.0, 2.0])
    qrels = pd.DataFrame({"query_id": "q", "doc_id": ["a"], "relevance": [1]})
    graded = (
        frame([("q", "a", 3.0), ("q", "b", 2.0), ("q", "c", 1.0)], "score"),
        frame([("q", "a", 3), ("q", "b", 5), ("q", "c", 1)], "relevance"),
    )

    def on(self, run, measures="RR", **options):
        return report_on(run, qrels=self.qrels, measures=measures, **options)

    def test_float32_is_decided_by_the_data(self):
        far, near = (
            self.on(run, conventions="pytrec_eval").phrase("computed_as")
            for run in (self.far, self.near)
        )
        assert far == "as pytrec_eval computes it"
        assert near == (
            "approximately as pytrec_eval computes it, except that scores that differ only "
            "after their 7th digit are equal to it (float32)"
        )
        assert self.on(self.near).phrase("computed_as") == "as trec_eval -c computes it"

    def test_what_no_choice_expresses_is_said(self):
        found = self.on(self.far, conventions="ranx")
        assert (
            "RR, approximately as ranx computes it, except that equal scores have no fixed"
            in summary(found)
        )
        own = self.on(self.far, conventions=Conventions())
        assert own.phrase("computed_as") == "with our own conventions"

    def test_choices_of_some_measures_are_said_of_these(self):
        found = self.on(self.far, ["RR", "RR@5", "RR@10"], conventions="ir_measures")
        assert found.phrase("conventions").startswith(
            "for RR items with equal scores are ordered by their identifier, descending by code "
            "point; for RR@5 and RR@10 items with equal scores are ordered by their identifier, "
            "ascending by code point; a query"
        )
        binary = self.on(self.far, "nDCG@10", conventions="recommenders").phrase("conventions")
        assert "the gain of a relevant item is 1; a gain is divided by log2(rank + 1)" in binary
        assert "a judged query that the run lacks counts 0" in binary

    @pytest.mark.parametrize(
        ("conventions", "measure", "value", "says", "low"),
        [
            ("trec_eval -c", "nDCG", 0.6309, "approximately as trec_eval -c computes it, except "
             "that a grade below 4 gains nothing;", "a grade below 4 gains nothing;"),
            ("trec_eval -c -l", "nDCG", 0.9002, ", as trec_eval -c -l computes it;",
             "a grade below 4 keeps its gain, as with trec_eval's option -l;"),
            ("trec_eval -c", "RR", 0.5, ", as trec_eval -c computes it;", ""),
            ("recommenders", "RR", 0.5, "approximately as recommenders computes it, except that it "
             "has no RR or Success;", ""),
        ],
    )  # fmt: skip
    def test_what_a_lower_grade_gains_is_said(self, conventions, measure, value, says, low):
        run, qrels = self.graded
        options = {"qrels": qrels, "measures": measure}
        found = report_on(run, relevant_from=4, conventions=conventions, **options)
        assert found.results.first[measure].tolist() == pytest.approx([value], abs=5e-5)
        assert f"{says} relevant is a grade of 4 or more." in summary(found)
        assert low in found.phrase("conventions")
        assert ("grade below" in found.phrase("conventions")) == (low != "")
        assert "grade below" not in report_on(run, **options).phrase("conventions")

    def test_where_no_grade_is_lower_it_is_the_tool_s(self):
        run, qrels = self.graded
        found = report_on(run, qrels=qrels, measures="nDCG", relevant_from=1)
        assert found.phrase("computed_as") == "as trec_eval -c computes it"


def test_digits_follow_the_size_of_what_they_say():
    rng = np.random.default_rng(0)
    deep = rng.integers(90, 190, 60)

    def run(ranks):
        rows = [
            (f"q{q}", "D" if place == rank else f"x{place}", -place)
            for q, rank in enumerate(ranks)
            for place in range(1, 300)
        ]
        return frame(rows, "score")

    qrels = frame([(f"q{q}", "D", 1) for q in range(60)], "relevance")
    found = report_on(
        run(deep), run(deep + rng.integers(-20, 20, 60)), qrels=qrels, measures="RR", matters=0.02
    )
    text = said(found)
    mean, row = found.results.means.iloc[0], found.results.comparison.iloc[0]
    assert mean["mean"] < 0.01
    assert f"{mean['mean']:.4f}" in text
    assert 0 < abs(row["difference"]) < 0.001
    assert f"{abs(row['difference']):.5f}" in text
    assert "The interval excludes the 0.02 that would matter, either way." in text
    # a number other than 0 shows a digit other than 0
    assert not re.findall(r"[+−]0\.0+\b", text_of(found.html()))


def test_one_query_is_one():
    found = report_at([2], [1])
    assert "Over 1 query, a gets" in said(found)
    assert not [name for name in SECTIONS if name != "data" and "1 queries" in found.text(name)]


def test_no_verdict_turns_from_one_way_of_telling_nothing_to_another():
    first, second = ["r", "n"], ["n", "r"]
    runs = {
        "a": {f"q{i}": second if i in (3, 4) else first for i in range(10)} | {"q5": ["u", "r"]},
        "b": {f"q{i}": second if i < 3 else first for i in range(10)},
    }
    report = byhand.report(
        runs, {query: {"r": 1, "n": 0} for query in runs["b"]}, measures=["RR@2"]
    )
    verdicts = [report.results.comparison, report.results.by_choice["judged"].comparison]
    assert [table["verdict"].item() for table in verdicts] == ["cannot tell", "too few to tell"]
    assert "RR@2 stays" in report.text("summary")
    assert "no verdict changes" in report.text("unjudged")


@pytest.mark.parametrize(("systems", "folded"), [(2, ""), (5, "3 more notes")])
def test_many_notes_on_the_data_are_folded(systems, folded):
    runs = {f"s{i}": {f"q{n}": {"r": 1} for n in range(i, 9)} for i in range(1, systems + 1)}
    report = byhand.report(runs, {f"q{n}": {"r": 1} for n in range(9)}, measures=["RR"])
    html = report.section("data").html
    assert folded in html
    assert ("more note" in html) == bool(folded)
    assert report.text("data").count("The run lacks") == systems
