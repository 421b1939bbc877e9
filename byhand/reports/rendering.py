"""The templates of reports and pages, the functions that they use, and the page itself."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from gettext import NullTranslations
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from byhand.errors import shown
from byhand.metrics.conventions import CHOICES
from byhand.metrics.measure_names import measure_named
from byhand.metrics.presets import FLOAT32, preset_named
from byhand.reports import number_text
from byhand.reports.page_figures import COLOURS, MARKERS, distributions_of, over_cutoffs, scale_of
from byhand.reports.results import HIGHER, turned
from byhand.statistics import Verdict
from byhand.theme import base_style, sheet
from byhand.widgets import embed
from byhand.words import ENGLISH, N_, catalog, gettext, listed, localised, spoken

Row = Mapping[str, object]


def templates_of(package: str, words: NullTranslations) -> Environment:
    """Return the HTML templates of a package, with escaping and strict variables."""
    made = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    made.policies["ext.i18n.trimmed"] = True
    made.install_gettext_translations(words, newstyle=True)
    return made


# ---- what the numbers say ----------------------------------------------------------------------


def alike(rows: Iterable[Row], *, narrow: bool = False) -> list[dict[str, object]]:
    """Group rows by verdict and caution; with `narrow`, also by whether they are small."""
    groups: dict[tuple[object, ...], dict[str, object]] = {}
    for row in rows:
        higher, small = row["verdict"] in HIGHER, narrow and row["narrow"]
        kept = higher or row["verdict"] == Verdict.WITHHELD
        part = {
            "verdict": row["verdict"] if kept else Verdict.INCONCLUSIVE,
            "caution": higher and bool(row["caution"]),
        }
        group = groups.setdefault((*part.values(), small), {**part, "most": 0, "rows": []})
        group["rows"].append(row)
        if small:
            group["most"] = max(group["most"], -row["at_least"], row["at_most"])
    return [*groups.values()]


def row_of(r: Row, measure: str, system: str) -> Row | None:
    """Return the row for the first figure: a system compared with the base."""
    several = len(r["pairs"]) > 1
    for row in r["comparison"] or []:
        if row["measure"] == measure and system == row["b" if several else "a"]:
            return turned(row) if several else row
    return None


def first_figure(r: Row) -> list[Row]:
    """Return the differences from the base, or the means of a single system."""
    rows = [row_of(r, measure, system) for measure in r["measures"] for system in r["systems"]]
    return [*filter(None, rows)] or r["means"]


def mean_row(r: Row, measure: str, system: str) -> Row:
    """Return the row of the means of a measure and a system."""
    return next(m for m in r["means"] if (m["measure"], m["system"]) == (measure, system))


def choices_of(r: Row) -> list[tuple[str, str]]:
    """Return the conventions of the measures, each with its measures if these differ."""
    lowest, choices = r["relevant_from"], []
    for name, choice in CHOICES.items():
        if choice.of_low_grades and lowest is None:
            continue
        said = number_text.said_of(
            {
                measure: choice.clause(getattr(chosen, name), lowest)
                for measure, chosen in r["conventions"].items()
                if name in measure_named(measure).conventions or not choice.concerns
            }
        )
        choices += [(which if len(said) > 1 else "", clause) for which, clause in said.items()]
    return choices


def exception_of(r: Row) -> str:
    """Return the differences between the preset and its tool that these data can show."""
    counts = [each["counts"] for each in r["data"].values()]
    rounded = any(count["tied_as_float32"] > count["tied"] for count in counts)
    preset = preset_named(r["preset"])
    # rounding to float32 matters only if it makes scores equal
    return "" if preset.except_that == (FLOAT32,) and not rounded else preset.exception


def loses_low_grades(r: Row) -> bool:
    """Return whether other tools would give a gain to grades that are not relevant here."""
    lowest = r["relevant_from"]
    used = np.concatenate([each["counts"]["grades"] for each in r["data"].values()])
    if lowest is None or not ((used > 0) & (used < lowest)).any():
        return False
    return any(
        "low_grades" in measure_named(name).conventions
        and chosen.low_grades == "nothing"
        and chosen.gain != "binary"
        for name, chosen in r["conventions"].items()
    )


# ---- the environment ---------------------------------------------------------------------------

_NUMBERS = {
    "at_most": number_text.at_most,
    "count": "{:,}".format,
    "fixed": lambda value, digits: f"{value:.{digits}f}",
    "grade": lambda value: f"{value:g}".replace("-", "−"),
    "number": number_text.number,
    "p": number_text.p_shown,
    # keeps all digits of integers too long for a float
    "score": lambda value: format(value, "d" if isinstance(value, int) else ".6g"),
    "share": number_text.share,
    "short_number": lambda value, digits=6: f"{value:.{digits}g}",
    "signed": partial(number_text.number, sign="+"),
}


@cache
def templates(language: str = ENGLISH) -> Environment:
    """Return the templates in a language, with the filters."""
    made = templates_of("byhand.reports", catalog(language))

    def in_words(write: Callable[..., str], *asked: object, **options: object) -> str:
        return localised(write(*asked, **options))

    made.filters |= {name: partial(in_words, write) for name, write in _NUMBERS.items()}
    made.filters |= {
        "alike": alike,
        "alive": lambda state, still: Markup(embed.live_html(state, still)),
        "both": lambda parts: Markup(listed([*map(escape, parts)])),
        "cutoff": lambda measure: measure_named(measure).k,
        "ends": lambda row: [row.get("mean", row.get("difference")), row["low"], row["high"]],
        "kind": _format,
        "line": lambda text: Markup(re.sub(r"[ \n]+", " ", str(text)).strip()),
        "measure_name": lambda measure: measure_named(measure).name,
        "order": lambda option: spoken(CHOICES["ties"].brief[option]),
        "records": lambda table: table.to_dict("records"),
        "short": number_text.short,
        "shown": shown,
        "spoken": spoken,
        "said_of": _said_of,
    }
    made.globals |= {
        **{"choices_of": choices_of, "exception_of": exception_of, "first_figure": first_figure},
        **{"loses_low_grades": loses_low_grades, "mean_row": mean_row, "row_of": row_of},
        **{"distributions_of": distributions_of, "over_cutoffs": over_cutoffs},
        **{"scale_of": scale_of, "COLOURS": COLOURS, "MARKERS": MARKERS},
        **{"V": Verdict, "HIGHER": HIGHER, "MARKS": dict(zip(Verdict, "▲▼??–", strict=True))},
    }
    made.tests |= {"nan": pd.isna, "web": re.compile(r"\s*https?://\w", re.IGNORECASE).match}
    return made


_FORMATS = {  # parts of the names of file formats
    *(N_("TREC run"), N_("TREC qrels"), N_("nested JSON"), N_("JSON lists")),
    *(N_("text without a header"), N_("separated by commas"), N_("separated by semicolons")),
    *(N_("separated by tabs"), N_("separated by bars"), N_("separated by blanks"), N_("gzipped")),
}


def _format(name: str) -> str:
    return ", ".join(gettext(part) if part in _FORMATS else part for part in name.split(", "))


def _said_of(said: Mapping[str, str]) -> list[tuple[Markup, str]]:
    found = number_text.said_of({escape(what): text for what, text in said.items()})
    return [(Markup(what), text) for what, text in found.items()]


# ---- the page ----------------------------------------------------------------------------------


def page(
    *,
    title: str,
    body: str,
    head: str = "",
    contents: str = "",
    foot: str = "",
    style: str | None = None,
    script: Path | None = None,
    language: str = ENGLISH,
    alternates: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return an HTML page in one file that loads nothing from a server.

    Its Content Security Policy allows one script by hash: the module of the live lists.

    Args:
        title: title of the window.
        body, head, contents, foot: HTML of the parts; `contents` has links to other parts.
        style: style sheet; that of a report by default.
        script: module that starts the lists; the standard one by default.
        language: language of the page; English by default.
        alternates: addresses of the page in other languages; none by default.

    Example:
        >>> html = page(title="<1>", body="<p>Hi</p>")
        >>> "<title>&lt;1&gt;</title>" in html, "<script" in html
        (True, False)
    """
    live, entry = embed.has_live(head + body), script or "page"
    runs = script or live
    rules = _report_rules() if style is None else style
    return (
        templates(language)
        .get_template("page.html.j2")
        .render(
            title=title,
            body=body,
            head=head,
            contents=contents,
            foot=foot,
            language=language,
            alternates=alternates,
            source=embed.live_source(entry, language) if runs else "'none'",
            own=style is None,
            style=base_style() + rules + (embed.style() if live else ""),
            script=embed.live_script(entry, language) if runs else "",
        )
    )


def report_style() -> str:
    """Return the style sheet of a section, without the font, to save space."""
    return " ".join((base_style(face=False) + _report_rules()).split())


@cache
def _report_rules() -> str:
    return sheet(Path(__file__).with_name("report.css"))
