"""Each preset against what its tool gave; and where it differs, why."""

from fnmatch import fnmatchcase
from functools import cache

import pytest
from peer_tools import TOOLS

from byhand import PRESETS, DataError
from byhand.conventions.departures import MISTAKES, Variant
from byhand.conventions.recomputer import Recomputer
from byhand.metrics import Evaluation, RunWithQrels, measures_named
from byhand.tables.frames import run_of
from helpers import tool_case, tool_results, tool_versions

SINGLE = "scores that differ only after their 7th digit are equal to it (float32)"
STRANGERS = "an unjudged query counts as one without a relevant item"
CAPPED = "AP@k divides by the smaller of k and the number of relevant items in the whole list"
SHORT = "P@k divides by the length of a list that is shorter than k"
LRAP = "label_ranking_average_precision_score counts a query without a relevant item as 1"
MISSING = "a query with an empty list is left out of P, and of nDCG without a cutoff"
BELOW = "an item with a score of 0 or below is not a hit in RR, AP and P"
TIED = "tied-one tied-one-renamed tied-two tied-twenty tied-in-twenty float16"
# what no choice expresses, in the words of a preset's `except_that`: tools, cases, measures
EXCEPTIONS = [
    (SINGLE, "pytrec_eval, ir_measures", "float32", "RR AP nDCG"),
    (SINGLE, "torchmetrics, xgboost", "float32", "*"),
    (SINGLE, "mteb", "float32", "AP nDCG"),
    (STRANGERS, "torchmetrics, xgboost, lightgbm, catboost, haystack", "unjudged", "*"),
    (STRANGERS, "mlflow, phoenix, deepeval, spark", "unjudged", "*"),
    (STRANGERS, "sklearn", "unjudged", "AP nDCG"),
    (STRANGERS, "lenskit", "unjudged", "RR nDCG RR@2 P@2"),
    (STRANGERS, "ragas", "unjudged", "P@2"),
    (CAPPED, "xgboost, lightgbm, catboost", "many-relevant", "AP@3"),
    (SHORT, "xgboost, catboost, llama_index, lenskit", "short one-of-ten", "P@5 P@10"),
    (SHORT, "mlflow, trulens, ragas", "short one-of-ten", "P@5 P@10"),
    ("R divides by the relevant items that were retrieved", "torchmetrics, catboost", "*", "R@*"),
    ("grades below 0 are subtracted in nDCG", "torchmetrics, catboost", "grade-below-zero", "nDCG"),
    ("in AP all items with equal scores have the last rank among them", "sklearn", TIED, "AP"),
    (LRAP, "sklearn", "no-relevant", "AP"),
    (
        "equal scores have no fixed order in lists of more than 15 items",
        *("ranx", "tied-twenty tied-in-twenty", "*"),
    ),
    ("equal scores have no fixed order outside nDCG", "torchmetrics", TIED, "RR AP RR@8 P@3"),
    ("equal scores have no fixed order", "recommenders spark", f"{TIED} tied-graded", "*"),
    (BELOW, "torchmetrics", "negative-scores", "RR AP P@2"),
    ("AP divides by no more than the length of the list", "lenskit", "one-of-ten", "AP@10"),
    (MISSING, "trulens", "missing", "nDCG P@2"),
]
KNOWN = [(tool, *of, says) for says, tools, *of in EXCEPTIONS for tool in tools.split(", ")]
# (tool, cases, measures) of what it refuses to compute
REFUSED = [
    ("sklearn", "grade-below-zero one-item one-of-ten", "nDCG nDCG@10"),
    ("ir_measures", "grade-forty", "nDCG(dcg='exp-log2')@3 ERR@3"),
    ("ranx", "unjudged", "*"),
    ("xgboost", "grade-below-zero grade-forty", "nDCG nDCG@3 nDCG(dcg='exp-log2')@3"),
    ("lightgbm", "grade-below-zero grade-forty", "*"),
    ("llama_index", "unjudged", "*"),
    ("lenskit", "unjudged", "AP"),
    ("phoenix", "grade-below-zero", "nDCG"),
    ("ragas", "missing", "P@2"),
    ("ragas", "unjudged", "AP"),
    ("mteb", "unjudged", "*"),
]
# (tool, option in the call, what to choose beside its preset; None: no choice gives this)
OPTIONS = [
    ("ranx", "make_comparable=True", {"missing": "zero"}),
    ("recommenders", "score_type='raw'", {"gain": "linear"}),
    ("recommenders", "map(", {"denominator": "relevant"}),
    ("trec_eval -J", "-J", {"unjudged": "removed"}),
    ("sklearn", "ignore_ties=True", None),
    ("xgboost", "'ndcg_exp_gain': False", {"gain": "linear"}),
    ("lightgbm", "'label_gain'", {"gain": "linear"}),
    ("lenskit", "gain='rating'", {"gain": "linear"}),
    ("haystack", "NDCGEvaluator().run(relevant", {"gain": "binary"}),
    ("mteb", "ignore_identical_ids=True", None),
    ("recommenders spark", ".map()", {"denominator": "relevant"}),
]
TOOL_OF = {name: name for name in PRESETS} | {"trec_eval -J": "trec_eval"}
# what a table of rows cannot say, or must not
NO_TABLES = ("repeated", "empty-list")
RECORDED = [
    row for row in tool_results().itertuples() if row.tool in TOOL_OF and row.case not in NO_TABLES
]
# the first row of a tool, case and measure has the main call
MAIN = {(row.tool, row.case, row.measure): row.call for row in reversed(RECORDED)}


