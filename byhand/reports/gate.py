"""`ranking-gate`: may a new run take the place of the old one? In one line, and by exit status.

Whatever takes long to import is imported once the options are known to be right.
"""

import json
import re
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from byhand.columns import left_out
from byhand.errors import DataError, both, shown
from byhand.reports.request import EVALUATION, OPTIONS, Option, Parser, number_from
from byhand.reports.sources import Sources
from byhand.reports.words import POOL_LIMIT, made_with
from byhand.words import (
    N_,
    filled,
    gettext as _,
    language,
    listed,
    localised,
    ngettext,
    speaking,
    spoken,
)

if TYPE_CHECKING:
    import pandas as pd

    from byhand.files.scan import Table
    from byhand.metrics.measures import Measure
    from byhand.statistics.clusters import Clusters

_DESCRIPTION = """\
Say whether the mean of a measure dropped by more than it may, from an old run to a new one.

Ends with 0 if it did not drop by more, 4 if it did, 5 if it is lower and nobody can say by how
much, 3 if these queries cannot tell, and 2 if the data cannot be used. Nothing that goes wrong
ends with 0, 3, 4 or 5. Of several measures the worst counts: all have to pass, and any may fail.

Simulated with 25 to 500 queries and a true drop of just the limit, 0 and 4 were each wrong in at
most 4.2% of samples of 19 populations. In five of them a drop hides: every query gains .003 and 2%
fall by 1; RR moves between ranks 20 and 60 and 2% fall from 1 to 0; 4% lose .5 to 1 and the others
move by at most .01, or not; 1% fall by 1. Where in truth nothing changed, at most 3.8% of the
samples of 15 others ended with 5. That it holds for all others is supported by such numbers, and
not proven. Without a test it passes only where both runs rank the same items in the same order for
every judged query, to the end of the lists.

Where relevant items share their scores with others, it passes only if it does so with the order of
equal scores that is the worst for the new run and the best for the old one, too, or if no ranking
differs; and it fails, or is said to be lower, only if it does not pass with the opposite order.

Files are read as by ranking-report. Without --qrels the files of the runs have to hold the
relevance of their items as well, and what either says counts for both.
"""
_EXAMPLE = "ranking-gate new.run old.run --qrels qrels.csv --measure nDCG@10 --max-drop 0.01"


@dataclass(frozen=True)
class Drop:
    """By how much a mean may drop, in units of the measure, or as a share of the old mean."""

    amount: float
    is_share: bool = False

    @classmethod
    def of(cls, text: str) -> Self:
        """What was typed: a number, or one with %."""
        typed = text.strip()
        try:
            number = number_from(typed.removesuffix("%").rstrip(), "no drop", least=0)
        except DataError:
            raise DataError(
                f"{shown(text)} is no drop: expected a number, 0 or above, or percent of the old "
                "mean, such as 5%"
            ) from None
        return cls(number / 100, True) if typed.endswith("%") else cls(number)

    def __str__(self) -> str:
        return f"{100 * self.amount:g}%" if self.is_share else f"{self.amount:g}"


_OPTIONS = (
    Option(
        "run",
        "what the new system ranked: a file, a folder, or a quoted glob",
        typed={"flags": ["run"], "metavar": "NEW"},
    ),
    Option(
        "against",
        "what the old system ranked",
        typed={"flags": ["against"], "metavar": "OLD", "nargs": 1},
    ),
    OPTIONS["qrels"],
    Option(
        "measure",
        "the measures, from 0 to 1; of several the worst counts",
        ("nDCG@10",),
        check=OPTIONS["measures"].check,
        typed={"nargs": "+", "metavar": "M"},
    ),
    Option(
        "max_drop",
        "by how much the mean may drop, in units of the measure, or such as 5%% of the old mean",
        Drop(0.01),
        unsaid="0.01",
        check=Drop.of,
        typed={"metavar": "D"},
    ),
    OPTIONS["clusters"],
    *(OPTIONS[name] for name in EVALUATION),
)
_VERDICT = {
    "did not drop": N_("Pass"),
    "dropped": N_("Fail"),
    "lower": N_("Lower"),
    "cannot tell": N_("Cannot tell"),
}
_SETTLED = ("expected", "worst")  # what conventions make of equal scores without one chosen order
_VISIBLE = 0.00005  # four digits show it
_STATUS = {"unusable": 2, "fail": 4, "lower": 5, "cannot tell": 3, "pass": 0}  # the worst first
_NEARLY_ALL = 0.95  # of the queries: if fewer can change, it says how many
_NEGATIVE = re.compile(r"-(?=\d\.)")  # a terminal keeps its own minus, as programs read it


