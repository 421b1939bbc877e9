"""Tables as HTML and as text, with all data escaped."""

import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from html import escape
from itertools import product
from numbers import Integral, Real
from types import MappingProxyType

import numpy as np
import pandas as pd
from pandas.api.types import infer_dtype

from byhand.errors import DataError, shown
from byhand.metrics.cases import Case, ranked_items, relevant_grades
from byhand.metrics.conventions import CHOICES, Conventions
from byhand.metrics.measure_names import measure_list, measure_named, measures_named
from byhand.metrics.presets import PRESETS
from byhand.statistics import Outcome, Verdict
from byhand.words import gettext as _, localised_text, padded, pgettext, text_width, typeset

_LEFT = "text-align:left"
_RIGHT = "text-align:right;font-variant-numeric:tabular-nums"
# English heads and verdicts that tables translate; `tools/catalogs.py` reads them from here
CONTEXT = "table"
_VERDICTS = frozenset({*Verdict, *Outcome})
SHOWN = (
    *("rank", "value", "mean", "average", "chance", "{measure} chance", "lift", "ratio"),
    *("{measure} best", "{measure} worst", "tied", "tools", "explanation"),
    *("queries", "measure", "difference", "change", "low", "high", "higher", "p_holm", "exact"),
    *("verdict", "superiority", "theme", "question", "kind", "document", "all"),
    *sorted(_VERDICTS),
)
# conventions and their options, which are only translated below the name of their convention
OPTIONS = (*CHOICES, *{option: 0 for choice in CHOICES.values() for option in choice.options})
# in JupyterLab, a caption and its table have the left edge of prose, and room between lines
PLACE = (
    "<style>.jp-OutputArea-output.jp-RenderedHTML:has(> :is(table, details > table)) {"
    " padding-inline-start: 6px; > table, > details > table { margin: 2px 0 0 -6px; }"
    " td { line-height: 1.4; } .jp-OutputArea-child + .jp-OutputArea-child > & { margin-top: 8px;"
    " } }</style>"
)
_CAPTION = "caption-side:top;text-align:left;padding:.6em 6px .3em"
# for light and dark backgrounds; without colour, they differ by edge, lightness and hatch
_LOOKS = (
    "background:#6b9bff4d",
    "background:#e69f004d;border-left:.3em dotted #c77700",
    "background:#1b4fb8;color:#fff;print-color-adjust:exact",
    "background:repeating-linear-gradient(45deg,#8885 0 2px,#0000 2px 9px)",
    "background:#8882;border-left:.3em double #888",
    "background:#8f3900;color:#fff;border-left:.3em dotted #fff;print-color-adjust:exact",
    "background:repeating-linear-gradient(90deg,#8884 0 2px,#0000 2px 9px)",
    "outline:2px solid #888;outline-offset:-3px",
    "background:radial-gradient(#888c 1px,#0000 2px) 0 0/7px 7px",
)

_HIT = "●\N{NO-BREAK SPACE}"  # before a relevant item
_MINUS = re.compile(r"(?<![\w.,)-])-(?=\d)")  # before a number, not in a name such as BM25-1


class Html(str):
    """A cell that is already escaped HTML."""


