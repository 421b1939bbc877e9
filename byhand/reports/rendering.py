"""The templates of reports and pages, and their filters."""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from gettext import NullTranslations
from pathlib import Path
from urllib.parse import urlsplit

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from byhand.errors import shown
from byhand.metrics.conventions import CHOICES
from byhand.metrics.measure_names import measure_named
from byhand.reports import number_text
from byhand.reports.inputs import attrs_of
from byhand.widgets import embed
from byhand.words import ENGLISH, N_, catalog, gettext, listed, localised, spoken


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
        "alive": lambda state, still: Markup(embed.live_html(state, still)),
        "measure_name": lambda measure: measure_named(measure).name,
        "both": lambda parts: Markup(listed([*map(escape, parts)])),
        "by_rank": lambda run: any("minus the rank" in n for n in attrs_of(run).get("notes", [])),
        "ends": lambda row: [row.get("mean", row.get("difference")), row["low"], row["high"]],
        # readers of the page need the name of a file, not its folder
        "kind": _format,
        "file": lambda table: Path(attrs_of(table).get("file", "")).name,
        "line": lambda text: Markup(re.sub(r"[ \n]+", " ", str(text)).strip()),
        "order": lambda option: spoken(CHOICES["ties"].brief[option]),
        "records": lambda table: table.to_dict("records"),
        "short": number_text.short,
        "shown": shown,
        "spoken": spoken,
        "said_of": _said_of,
    }
    made.tests |= {"nan": pd.isna, "web": _of_the_web}
    return made


_FORMATS = {  # parts of the names of file formats
    *(N_("TREC run"), N_("TREC qrels"), N_("nested JSON"), N_("JSON lists")),
    *(N_("text without a header"), N_("separated by commas"), N_("separated by semicolons")),
    *(N_("separated by tabs"), N_("separated by bars"), N_("separated by blanks"), N_("gzipped")),
}


def _format(held: object) -> str:
    parts = (held if isinstance(held, str) else attrs_of(held).get("format", "")).split(", ")
    return ", ".join(gettext(part) if part in _FORMATS else part for part in parts)


def _said_of(said: Mapping[str, str]) -> list[tuple[Markup, str]]:
    found = number_text.said_of({escape(what): text for what, text in said.items()})
    return [(Markup(what), text) for what, text in found.items()]


def _of_the_web(url: str) -> bool:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)
