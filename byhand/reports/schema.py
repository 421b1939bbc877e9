"""The JSON of reports and of the gate: its keys, their types, and what they mean.

`python -m byhand.reports.schema` prints them as a JSON schema. Keys stay the same within a major
version; a minor version may add some. NaN is written as null, and an infinite number as text.
"""

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from inspect import getsource
from types import NoneType, UnionType
from typing import Literal, NotRequired, TypedDict, Union, get_args, get_origin, get_type_hints

import numpy as np

from byhand.checks.counts import Counts
from byhand.metrics.conventions import CHOICES, Conventions
from byhand.statistics import Correct, Decision, Verdict

GateVerdict = Literal["pass", "fail", "lower", "inconclusive"]  # exit status 0, 4, 5 and 3
ByMeasure = dict[str, float]


class Source(TypedDict):
    """A table that was read."""

    what: Literal["run", "qrels", "query", "doc", "groups"]  # "query" and "doc" are texts
    system: NotRequired[str]  # of a run
    file: str  # or empty
    format: NotRequired[str]
    rows: NotRequired[int]  # number of rows, or of groups
    more: NotRequired[int]  # number of further files of texts
    by_rank: NotRequired[bool]  # whether ranks replace scores


class Checked(TypedDict):
    """The checks of a run."""

    counts: Counts
    facts: list[list[str]]  # name, value and meaning of each count
    notes: list[str]
    doubt: str  # why every list may be upside down, or empty
    turning: list[str]  # other notes that may reverse a verdict


class Mean(TypedDict):
    """The mean of a measure for a system."""

    measure: str
    system: str
    mean: float
    low: float  # lower end of its 95% interval
    high: float
    median: float
    chance: float  # expected mean of the same items in random order
    lift: float  # mean divided by the chance level
    queries: int  # number of queries with a value
    caution: str  # why the interval may be too narrow, or empty
    judged: float  # share of the first k items that have a judgement
    best: bool  # whether it is the highest of several systems


class Comparison(TypedDict):
    """A comparison of two systems, by measure or by group of queries."""

    measure: NotRequired[str]
    group: NotRequired[str]  # instead of the measure, in groups
    a: str
    b: str  # the system that a is compared with
    queries: int  # number of queries with a value for both
    clusters: NotRequired[int]  # number of clusters of these queries
    missing_a: NotRequired[int]  # judged queries that a did not answer
    missing_b: NotRequired[int]
    left_out: int  # queries without a value for one of the two
    mean_a: float
    mean_b: float
    difference: float  # a minus b
    low: float  # lower end of the 95% interval of the difference
    high: float
    p: float  # two-sided permutation test
    p_holm: float  # corrected over the comparisons that `test.correct` names
    exact: bool  # whether every assignment of signs was counted
    p_t: float  # paired t test
    at_least: float  # one-sided bound, corrected; null if the measure is not from 0 to 1
    at_most: float
    size: NotRequired[str]  # with `matters`: more than, equivalent within, or inconclusive
    verdict: Verdict
    caution: str  # why the interval may be too narrow, or empty
    wins: int  # queries on which a is higher
    ties: int
    losses: int
    effect_size: float  # difference in standard deviations of the differences
    permutations: NotRequired[int]  # number of assignments of signs that were drawn or counted
    narrow: NotRequired[bool]  # whether an inconclusive difference is certainly small
    shows: NotRequired[float]  # if inconclusive: smallest difference with a power of 80%
    needed: NotRequired[int]  # … with `matters`: queries for a power of 80%
    changed: NotRequired[bool]  # under other conventions: whether another system is higher
    choice: NotRequired[str]  # in `overturns`: "used", "judged", or "ties" and an order


class Outcome(TypedDict):
    """The means under other conventions, by system and measure, and the comparisons."""

    means: dict[str, ByMeasure]
    comparison: list[Comparison] | None


class Overturn(TypedDict):
    """A comparison under other conventions."""

    turns: bool  # whether a verdict changes
    rows: list[Comparison]  # as used, then under each other convention


class Explained(TypedDict):
    """The explanation of reported means."""

    means: dict[str, str]  # as typed
    explanations: list[dict[str, str | float | Conventions | None]]  # rows of `which_conventions`
    tried: int  # number of ways that were tried
    nearest: list[tuple[str, ByMeasure]]  # the closest ways that do not match
    says: list[str]


class Groups(TypedDict):
    """The first measure by group of queries."""

    measure: str
    means: dict[str, dict[str, int | float | ByMeasure]]  # queries, means, interval of the first
    comparison: list[Comparison] | None
    rest: str  # name of the queries without a group
    left_out: int  # number of smaller groups that are left out


class Test(TypedDict):
    """The options of the permutation test."""

    permutations: int
    confidence: float
    rng: int | str | None
    correct: Correct
    matters: NotRequired[float]


class Overlap(TypedDict):
    """The share of the first k items that two systems have in common, by query."""

    a: str
    b: str
    k: int
    queries: dict[str, float]