def main(arguments: list[str] | None = None) -> int:
    """Decide, and say so.

    Returns:
        0 it did not drop by more than it may, 4 it did, 5 it is lower, and nobody can say by how
        much, 3 cannot tell, 2 nothing can be said.
    """
    made = Parser("ranking-gate", _DESCRIPTION, _EXAMPLE)
    for option in _OPTIONS:
        option.add_to(made)
    form = made.add_mutually_exclusive_group()
    for name, what in (
        ("json", "every number as JSON"),
        ("markdown", "a heading and a table, as for the summary of a step"),
    ):
        said = f"print {what}; the line goes to standard error"
        Option(name, said, False, typed={"action": "store_true"}).add_to(form)
    options = made.parse_args(arguments)
    sources = Sources(options)
    try:
        with sources.readable():
            sources.check()
            found = _decided(options, sources)
    except (ValueError, OSError, MemoryError, RuntimeError, ImportError) as error:
        why = sources.complaint(error)
        found = [{"verdict": "unusable", "why": why, "made_with": made_with()}]
    ordered = sorted(found, key=lambda told: [*_STATUS].index(told["verdict"]))
    worst = ordered[0]["verdict"]
    with speaking(options.language or language()):
        lines = _lines(ordered)
        if options.json:
            several = {"verdict": worst, "measures": found, "made_with": made_with()}
            print(json.dumps(several if found[1:] else found[0], indent=2))
        elif options.markdown:
            print("\n\n".join(map(_markdown, ordered, lines)))
    sys.stdout.flush()
    aside = options.json or options.markdown or worst == "unusable"
    for line in lines:
        print(f"{made.prog}: {line}", file=sys.stderr if aside else sys.stdout)
    return _STATUS[worst]


def _decided(options: Namespace, sources: Sources) -> list[dict[str, object]]:
    """Read, evaluate, decide: of each measure every number, and what it rests on.

    Raises:
        DataError: data that cannot be used.
    """
    from byhand.files.scan import read_together
    from byhand.metrics.measure_names import measure_named
    from byhand.statistics.clusters import Clusters
    from byhand.tables.frames import FROM_RUNS, judged_together

    options.clusters = Clusters.named(sources.texts.get("clusters"))  # read once, of a pipe, too
    measures = {name: measure_named(name) for name in options.measure}
    new_file, old_file = sources.runs
    for measure in measures.values():
        if measure.highest != 1:
            raise DataError(
                f"{measure} has no highest value, so nobody can say how far a query may fall that "
                "these do not show. Name a measure from 0 to 1, such as --measure nDCG@10."
            )
    if Path(new_file).resolve() == Path(old_file).resolve():
        raise DataError(f"{old_file} is to be compared with itself. Name the old run's file.")
    runs, qrels = read_together(
        sources.runs,
        sources.qrels,
        run_columns=sources.run_columns,
        qrels_columns=sources.qrels_columns,
        duplicates=options.duplicates,
        memory=options.memory,
    )
    if qrels is None:
        qrels = judged_together(dict(zip(sources.runs, runs, strict=True)))
    shares = {
        name: f"Judged@{measure.k}" if measure.k and options.qrels else None
        for name, measure in measures.items()
    }
    evaluated = [*measures, *filter(None, shares.values())]
    tables = [
        _evaluated(file, run, qrels, [*dict.fromkeys(evaluated)], options)
        for file, run in zip(sources.runs, runs, strict=True)
    ]
    found = [
        _of_measure(measure, runs, tables, options, sources, family=len(measures))
        for measure in measures.values()
    ]
    judged = [sources.qrels] if sources.qrels else qrels.attrs[FROM_RUNS]
    for told in found:
        for name, file, table in zip(("new", "old"), sources.runs, tables, strict=True):
            share = shares[told["measure"]]
            told[name] = {
                "doubt": table.attrs["doubt"] or None,
                "notes": [*table.attrs["turning"]],
                "file": sources.called(file),
                "missing_queries": table.attrs["missing"],
                "repeated_rows": table.attrs["repeated"],
                "judged_items": float(table[share].mean()) if share else None,
            }
        told["qrels"] = {
            "file": both([sources.called(each) for each in judged]),
            "relevant_from": options.relevant_from,
        }
        told["duplicates"] = options.duplicates
        told["conventions"] = {
            "preset": options.conventions,
            **tables[0].attrs["conventions"],
        }
        told["made_with"] = made_with()
    return found