def table_html(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    texts: int | Collection[int] = 1,
    label: str = "",
    caption: str = "",
    titles: int = 0,
    marked: Mapping[tuple[int, int], int] = MappingProxyType({}),
    look: str = "",
    widths: Sequence[int] = (),
) -> str:
    """Make an HTML table; cells are text, unless they are `Html`.

    Args:
        heads, rows: the names of the columns, and the cells.
        texts: the number of text columns, from the left, or their positions; the others contain
            numbers. The first column is text by default.
        label, caption: the accessible name, and the caption; empty by default.
        titles: the number of columns, from the left, that are row headers; 0 by default.
        marked: (row, column) from 0 -> look of a highlighted cell, from 1 to 9; none by default.
        look: the CSS class of a table with its own style sheet.
        widths: the width of each column in percent; by default, the browser chooses them.

    Example:
        >>> table_html(["n"], [["<"]]).partition("<tbody>")[2]
        '<tr><td style="text-align:left"><bdi>&lt;</bdi></td></tr></tbody></table>'
    """
    words = _text_columns(texts)
    sides = [_LEFT if n in words else _RIGHT for n in range(len(heads))]
    styles = (
        [f"{side};width:{n}%" for side, n in zip(sides, widths, strict=True)] if widths else sides
    )

    def cell_html(row: int, column: int, cell: str) -> str:
        tag, style = "td", sides[column]
        if column < titles and cell:
            tag, style = 'th scope="row"', style + ";white-space:nowrap" * (len(cell) < 20)
        if not isinstance(cell, Html):
            cell = f"<bdi>{escape(str(cell))}</bdi>" if column in words else escape(cell)
        if look := marked.get((row, column)):
            style += f";{_LOOKS[(look - 1) % len(_LOOKS)]}"
            cell = f"<strong>{cell}</strong>"
        return _tagged(tag, cell, style=style)

    head = "".join(
        _tagged('th scope="col"', escape(name), style=style) if name.strip() else "<td></td>"
        for name, style in zip(heads, styles, strict=True)
    )
    plain = "background:none" if marked else ""  # stripes would show through the looks
    body = "".join(
        _tagged(
            "tr",
            "".join(cell_html(row, column, cell) for column, cell in enumerate(cells)),
            style=plain,
        )
        for row, cells in enumerate(rows)
    )
    above = _tagged("caption", escape(caption), style=_CAPTION) if caption else ""
    inside = f"{above}<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return _tagged("table", inside, **{"class": look, "aria-label": label})


def _text_columns(texts: int | Collection[int]) -> Collection[int]:
    return range(texts) if isinstance(texts, int) else texts


def _tagged(tag: str, inside: str, **attributes: str) -> str:
    given = "".join(f' {name}="{escape(text)}"' for name, text in attributes.items() if text)
    return f"<{tag}{given}>{inside}</{tag.partition(' ')[0]}>"


