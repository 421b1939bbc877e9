"""The report on `Results`: as a page, section by section, or as text."""

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from jinja2.environment import TemplateModule
from markupsafe import Markup, escape

from byhand import words
from byhand.figures.html_tables import Table
from byhand.reports.inputs import Inputs
from byhand.reports.number_text import made_with
from byhand.reports.options import FilePath
from byhand.reports.paper_tables import latex_text, markdown_text
from byhand.reports.query_lists import QueryLists
from byhand.reports.rendering import page, report_style, templates
from byhand.statistics import CONFIDENCE, verdict_rule
from byhand.words import gettext as _, spoken

SUMMARY = "summary"
_OF_MEANS = ["measure", "system", "mean", "low", "high", "median", "chance", "lift", "queries"]
_OF_PAIRS = ["a", "b", "difference", "low", "high", "p_holm", "verdict"]
_ROWS = (  # sections side by side on a wide page
    *(("reported",), ("comparison",), ("groups",), ("moved",), ("worst", "best")),
    *(("means", "cutoffs"), ("distributions",), ("ties", "unjudged")),
    *(("data",), ("files", "methods")),
)
SECTIONS = tuple(name for row in _ROWS for name in row)
# overrides of the writing direction in a name would reverse the rest of a sentence
_TURNING = {code: f"\\u{code:x}" for code in (0x202D, 0x202E)}
_TO_PART = re.compile(r'<a href="#([^"]*)">(.*?)</a>')


@dataclass(frozen=True)
class Section:
    """A section of a report, for a page, a notebook or a terminal."""

    html: str
    text: str  # for a terminal
    language: str = words.ENGLISH

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        if not self.html:
            return ""  # no empty frame
        # Notebooks remove styles and figures of untrusted outputs, so the text is shown instead.
        # The classes keep "$x$" in a name from being read as a formula.
        lang = "" if self.language == words.ENGLISH else f' lang="{self.language}"'
        ignored = 'class="tex2jax_ignore mathjax_ignore report'
        # other sections are missing here, so links to them become text
        html = _TO_PART.sub(lambda to: to[0] if f'id="{to[1]}"' in self.html else to[2], self.html)
        return (
            f"<style>{report_style()}</style>"
            f'<pre {ignored}-text"{lang}>{escape(self.text)}</pre>'
            f'<div {ignored}" hidden="hidden"{lang}>{html}</div>'
        )


