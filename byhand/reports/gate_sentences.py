"""What the gate says: a line for each measure, and the same as Markdown."""

import re
from collections.abc import Iterator, Mapping, Sequence

from byhand.duplicates import left_out
from byhand.reports.gate_decision import hangs_on_ties, is_lower
from byhand.words import filled, gettext as _, listed, localised, ngettext, spoken, typeset

_NEARLY_ALL = 0.95  # of the queries: if fewer can change, it says how many


def _verdict(told: Mapping[str, object]) -> str:
    """The sentence that begins with the verdict, its places still to be filled."""
    if hangs_on_ties(told) and told["verdict"] == "lower":
        return _(
            "Lower: {measure} dropped, and whether by more than {limit} the order of equal scores "
            "decides. It is {new:.4f}, was {old:.4f} over {queries}; with the order that is the "
            "worst for the new run {worst_new:.4f}, was {worst_old:.4f}; with the best "
            "{best_new:.4f}, was {best_old:.4f}. Give the scores in full, or none that are equal."
        )
    if hangs_on_ties(told):
        return _(
            "Cannot tell whether {measure} dropped by more than {limit}: the order of equal "
            "scores decides. It is {new:.4f}, was {old:.4f} over {queries}; with the order that is "
            "the worst for the new run {worst_new:.4f}, was {worst_old:.4f}; with the best "
            "{best_new:.4f}, was {best_old:.4f}. Give the scores in full, or none that are equal."
        )
    if told["same_rankings"]:
        return _(
            "Pass: {measure} did not drop by more than {limit}: {new:.4f}, with the same "
            "ranking on each of {queries}."
        )
    if told["verdict"] == "pass":
        return _(
            "Pass: {measure} did not drop by more than {limit}: {new:.4f}, was {old:.4f} "
            "({difference}; with {level:.0%} confidence at least {low}) over {queries}."
        )
    if told["verdict"] == "fail":
        return _(
            "Fail: {measure} dropped by more than {limit}: {new:.4f}, was {old:.4f} "
            "({difference}; with {level:.0%} confidence at most {high}) over {queries}."
        )
    if told["verdict"] == "lower":
        return _(
            "Lower: {measure} dropped, and whether by more than {limit} these queries cannot tell: "
            "{new:.4f}, was {old:.4f} ({difference}; anything from {low} to {high} fits, each end "
            "with {level:.0%} confidence) over {queries}."
        )
    return _(
        "Cannot tell whether {measure} dropped by more than {limit}: {new:.4f}, was "
        "{old:.4f} ({difference}; anything from {low} to {high} fits, each end with "
        "{level:.0%} confidence) over {queries}."
    )


def _answer(told: Mapping[str, object]) -> Iterator[str]:
    """The verdict, and what it takes where there is none."""
    values = _values_of(told)
    yield filled(_verdict(told), **values)
    if told["verdict"] == "pass" and not told["same_rankings"] and is_lower(told):
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
    if hangs_on_ties(told):
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


def _values_of(told: Mapping[str, object]) -> dict[str, object]:
    """What the sentences of the answer are filled with."""
    ends = {name: localised(_signed(told[name])) for name in ("difference", "low", "high")}
    orders = {
        f"{order}_{run}": each[f"mean_{run}"]
        for order, each in (told["ties"] or {}).items()
        for run in ("new", "old")
    }
    return {
        "measure": told["measure"],
        "limit": localised(_limit(told)),
        "level": 1 - told["alpha"],
        "new": told["mean_new"],
        "old": told["mean_old"],
        "queries": _queries(told["queries"]),
        **ends,
        **orders,
    }


def _limit(told: Mapping[str, object]) -> str:
    """By how much it may drop, in units of the measure and, where it was said so, in percent."""
    limit, share = told["max_drop"], told["max_drop_share"]
    return f"{limit:g}" if share is None else f"{limit:.2g} ({100 * share:g}%)"


def lines_of(found: list[dict[str, object]]) -> list[str]:
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
        yield f"Unusable: {told['why']}"
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
    yield from _left_open(told, runs)


def _left_open(told: Mapping[str, object], runs: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """What the runs did not answer, which rows do not count, and how deep they are judged."""
    from byhand.reports.pool import POOL_LIMIT

    if told["conventions"]["missing"] == "zero":
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


def markdown(told: Mapping[str, object], line: str) -> str:
    """A heading, a table and the answer."""
    if told["verdict"] == "unusable":
        return f"### Unusable\n\n{verbatim(told['why'])}"
    numbers = [f"{told['mean_new']:.4f}", f"{told['mean_old']:.4f}"]
    numbers += [_signed(told[name]) for name in ("difference", "low", "high")]
    numbers += [_limit(told), f"{told['queries']:,}"]
    heads = [
        *(_("new"), _("old"), _("difference"), _("at least"), _("at most")),
        *(_("may drop by"), _("queries")),
    ]
    row = typeset(" | ".join(numbers))
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
