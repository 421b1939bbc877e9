"""Tables of worked examples: step by step, and beside the printed values."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

import pandas as pd

from byhand.words import N_, localised
from helpers.examples import WorkedCase
from helpers.measuring import lists, mean, of
from helpers.printed_values import printed_value, rows
from helpers.record import judged
from helpers.record_tables import MARKS, value_text
from helpers.translation import LessonError, gettext as _, name

_MEANS = {"RR": "MRR", "AP": "MAP"}


def printed_beside(document: str, example: str, measures: str | Iterable[str]) -> pd.DataFrame:
    """Compute the values of an example beside those that its document prints.

    Args:
        document, example: names of a document and its example, such as "d4" and "mrr".
        measures: one name such as `"RR"`, or several.

    Returns:
        A row per list, and a last one if the document prints the mean. Each measure has three
        columns: the computed value, the printed one, and ✓ if they agree, ≈ if they differ by
        rounding of steps, ✗ if the printed one is wrong.

    Example:
        >>> printed_beside("tracin", "scenarios", "AP").loc["A"].tolist()
        ['7/10 = 0.7000', '0.7333', '✗']
    """
    measures = [measures] if isinstance(measures, str) else [*measures]
    table = rows()
    of_example = (table["document"] == document) & (table["example"] == example)
    printed = table[of_example & table["measure"].isin(measures)]
    known = f"{document}/{example}"
    labels = {query: name(query) for query in lists(known)}
    if "" in [*printed["list"]]:
        one = len(measures) == 1
        labels[""] = _MEANS.get(measures[0], _("mean")) if one else _("mean")
    columns = []
    for measure in measures:
        of_measure = printed[printed["measure"] == measure]
        where = dict(zip(of_measure["list"], of_measure.index, strict=True))
        digits = max(4, *(len(text.partition(".")[2]) for text in ["", *of_measure["documented"]]))
        cells = []
        for query in labels:
            value = of(measure, known, query) if query else mean(measure, known)
            row = where.get(query)
            stated = table.at[row, "documented"] if row else "–"
            right = row and printed_value(row).agrees(value)
            mark = MARKS["right" if right else judged(row)[1]] if row else ""
            cells.append((value_text(value, digits), localised(stated), mark))
        columns.append(pd.DataFrame(cells, [*labels.values()], [measure, _("printed"), "✓"]))
    return pd.concat(columns, axis="columns")


def by_hand(cases: Mapping[str, WorkedCase], measure: str) -> pd.DataFrame:
    """Compute RR or AP of each list in fractions, step by step.

    Args:
        cases: mapping name -> list, such as the result of `worked_example`.
        measure: `"RR"` for a row per list; `"AP"` for a row per hit, with its precision, and a
            row per list.

    Raises:
        LessonError: If the measure is neither RR nor AP.

    Example:
        >>> by_hand({"Q1": WorkedCase(["a", "b", "c"], {"a": 1, "c": 1})}, "AP")["by hand"].tolist()
        ['1/1', '2/3', '(1/1 + 2/3) / 2']
    """
    if measure not in ("RR", "AP"):
        raise LessonError(f"by_hand supports RR and AP, not {measure!r}. Pass 'RR' or 'AP'.")
    steps = []
    for query, (ranked, relevant) in cases.items():
        at = [rank for rank, item in enumerate(ranked, start=1) if item in relevant]
        shares = [f"{nth}/{rank}" for nth, rank in enumerate(at, start=1)]
        if measure == "RR":
            whole = shares[0] if shares else "0"
        else:
            for rank, share in zip(at, shares, strict=True):
                steps.append((query, _("precision at rank {rank}").format(rank=rank), share))
            whole = f"({' + '.join(shares) or 0}) / {len(relevant)}"
        steps.append((query, measure, whole))
    heads = [*map(_, (N_("list"), N_("step"), N_("by hand")))]
    values = [_value(text) for *step, text in steps]
    return pd.DataFrame(steps, columns=heads).assign(**{_("value"): values}).set_index(heads[:2])


def _value(text: str) -> float:
    """Return the value of fractions as text, such as `"(1/1 + 2/3) / 2"`."""
    added, whole, n = text.strip("(").partition(") / ")
    return float(sum(map(Fraction, added.split(" + "))) / (int(n) if whole else 1))
