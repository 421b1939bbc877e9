"""What the gate decides: of each measure whether it dropped, and every number that says so.

Whatever takes long to import is imported once the options are known to be right.
"""

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from byhand.errors import DataError, both, shown
from byhand.naming import number_of
from byhand.reports.input_files import InputFiles
from byhand.reports.number_text import VISIBLE, made_with
from byhand.words import N_

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from byhand.files.scan import Table
    from byhand.metrics.measures import Measure
    from byhand.statistics.clusters import Clusters

_VERDICT = {
    "did not drop": N_("Pass"),
    "dropped": N_("Fail"),
    "lower": N_("Lower"),
    "cannot tell": N_("Cannot tell"),
}
_SETTLED = ("expected", "worst")  # what conventions make of equal scores without one chosen order


@dataclass(frozen=True)
class Drop:
    """By how much a mean may drop, in units of the measure, or as a share of the old mean."""

    amount: float
    is_share: bool = False

    @classmethod
    def of(cls, text: str) -> Self:
        """What was typed: a number, or one with %."""
        typed = text.strip()
        number = number_of(typed.removesuffix("%").rstrip())
        if not 0 <= number < float("inf"):  # nor is nan
            raise DataError(
                f"{shown(text)} is not a drop: expected a number, 0 or above, or a percentage of "
                "the old mean, such as 5%"
            )
        return cls(number / 100, True) if typed.endswith("%") else cls(number)

    def __str__(self) -> str:
        return f"{100 * self.amount:g}%" if self.is_share else f"{self.amount:g}"


@dataclass(frozen=True, kw_only=True)
class EvaluatedRun:
    """A run that can be judged: what each query gets, and what is to be known of it."""

    file: str
    run: "Table"
    values: "pd.DataFrame"  # of each query, also with equal scores in the worst and the best order
    empty: Mapping[str, "np.ndarray"]  # measure -> the queries without a relevant item
    doubt: str
    turning: Sequence[str]
    repeated: int  # rows that were left out, since they repeat an item

    @property
    def judged(self) -> int:
        """How many queries are judged."""
        return self.values.attrs["judged"]

    @property
    def lacking(self) -> int:
        """How many of them it lacks."""
        return self.values.attrs["missing"]


def decisions(options: Namespace, files: InputFiles) -> list[dict[str, object]]:
    """Read, evaluate, decide: of each measure every number, and what it rests on.

    Raises:
        DataError: data that cannot be used.
    """
    from byhand.files.scan import read_together
    from byhand.metrics.measure_names import measure_named
    from byhand.statistics.clusters import Clusters
    from byhand.tables.judged_runs import FROM_RUNS, judged_together

    clusters = Clusters.read(files.texts.get("clusters"))  # read once, of a pipe, too
    measures = {name: measure_named(name) for name in options.measure}
    _refuse_what_cannot_drop(measures.values(), *files.runs)
    runs, qrels = read_together(
        files.runs,
        files.qrels,
        run_columns=files.run_columns,
        qrels_columns=files.qrels_columns,
        duplicates=options.duplicates,
        memory=options.memory,
    )
    if qrels is None:
        qrels = judged_together(dict(zip(files.runs, runs, strict=True)))
    judged_shares = {
        name: f"Judged@{measure.k}" if measure.k and options.qrels else None
        for name, measure in measures.items()
    }
    names = [*dict.fromkeys([*measures, *filter(None, judged_shares.values())])]
    new, old = (
        _evaluated(file, run, qrels, names, options, clusters)
        for file, run in zip(files.runs, runs, strict=True)
    )
    judged = [files.qrels] if files.qrels else qrels.attrs[FROM_RUNS]
    found = []
    for name, measure in measures.items():
        told = _decided(measure, new, old, options, clusters, family=len(measures))
        for which, each in (("new", new), ("old", old)):
            share = judged_shares[name]
            told[which] = {
                "doubt": each.doubt or None,
                "notes": [*each.turning],
                "file": files.called(each.file),
                "missing_queries": each.lacking,
                "repeated_rows": each.repeated,
                "judged_items": float(each.values[share].mean()) if share else None,
            }
        told["qrels"] = {
            "file": both([files.called(each) for each in judged]),
            "relevant_from": options.relevant_from,
        }
        told["duplicates"] = options.duplicates
        told["conventions"] = {
            "preset": options.conventions,
            **new.values.attrs["conventions"],
        }
        told["made_with"] = made_with()
        found.append(told)
    return found


def _refuse_what_cannot_drop(measures: Iterable["Measure"], new: str, old: str) -> None:
    """Refuse a measure without a scale, and a run that is to be compared with itself."""
    for measure in measures:
        if measure.highest != 1:
            raise DataError(
                f"{measure} has no upper bound, so the size of a drop that these queries do not "
                "show is unknown. Use a measure from 0 to 1, such as measure='nDCG@10'."
            )
    if Path(new).resolve() == Path(old).resolve():
        raise DataError(f"{old} cannot be compared with itself. Pass the file of the old run.")


