"""Judges of open questions: a function for each question with many right answers.

Each takes the answer and returns which requirements of `answers.toml` are met, by name, and the
values for the sentences there. Unreadable answers may raise any error.
"""

from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import NamedTuple

import pandas as pd

import byhand  # loads names when they are used; the first lesson needs few
from byhand.words import N_
from helpers.places import DATA
from helpers.translation import gettext as _

Looked = tuple[dict[str, bool], dict[str, object]]


class Judged(NamedTuple):
    """The judgement of an answer."""

    right: bool | None  # None if the answer is of another kind
    said: str = ""  # feedback on a wrong answer
    values: Mapping[str, object] = {}  # values for the feedback on a right answer


_RULE_OF_AP = N_("The i-th hit, at rank r, adds i / r. Divide by n_relevant, unrounded.")
_SLIPS_OF_AP = {  # values for today's tomato soup
    5 / 9: N_("You divide by the hits found. Who is missing?"),
    1 / 5: N_("You count one hit at each rank. Count the hits so far."),
    5 / 3: N_("That is the sum. Divide it by n_relevant."),
}


def is_ap(function: object) -> Judged:
    """Judge whether a reader's function computes AP."""
    if not callable(function):
        return Judged(None, _("Pass the function itself: check('03-b', my_ap)."))
    for ranks, n_relevant, expected in (([2, 3, 6], 5, 1 / 3), ([1, 4, 5], 3, 7 / 10), ([], 2, 0)):
        call = f"my_ap({ranks}, {n_relevant})"
        try:
            found = function(ranks, n_relevant)
        except Exception as error:  # the reader's function may raise any error
            text = _("{call} ends in {error}.")
            return Judged(False, text.format(call=call, error=f"{type(error).__name__}: {error}"))
        if found is None:
            text = _("No answer yet: {call} returns None. Let it return a number.")
            return Judged(None, text.format(call=call))
        if isinstance(found, bool) or not isinstance(found, Real):
            text = _("{call} returns {found}. It should return a number.")
            return Judged(False, text.format(call=call, found=repr(found)))
        if not abs(found - expected) <= 1e-9:
            slips = (text for wrong, text in _SLIPS_OF_AP.items() if abs(found - wrong) < 1e-9)
            wanted = _("{call} is {found}, expected {expected}.").format(
                call=call, found=f"{float(found):.6g}", expected=f"{expected:.6g}"
            )
            return Judged(False, f"{wanted} {_(next(slips, _RULE_OF_AP))}")
    return Judged(True)


def _sample(*searches: str) -> list[pd.DataFrame]:
    """Return runs on the sample of 200 queries, and the qrels."""
    runs = (byhand.read_run(DATA / f"sample-{each}.txt.gz") for each in searches)
    return [*runs, byhand.read_qrels(DATA / "sample-qrels.csv")]


def _higher_mrr(run: pd.DataFrame) -> Looked:
    old, judged = _sample("old")
    before, after = (byhand.evaluate(each, judged, ["RR", "nDCG@10"]).mean() for each in (old, run))
    n, kept = len(run), len(old.merge(run, on=["query_id", "doc_id"]))
    met = {
        "kept": kept == len(old) == n,
        "mrr": after["RR"] >= before["RR"] + 0.1,
        "ndcg": after["nDCG@10"] <= before["nDCG@10"] - 0.1,
    }
    mrr = {"mrr_before": before["RR"], "mrr_after": after["RR"]}
    ndcg = {"ndcg_before": before["nDCG@10"], "ndcg_after": after["nDCG@10"]}
    return met, {"n": n, "kept": kept, **mrr, **ndcg}


def _two_conventions(chosen: byhand.Conventions) -> Looked:
    usual = byhand.Conventions().as_dict()
    turned = [f"{each}={now}" for each, now in chosen.as_dict().items() if now != usual[each]]
    mean = byhand.evaluate(*_sample("old"), "nDCG@10", conventions=chosen)["nDCG@10"].mean()
    met = {"two": len(turned) <= 2, "order": chosen.ties != "best", "mean": mean > 0.31}
    return met, {"said": " + ".join(turned), "mean": mean}


def _advertised(chosen: Sequence[str]) -> Looked:
    codes = pd.read_csv(DATA / "cranfield-qrels.csv", dtype={"query_id": str, "doc_id": str})
    judged = codes[codes["code"] > 0].assign(relevance=1)
    every = byhand.chance_levels(byhand.read_run(DATA / "cranfield-bm25.txt.gz"), judged, ["RR"])
    yours = every.loc[list(dict.fromkeys(chosen))]
    mrr = yours["RR"].mean()
    lift, of_all = (each["RR"].mean() / each["RR chance"].mean() for each in (yours, every))
    met = {"many": len(yours) >= 50, "mrr": mrr >= 0.6, "lift": lift < of_all}
    return met, {"n": len(yours), "mrr": mrr, "lift": lift, "of_all": of_all}


def _rule_of_thirty(rule: Callable[[object], object]) -> Looked:
    import numpy as np  # slow import, only for this exercise

    *runs, judged = _sample("new", "old")
    new, old = (byhand.evaluate(run, judged, ["nDCG@10"])["nDCG@10"] for run in runs)
    difference = (new - old).to_numpy()
    samples = np.random.default_rng(8).choice(difference - difference.mean(), (200, 30))
    alike = np.concatenate([samples[:100], 3 * samples[100:]])
    alarms = sum(bool(rule(sample)) for sample in alike)
    found = sum(bool(rule(sample)) for sample in samples + 0.05)
    return {"alarms": alarms <= 10, "found": found >= 40}, {"alarms": alarms, "found": found}


def _equal_chances(tables: Sequence[pd.DataFrame]) -> Looked:
    sizes = [len(each) for each in tables]
    levels = [byhand.chance(each["edges"], each["relevant"]).mean() for each in tables]
    many, few = tables[0], tables[1]
    met = {
        "sizes": len(sizes) == 2 and min(sizes) >= 20,
        "once": all(each.index.is_unique for each in tables),
        "many": many["relevant"].min() > few["relevant"].max(),
        "levels": max(levels) <= 1.1 * min(levels),
    }
    test = byhand.compare_groups(many["RR"], few["RR"]).iloc[0]
    shown = {"level_many": levels[0], "level_few": levels[1], **test[["superiority", "p"]]}
    return met, {"sizes": sizes, **shown}


def _lost(answer: pd.DataFrame) -> Looked:
    qrels = byhand.read_qrels(DATA / "cranfield-qrels.csv")
    given = answer[["query_id", "doc_id"]].astype(str).drop_duplicates()
    n, known = len(given), len(qrels[qrels["relevance"] > 0].merge(given))
    left = pd.concat([qrels, qrels.merge(given)]).drop_duplicates(keep=False)
    runs = {each: byhand.read_run(DATA / f"cranfield-{each}.txt.gz") for each in ("bm25", "tfidf")}
    row = byhand.compare(runs, left, ["nDCG@10"]).iloc[0]
    met = {"n": n <= 60, "known": known == n, "higher": row["verdict"] == "a is higher"}
    return met, {"n": n, "known": known, **row[["difference", "low", "high", "verdict"]]}


# question -> judge; question -> function that checks the requirements
JUDGES: dict[str, Callable[[object], Judged]] = {"03-b": is_ap}
LOOKS: dict[str, Callable[..., Looked]] = {
    "05-open": _higher_mrr,
    "06-open": _two_conventions,
    "07-open": _advertised,
    "08-open": _rule_of_thirty,
    "tracin-real-open": _equal_chances,
    "09-open": _lost,
}