def is_of(row, entry):
    tool, cases, measures = entry[:3]
    known = (row.case, cases), (row.measure, measures)
    return row.tool == tool and all(
        any(fnmatchcase(name, each) for each in names.split()) for name, names in known
    )


def conventions_of(row):
    """Its preset, with what the options in the call change; None where nothing gives that."""
    changes = [change for tool, part, change in OPTIONS if tool == row.tool and part in row.call]
    if not changes:
        return row.tool
    (measure,) = measures_named([row.measure]).values()
    chosen = measure.chosen_by(PRESETS[TOOL_OF[row.tool]])
    return None if changes == [None] else chosen.but(**changes[0])


@cache
def tables(case):
    return RunWithQrels(*tool_case(case))


def agrees(row, conventions):
    try:
        found = Evaluation(tables(row.case), [row.measure], conventions=conventions).table()
    except DataError:
        return isinstance(row.error, str)
    return abs(found[row.measure].mean() - row.value) <= TOOLS[row.tool].tolerance + 1e-12


@pytest.mark.parametrize("tool", TOOL_OF)
def test_the_preset_gives_what_the_tool_gave(tool):
    rows = [row for row in RECORDED if row.tool == tool]
    assert len(rows) > (15 if tool in PRESETS else 4)
    unexplained = [
        (row.case, row.measure, row.call)
        for row in rows
        if conventions_of(row) is not None
        and not any(is_of(row, entry) for entry in KNOWN + REFUSED)
        and not agrees(row, conventions_of(row))
    ]
    assert unexplained == []


@pytest.mark.parametrize("entry", KNOWN, ids=lambda entry: f"{entry[0]}: {entry[3]}")
def test_every_exception_is_one_of_the_main_calls(entry):
    rows = [row for row in RECORDED if is_of(row, entry) and not isinstance(row.error, str)]
    main = [row for row in rows if row.call == MAIN[row.tool, row.case, row.measure]]
    assert any(not agrees(row, row.tool) for row in main)


@pytest.mark.parametrize("entry", REFUSED, ids=" ".join)
def test_what_is_refused(entry):
    rows = [row for row in RECORDED if is_of(row, entry) and conventions_of(row) == row.tool]
    assert rows
    assert all(isinstance(row.error, str) for row in rows)


@pytest.mark.parametrize("entry", OPTIONS, ids=lambda entry: f"{entry[0]}: {entry[1]}")
def test_every_option_changes_something(entry):
    rows = [row for row in RECORDED if row.tool == entry[0] and entry[1] in row.call]
    assert any(not agrees(row, TOOL_OF[row.tool]) for row in rows)


@pytest.mark.parametrize("tool", PRESETS)
def test_a_preset_excepts_what_was_seen_and_nothing_else(tool):
    has = {row.measure.partition("@")[0] for row in RECORDED if row.tool == tool}
    lacks = [name for name in ("RR", "AP", "nDCG", "P", "R", "Success") if name not in has]
    seen = {entry[3] for entry in KNOWN if entry[0] == tool}
    if lacks:
        some = ", ".join(lacks[:-1])
        seen.add(f"it has no {some} or {lacks[-1]}" if some else f"it has no {lacks[-1]}")
    assert {*PRESETS[tool].except_that} == seen
    assert len(PRESETS[tool].except_that) == len(seen)
    assert PRESETS[tool].source.startswith(f"{tool_versions()[tool]}, ")
    assert PRESETS[tool].says.endswith(".")


COPIED = [(tool, each) for each in MISTAKES if each.of == "copies" for tool in each.seen_in]


@pytest.mark.parametrize(("tool", "mistake"), COPIED, ids=lambda each: getattr(each, "rows", each))
def test_what_a_tool_was_seen_to_do_with_copies_is_recorded(tool, mistake):
    rows = tool_results("repeated", "nDCG")
    recorded = rows[rows["tool"] == tool]["value"].iloc[0]
    run, qrels = tool_case("repeated")
    once = RunWithQrels(run, qrels, duplicates="first")
    recomputer = Recomputer(once, measures_named(["nDCG"]), tool, run_of(run))
    found, _ = recomputer.mean(Variant((mistake,)), "nDCG")
    assert found == pytest.approx(recorded, abs=TOOLS[tool].tolerance)


def test_only_tools_with_a_preset_are_said_to_make_a_mistake():
    assert {tool for each in MISTAKES for tool in each.seen_in} <= {*PRESETS}
    of = {each.says: {*each.seen_in} for each in MISTAKES}
    seen = {says: {entry[0] for entry in KNOWN if entry[3] == says} for says in (SINGLE, SHORT)}
    assert of["scores are compared as float32"] == seen[SINGLE]
    assert of["P divides by the number of retrieved items, up to the cutoff"] == seen[SHORT]
