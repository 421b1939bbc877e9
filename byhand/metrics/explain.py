"""The step table that a teacher would write on the board."""

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
import pandas as pd

from byhand.metrics.conventions import Conventions, preset_named
from byhand.metrics.hits import Hits
from byhand.metrics.lists import (
    Relevant,
    hits_of_lists,
    judged_grades,
    judged_only,
    ranked_items,
)
from byhand.metrics.measures.measure import cutoff
from byhand.metrics.names import measures_named


def explain(
    ranked: Sequence[Hashable],
    relevant: Relevant,
    *,
    k: int | None = None,
    measures: Iterable[object] = ("RR", "AP", "DCG", "nDCG"),
    conventions: str | Conventions = "trec_eval -c",
) -> pd.DataFrame:
    """One list, rank by rank: what is found, and what each rank adds to each measure.

    Args:
        ranked: the items, best first, each once.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        k: only the first k ranks count; None for the whole list. A measure with a cutoff of its
            own keeps that.
        measures: names in ir_measures' notation; or just one.
        conventions: the name of a preset, or a `Conventions` value.

    Returns:
        One row a rank (at most k), with `rank`, `item`, `grade`, `hit`, `hits so far`,
        `precision`, and for each measure a `share of` it, such as `share of AP`: what the rank
        adds. The sum of a share is the measure. DCG and nDCG bring `discount` and `gain`, too. A
        measure to which other items are relevant has columns of its own, such as `precision
        (rel=2)`, and so has a second gain, such as `gain (exponential)`.
        `.attrs` says how many items are `relevant`, which of them are `not found` in the rows, and
        which measure each share is of: with `k=5`, `"AP"` is `"AP@5"`.

    Raises:
        DataError: a repeated item in `ranked`.
        ValueError: an unknown measure or preset.

    Source:
        Each measure's own, in `byhand.metrics.measures`.

    Example:
        >>> steps = explain(["D1", "D4"], {"D4"})
        >>> steps[["rank", "item", "precision", "share of AP"]].to_dict("list")
        {'rank': [1, 2], 'item': ['D1', 'D4'], 'precision': [0.0, 0.5], 'share of AP': [0.0, 0.5]}
    """
    judged, ranked = judged_grades(relevant), ranked_items(ranked)
    preset, k = preset_named(conventions), cutoff(k)
    if preset.choices.unjudged == "removed":
        ranked = judged_only(ranked, judged)
    hits = hits_of_lists([(ranked, judged)])
    rank = np.arange(1, len(ranked) + 1)

    def at_rank(hits: Hits, values: np.ndarray) -> np.ndarray:
        at = np.zeros(len(ranked))
        at[hits.rank - 1] = values
        return at

    hit = at_rank(hits, 1) > 0
    columns = {
        "rank": rank,
        "item": pd.Series(ranked, dtype=object),
        "grade": at_rank(hits, hits.grade),
        "hit": hit,
        "hits so far": np.cumsum(hit),
        "precision": np.cumsum(hit) / rank,
    }
    named = {name: measure.within(k) for name, measure in measures_named(measures).items()}
    known: dict[str, set] = {"hits so far": {None}, "precision": {None}}  # what each depends on
    for name, measure in named.items():
        chosen = measure.named_by(preset)
        for working, values in measure.steps(hits, rank, chosen).items():
            basis, bases = measure.basis(working, chosen), known.setdefault(working, set())
            if basis not in bases:
                own = f" (rel={basis})" if measure.workings[working] == "rel" else f" ({basis})"
                columns[working + own * bool(bases)] = values
            bases.add(basis)
        columns[f"share of {name}"] = at_rank(*measure.added(hits, chosen))
    steps = pd.DataFrame(columns)[:k]
    found = set(steps.loc[steps["hit"], "item"])
    steps.attrs = {
        "relevant": int(hits.n_relevant[0]),
        "not found": [item for item, grade in judged.items() if grade > 0 and item not in found],
        "measures": {name: str(measure) for name, measure in named.items()},
    }
    return steps