def _decided(
    measure: "Measure",
    new: EvaluatedRun,
    old: EvaluatedRun,
    options: Namespace,
    clusters: "Clusters | None",
    *,
    family: int,
) -> dict[str, object]:
    """The verdict on one measure of as many, and its numbers."""
    from byhand.files.scan import Scan
    from byhand.metrics.presets import preset_named
    from byhand.statistics import same_rankings

    chosen, name = measure.chosen_by(preset_named(options.conventions)), str(measure)
    if chosen.missing == "skip" and new.lacking:
        raise DataError(
            f"{new.file} lacks {new.lacking:,} of {new.judged:,} judged queries, and "
            f"{options.conventions} leaves them out, so they would not count against the run. "
            "Complete the run, or count them as 0: conventions='trec_eval -c'."
        )
    values = new.values[name], old.values[name]
    _check_limit(options.max_drop, values[1].mean(), name, old.file)
    same = (
        not isinstance(new.run, Scan)
        and values[0].equals(values[1])
        and same_rankings(new.run, old.run, new.values.index, ties=chosen.ties)
    )
    how = {"drop": options.max_drop, "family": family, "clusters": clusters}
    decide = partial(_tested, **how, same_rankings=same)
    told = {"verdict": None, "measure": name} | decide(*values) | {"ties": None}
    ends = _ends(new.values, old.values, name)
    if chosen.ties not in _SETTLED and _visible(ends):
        orders = {"counted": told, **{order: decide(*each) for order, each in ends.items()}}
        told["ties"] = {
            order: {key: each[key] for key in ("verdict", "mean_new", "mean_old", "high")}
            for order, each in orders.items()
        }
        if hangs_on_ties(told):
            told["verdict"] = "lower" if is_lower(told) else "cannot tell"
    told["judged_queries"] = new.judged
    can = ~new.empty[name] & values[0].notna() & values[1].notna()
    told["can_change"] = {
        "queries": int(can.sum()),
        **{
            f"mean_{run}": float(each[can].mean()) if can.any() else None
            for run, each in zip(("new", "old"), values, strict=True)
        },
    }
    return told


def _ends(
    new: "pd.DataFrame", old: "pd.DataFrame", measure: str
) -> dict[str, tuple["pd.Series", "pd.Series"]]:
    """The values of both runs with equal scores in the worst order for the new one, and the best.

    The order that is the worst for the new run may be the best for the old one: they hold other
    items.
    """
    worst, best = f"{measure} worst", f"{measure} best"
    return {"worst": (new[worst], old[best]), "best": (new[best], old[worst])}


def _visible(ends: Mapping[str, tuple["pd.Series", "pd.Series"]]) -> bool:
    """Whether the order of equal scores shows in a mean."""
    worst, best = ([each.mean() for each in of_both] for of_both in ends.values())
    return max(abs(a - b) for a, b in zip(worst, best, strict=True)) >= VISIBLE


def _check_limit(drop: Drop, mean: float, measure: str, old: str) -> None:
    """Refuse a drop that no run could make."""
    if mean == 0:
        raise DataError(
            f"The mean {measure} of {old} is 0, so it cannot drop. Use another measure or "
            "another old run."
        )
    if drop.amount >= (1 if drop.is_share else mean):
        suggested = "5%" if drop.is_share else f"{mean / 20:.1g}"
        raise DataError(
            f"A limit of {drop} cannot be exceeded: the mean {measure} of {old} is {mean:.2g}. "
            f"Use a limit well below that, such as max_drop='{suggested}'."
        )


def _tested(
    new: "pd.Series",
    old: "pd.Series",
    *,
    drop: Drop,
    family: int,
    clusters: "Clusters | None",
    same_rankings: bool,
) -> dict[str, object]:
    """What the test says of these values, with the verdict in the words of the gate."""
    from byhand.statistics import non_inferiority

    how = {"max_drop": drop.amount, "relative": drop.is_share, "family": family}
    how["clusters"] = clusters
    found = asdict(non_inferiority(new, old, **how, same_rankings=same_rankings))
    return {"verdict": _VERDICT[found.pop("outcome")].lower()} | found


def _evaluated(
    file: str,
    run: "Table",
    qrels: "Table",
    measures: list[str],
    options: Namespace,
    clusters: "Clusters | None",
) -> EvaluatedRun:
    """The run of a file by some measures, if it can be judged by them."""
    from byhand.checks.preflight import preflight
    from byhand.metrics.evaluate import Evaluation
    from byhand.statistics import MISSING_LIMIT

    how = {"conventions": options.conventions}
    asked = {"relevant_from": options.relevant_from, "clusters": clusters}
    checked = preflight(run, qrels, measures=options.measure, **asked, **how)
    if checked.problems:
        raise DataError(f"{file}: {' '.join(checked.problems)}")
    evaluation = Evaluation(checked.tables, measures, **how)
    found = EvaluatedRun(
        file=file,
        run=run,
        values=evaluation.table("ties"),
        empty={name: part.empty for name, part in evaluation.parts.items()},
        doubt=checked.doubt,
        turning=checked.turning,
        repeated=run.attrs.get("repeated") or checked.tables.run.repeated or 0,
    )
    if found.lacking > MISSING_LIMIT * found.judged:
        raise DataError(
            f"{file} lacks {found.lacking:,} of {found.judged:,} judged queries, more than "
            f"{MISSING_LIMIT:.0%}, so the missing ones would decide. Complete the run, or "
            "remove these queries from the qrels."
        )
    return found


def hangs_on_ties(told: Mapping[str, object]) -> bool:
    """Whether it passes in some orders of equal scores only."""
    if not told["ties"] or told["same_rankings"]:
        return False
    counted, worst, best = (each["verdict"] for each in told["ties"].values())
    return (counted == "pass" and worst != "pass") or (
        counted in ("fail", "lower") and best == "pass"
    )


def is_lower(told: Mapping[str, object]) -> bool:
    """Whether the mean surely dropped, by however little, in any order of equal scores."""
    return all(each["high"] < 0 for each in (told["ties"] or {"counted": told}).values())
