"""What moved between two systems: which queries, which of their items, and what that cost."""

from collections.abc import Iterator, Mapping
from html import escape

import pandas as pd

from byhand.errors import both
from byhand.figures import name_html
from byhand.metrics.steps import explain
from byhand.report.steps.display import number, show_html, show_table, show_text, signed
from byhand.report.steps.ranking import RANKS, Ranked, ranked_lists
from byhand.report.steps.results import Results
from byhand.report.steps.said import asked_html
from byhand.report.steps.shown import Shown, shown_of
from byhand.report.steps.side_by_side import side_by_side_html
from byhand.statistics import overlap

_NAMED = 3  # items in a sentence
_PART = 0.1  # of a difference, which an item has to make up to be named
_UNJUDGED = 5


def show_moved(results: Results) -> None:
    """Display how alike the rankings are, and the queries that lost and gained most."""
    if results.comparison is None:
        return
    _show_overlap(results)
    shown = shown_of(results)
    for pair, ((new, old), difference) in enumerate(shown.moved.items()):
        if len(shown.moved) > 1:
            head = f"{new} against {old}"
            show_html(f"<h3>{name_html(head)}</h3>", head)
        if not len(difference):
            show_text(f"No query has another {results.measures[0]}.")
            continue
        lists = [ranked_lists(results, name, list(difference.index)) for name in (old, new)]
        blocks = [
            _query(
                results, shown, query, {old: lists[0][query], new: lists[1][query]}, (pair, place)
            )
            for place, query in enumerate(difference.index)
        ]
        lost = int((difference < 0).sum())
        for what, some in (("lost", blocks[:lost]), ("gained", blocks[lost:])):
            if some:
                head = f"{new} {what} most against {old}:"
                html, texts = zip(*some, strict=True)
                joined = "\n".join(texts)
                show_html(f"<p>{name_html(head)}</p>{''.join(html)}", f"{head}\n{joined}")


def _show_overlap(results: Results) -> None:
    if results.data.scanned:
        show_text(
            "How alike the rankings are is said for the queries below only: these runs are not "
            "held in memory."
        )
        return
    k, rows = results.top, []
    for a, b in results.pairs:
        shared = overlap(results.data.runs[a], results.data.runs[b], k)
        counts = [int((shared == share).sum()) for share in (1, 0)]
        rows.append(
            [f"{a} and {b}", _percent(shared.mean()), *map(str, counts), f"{len(shared):,}"]
        )
    heads = ["rankings", f"of the first {k} in both", "all in both", "none in both", "queries"]
    show_table(heads, rows)


def _percent(share: float) -> str:
    return "–" if pd.isna(share) else f"{share:.0%}"


def _query(
    results: Results, shown: Shown, query: str, lists: Mapping[str, Ranked], place: tuple[int, int]
) -> tuple[str, str]:
    """What moved for one query, as HTML and in words."""
    measure = results.measures[0]
    values = " → ".join(f"{name} {_value(results, name, query)}" for name in lists)
    old, new = lists.values()
    words = " ".join(_sentences(results, query, lists))
    summary = f"<b>{name_html(query)}</b> {name_html(f'{measure}: {values}')}"
    k = min(results.top, RANKS)
    both_lists = side_by_side_html(old, new, k=k, names=tuple(lists), docs=shown.docs)
    summary += asked_html(shown.queries.get(query))
    html = (
        f"<details{' open' * (place[1] == 0)}><summary>{summary}</summary>"
        f'<p id="{anchor(*place)}">{escape(words)}</p>{both_lists}</details>'
    )
    return html, f"{query}: {measure}: {values}. {words}"


def anchor(pair: int, place: int) -> str:
    """Where on a page a query of `show_moved` is, inside of what opens when one goes there."""
    return f"moved-{pair}-{place}"


def _value(results: Results, system: str, query: str) -> str:
    if query in results.missing[system]:
        return "not answered"
    return number(results.tables[system].loc[query, results.measures[0]])


def _sentences(results: Results, query: str, lists: Mapping[str, Ranked]) -> Iterator[str]:
    measure = results.measures[0]
    for name, ranked in lists.items():
        if not ranked.items:
            yield f"{name} did not answer this query."
            return
    old, new = lists.values()
    before, after = (results.tables[name].loc[query, measure] for name in lists)
    total = after - before
    shares = [_shares(results, ranked) for ranked in (old, new)]
    changed = {
        item: shares[1].get(item, 0) - shares[0].get(item, 0) for item in {**shares[0], **shares[1]}
    }
    ordered = sorted(changed, key=lambda item: -changed[item] * (1 if total > 0 else -1))
    named = [item for item in ordered if changed[item] * total >= _PART * total**2][:_NAMED]
    if named:
        parts = [
            f"{_move(item, old, new)}: {signed(changed[item], 2, beside=[total])}"
            + f" of {measure}" * (place == 0)
            for place, item in enumerate(named)
        ]
        yield "; ".join(parts) + "."
    k = min(results.top, len(old.items), len(new.items))
    common = len({*old.items[:k]} & {*new.items[:k]})
    yield f"Of the first {k} items, {common} {'is' if common == 1 else 'are'} in both."
    came = [
        f"{item} (rank {rank})"
        for rank, item in enumerate(new.items[: results.top], 1)
        if item not in old.items[: results.top] and item not in new.grade
    ]
    if came:
        more = [f"{len(came) - _UNJUDGED} more"] * (len(came) > _UNJUDGED)
        yield f"Nobody judged {both([*came[:_UNJUDGED], *more])}, which came up."


def _shares(results: Results, ranked: Ranked) -> dict[str, float]:
    """What each relevant item adds to the first measure; nothing if no one order has its value."""
    measure = results.measures[0]
    chosen = results.chosen(measure)
    if chosen.ties == "expected":
        return {}
    how = chosen.but(unjudged="not_relevant")  # those that count are left
    steps = explain(ranked.items, ranked.relevant, measures=[measure], conventions=how)
    found = steps.loc[steps["hit"], ["item", f"share of {measure}"]]
    return dict(zip(*(found[name] for name in found), strict=True))


def _move(item: str, old: Ranked, new: Ranked) -> str:
    """Where an item went: "d12, grade 3, fell from rank 1 to 14"."""
    graded = len({*old.relevant.values()}) > 1
    grade = f", grade {old.relevant[item]:g}," * graded
    before, after = old.rank_of(item), new.rank_of(item)
    if before is None:
        return f"{item}{grade} came in at rank {after}"
    if after is None:
        return f"{item}{grade} stood at rank {before} and is not retrieved any more"
    if before == after:
        return f"{item}{grade} stayed at rank {after}"
    return f"{item}{grade} {'fell' if after > before else 'rose'} from rank {before} to {after}"
