"""The contribution of each rank of one list to a measure, and the table that explains it."""

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
from byhand.whole import WholeFrame


class Shares(NamedTuple):
    """The contributions to one measure for one list."""

    value: float  # value of the measure
    ranks: tuple[float, ...]  # contribution of each rank
    most: float  # largest possible contribution: that of the best item at rank 1


def shares_of(
    measures: Mapping[str, Measure],
    ranked: Ranked,
    relevant: Mapping[Hashable, float],
    *,
    k: int | None = None,
    preset: Preset | None = None,
) -> dict[str, Shares]:
    """Return the contribution of each rank of a list to each measure, by its name.

    A measure without a cutoff gets `k`.

    Example:
        >>> shares_of(measures_named("AP"), ["D1", "D4"], {"D4": 1})
        {'AP': Shares(value=0.5, ranks=(0.0, 0.5), most=1.0)}
    """
    preset, ranked = preset or preset_named("trec_eval -c"), list(ranked)
    best = sorted(relevant, key=lambda item: -relevant[item])[:1]
    others = [item for item in ranked if item not in best][: max(len(ranked) - 1, 0)]
    hits = hits_of_lists([(ranked, relevant), ([*best, *others], relevant)])
    shares = {}
    for name, measure in measures.items():
        # "input" because a list has one item per rank, without ties
        measure, chosen = measure.with_cutoff(k), measure.chosen_by(preset).but(ties="input")
        counted, added = measure.added(hits, chosen)
        is_list = counted.query == 0
        ranks = at_ranks(counted.rank[is_list], added[is_list], len(ranked))
        most = float(added[~is_list].max(initial=0))
        value = float(measure.values(hits, chosen)[0])
        shares[name] = Shares(value, tuple(ranks.tolist()), most)
    return shares


def explain(
    ranked: Ranked,
    relevant: Relevant,
    *,
    k: int | None = None,
    measures: Iterable[object] = ("RR", "AP", "DCG", "nDCG"),
    conventions: str | Conventions = "trec_eval -c",
) -> pd.DataFrame:
    """Return a table of one list, rank by rank, with the contribution of each rank to each measure.

    Args:
        ranked, relevant: as in `reciprocal_rank`.
        k: the cutoff, the number of ranks that count; None, the default, for the whole list. A
            measure with its own cutoff keeps it.
        measures: names of measures, as in `evaluate`; RR, AP, DCG and nDCG by default.
        conventions: the conventions, as in `evaluate`; those of trec_eval -c by default.

    Returns:
        One row per rank (at most k), with `rank`, `item`, `grade`, `hit`, `hits so far`,
        `precision`, and for each measure its contribution, such as `share of AP`. The sum of a
        share is the measure. DCG and nDCG also add `discount` and `gain`. If measures differ in an
        option, its columns are repeated, such as `precision (rel=2)` or `gain (exponential)`.
        `.attrs` contains the number of `relevant` items, the list of those `not found` in the rows,
        and the `measures` of the shares: with `k=5`, `"AP"` is `"AP@5"`.

    Raises:
        DataError: If an item is repeated, or a grade is not a finite number.
        ValueError: If a measure or preset is unknown, or k is not a whole number from 1.

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
    retrieved = {key_of(item) for item in steps.loc[steps["hit"], "item"]}
    steps.attrs = {
        "relevant": int(hits.n_relevant[0]),
        "not found": [item for item in relevant_grades(judged) if key_of(item) not in retrieved],
        "measures": {name: str(measure) for name, measure in named.items()},
    }
    return steps