def table_text(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int | Collection[int] = 1
) -> str:
    """Format a table as text, with aligned columns.

    Args:
        heads, rows, texts: as in `table_html`.
    """
    words = _text_columns(texts)
    columns = list(zip(heads, *rows, strict=True))
    widths = [max(map(text_width, column)) for column in columns]
    lines = (
        "  ".join(
            padded(cell, width, right=column not in words)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (heads, *rows)
    )
    return "\n".join(lines)


class Table:
    """A frame as a table: HTML in a notebook, and the same as text in its `repr`.

    Args:
        frame: the data; an index other than row numbers becomes row headers.
        caption: the caption; empty by default.
        digits: the number of decimals, 4 by default; or a mapping column -> number.
        mark: the highlighted rows, as a column of True and False; or cells, as a frame of them; or
            columns, as `[columns]`; none by default. Whole numbers select the look of each cell, 0
            for none.
        names: mapping row name -> its HTML, such as a link; by default, all names are text.
        folded: If True, a notebook shows only the caption until it is clicked. False by default.

    Example:
        >>> frame = pd.DataFrame({"RR": [0.5, 1]}, index=["Q1", "Q2"])
        >>> Table(frame, "Two queries", digits=2)
        Two queries
              RR
        Q1  0.50
        Q2  1.00
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        caption: str = "",
        *,
        digits: int | Mapping[str, int] = 4,
        mark: object = False,
        names: Mapping[str, Html] = MappingProxyType({}),
        folded: bool = False,
    ) -> None:
        self._folded = folded
        named = not isinstance(frame.index, pd.RangeIndex)
        self._caption = localised_text(caption)
        self._titles = frame.index.nlevels if named else 0
        given = np.asarray(mark)
        mask = np.broadcast_to(given[:, None] if given.ndim == 1 else given, frame.shape)
        # a highlighted row includes its name, highlighted cells do not
        whole_rows = mask.all(axis=1, keepdims=True) & (given.ndim < 2)
        looks = np.hstack([np.repeat(whole_rows, self._titles, axis=1), mask]).astype(int)
        self._marked = {(row, n): int(looks[row, n]) for row, n in np.argwhere(looks).tolist()}
        self._names = names
        # blank heads of unnamed levels must differ
        heads = [name or " " * level for level, name in enumerate(frame.index.names)]
        whole = frame.reset_index(names=heads) if named else frame
        columns = [str(name) for name in whole.columns]
        self._heads = [*map(head_of, columns)]
        self._texts = {n for n in range(len(columns)) if not _is_number(whole.iloc[:, n])}
        decimals = digits if isinstance(digits, Mapping) else dict.fromkeys(columns, digits)
        cells = [
            [_option_of(name, _written(value, decimals.get(name, 4))) for value in whole.iloc[:, n]]
            for n, name in enumerate(columns)
        ]
        cells[: self._titles] = ([*map(_of_measure, names)] for names in cells[: self._titles])
        if self._titles > 1:  # the name of a group stands in its first row alone
            cells[0] = [
                "" if n and name == cells[0][n - 1] else name for n, name in enumerate(cells[0])
            ]
        self._rows = list(zip(*cells, strict=True))

    def __repr__(self) -> str:
        text = table_text(self._heads, self._rows, texts=self._texts)
        return f"{self._caption}\n{text}".lstrip("\n")

    def _repr_html_(self) -> str:
        caption = escape(self._caption)
        table = table_html(
            self._heads,
            [(self._names.get(name, name), *cells) for name, *cells in self._rows],
            texts=self._texts,
            label=self._caption,
            titles=self._titles,
            marked=self._marked,
        )
        if self._folded:
            return f"<details><summary>{caption}</summary>{table}</details>{PLACE}"
        # the caption comes first, because JupyterLab shows the first line of a folded output
        return f"{caption}\n".lstrip("\n") + table + PLACE


def ranks_table(
    cases: Mapping[Hashable, Case],
    measures: Iterable[object] = (),
    *,
    names: Mapping[str, Html] = MappingProxyType({}),
) -> Table:
    """Show ranked lists: one row per list, one column per rank, and a dot at each relevant item.

    Args:
        cases: (ranked, relevant) by the name of the row.
        measures: measures to show beside each list, as in `evaluate`; none by default.
        names: as in `Table`.

    Raises:
        DataError: If `cases` is not a non-empty mapping.

    Example:
        >>> ranks_table({"Q1": (["D1", "D4"], {"D4", "D9"})}, ["RR"])
        ● is relevant
                RR  1   2     not retrieved
        Q1  0.5000  D1  ●\N{NO-BREAK SPACE}D4  D9
    """
    if not isinstance(cases, Mapping) or not cases:
        raise DataError(
            f"cases is {shown(cases)}. Expected a dict of lists: {{'Q1': (ranked, relevant)}}."
        )
    lists, missed = [], []
    for items, judged in cases.values():
        ranked = ranked_items(items)
        relevant = relevant_grades(judged, ranked)
        dotted = (f"{_HIT}{item}" if item in relevant else str(item) for item in ranked)
        lists.append(dict(enumerate(dotted, start=1)))
        missed.append(", ".join(str(item) for item in relevant if item not in ranked))
    index = pd.MultiIndex.from_tuples(cases) if isinstance(next(iter(cases)), tuple) else [*cases]
    ranks = pd.DataFrame(lists, index=index).fillna("").sort_index(axis="columns")
    if any(missed):
        ranks[_("not retrieved")] = missed
    values = {
        name: [measure_list(measure, *case) for case in cases.values()]
        for name, measure in measures_named(measures).items()
    }
    frame = pd.concat([pd.DataFrame(values, index=ranks.index), ranks], axis="columns")
    hits = frame.astype(str).apply(lambda column: column.str.startswith(_HIT))
    return Table(frame, _("● is relevant"), mark=hits, names=names)


def lists_table(
    cases: Mapping[str, Case],
    measures: Iterable[object],
    caption: str = "",
    *,
    digits: int = 3,
    mark: Collection[str] = (),
    conventions: str | Conventions = "trec_eval -c",
) -> Table:
    """Compare lists under several measures: one row per list, one column per measure.

    Args:
        cases: (ranked, relevant) by the name of the row.
        measures, conventions: as in `evaluate`.
        caption, digits: as in `Table`; 3 decimals by default.
        mark: the names of the highlighted rows; none by default.

    Raises:
        DataError: If an item is repeated in a list.
        ValueError: If a measure or preset is unknown.

    Example:
        >>> lists_table({"Q1": (["D1", "D4"], {"D4"})}, ["RR", "P@1"], digits=1)
             RR  P@1
        Q1  0.5  0.0
    """
    values = {
        name: [measure_list(measure, *case, conventions=conventions) for case in cases.values()]
        for name, measure in measures_named(measures).items()
    }
    frame = pd.DataFrame(values, index=list(cases))
    return Table(frame, caption, digits=digits, mark=frame.index.isin(list(mark)))


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
    """Compare means under several conventions: one row for each, one column per measure.

    Args:
        run, qrels, measures: as in `evaluate`.
        caption, digits: as in `Table`; 4 decimals by default.
        mark: If True, highlight the means that differ from the first row. False by default.
        choices: fields of `Conventions`, each with the options to try; there is a row for each
            combination of options. By default, one row per preset.

    Raises:
        DataError: If one of the conventions refuses the data.
        ValueError: If a measure or an option is unknown.
        TypeError: If `Conventions` has no such field.

    Example:
        >>> run = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "score": [1.0]})
        >>> qrels = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "relevance": 1})
        >>> conventions_table(run, qrels, ["AP"], digits=1, denominator=["relevant", "retrieved"])
        denominator   AP
        relevant     0.5
        retrieved    1.0
    """
    from byhand.metrics.evaluate import Evaluation
    from byhand.metrics.run_with_qrels import RunWithQrels

    rows: dict[tuple[str, ...], str | Conventions] = {(name,): name for name in PRESETS}
    if choices:
        tried = product(*choices.values())
        rows = {row: Conventions(**dict(zip(choices, row, strict=True))) for row in tried}
    tables, measures = RunWithQrels(run, qrels), measures_named(measures)
    evaluations = (Evaluation(tables, measures, conventions=each) for each in rows.values())
    means = [each.table().mean() for each in evaluations]
    index = pd.MultiIndex.from_tuples(rows, names=list(choices) or ["preset"])
    frame = pd.DataFrame(means).set_axis(index)
    differs = (frame - frame.iloc[0]).abs() > 1e-9
    return Table(frame, caption, digits=digits, mark=mark and differs)


def agreement_table(
    values: pd.DataFrame,
    caption: str = "",
    *,
    like: str,
    digits: int = 4,
    names: Mapping[str, Html] = MappingProxyType({}),
) -> Table:
    """Show which tools agree: equal numbers in a column have the same highlight.

    Args:
        values: one row per tool, one column per case; NaN (a dash) if a tool has no number.
        like: the name of the row whose numbers are not highlighted.
        caption, digits, names: as in `Table`.

    Example:
        >>> values = pd.DataFrame({"AP": [1, 0.1, 0.1]}, index=["A", "B", "C"])
        >>> agreement_table(values, "AP of one list", like="B", digits=1)
        AP of one list
            AP
        A  1.0
        B  0.1
        C  0.1
    """
    looks = values.round(digits).apply(lambda column: column.map(_looks_of(column, like)))
    return Table(values, caption, digits=digits, mark=looks.fillna(0).astype(int), names=names)


def _looks_of(column: pd.Series, like: str) -> dict[float, int]:
    """Return the look of each number: 0 for that of the row `like`, then by frequency."""
    counts = column.groupby(column, sort=False).size().sort_values(ascending=False, kind="stable")
    others = counts.index.drop(column[like], errors="ignore")
    return {column[like]: 0} | {value: look for look, value in enumerate(others, start=1)}


def _is_number(column: pd.Series) -> bool:
    kind = infer_dtype(column)  # numbers with words among them are "mixed-integer"
    return "integer" in kind or kind == "floating"


def head_of(name: str) -> str:
    """Return the name of a column in the current language."""
    return _MINUS.sub("−", localised_text(pgettext(CONTEXT, _of_measure(name))))


def _of_measure(name: str) -> str:
    """Translate the name of a column that adds to a measure, such as its chance level."""
    measure, _, what = name.rpartition(" ")
    message = f"{{measure}} {what}"  # listed in SHOWN
    translation = pgettext(CONTEXT, message)
    if not measure or translation == message:
        return name
    try:
        return translation.format(measure=measure_named(measure))
    except ValueError:  # not a measure, but a name of the user
        return name


def _option_of(head: str, cell: str) -> str:
    """Translate a cell if it is an option of the convention in its head."""
    known = head in CHOICES and cell in CHOICES[head].options
    return pgettext(CONTEXT, cell) if known else cell


def _written(value: object, digits: int) -> str:
    if isinstance(value, bool | np.bool_):
        return pgettext("figure", "yes") if value else "–"
    if isinstance(value, Integral):
        return typeset(f"{value:,}")
    if isinstance(value, Real):
        return "–" if np.isnan(value) else typeset(f"{value:,.{digits}f}")
    text = str(value)
    return pgettext(CONTEXT, text) if text in _VERDICTS else text