def _of_measure(
    measure: "Measure",
    runs: list["Table"],
    tables: list["pd.DataFrame"],
    options: Namespace,
    sources: Sources,
    *,
    family: int,
) -> dict[str, object]:
    """The verdict on one measure of as many, and its numbers."""
    from byhand.files.lazy_scan import Scan
    from byhand.metrics.presets import preset_named
    from byhand.statistics import same_rankings

    (new, old), (new_file, old_file), name = tables, sources.runs, str(measure)
    chosen, lacking = measure.named_by(preset_named(options.conventions)), new.attrs["missing"]
    if chosen.missing == "skip" and lacking:
        raise DataError(
            f"{new_file} lacks {lacking:,} of {new.attrs['judged']:,} judged queries, and "
            f"{options.conventions} leaves them out: what it did not answer would not count "
            "against it. Complete the run, or count them as 0: --conventions 'trec_eval -c'."
        )
    values = new[name], old[name]
    _check_limit(options.max_drop, values[1].mean(), name, old_file)
    same = (
        not isinstance(runs[0], Scan)
        and values[0].equals(values[1])
        and same_rankings(*runs, new.index, ties=chosen.ties)
    )
    how = {"drop": options.max_drop, "family": family, "clusters": options.clusters}
    decided = partial(_decision, **how, same_rankings=same)
    told = {"verdict": None, "measure": name} | decided(*values) | {"ties": None}
    ends = _ends(*tables, name)
    if chosen.ties not in _SETTLED and _visible(ends):
        orders = {"counted": told, **{order: decided(*each) for order, each in ends.items()}}
        told["ties"] = {
            order: {key: each[key] for key in ("verdict", "mean_new", "mean_old", "high")}
            for order, each in orders.items()
        }
        if _hangs_on_ties(told):
            told["verdict"] = "lower" if _is_lower(told) else "cannot tell"
    told["judged_queries"] = new.attrs["judged"]
    can = ~new.attrs["empty_of"][name] & values[0].notna() & values[1].notna()
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
    return max(abs(a - b) for a, b in zip(worst, best, strict=True)) >= _VISIBLE


def _check_limit(drop: Drop, mean: float, measure: str, old: str) -> None:
    """Refuse a drop that no run could make."""
    if mean == 0:
        raise DataError(
            f"The mean {measure} of {old} is 0, so nothing can drop. Name a measure that finds "
            "something in it, or another old run."
        )
    if drop.amount >= (1 if drop.is_share else mean):
        suggested = "5%" if drop.is_share else f"{mean / 20:.1g}"
        raise DataError(
            f"A limit of {drop} stops nothing: the mean {measure} of {old} is {mean:.2g}, and "
            f"none is below 0. Set it well below that, such as --max-drop {suggested}."
        )


def _decision(
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
    file: str, run: "Table", qrels: "Table", measures: list[str], options: Namespace
) -> "pd.DataFrame":
    """The value of each query, of a run that can be judged by them."""
    from byhand.checks.preflight import preflight
    from byhand.metrics.evaluate import Evaluation
    from byhand.statistics import MISSING_LIMIT

    how = {"conventions": options.conventions}
    asked = {"relevant_from": options.relevant_from, "clusters": options.clusters}
    found = preflight(run, qrels, measures=options.measure, **asked, **how)
    if found.problems:
        raise DataError(f"{file}: {' '.join(found.problems)}")
    evaluation = Evaluation(found.tables, measures, **how)
    table = evaluation.table("ties")
    # whose values are the same whatever a system does
    table.attrs["empty_of"] = {name: part.empty for name, part in evaluation.parts.items()}
    table.attrs |= {"doubt": found.doubt, "turning": found.turning}
    table.attrs["repeated"] = run.attrs.get("repeated") or found.tables.run.repeated or 0
    count, of = table.attrs["missing"], table.attrs["judged"]
    if count > MISSING_LIMIT * of:
        raise DataError(
            f"{file} lacks {count:,} of {of:,} judged queries, more than {MISSING_LIMIT:.0%}, so "
            "what it did not answer would decide. Complete the run, or leave these queries out of "
            "the qrels."
        )
    return table


