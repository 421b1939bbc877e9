"""What a report claims first: no more than the numbers do, and where to look."""

import json
import re

import numpy as np
import pytest
from small_runs import (
    frame,
    html_of,
    report_at,
    report_on,
    said,
    text_of,
)

import byhand

N = r"[\d.-]+"


def summary(found):
    return found.text("summary")


class TestForest:
    def test_eight_systems_have_eight_colours_and_shapes(self):
        found = html_of(report_at(*([1 + n % 4, 2] * 6 for n in range(8))), "summary")
        signs = re.findall(r'class="sys (c\d)".*?d="([^"]*)"', found)
        assert len({*signs}) == len({c for c, _ in signs}) == len({d for _, d in signs}) == 8

    @pytest.mark.parametrize("section", ["summary", "groups"])
    def test_each_mark_stands_at_its_value_and_is_open_where_nothing_is_told(self, section):
        groups = {f"q{n}": "even" if n % 4 < 2 else "odd" for n in range(20)}
        options = {"measures": "RR", "matters": 0.1, "groups": groups}
        found = report_at([1, 2] * 10, [3, 4] * 10, [2, 1] * 10, **options)
        results = found.results
        if section == "groups":
            rows = results.groups.comparison.sort_values("b", kind="stable").to_dict("records")
        else:
            rows = [results.row_between("RR", other, "a") for other in "bc"]
        html = html_of(found, section)
        ticks = re.findall(r'<text x="([\d.]+)%" y="17">(.*?)<', html)
        at = {float(text.replace("−", "-")): float(place) for place, text in ticks}
        (low, left), *_, (high, right) = sorted(at.items())

        def place(value):
            return pytest.approx(left + (value - low) * (right - left) / (high - low), abs=0.15)

        lines = rf'style="--z:({N})%;--a:({N})%;--b:({N})%"'
        assert [float(each) for each in re.search(lines, html).groups()] == [
            place(value) for value in (0, -0.1, 0.1)
        ]
        mark = rf'<line class="i" x1="({N})%" x2="({N})%".*?<svg x="({N})%" y="50%" class="k( o)?"'
        marks = re.findall(mark, html)
        assert len(marks) == len(rows)
        for (*drawn, is_open), row in zip(marks, rows, strict=True):
            wanted = [place(row[name]) for name in ("low", "high", "difference")]
            assert [float(each) for each in drawn] == wanted
            assert (is_open == "") == row["verdict"].endswith("higher")


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


@pytest.mark.parametrize("options", [{}, {"all_pairs": True}])
def test_every_form_has_the_verdicts_of_every_measure(tmp_path, options):
    ranks = [1, 2] * 10, [3, 4] * 10, [2, 1] * 10
    found = report_at(*ranks, measures=["P@9", "RR"], **options)
    found.save(json=tmp_path / "all.json")
    told = json.loads((tmp_path / "all.json").read_text())["summary"]
    assert told[:3] == [
        "a cannot be told from b and c in P@9.",
        "In RR it is higher than b.",
        "It cannot be told from c.",
    ]
    assert summary(found).splitlines()[1:3] == [told[0], " ".join(told[1:3])]


class TestJudgements:
    """Two equal systems, of which one found items that nobody judged: 8% of its first ten."""

    def found(self):
        items = [f"d{n}" for n in range(10)]
        rows = {"a": [], "b": []}
        for query in range(100):
            for name, listed in (("a", items), ("b", ["new"] * (query > 19) + items)):
                rows[name] += [(f"q{query}", item, -n) for n, item in enumerate(listed)]
        qrels = [(f"q{n}", item, int(item == "d0")) for n in range(100) for item in items]
        runs = [frame(each, "score") for each in rows.values()]
        qrels = frame(qrels, "relevance")
        return report_on(*runs, qrels=qrels, measures=["RR", "P@5"])

    def test_a_verdict_that_turns_on_judged_items_has_a_bracket_in_every_form(self, tmp_path):
        found = self.found()
        assert "▲! +0.400" in summary(found)
        assert "a is higher, by these judgements" in found.text("comparison")
        found.save(json=tmp_path / "all.json", latex=tmp_path / "means.tex")
        told = json.loads((tmp_path / "all.json").read_text())
        assert told["verdicts_that_depend_on_judgements"] == [{"measure": "RR", "a": "a", "b": "b"}]
        table = (tmp_path / "means.tex").read_text()
        assert "By these judgements, and perhaps not by others: RR." in table


class TestPool:
    @pytest.mark.parametrize(("n_judged", "says"), [(9, False), (8, True)])
    def test_a_tenth_more_may_be_judged_of_one_system(self, n_judged, says):
        run = frame([("q", f"d{n}", -n) for n in range(10)], "score")
        other = frame([("q", f"{'dx'[n >= n_judged]}{n}", -n) for n in range(10)], "score")
        qrels = run.drop(columns="score").assign(relevance=[1] + [0] * 9)
        assert ("artefact" in said(report_on(run, other, qrels=qrels, measures="P@10"))) == says


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
        run(deep), run(deep + rng.integers(-20, 20, 60)), qrels=qrels, measures="RR", matters=0.06
    )
    text = summary(found)
    mean, row = found.results.means.iloc[0], found.results.comparison.iloc[0]
    assert mean["mean"] < 0.01
    assert f"{mean['mean']:.4f}" in text
    assert 0 < abs(row["difference"]) < 0.001
    assert f"{abs(row['difference']):.5f}" in text
    excluded = "A difference of 0.06, which would matter, is excluded either way."
    assert excluded in found.text("comparison")
    # a number other than 0 shows a digit other than 0
    assert not re.findall(r"[+−]0\.0+\b", text_of(found.html()))


def test_no_verdict_turns_from_one_way_of_telling_nothing_to_another():
    first, second = ["r", "n"], ["n", "r"]
    runs = {
        "a": {f"q{i}": second if i in (3, 4) else first for i in range(10)} | {"q5": ["u", "r"]},
        "b": {f"q{i}": second if i < 3 else first for i in range(10)},
    }
    report = byhand.report(
        runs, {query: {"r": 1, "n": 0} for query in runs["b"]}, measures=["RR@2"]
    )
    verdicts = [report.results.comparison, report.others.by_choice["judged"].comparison]
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
