"""The means of a report as a table for a paper, in LaTeX."""

import unicodedata
from collections.abc import Iterator
from string import ascii_lowercase

import pandas as pd

from byhand.errors import both
from byhand.report.provenance import made_with
from byhand.report.steps.display import number
from byhand.report.steps.results import Results
from byhand.report.steps.wording import computed_as, conventions_text, relevant_text
from byhand.statistics import CONFIDENCE, Verdict

_RULES = ("toprule", "midrule", "bottomrule")
_ESCAPED = {each: rf"\{each}" for each in "&%$#_{}"}
_ESCAPED |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPED |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": "$-$"}
_ESCAPED |= {'"': r"\char34{}", "`": r"\textasciigrave{}", "≤": r"$\leq$", "[": "{[}"}
_ESCAPED |= {"]": "{]}", "*": "{*}"}  # else the end of a line before takes them for its own


def latex_table(results: Results) -> str:
    """A table of the means: a system a row, a measure a column, its interval below each mean.

    A mean has the letters of the systems that it is higher than. The rules are those of booktabs,
    or plain lines in a document that does without.

    Args:
        results: what `results_of` returns.
    """
    letters = _letters(results)
    marked = bool(letters)
    lines = [f"% {made_with()}. For better lines: \\usepackage{{booktabs}}"]
    lines += [rf"\providecommand{{\{rule}}}{{\hline}}" for rule in _RULES]
    lines += [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{' '.join(_caption(results, marked))}}}",
    ]
    lines += [rf"\begin{{tabular}}{{l{'c' * len(results.measures)}}}", r"\toprule"]
    lines += [f"System & {' & '.join(map(escaped, results.measures))} \\\\", r"\midrule"]
    for name in results.tables:
        rows = results.means[results.means["system"] == name]
        letter = rf" (\textit{{{letters[name]}}})" if marked else ""
        higher = (_higher(results, name, measure, letters) for measure in rows["measure"])
        known = [row for _, row in rows.iterrows()]
        means = [_mean(row) + over for row, over in zip(known, higher, strict=True)]
        ends = [_interval(row) for row in known]
        lines += [f"{escaped(name)}{letter} & {' & '.join(means)} \\\\"]
        lines += [f" & {' & '.join(ends)} \\\\"]
    lines += [r"\bottomrule", r"\end{tabular}", r"\par\medskip"]
    footnote = escaped(" ".join(_footnote(results)))
    lines += [rf"\parbox{{0.95\linewidth}}{{\footnotesize {footnote}}}", r"\end{table}", ""]
    return "\n".join(lines)


def escaped(text: str) -> str:
    """A text with nothing in it that LaTeX takes for a command.

    Example:
        >>> print(escaped("bm25_v2 & 50%"))
        bm25\\_v2 \\& 50\\%
    """
    known = (" " if unicodedata.category(each).startswith("C") else each for each in text)
    return "".join(_ESCAPED.get(each, each) for each in known)


def _letters(results: Results) -> dict[str, str]:
    """A letter for each system, if systems are compared: a to z, then aa, ab and so on."""
    if results.comparison is None:
        return {}
    pairs = [f"{first}{last}" for first in ascii_lowercase for last in ascii_lowercase]
    return dict(zip(results.tables, [*ascii_lowercase, *pairs], strict=False))


def _higher(results: Results, name: str, measure: str, letters: dict[str, str]) -> str:
    """The letters of the systems that this one is higher than."""
    if results.comparison is None:
        return ""
    rows = results.comparison[results.comparison["measure"] == measure]
    over = [
        letters[loser]
        for _, row in rows.iterrows()
        for winner, loser, wins in (
            (row["a"], row["b"], Verdict.A_HIGHER),
            (row["b"], row["a"], Verdict.B_HIGHER),
        )
        if winner == name and row["verdict"] == wins
    ]
    return rf"$^{{\mathit{{{','.join(over)}}}}}$" if over else ""


def _mean(row: pd.Series) -> str:
    return "--" if pd.isna(row["mean"]) else _written(row, "mean")


def _interval(row: pd.Series) -> str:
    if pd.isna(row["low"]):
        return ""
    return rf"{{\footnotesize {{[}}{_written(row, 'low')}, {_written(row, 'high')}{{]}}}}"


def _written(row: pd.Series, name: str) -> str:
    together = [row[each] for each in ("mean", "low", "high")]
    return escaped(number(row[name], 3, beside=together))


def _caption(results: Results, marked: bool) -> Iterator[str]:
    counts = sorted({*results.means["queries"]})
    over = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    level = rf"{CONFIDENCE * 100:g}\%"
    yield f"Means over {over} queries, each with its {level} confidence interval."
    if not marked:
        return
    compared = [f"{escaped(a)} with {escaped(b)}" for a, b in results.pairs]
    corrected = ", corrected by Holm's procedure" * (len(results.comparison) > 1)
    yield (
        r"A letter above a mean: it is higher than that of the system with this letter (paired "
        rf"randomisation test, $p \leq {1 - CONFIDENCE:.2g}${corrected}, and the {level} "
        "interval of the mean difference excludes 0)."
    )
    if len(compared) < len(results.tables) * (len(results.tables) - 1) / 2:
        yield f"Compared: {both(compared)}."
    withheld = results.comparison[results.comparison["verdict"] == Verdict.WITHHELD]
    few = results.comparison[results.comparison["verdict"] == Verdict.TOO_FEW]
    verdicts = (Verdict.A_HIGHER, Verdict.B_HIGHER)
    told = results.comparison[results.comparison["verdict"].isin(verdicts)]
    careful = [escaped(results.named(row)) for _, row in told[told["caution"] != ""].iterrows()]
    if careful:
        yield f"With a caution, as the interval may be too narrow: {both(careful)}."
    for rows, why in (
        (withheld, "as a run lacks too many queries"),
        (few, "as too few queries differ"),
    ):
        if len(rows):
            named = both([escaped(results.named(row)) for _, row in rows.iterrows()])
            yield f"Without a verdict, {why}: {named}."


def _footnote(results: Results) -> Iterator[str]:
    yield f"Computed with {made_with()}, {computed_as(results)}: {conventions_text(results)}."
    yield f"Relevant is {relevant_text(results.data.relevant_from)}."
    for name, table in results.tables.items():
        count = table.attrs
        if count["missing"]:
            yield f"{name} lacks {count['missing']:,} of {count['judged']:,} judged queries."
