"""What each rank of one list adds to a measure, and the table that a teacher would write of it."""

from collections.abc import Hashable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from byhand.metrics.cases import (
    Ranked,
    Relevant,
    hits_of_lists,
    judged_grades,
    judged_only,
    key_of,
    ranked_items,
    refuse_labels,
    relevant_grades,
)
from byhand.metrics.conventions import Conventions
from byhand.metrics.hits import at_ranks
from byhand.metrics.measure_names import measures_named
from byhand.metrics.measures import Measure
from byhand.metrics.measures.measure import cutoff
from byhand.metrics.presets import Preset, preset_named
from byhand.tables.whole import WholeFrame


class Shares(NamedTuple):
    """One list under one measure."""

    value: float  # the measure
    ranks: tuple[float, ...]  # what each rank adds to it
    most: float  # the most that a rank can add: what the best item would, first of the list


def shares_of(
    measures: Mapping[str, Measure],
    ranked: Ranked,
    relevant: Mapping[Hashable, float],
    *,
    k: int | None = None,
    preset: Preset | None = None,
) -> dict[str, Shares]:
    """For each measure, by its name, what each rank of a list adds; one without a cutoff has `k`.

    Example:
        >>> shares_of(measures_named("AP"), ["D1", "D4"], {"D4": 1})
        {'AP': Shares(value=0.5, ranks=(0.0, 0.5), most=1.0)}
    """
    preset, ranked = preset or preset_named("trec_eval -c"), list(ranked)
    best = sorted(relevant, key=lambda item: -relevant[item])[:1]
    others = [item for item in ranked if item not in best][: max(len(ranked) - 1, 0)]
    hits = hits_of_lists([(ranked, relevant), ([*best, *others], relevant)])
    found = {}
    for name, measure in measures.items():
        # each rank holds one item
        measure, chosen = measure.with_cutoff(k), measure.chosen_by(preset).but(ties="input")
        counted, added = measure.added(hits, chosen)
        here = counted.query == 0
        ranks = at_ranks(counted.rank[here], added[here], len(ranked))
        most = float(added[~here].max(initial=0))
        value = float(measure.values(hits, chosen)[0])
        found[name] = Shares(value, tuple(ranks.tolist()), most)
    return found


def explain(
    ranked: Ranked,
    relevant: Relevant,
    *,
    k: int | None = None,
    measures: Iterable[object] = ("RR", "AP", "DCG", "nDCG"),
    conventions: str | Conventions = "trec_eval -c",
) -> pd.DataFrame:
    """One list, rank by rank: what is found, and what each rank adds to each measure.

    Args:
        ranked, relevant: as in `reciprocal_rank`.
        k: only the first k ranks count; None for the whole list. A measure with a cutoff of its
            own keeps that.
        measures, conventions: as in `evaluate`.

    Returns:
        One row a rank (at most k), with `rank`, `item`, `grade`, `hit`, `hits so far`,
        `precision`, and for each measure a `share of` it, such as `share of AP`: what the rank
        adds. The sum of a share is the measure. DCG and nDCG bring `discount` and `gain`, too. A
        measure to which other items are relevant has columns of its own, such as `precision
        (rel=2)`, and so has a second gain, such as `gain (exponential)`.
        `.attrs` says how many items are `relevant`, which of them are `not found` in the rows, and
        which measure each share is of: with `k=5`, `"AP"` is `"AP@5"`.

    Example:
        >>> steps = explain(["D1", "D4"], {"D4"})
        >>> steps[["rank", "item", "precision", "share of AP"]].to_dict("list")
        {'rank': [1, 2], 'item': ['D1', 'D4'], 'precision': [0.0, 0.5], 'share of AP': [0.0, 0.5]}
    """
    refuse_labels(ranked, relevant)
    judged, ranked = judged_grades(relevant), ranked_items(ranked)
    preset, k = preset_named(conventions), cutoff(k)
    if preset.choices.unjudged == "removed":
        ranked = judged_only(ranked, judged)
    hits, n_ranks = hits_of_lists([(ranked, judged)]), len(ranked)
    rank = np.arange(1, n_ranks + 1)
    hit = at_ranks(hits.rank, 1, n_ranks) > 0
    columns = {
        "rank": rank,
        "item": pd.Series(ranked, dtype=object),
        "grade": at_ranks(hits.rank, hits.grade, n_ranks),
        "hit": hit,
        "hits so far": np.cumsum(hit),
        "precision": np.cumsum(hit) / rank,
    }
    named = {name: measure.with_cutoff(k) for name, measure in measures_named(measures).items()}
    known: dict[str, set] = {"hits so far": {None}, "precision": {None}}  # what each depends on
    for name, measure in named.items():
        chosen = measure.chosen_by(preset)
        for working, values in measure.steps(hits, rank, chosen).items():
            basis, bases = measure.basis(working, chosen), known.setdefault(working, set())
            if not bases:
                columns[working] = values
            elif basis not in bases:
                columns[f"{working} ({measure.basis_in_words(working, chosen)})"] = values
            bases.add(basis)
        counted, added = measure.added(hits, chosen)
        columns[f"share of {name}"] = at_ranks(counted.rank, added, n_ranks)
    steps = WholeFrame(pd.DataFrame(columns)[:k])
    found = {key_of(item) for item in steps.loc[steps["hit"], "item"]}
    steps.attrs = {
        "relevant": int(hits.n_relevant[0]),
        "not found": [item for item in relevant_grades(judged) if key_of(item) not in found],
        "measures": {name: str(measure) for name, measure in named.items()},
    }
    return steps
