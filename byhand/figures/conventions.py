"""What conventions make of one set of data, as a table."""

from collections.abc import Iterable, Sequence
from itertools import product

import pandas as pd

from byhand.figures.html_tables import Table
from byhand.metrics.conventions import PRESETS, Conventions
from byhand.metrics.evaluate import evaluate


def conventions_table(
    run: pd.DataFrame,
    qrels: pd.DataFrame,
    measures: Iterable[object],
    caption: str = "",
    *,
    digits: int = 4,
    mark: bool = False,
    **choices: Sequence[str],
) -> Table:
    """Means under one choice after another: one row a choice, one column a measure.

    Args:
        run: one row a retrieved item, as `evaluate` takes it.
        qrels: one row a judgement.
        measures: names in ir_measures' notation, or just one.
        caption: what stands above the table.
        digits: how many decimals the means have.
        mark: whether a mean stands out that is not that of the first row.
        choices: names of `Conventions`, each with the choices to try; of several, every
            combination. Without any, a row is a preset.

    Raises:
        DataError: data that one of the conventions refuses.
        ValueError: an unknown measure, convention or choice.

    Example:
        >>> run = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]})
        >>> qrels = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "relevance": 1})
        >>> conventions_table(run, qrels, ["AP"], digits=1, denominator=["relevant", "retrieved"])
        denominator   AP
        relevant     0.5
        retrieved    1.0
    """
    rows: dict[tuple[str, ...], str | Conventions] = {(name,): name for name in PRESETS}
    if choices:
        tried = product(*choices.values())
        rows = {one: Conventions(**dict(zip(choices, one, strict=True))) for one in tried}
    means = [evaluate(run, qrels, measures, conventions=each).mean() for each in rows.values()]
    index = pd.MultiIndex.from_tuples(rows, names=list(choices) or ["preset"])
    frame = pd.DataFrame(means).set_axis(index)
    first = frame.iloc[0]
    return Table(frame, caption, digits=digits, mark=mark and (frame - first).abs() > 1e-9)
