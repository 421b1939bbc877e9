"""The counts of preflight in words, from `findings.toml`."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from byhand.checks.counts import TOP, Counts
from byhand.errors import shown
from byhand.words import N_, Message, together

_STRANGE = 0.05  # share of the judged queries up to which missing or empty ones are normal
_CLEARLY = 4  # standard errors, which one in 30,000 random orderings reaches
_TABLE = tomllib.loads(Path(__file__).with_name("findings.toml").read_text(encoding="utf-8"))


def findings(c: Counts) -> tuple[list[list[Message]], dict[str, list[Message]]]:
    """Return the name, value and meaning of each count, and the texts by their severity."""
    words, parts = _words_of(c), ("name", "value", "meaning")
    facts = [[Message(fact.get(part, ""), **words) for part in parts] for fact in _TABLE["facts"]]
    texts = {
        severity: {
            name: Message(says, **words) for name, says in _TABLE[severity].items() if words[name]
        }
        for severity in ("problem", "doubt", "note")
    }
    few = {"empty_of_all", "empty_of_high"} if len(c.empty) <= _STRANGE * c.judged else set()
    turning = [
        texts["note"][name] for name in _TABLE["turning"] if name in texts["note"].keys() - few
    ]
    messages = {severity: [*named.values()] for severity, named in texts.items()}
    return facts, messages | {"turning": turning}


def _words_of(c: Counts) -> dict[str, object]:
    lengths = c.retrieved[c.retrieved > 0]
    low, high, lowest = c.grades[0], c.grades[-1], c.relevant_from
    grades = ", ".join(f"{grade:g}" for grade in c.grades[:8])
    if len(c.grades) > 8:
        grades = Message(N_("{some}, … ({n:,} in all)"), some=grades, n=len(c.grades))
    below, which = N_("0 or below"), N_("above 0")
    if lowest is not None:
        below, which = N_("below {grade:g}"), N_("{grade:g} or more")
    in_both = c.judged - len(c.missing)
    empty = len(c.empty) if c.relevant else 0
    only_relevant = c.relevant == c.judgements
    upside_down = c.below > _CLEARLY and c.by_chance[0] < c.by_chance[1]
    return {
        **vars(c),
        "c": c,
        "top": TOP,
        "in_run": in_both + c.run_only,
        "missing": len(c.missing),
        "some_missing": _some(c.missing),
        "empty": len(c.empty),
        "some_empty": _some(c.empty),
        "empty_of_all": empty if lowest is None else 0,
        "empty_of_high": 0 if lowest is None else empty,
        "other_queries": min(len(c.missing), c.run_only) > _STRANGE * c.judged,
        "variants": len(c.variants),
        "some_variants": _some(c.variants),
        "lengths": f"{lengths.min()} / {np.median(lengths):g} / {lengths.max()}",
        "grades": grades,
        "low": Message(below, grade=lowest),
        "which": Message(which, grade=lowest),
        "highest": high,
        "likely": c.grades[c.grades >= low + 0.75 * (high - low)][0],
        "one_grade": only_relevant and len(c.grades) == 1,
        "only_relevant": only_relevant and len(c.grades) > 1,
        "nothing_relevant": not c.relevant and high <= 0,
        "nothing_so_high": not c.relevant and high > 0,
        "nothing_found": c.relevant and not c.judged_retrieved,
        "first": [*map(shown, c.first)],
        "share_judged": _share(c.judged_retrieved, int(c.retrieved.sum())),
        "share_top": _share(c.judged_top, c.top),
        "few_judged": c.judged_top < c.top / 2,
        "upside_down": upside_down,
        "on_its_head": c.numbered or upside_down,
        # a few equal ids of queries and items may be chance
        "itself": len(c.itself) if 2 * len(c.itself) > in_both + c.run_only else 0,
        "some_itself": _some(c.itself),
        "share_tied": _share(c.tied, c.rows),
        "one_tie": c.tied and c.one_score,
        "tie_range": _tie_range(c),
        "more_tied": c.tied_as_float32 - c.tied,
        "blank_ends": c.blank_ends and shown(c.blank_ends),
    }


def _some(ids: Sequence[str]) -> str:
    return ", ".join(shown(str(text)) for text in ids[:3]) + (", …" if len(ids) > 3 else "")


def _share(part: int, whole: int) -> Message:
    return Message("{share:.1%}", share=part / whole) if whole else Message(N_("none"))


def _tie_range(c: Counts) -> Message:
    """Describe how much the order of ties affects the means."""
    moved = [
        {"name": name, "low": low, "high": high}
        for name, (low, high) in c.tie_range.items()
        if f"{low:.4f}" != f"{high:.4f}"
    ]
    if len(moved) == 1:
        message = N_("It can move the mean {name} from {low:.4f} to {high:.4f}.")
        return Message(message, **moved[0])
    if moved:
        each = [Message(N_("{name} from {low:.4f} to {high:.4f}"), **mean) for mean in moved]
        return Message(N_("It can move these means: {moved}."), moved=together(each, ", "))
    if not c.tie_range:
        return Message(N_("How far it moves the means is not known under these conventions."))
    names = ", ".join(c.tie_range)
    if len(c.tie_range) == 1:
        return Message(N_("Four digits of the mean {name} are the same in any order."), name=names)
    return Message(N_("Four digits of each mean are the same in any order: {names}."), names=names)
