"""The means as a table for a paper or a chat: LaTeX and Markdown.

Words are in the current language; numbers always have a decimal point.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from byhand.reports.number_text import number
from byhand.statistics import CONFIDENCE
from byhand.words import gettext as _

Numbers = Mapping[str, object]
_ESCAPED = {each: rf"\{each}" for each in "&%$#_{}"}
_ESCAPED |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPED |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": "$-$"}
_ESCAPED |= {'"': r"\char34{}", "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}"}
_TABLE = r"""\begin{table}
\centering
\caption{%s}
\begin{tabular}{l%s}
\hline
%s \\
\hline
%s
\hline
\end{tabular}
\end{table}
"""


def _rows(r: Numbers) -> Iterator[tuple[str, list[tuple[str, str, bool]]]]:
    """Yield each system with the mean of each measure, its interval, and whether it is the best.

    The interval is empty if there is none.
    """
    for system in r["systems"]:
        cells = []
        for row in (row for row in r["means"] if row["system"] == system):
            beside = [row["mean"], row["low"], row["high"]]
            mean, low, high = (number(value, 3, beside) for value in beside)
            known = row["low"] == row["low"]  # not NaN
            cells.append((mean, f"{low}, {high}" if known else "", row["best"]))
        yield system, cells


def markdown_text(r: Numbers) -> str:
    """Return a pipe table of the means: a row per system, a column per measure.

    The interval is beside each mean, and the highest mean is bold.
    """
    lines = [[_("System"), *r["measures"]], [":--", *["--:"] * len(r["measures"])]]
    for system, cells in _rows(r):
        means = [
            (f"**{mean}**" if best else mean) + (f" [{ends}]" if ends else "")
            for mean, ends, best in cells
        ]
        lines.append([_markdown(system), *means])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def latex_text(r: Numbers, computed_as: str) -> str:
    """Return a LaTeX table of the means: a row per system, a column per measure.

    The interval is below each mean, and the highest mean is bold.
    """
    lines = []
    for system, cells in _rows(r):
        means = [rf"\textbf{{{_tex(mean)}}}" if best else _tex(mean) for mean, __, best in cells]
        both = [_tex(f"[{ends}]") if ends else "" for __, ends, __ in cells]
        ends = [rf"{{\footnotesize {each}}}" if each else "" for each in both]
        lines += [" & ".join(row) + r" \\" for row in ([_tex(system), *means], ["", *ends])]
    counts = sorted({row["queries"] for row in r["means"]})
    caption = _(
        "Means over {counts} queries, each with its own {level}% confidence interval: these are "
        "not simultaneous. In bold: the highest mean of a measure. Computed {how}."
    ).format(
        counts="–".join(f"{count:,}" for count in dict.fromkeys([counts[0], counts[-1]])),
        level=f"{CONFIDENCE * 100:g}",
        how=computed_as,
    )
    heads = " & ".join([_("System"), *map(_tex, r["measures"])])
    return _TABLE % (_tex(caption), "c" * len(r["measures"]), heads, "\n".join(lines))


def _markdown(text: str) -> str:
    """Escape a name for a table in Markdown.

    Example:
        >>> print(_markdown("bm25_v2 | *new*"))
        bm25\\_v2 \\| \\*new\\*
    """
    text = "".join(" " if unicodedata.category(c).startswith("C") else c for c in text)
    return re.sub(r"([\\`*_{}\[\]<>()#|~!&$@:])", r"\\\1", text)


def _tex(text: str) -> str:
    """Escape a text for LaTeX.

    Example:
        >>> print(_tex("bm25_v2 & 50%"))
        bm25\\_v2 \\& 50\\%
    """
    known = (" " if unicodedata.category(each).startswith("C") else each for each in text)
    return "".join(_ESCAPED.get(each, each) for each in known)