def _answer(told: Mapping[str, object]) -> Iterator[str]:
    """The verdict, and what it takes where there is none."""
    ends = {name: localised(_signed(told[name])) for name in ("difference", "low", "high")}
    values = {
        "measure": told["measure"],
        "limit": localised(_limit(told)),
        "level": 1 - told["alpha"],
    }
    values |= {"new": told["mean_new"], "old": told["mean_old"], **ends}
    values["queries"] = _queries(told["queries"])
    for order, each in (told["ties"] or {}).items():
        values |= {f"{order}_new": each["mean_new"], f"{order}_old": each["mean_old"]}
    if _hangs_on_ties(told) and told["verdict"] == "lower":
        message = _(
            "Lower: {measure} dropped, and whether by more than {limit} the order of equal scores "
            "decides. It is {new:.4f}, was {old:.4f} over {queries}; with the order that is the "
            "worst for the new run {worst_new:.4f}, was {worst_old:.4f}; with the best "
            "{best_new:.4f}, was {best_old:.4f}. Give the scores in full, or none that are equal."
        )
    elif _hangs_on_ties(told):
        message = _(
            "Cannot tell whether {measure} dropped by more than {limit}: the order of equal "
            "scores decides. It is {new:.4f}, was {old:.4f} over {queries}; with the order that is "
            "the worst for the new run {worst_new:.4f}, was {worst_old:.4f}; with the best "
            "{best_new:.4f}, was {best_old:.4f}. Give the scores in full, or none that are equal."
        )
    elif told["same_rankings"]:
        message = _(
            "Pass: {measure} did not drop by more than {limit}: {new:.4f}, with the same "
            "ranking on each of {queries}."
        )
    elif told["verdict"] == "pass":
        message = _(
            "Pass: {measure} did not drop by more than {limit}: {new:.4f}, was {old:.4f} "
            "({difference}; with {level:.0%} confidence at least {low}) over {queries}."
        )
    elif told["verdict"] == "fail":
        message = _(
            "Fail: {measure} dropped by more than {limit}: {new:.4f}, was {old:.4f} "
            "({difference}; with {level:.0%} confidence at most {high}) over {queries}."
        )
    elif told["verdict"] == "lower":
        message = _(
            "Lower: {measure} dropped, and whether by more than {limit} these queries cannot tell: "
            "{new:.4f}, was {old:.4f} ({difference}; anything from {low} to {high} fits, each end "
            "with {level:.0%} confidence) over {queries}."
        )
    else:
        message = _(
            "Cannot tell whether {measure} dropped by more than {limit}: {new:.4f}, was "
            "{old:.4f} ({difference}; anything from {low} to {high} fits, each end with "
            "{level:.0%} confidence) over {queries}."
        )
    yield filled(message, **values)
    if told["verdict"] == "pass" and not told["same_rankings"] and _is_lower(told):
        message = _(
            "It is lower, by less than that: with {level:.0%} confidence the difference is at most "
            "{high}."
        )
        yield filled(message, **values)
    can = told["can_change"]
    if 0 < can["queries"] < _NEARLY_ALL * told["queries"] and not told["same_rankings"]:
        message = _(
            "Only {n:,} of {queries} can change at all, as the others have no relevant item: among "
            "them {measure} is {can_new:.4f}, was {can_old:.4f}."
        )
        of_them = {"n": can["queries"], "can_new": can["mean_new"], "can_old": can["mean_old"]}
        yield filled(message, **values, **of_them)
    if _hangs_on_ties(told):
        return
    if told["verdict"] == "cannot tell" and told["needed"] is None:
        yield _(
            "If in truth nothing changed, not even a million queries tell in 8 of 10 cases: "
            "allow a larger drop."
        )
    elif told["verdict"] == "cannot tell":
        message = _(
            "About {n:,} queries tell in 8 of 10 cases, if in truth nothing changed and "
            "differences vary as these do."
        )
        yield filled(message, n=told["needed"])
    if told["ties"]:
        message = _(
            "Equal scores leave {measure} open: with the order that is the worst for the new run "
            "{worst_new:.4f}, was {worst_old:.4f}; with the best {best_new:.4f}, was "
            "{best_old:.4f}."
        )
        yield filled(message, **values)


def _hangs_on_ties(told: Mapping[str, object]) -> bool:
    """Whether it passes in some orders of equal scores only."""
    if not told["ties"] or told["same_rankings"]:
        return False
    counted, worst, best = (each["verdict"] for each in told["ties"].values())
    return (counted == "pass" and worst != "pass") or (
        counted in ("fail", "lower") and best == "pass"
    )


def _is_lower(told: Mapping[str, object]) -> bool:
    """Whether the mean surely dropped, by however little, in any order of equal scores."""
    return all(each["high"] < 0 for each in (told["ties"] or {"counted": told}).values())


