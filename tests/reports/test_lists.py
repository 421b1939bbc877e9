"""Lists of single queries to drag: their values, and why a list stands still."""

import json
import re
from html import unescape

import pytest
from random_tables import random_tables
from small_runs import frame, html_of, report_on

from byhand import Conventions
from byhand.metrics.measure_names import measure_list
from byhand.metrics.presets import preset_named


def queries_in(found, name):
    """The queries of a section, in their order."""
    return re.findall(r"<summary><span><b><bdi>(.*?)</bdi></b>", html_of(found, name))


def states(found, *names):
    """The states of the lists to drag in some sections."""
    html = "".join(html_of(found, name) for name in names)
    return [json.loads(unescape(each)) for each in re.findall(r"data-live='([^']*)'", html)]


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
            Conventions(gain="exponential", ideal="retrieved", denominator="retrieved"),
            Conventions(denominator="capped", gain="binary", ties="best"),
            *(Conventions(ties=order) for order in ("doc_id_ascending", "input", "worst")),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("lowest", [None, 2])
    def test_values_are_those_of_the_report(self, conventions, lowest):
        measures = ["nDCG@10", "AP", "AP@5", "RR", "P@5", "R@30", "AP(rel=2)", "Success@1"]
        run, qrels = random_tables(11, queries=4, items=[f"d{n}" for n in range(50)])
        options = {"conventions": conventions, "relevant_from": lowest}
        found = report_on(run, qrels=qrels, measures=measures, **options)
        shown = [query for name in ("worst", "best") for query in queries_in(found, name)]
        own = conventions
        if isinstance(own, Conventions) or own == "trec_eval -J":
            own = preset_named(conventions).choices.but(unjudged="not_relevant", ties="input")
        assert len(shown) == 4
        assert "adds to nDCG" in html_of(found, "best")
        for query, state in zip(shown, states(found, "worst", "best"), strict=True):
            values = dragged(state, own)
            assert {"nDCG@10", "AP(rel=2)"} <= set(values)
            # where nDCG keeps its low grades, they stand in the list, and to AP they are no hits
            assert "AP" in values or (conventions, lowest) == ("trec_eval -c -l", 2)
            for name, value in values.items():
                stated = found.results["queries"]["a"].loc[query, name]
                assert value == pytest.approx(stated, abs=1e-12), name

    @pytest.mark.parametrize(
        ("scores", "grades", "measures", "conventions", "why"),
        [
            ([1, 1], [1, 1], "RR", "sklearn", "its equal scores allow more than one order"),
            ([2, 1, 1], [1], "AP", "sklearn", ""),  # ties without a hit
            ([2, 1], [0.5], "RR", "trec_eval", "its grades are not whole numbers up to 9"),
            ([2, 1], [1], ["Judged@2", "RR"], "trec_eval", "a browser cannot compute Judged@2"),
            (range(200, 0, -1), [1, 0] * 100, "AP", "trec_eval", "it needs 200 rows, the limit"),
            ([2, 1], [1] * 81, "RR", "trec_eval", ""),
        ],
    )
    def test_a_list_that_stands_still_says_why(self, scores, grades, measures, conventions, why):
        rows = [("1", f"d{n}", score) for n, score in enumerate(scores)]
        run = frame([*rows, ("2", "z", 9), ("2", "y", 3)], "score")  # all alike stop a report
        qrels = frame([("1", f"d{n}", grade) for n, grade in enumerate(grades)], "relevance")
        found = report_on(run, qrels=qrels, measures=measures, conventions=conventions)
        html = html_of(found, "best")
        assert (f"cannot be dragged: {why}" in html) == bool(why)
        assert len(states(found, "best")) == (not why)
        assert html.count("<table") == 1
        assert ("adds to" in html) == (conventions != "sklearn")