class ReportNumbers(TypedDict):
    """The .json file of `ranking-report` and `Report.save`."""

    made_with: str  # the package and its version
    versions: dict[str, str]  # of Python and of libraries
    files: dict[str, list[dict[str, str]]]  # "run of NAME", "qrels" …: file and sha256
    systems: list[str]  # the evaluated one first
    pairs: list[tuple[str, str]]  # the first system with each other one
    measures: list[str]  # the first one sorts the queries
    top: int  # cutoff of the first measure, and of lists
    preset: str | None  # null for conventions of your own
    conventions: dict[str, Conventions]  # by measure
    relevant_from: float | None  # lowest relevant grade; null for any above 0
    matters: float | None  # smallest difference that matters
    reported: Explained | None
    summary: list[str]  # sentences of the first screen
    methods: list[str]  # sentences that name every choice
    tables: list[Source]
    in_memory: bool  # null overlaps if False
    judged_run: bool  # whether the runs hold the judgements
    data: dict[str, Checked]  # by system
    relevant_only: bool  # whether all judgements are of relevant items
    empty_queries: int  # judged queries without a relevant item
    missing: dict[str, list[str]]  # judged queries without an answer, by system
    judged: dict[str, ByMeasure]  # Judged@k by system
    means: list[Mean]
    cutoffs: dict[str, ByMeasure]  # by system: the first measure at other cutoffs
    orders_of_equal_scores: dict[str, Outcome]  # by tie convention, if a mean changes
    judged_only: Outcome | None  # without unjudged items
    unjudged_items: dict[str, dict[str, dict[str, float]]] | None  # means if none, if all relevant
    queries: dict[str, dict[str, dict[str, bool | float]]]  # values by system and query
    unjudged_measures: list[str]  # measures that unjudged items may change
    groups: Groups | None
    comparison: list[Comparison] | None  # with several systems
    test: Test | None
    verdicts_that_depend_on_ties: list[dict[str, str]]
    overturns: list[Overturn]
    judgements_decide: bool  # whether unjudged items may decide a verdict on the first measure
    overlap: list[Overlap] | None  # null for runs that are not in memory


class Order(TypedDict):
    """The gate's result for an order of equal scores."""

    verdict: GateVerdict
    mean_new: float
    mean_old: float
    high: float  # upper bound of the difference


class GatedRun(TypedDict):
    """A run of the gate."""

    doubt: str | None  # why every list may be upside down
    notes: list[str]  # what else may reverse the verdict
    file: str
    missing_queries: int  # judged queries that it lacks
    repeated_rows: int  # rows that were left out
    judged_items: float | None  # share of its first k items that have a judgement


class GateNumbers(TypedDict):
    """The output of `ranking-gate --json`, together with the fields of `Decision`."""

    verdict: GateVerdict
    measure: str
    ties: dict[str, Order] | None  # as counted, and in the worst and the best order for the new run
    judged_queries: int
    can_change: dict[str, float]  # queries with a relevant item, and their means
    new: GatedRun
    old: GatedRun
    qrels: dict[str, str | float | None]  # file and relevant_from
    duplicates: Literal["first", "best"] | None
    conventions: dict[str, str]  # and their preset
    made_with: str


class Unusable(TypedDict):
    """The output of `ranking-gate --json` with exit status 2."""

    verdict: Literal["unusable"]
    why: str
    made_with: str


def schema() -> dict[str, object]:
    """Return the JSON schema of reports and of the gate.

    Example:
        >>> schema()["anyOf"][0]["properties"]["systems"]["description"]
        'the evaluated one first'
    """
    gate, decision = _schema_of(GateNumbers), _schema_of(Decision)
    del decision["properties"]["outcome"]
    gate["properties"] |= decision["properties"]
    gate["required"] = [*gate["properties"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "anyOf": [_schema_of(ReportNumbers), gate, _schema_of(Unusable)],
    }


_PLAIN = {str: "string", bool: "boolean", int: "integer", NoneType: "null", np.ndarray: "array"}
_COMMENTED = re.compile(r"^    (\w+): .*?  # (.*)$", re.MULTILINE)


def _schema_of(kind: object) -> dict[str, object]:
    """Return the schema of a type; the comments of its fields are the descriptions."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if kind is float:
        return {"anyOf": [{"type": "number"}, {"enum": [None, "inf", "-inf"]}]}
    if origin is Literal:
        return {"enum": [*inside]}
    if origin in (Union, UnionType):
        return {"anyOf": [*map(_schema_of, inside)]}
    if origin is tuple and inside[-1] is not ...:
        return {"type": "array", "prefixItems": [*map(_schema_of, inside)], "items": False}
    if origin in (list, tuple):
        return {"type": "array", "items": _schema_of(inside[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _schema_of(inside[1])}
    if issubclass(kind, StrEnum):
        return {"enum": [*map(str, kind)]}
    if kind is Conventions:
        fields = {name: {"enum": [*choice.options]} for name, choice in CHOICES.items()}
    else:
        fields = {name: _schema_of(of) for name, of in get_type_hints(kind).items()}
    for name, text in _COMMENTED.findall(getsource(kind)):
        fields[name]["description"] = text
    return {
        "type": "object",
        "description": kind.__doc__.partition("\n")[0],
        "properties": fields,
        "required": [*getattr(kind, "__required_keys__", fields)],
        "additionalProperties": False,
    }


if __name__ == "__main__":
    print(json.dumps(schema(), indent=2))
