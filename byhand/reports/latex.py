"""A LaTeX table of the means."""

import unicodedata
from collections.abc import Mapping

from byhand.reports.number_text import number
from byhand.statistics import CONFIDENCE
from byhand.words import gettext as _

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


def latex_text(r: Mapping[str, object], computed_as: str) -> str:
    """Return a LaTeX table of the means: a row per system, a column per measure.

    The interval is below each mean, and the highest mean is bold. Words are in the current
    language; numbers always have a decimal point.
    """
    lines = []
    for system in r["systems"]:
        rows = [row for row in r["means"] if row["system"] == system]
        means, intervals = [], []
        for row in rows:
            beside = [row["mean"], row["low"], row["high"]]
            mean, low, high = (_tex(number(value, 3, beside)) for value in beside)
            means.append(rf"\textbf{{{mean}}}" if row["best"] else mean)
            known = row["low"] == row["low"]  # not NaN
            intervals.append(rf"{{\footnotesize {{[}}{low}, {high}{{]}}}}" if known else "")
        lines += [" & ".join([_tex(system), *means]) + r" \\"]
        lines += [" & ".join(["", *intervals]) + r" \\"]
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


def _tex(text: str) -> str:
    """Escape a text for LaTeX.

    Example:
        >>> print(_tex("bm25_v2 & 50%"))
        bm25\\_v2 \\& 50\\%
    """
    known = (" " if unicodedata.category(each).startswith("C") else each for each in text)
    return "".join(_ESCAPED.get(each, each) for each in known)
