"""The decision of the gate: the verdict, its numbers, and the printed line."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

import numpy as np
import pandas as pd

from byhand.checks.preflight import Preflight
from byhand.duplicates import left_out
from byhand.errors import DataError, both
from byhand.metrics.measure_names import measure_named
from byhand.metrics.measures import Measure
from byhand.metrics.presets import preset_named
from byhand.reports.inputs import Inputs, inputs_of
from byhand.reports.number_text import POOL_LIMIT, VISIBLE, made_with
from byhand.reports.options import Drop
from byhand.statistics import MISSING_LIMIT, non_inferiority, same_rankings
from byhand.tables.runs_and_qrels import FROM_RUNS
from byhand.words import N_, filled, gettext as _, listed, localised, ngettext, spoken

Numbers = Mapping[str, object]
_VERDICT = {
    "did not drop": "pass",
    "dropped": "fail",
    "lower": "lower",
    "inconclusive": "inconclusive",
}
_SETTLED = ("expected", "worst")  # tie conventions without an order of their own
_NEARLY_ALL = 0.95  # share of queries; the line gives the number that can change if it is lower

# ---- the decision ------------------------------------------------------------------------------


class EvaluatedRun(NamedTuple):
    """A run, its checks, and its values by query."""

    file: str
    checked: Preflight
    values: pd.DataFrame  # also for the worst and the best order of ties
    empty: np.ndarray  # queries without a relevant item

    @property
    def missing(self) -> int:
        """The number of judged queries without an answer."""
        return len(self.checked.counts.missing)


def decide(
    new: str, old: str, qrels: str | None, *, measure: str, drop: Drop, **options: object
) -> dict[str, object]:
    """Return the verdict, its numbers, and their sources; arguments as in `gate`.

    Raises:
        DataError: If the data cannot be used.
    """
    name, measure = measure, measure_named(measure)
    if measure.highest != 1:
        raise DataError(
            f"{measure} is not a measure from 0 to 1, which the bounds on its drop require. Use "
            "another one, such as measure='nDCG@10'."
        )
    data = inputs_of([new, old], qrels, names=("new", "old"), measures=[name], **options)
    judged_share = f"Judged@{measure.k}" if measure.k and qrels else None
    names = [*dict.fromkeys(filter(None, [name, judged_share]))]
    files = {"new": new, "old": old}
    runs = {which: _evaluated(file, data, which, names) for which, file in files.items()}
    result = _decided(measure, *runs.values(), data, drop)
    for which, each in runs.items():
        repeated = data.runs[which].attrs.get("repeated") or each.checked.tables.run.repeated or 0
        result[which] = {
            "doubt": each.checked.doubt or None,
            "notes": [*each.checked.turning],
            "file": each.file,
            "missing_queries": each.missing,
            "repeated_rows": repeated,
            "judged_items": float(each.values[judged_share].mean()) if judged_share else None,
        }
    judged = [qrels] if qrels else data.qrels.attrs[FROM_RUNS]
    chosen = runs["new"].values.attrs["conventions"]
    return result | {
        "qrels": {"file": both(judged), "relevant_from": data.relevant_from},
        "duplicates": options["duplicates"],
        "conventions": {"preset": data.conventions, **chosen},
        "made_with": made_with(),
    }


def _evaluated(file: str, data: Inputs, system: str, measures: list[str]) -> EvaluatedRun:
    """Evaluate a run; raise `DataError` if it lacks too many queries."""
    evaluation = data.evaluation(system, measures)
    run = EvaluatedRun(
        file=file,
        checked=data.checked[system],
        values=evaluation.table("ties"),
        empty=evaluation.parts[measures[0]].empty,
    )
    if run.missing > MISSING_LIMIT * len(run.values):
        raise DataError(
            f"{file} lacks {run.missing:,} of {len(run.values):,} judged queries, more than "
            f"{MISSING_LIMIT:.0%}, so the missing ones would determine the verdict. "
            "Complete the run, or remove these queries from the qrels."
        )
    return run


def _decided(
    measure: Measure, new: EvaluatedRun, old: EvaluatedRun, data: Inputs, drop: Drop
) -> dict[str, object]:
    """Return the verdict and its numbers, also for other orders of ties if these matter."""
    chosen, name = measure.chosen_by(preset_named(data.conventions)), str(measure)
    if chosen.missing == "skip" and new.missing:
        raise DataError(
            f"{new.file} lacks {new.missing:,} of {len(new.values):,} judged queries, and "
            f"{data.conventions} leaves them out, so they would not count against the run. "
            "Complete the run, or count them as 0: conventions='trec_eval -c'."
        )
    values, queries = (new.values[name], old.values[name]), new.values.index
    _check_limit(drop, values[1].mean(), name, old.file)
    same = (
        not data.scanned
        and values[0].equals(values[1])
        and same_rankings(
            *(run.rows_of(queries) for run in data.runs.values()), queries, ties=chosen.ties
        )
    )

    def decided(new: pd.Series, old: pd.Series) -> dict[str, object]:
        how = {"max_drop": drop.amount, "relative": drop.is_share, "clusters": data.clusters}
        found = asdict(non_inferiority(new, old, **how, same_rankings=same))
        return {"verdict": _VERDICT[found.pop("outcome")], **found}

    result = {"verdict": None, "measure": name} | decided(*values) | {"ties": None}
    worst, best = f"{name} worst", f"{name} best"
    ends = {  # the worst order of one run may go with the best of the other
        "worst": (new.values[worst], old.values[best]),
        "best": (new.values[best], old.values[worst]),
    }
    apart = (abs(a.mean() - b.mean()) for a, b in zip(*ends.values(), strict=True))
    if chosen.ties not in _SETTLED and max(apart) >= VISIBLE:
        orders = {"counted": result, **{order: decided(*each) for order, each in ends.items()}}
        result["ties"] = {
            order: {key: each[key] for key in ("verdict", "mean_new", "mean_old", "high")}
            for order, each in orders.items()
        }
        if hangs_on_ties(result):
            result["verdict"] = "lower" if is_lower(result) else "inconclusive"
    can = ~new.empty & values[0].notna() & values[1].notna()
    mean_new, mean_old = (float(of[can].mean()) if can.any() else None for of in values)
    result["judged_queries"] = len(new.values)
    result["can_change"] = {"queries": int(can.sum()), "mean_new": mean_new, "mean_old": mean_old}
    return result


def _check_limit(drop: Drop, mean: float, measure: str, old: str) -> None:
    """Raise `DataError` for a margin that no run can exceed."""
    if mean == 0:
        raise DataError(
            f"The mean {measure} of {old} is 0, so it cannot drop. Use another measure or "
            "another old run."
        )
    if drop.amount >= (1 if drop.is_share else mean):
        suggested = "5%" if drop.is_share else f"{mean / 20:.1g}"
        raise DataError(
            f"A drop cannot exceed a margin of {drop}: the mean {measure} of {old} is {mean:.2g}. "
            f"Use a smaller margin, such as max_drop='{suggested}'."
        )


def hangs_on_ties(result: Numbers) -> bool:
    """Return whether the run passes only in some orders of ties."""
    if not result["ties"] or result["same_rankings"]:
        return False
    counted, worst, best = (each["verdict"] for each in result["ties"].values())
    return (counted == "pass" and worst != "pass") or (
        counted in ("fail", "lower") and best == "pass"
    )


def is_lower(result: Numbers) -> bool:
    """Return whether the mean is lower in every order of ties."""
    return all(each["high"] < 0 for each in (result["ties"] or {"counted": result}).values())


# ---- the printed line --------------------------------------------------------------------------

_TIES_DECIDE = {
    "lower": N_(
        "Lower: {measure} dropped, but whether by more than {limit} depends on the order of equal "
        "scores. It is {new:.4f}, was {old:.4f} over {queries}; {worst_new:.4f}, was "
        "{worst_old:.4f}, in the order that is worst for the new run; and {best_new:.4f}, was "
        "{best_old:.4f}, in the best one. Export the scores with more digits."
    ),
    "inconclusive": N_(
        "Inconclusive: whether {measure} dropped by more than {limit} depends on the order of "
        "equal scores. It is {new:.4f}, was {old:.4f} over {queries}; {worst_new:.4f}, was "
        "{worst_old:.4f}, in the order that is worst for the new run; and {best_new:.4f}, was "
        "{best_old:.4f}, in the best one. Export the scores with more digits."
    ),
}
_VERDICTS = {
    "same": N_(
        "Pass: {measure} did not drop by more than {limit}: {new:.4f}, with the same "
        "ranking on each of {queries}."
    ),
    "pass": N_(
        "Pass: {measure} did not drop by more than {limit}: {new:.4f}, was {old:.4f} "
        "({difference}; with {level:.0%} confidence at least {low}) over {queries}."
    ),
    "fail": N_(
        "Fail: {measure} dropped by more than {limit}: {new:.4f}, was {old:.4f} "
        "({difference}; with {level:.0%} confidence at most {high}) over {queries}."
    ),
    "lower": N_(
        "Lower: {measure} dropped, but these queries do not show whether by more than {limit}: "
        "{new:.4f}, was {old:.4f} ({difference}; one-sided {level:.0%} bounds {low} and {high}) "
        "over {queries}."
    ),
    "inconclusive": N_(
        "Inconclusive: these queries do not show whether {measure} dropped by more than {limit}: "
        "{new:.4f}, was {old:.4f} ({difference}; one-sided {level:.0%} bounds {low} and {high}) "
        "over {queries}."
    ),
}


def line_of(result: Numbers) -> str:
    """Return the answer and its warnings in the current language."""
    return " ".join(_sentences(result))


def _sentences(result: Numbers) -> Iterator[str]:
    yield from _answer(result)
    queries, runs = _queries(result["queries"]), [result["new"], result["old"]]
    if result["clusters"] is not None:
        message = _("{queries} form {n:,} clusters, which are the units of the test.")
        yield filled(message, n=result["clusters"], queries=queries)
    doubts = [filter(None, [run["doubt"], *run["notes"]]) for run in runs]
    for doubt in dict.fromkeys(each for doubted in doubts for each in doubted):
        names = [run["file"] for run in runs if doubt in (run["doubt"], *run["notes"])]
        yield f"{listed(names)}: {spoken(doubt)}"
    if not (result["differ"] or result["same_rankings"]):
        yield _(
            "No query has a different value, but the test still decides: only identical rankings "
            "of files in memory pass without a test."
        )
    yield from _left_open(result, runs)


def _answer(result: Numbers) -> Iterator[str]:
    """Yield the verdict; if it is inconclusive, also the queries needed."""
    values, by_ties = _values_of(result), hangs_on_ties(result)
    key = "same" if result["same_rankings"] else result["verdict"]
    message = (_TIES_DECIDE if by_ties else _VERDICTS)[key]
    yield filled(_(message), **values)
    if result["verdict"] == "pass" and not result["same_rankings"] and is_lower(result):
        message = _(
            "The mean did drop, but by less: with {level:.0%} confidence the difference is at most "
            "{high}."
        )
        yield filled(message, **values)
    can = result["can_change"]
    if 0 < can["queries"] < _NEARLY_ALL * result["queries"] and not result["same_rankings"]:
        message = _(
            "Only {n:,} of {queries} can change, because the others have no relevant item: among "
            "them {measure} is {can_new:.4f}, was {can_old:.4f}."
        )
        of_them = {"n": can["queries"], "can_new": can["mean_new"], "can_old": can["mean_old"]}
        yield filled(message, **values, **of_them)
    if by_ties:
        return
    if result["verdict"] == "inconclusive" and result["needed"] is None:
        yield _(
            "If there is no true difference, not even a million queries would decide it in 8 of 10 "
            "cases: allow a larger drop."
        )
    elif result["verdict"] == "inconclusive":
        message = _(
            "About {n:,} queries would decide it in 8 of 10 cases, if there is no true difference "
            "and differences vary as these do."
        )
        yield filled(message, n=result["needed"])
    if result["ties"]:
        message = _(
            "{measure} depends on the order of equal scores: it is {worst_new:.4f}, was "
            "{worst_old:.4f}, in the order that is worst for the new run, and {best_new:.4f}, was "
            "{best_old:.4f}, in the best one."
        )
        yield filled(message, **values)


def _left_open(result: Numbers, runs: Sequence[Numbers]) -> Iterator[str]:
    """Yield missing queries, ignored rows, and judged shares."""
    if result["conventions"]["missing"] == "zero":
        lacks = (
            _("The new run lacks {n:,} of {queries}, counted as 0."),
            _("The old run lacks {n:,} of {queries}, counted as 0."),
        )
    else:
        lacks = (
            _("The new run lacks {n:,} of {queries}, left out."),
            _("The old run lacks {n:,} of {queries}, left out."),
        )
    for message, run in zip(lacks, runs, strict=True):
        if count := run["missing_queries"]:
            yield filled(message, n=count, queries=_queries(result["judged_queries"]))
    for run in runs:
        for note in left_out(run["repeated_rows"], result["duplicates"]):
            yield f"{run['file']}: {spoken(note)}"
    new, old = (run["judged_items"] or 0 for run in runs)
    if round(abs(new - old), 9) > POOL_LIMIT:
        message = _(
            "{new:.0%} of the new run's first items are judged, but {old:.0%} of the old run's: "
            "the difference may be an artefact of the judgements."
        )
        yield filled(message, new=new, old=old)


def _values_of(result: Numbers) -> dict[str, object]:
    """Return the values for the placeholders of the answer."""
    limit, share = result["max_drop"], result["max_drop_share"]
    orders = {
        f"{order}_{run}": each[f"mean_{run}"]
        for order, each in (result["ties"] or {}).items()
        for run in ("new", "old")
    }
    return {
        "measure": result["measure"],
        "limit": localised(f"{limit:g}" if share is None else f"{limit:.2g} ({100 * share:g}%)"),
        "level": 1 - result["alpha"],
        "new": result["mean_new"],
        "old": result["mean_old"],
        "queries": _queries(result["queries"]),
        **{name: localised(_signed(result[name])) for name in ("difference", "low", "high")},
        **orders,
    }


def _signed(value: float) -> str:
    rounded = round(value, 4) + 0.0  # avoids -0.0
    return f"{rounded:{'+' if rounded else ''}.4f}"


def _queries(count: int) -> str:
    return filled(ngettext("{n:,} query", "{n:,} queries", count), n=count)