def _limit(told: Mapping[str, object]) -> str:
    """By how much it may drop, in units of the measure and, where it was said so, in percent."""
    limit, share = told["max_drop"], told["max_drop_share"]
    return f"{limit:g}" if share is None else f"{limit:.2g} ({100 * share:g}%)"


def _lines(found: list[dict[str, object]]) -> list[str]:
    """A line for each measure; what was said of the files is not said again."""
    said: dict[str, None] = {}
    lines = []
    for told in found:
        new = [sentence for sentence in _line(told) if sentence not in said]
        said |= dict.fromkeys(new)
        lines.append(" ".join(new))
    if len(found) > 1 and found[0]["verdict"] != "pass":
        message = _(
            "Any of {n} measures may be the one that dropped: each upper end is drawn for "
            "{level:.1%}, so that all of them hold with {joint:.0%} confidence."
        )
        alpha = found[0]["alpha"]
        values = {"n": len(found), "level": 1 - alpha / len(found), "joint": 1 - alpha}
        lines[0] += " " + filled(message, **values)
    return lines


def _line(told: Mapping[str, object]) -> Iterator[str]:
    """The answer, and what could overturn it, a sentence each."""
    if told["verdict"] == "unusable":
        yield _("Unusable: {why}").format(why=told["why"])
        return
    yield from _answer(told)
    if told["clusters"] is not None:
        message = _(
            "{queries} hang together in {n:,} clusters: whole clusters are drawn, and count."
        )
        yield filled(message, n=told["clusters"], queries=_queries(told["queries"]))
    runs = [told["new"], told["old"]]
    doubts = [filter(None, [run["doubt"], *run["notes"]]) for run in runs]
    for doubt in dict.fromkeys(each for doubted in doubts for each in doubted):
        names = [run["file"] for run in runs if doubt in (run["doubt"], *run["notes"])]
        yield f"{listed(names)}: {spoken(doubt)}"
    if not (told["differ"] or told["same_rankings"]):
        yield _(
            "No query has another value, yet this is tested: only the same rankings, of files "
            "that are held in memory, pass without a test."
        )
    if told["conventions"]["missing"] == "zero":
        lacks = (
            _("The new run lacks {n:,} of {queries}, which count 0."),
            _("The old run lacks {n:,} of {queries}, which count 0."),
        )
    else:
        lacks = (
            _("The new run lacks {n:,} of {queries}, which are left out."),
            _("The old run lacks {n:,} of {queries}, which are left out."),
        )
    for message, run in zip(lacks, runs, strict=True):
        if count := run["missing_queries"]:
            yield filled(message, n=count, queries=_queries(told["judged_queries"]))
    for run in runs:
        for note in left_out(run["repeated_rows"], told["duplicates"]):
            yield f"{run['file']}: {spoken(note)}"
    new, old = (run["judged_items"] or 0 for run in runs)
    if round(abs(new - old), 9) > POOL_LIMIT:
        message = _(
            "Of its first items {new:.0%} are judged, of the old run's {old:.0%}: the "
            "difference may be an artefact of what was judged."
        )
        yield filled(message, new=new, old=old)


def _markdown(told: Mapping[str, object], line: str) -> str:
    """A heading, a table and the answer."""
    if told["verdict"] == "unusable":
        return f"### {_('Unusable')}\n\n{verbatim(told['why'])}"
    numbers = [f"{told['mean_new']:.4f}", f"{told['mean_old']:.4f}"]
    numbers += [_signed(told[name]) for name in ("difference", "low", "high")]
    numbers += [_limit(told), f"{told['queries']:,}"]
    heads = [
        *(_("new"), _("old"), _("difference"), _("at least"), _("at most")),
        *(_("may drop by"), _("queries")),
    ]
    row = localised(_NEGATIVE.sub("−", " | ".join(numbers)))
    return (
        f"### {_(told['verdict'].capitalize())}: {told['measure']}\n\n| {' | '.join(heads)} |\n|"
        f"{'--:|' * len(heads)}\n| {row} |\n\n{verbatim(line)}"
    )


def verbatim(text: str) -> str:
    """Lines as Markdown that shows just these: no name in them becomes a link, image or mention.

    Example:
        >>> verbatim("@me: ![a](b)")
        '` @me: ![a](b) `'
    """
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return "\n\n".join(f"{fence} {line} {fence}" for line in text.splitlines())


def _signed(value: float) -> str:
    rounded = round(value, 4) + 0.0  # without the sign of a zero
    return f"{rounded:{'+' if rounded else ''}.4f}"


def _queries(count: int) -> str:
    return filled(ngettext("{n:,} query", "{n:,} queries", count), n=count)
