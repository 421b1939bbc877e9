"""A table of the means for a paper, as LaTeX."""

import unicodedata
from functools import cache
from itertools import product
from string import ascii_lowercase

from jinja2 import Template

from byhand.errors import one_line
from byhand.reports.comparison_rows import HIGHER
from byhand.reports.exported import Exported
from byhand.reports.number_text import made_with, number
from byhand.reports.rendering import templates
from byhand.statistics import CONFIDENCE, Size, Verdict
from byhand.words import gettext as _, language, listed

_ESCAPED = {each: rf"\{each}" for each in "&%$#_{}"}
_ESCAPED |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPED |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "−": "$-$"}
_ESCAPED |= {'"': r"\char34{}", "`": r"\textasciigrave{}", "≤": r"$\leq$", "[": "{[}"}
_ESCAPED |= {"]": "{]}", "*": "{*}"}  # else the end of a line before takes them for its own


def latex_text(report: Exported) -> str:
    """A table of the means: a system a row, a measure a column, its interval below each mean.

    A mean has the letters of the systems that it is higher than. The rules are those of booktabs,
    or plain lines in a document that does without. Its words are in the language that is spoken;
    its numbers are written as in papers.
    """
    results = report.results
    compared, counts = results.comparison is not None, sorted({*results.means["queries"]})
    letters = [*ascii_lowercase, *map("".join, product(ascii_lowercase, repeat=2))]
    return latex_template(language()).render(
        r=results,
        report=report,
        made_with=made_with(),
        counts="--".join(f"{count:,}" for count in dict.fromkeys([counts[0], counts[-1]])),
        level=f"{CONFIDENCE * 100:g}",
        alpha=f"{1 - CONFIDENCE:.2g}",
        letters=dict(zip(results.tables, letters, strict=False)) if compared else {},
        pairs=[_("{a} with {b}").format(a=_tex(a), b=_tex(b)) for a, b in results.pairs],
        rows=[
            row
            | {"named": _tex(report.phrase("named", row)), "size": report.claims.size(row)}
            | {"judged": report.pool.decides(row)}
            for row in results.rows
        ],
        V=Verdict,
        SIZE=Size,
        HIGHER=HIGHER,
    )


@cache
def latex_template(language: str) -> Template:
    """The template of the table, with words in a language."""
    environment = templates(language).overlay(
        autoescape=False,  # LaTeX; every name passes through `tex`
        keep_trailing_newline=True,
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
    )
    own = {"tex": _tex, "both": listed, "oneline": one_line, "number": number}
    environment.filters = environment.filters | own
    return environment.get_template("means.tex.j2")


def _tex(text: str) -> str:
    """A text with nothing in it that LaTeX takes for a command.

    Example:
        >>> print(_tex("bm25_v2 & 50%"))
        bm25\\_v2 \\& 50\\%
    """
    known = (" " if unicodedata.category(each).startswith("C") else each for each in text)
    return "".join(_ESCAPED.get(each, each) for each in known)