class Report:
    """Write results as a page, as sections or as text.

    Args:
        results: the numbers, with the keys of `byhand.reports.schema.ReportNumbers`.
        data: runs and qrels, for the lists of single queries.
        language: code of the language, such as `"ko"`; that of `use_language` by default.

    Attributes:
        results: the numbers.
        lists: the lists of single queries.
        sources: the input files, by a description such as "run of new".

    Raises:
        ValueError: If the language is unknown.
    """

    def __init__(
        self, results: Mapping[str, object], data: Inputs, language: str | None = None
    ) -> None:
        self.results, self.lists = results, QueryLists(data, results["queries"])
        self.sources = data.sources
        self.language = words.checked(language or words.language())

    @property
    def _parts(self) -> TemplateModule:
        """The macros of the page in the current language."""
        r, template = self.results, templates(words.language()).get_template("sections.html.j2")
        names = {
            "r": r,
            "lists": self.lists,
            "rows": r["comparison"] or [],
            "group_rows": r["groups"]["comparison"] or [] if r["groups"] else [],
            "means_of": r["means"],
            "n_queries": len(r["queries"][r["systems"][0]]),
            "judged_at_top": f"Judged@{r['top']}",
            "several": len(r["pairs"]) > 1,
            "several_systems": len(r["systems"]) > 1,
            "made_with": made_with(),
            "date": datetime.date.today().isoformat(),
            "rule": verdict_rule(alpha=1 - CONFIDENCE),
        }
        return template.make_module(names)

    @property
    def title(self) -> str:
        """The title, with the names of the systems."""
        return self.phrase("title").translate(_TURNING)

    def html(self, done: Callable[[int, int], None] = lambda *_: None) -> str:
        """Return the whole page.

        Args:
            done: function called after each section with the number done and the total.
        """
        shown, names = {}, (SUMMARY, *SECTIONS)
        with words.speaking(self.language):
            for place, name in enumerate(names, 1):
                shown[name] = self._html(name, "h1") if name == SUMMARY else self._html(name)
                done(place, len(names))
            foot = self._parts.foot()
        summary = shown.pop(SUMMARY)
        rows = [[shown.get(name, "") for name in row] for row in _ROWS]
        body = [_row([html for html in row if html]) for row in rows if any(row)]
        return page(
            title=self.title,
            body="\n".join([summary, *body]),
            foot=foot,
            language=self.language,
        )

    def _html(self, name: str, *options: object, alone: bool = False) -> str:
        macro = self._parts.SECTIONS[name]
        # the only table of a section is open, and a long paragraph closed
        opened = {"alone": True} if alone and "alone" in macro.arguments else {}
        return str(macro(*options, **opened)).strip().translate(_TURNING)

    def section(self, name: str) -> Section:
        """Return a section: `"summary"`, or one of `SECTIONS`; empty if it has no content.

        Raises:
            ValueError: If the name is unknown.
        """
        if name not in (SUMMARY, *SECTIONS):
            known = ", ".join((SUMMARY, *SECTIONS))
            raise ValueError(f"{name!r} is not a section of a report. Choose from {known}.")
        with words.speaking(self.language):
            return Section(self._html(name, alone=True), self._text(name), self.language)

    def _text(self, name: str) -> str:
        """Return a section as plain text in the current language; empty if it has no content."""
        r = self.results
        first, of_first = r["measures"][0], r["queries"][r["systems"][0]]
        parts: list[object] = []  # sentences and frames
        match name:
            case "summary":
                parts = [*self.sentences(name), _means(r["means"]).T.rename_axis(_("system"))]
            case "methods":
                parts = self.sentences(name)
            case "means":
                parts = [pd.DataFrame(r["means"])[_OF_MEANS]]
            case "comparison" if r["comparison"]:
                parts = [pd.DataFrame(r["comparison"])[["measure", *_OF_PAIRS]]]
            case "groups" if r["groups"] and r["groups"]["comparison"]:
                parts = [pd.DataFrame(r["groups"]["comparison"])[["group", *_OF_PAIRS]]]
            case "groups" if r["groups"]:
                means = {
                    group: [*of["means"].values()] for group, of in r["groups"]["means"].items()
                }
                parts = [pd.DataFrame(means, index=[first]).T]
            case "worst" | "best":
                parts = [of_first.loc[self.lists.ends[name == "best"], r["measures"]]]
            case "moved":
                for (a, b), moved in self.lists.moved.items():
                    parts += [f"{a} − {b}", moved.to_frame(first)]
            case "cutoffs":
                parts = [pd.DataFrame(r["cutoffs"])]
            case "ties" if r["orders_of_equal_scores"]:
                orders = r["orders_of_equal_scores"].items()
                means = {order: pd.DataFrame(each["means"]) for order, each in orders}
                means = pd.concat({"in use": _means(r["means"]), **means}, axis=1)
                parts = [means.stack(0, future_stack=True)]
            case "unjudged" if r["unjudged_items"]:
                ends = {system: pd.DataFrame(of) for system, of in r["unjudged_items"].items()}
                parts = [pd.concat(ends, axis=1).T]
            case "reported" if r["reported"]:
                parts = [*map(spoken, r["reported"]["says"])]
            case "data":
                data = r["data"].items()
                parts = [f"{system}: {spoken(n)}" for system, each in data for n in each["notes"]]
        texts = (repr(Table(p)) if isinstance(p, pd.DataFrame) else p for p in parts if len(p))
        return "\n".join(texts).translate(_TURNING)

    def text(self, name: str | None = None) -> str:
        """Return a section as plain text; without a name, the whole report."""
        with words.speaking(self.language):
            if name is not None:
                return self._text(name)
            texts = [self._text(each) for each in (SUMMARY, *SECTIONS)]
        return "\n\n".join([self.title, *filter(None, texts)])

    def sentences(self, name: str, language: str | None = None) -> list[str]:
        """Return the sentences of a paragraph: `"summary"` or `"methods"`."""
        with words.speaking(language or self.language):
            lines = self._parts.PHRASES[name]().splitlines()
        return [text for line in lines if (text := Markup(line).striptags())]

    def phrase(self, name: str) -> str:
        """Return a phrase as plain text: `"title"` or `"computed_as"`."""
        with words.speaking(self.language):
            return Markup(self._parts.PHRASES[name]()).striptags()

    def save(self, *paths: FilePath) -> list[Path]:
        """Write the report to one or more files; replace no file before all are complete.

        Args:
            paths: files to write; the extension sets the format: .html for the page, .csv for the
                value of each query, .json for every number, .tex or .md for a table of the means.

        Returns:
            The paths of the written files.

        Raises:
            DataError: If a path has an unknown extension, is passed twice, is an input of the
                report, or cannot be written.

        Example:
            >>> from byhand import report
            >>> from tempfile import TemporaryDirectory
            >>> found = report({"q": {"d1": 0.9, "d2": 0.5}}, {"q": {"d2": 1}}, measures="RR")
            >>> with TemporaryDirectory() as folder:
            ...     [path.name for path in found.save(f"{folder}/rr.html", f"{folder}/rr.json")]
            ['rr.html', 'rr.json']
        """
        from byhand.reports.exports import csv_text, json_text, targets_of, write_forms

        results = self.results
        makers = {
            "html": self.html,
            "csv": lambda: csv_text(results),
            "json": lambda: json_text(results, self.sources, self.sentences),
            "latex": self.to_latex,
            "markdown": self.to_markdown,
        }
        sources = [file.path for each in self.sources.values() for file in each]
        with words.speaking(self.language):
            return write_forms(makers, targets_of(paths, sources))

    def to_markdown(self) -> str:
        """Return the means with their intervals as a Markdown table, for a chat or an issue.

        Example:
            >>> from byhand import report
            >>> runs = {"new": {"q": {"a": 2, "b": 1}}, "old": {"q": {"a": 1, "b": 2}}}
            >>> print(report(runs, {"q": {"a": 1}}, measures="RR").to_markdown())
            | System | RR |
            | :-- | --: |
            | new | **1.000** |
            | old | 0.500 |
            <BLANKLINE>
        """
        with words.speaking(self.language):
            return markdown_text(self.results)

    def to_latex(self) -> str:
        """Return the means with their intervals as a LaTeX table, to `\\input` in a paper."""
        with words.speaking(self.language):
            return latex_text(self.results, self.phrase("computed_as"))

    def __repr__(self) -> str:
        return f"{self.title}\n\n{self.text(SUMMARY)}"

    def _repr_html_(self) -> str:
        return self.section(SUMMARY)._repr_html_()


def _row(sections: list[str]) -> str:
    """Return a row of the page: one section, or two side by side."""
    if len(sections) == 1:
        return f"<section>\n{sections[0]}\n</section>"
    inside = "\n".join(f"<div>\n{html}\n</div>" for html in sections)
    return f'<section class="pair">\n{inside}\n</section>'


def _means(rows: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """Return the means by measure and system."""
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        found.setdefault(row["system"], {})[row["measure"]] = row["mean"]
    return pd.DataFrame(found)
