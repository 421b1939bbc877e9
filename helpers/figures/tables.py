"""Tables as HTML and as text: whatever comes from the data is text."""

from collections.abc import Sequence
from html import escape

_LEFT = ' style="text-align:left"'
_RIGHT = ' style="text-align:right;font-variant-numeric:tabular-nums"'


class Html(str):
    """A cell that is HTML already: what is in it has been escaped.

    Example:
        >>> table_html(["what"], [[Html("<b>1</b>")]]).count("<b>1</b>")
        1
    """


def name_html(name: object) -> Html:
    """A name from the data as HTML that shows exactly that text, whatever is in it.

    Example:
        >>> name_html("<b>")
        '<bdi>&lt;b&gt;</bdi>'
    """
    return Html(f"<bdi>{escape(str(name))}</bdi>")


def table_html(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    texts: int = 1,
    label: str = "",
    look: str = "",
    widths: Sequence[int] = (),
) -> str:
    """An HTML table; a cell is text, unless it is `Html`.

    Args:
        heads: the names of the columns.
        rows: the cells.
        texts: how many columns, from the left, hold words; the others hold numbers.
        label: what a screen reader calls the table.
        look: the class of a table with a style sheet of its own, which then aligns its cells.
        widths: the share of each column, in percent, for a table with such a look.

    Example:
        >>> table_html(["n"], [["<"]], look="plain")
        '<table class="plain"><thead><tr><th scope="col">n</th></tr></thead>\
<tbody><tr><td><bdi>&lt;</bdi></td></tr></tbody></table>'
    """
    sides = ["" if look else _LEFT if n < texts else _RIGHT for n in range(len(heads))]
    styles = [f' style="width:{width}%"' for width in widths] or sides
    head = "".join(
        f'<th scope="col"{style}>{escape(name)}</th>'
        for name, style in zip(heads, styles, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{side}>{_cell_html(cell, name=n < texts)}</td>"
            for n, (cell, side) in enumerate(zip(row, sides, strict=True))
        )
        + "</tr>"
        for row in rows
    )
    named = f' class="{escape(look)}"' * bool(look) + f' aria-label="{escape(label)}"' * bool(label)
    return f"<table{named}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell_html(cell: str, *, name: bool) -> str:
    if isinstance(cell, Html):
        return cell
    return name_html(cell) if name else escape(cell)


def table_text(heads: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1) -> str:
    """The same table in columns of characters.

    Example:
        >>> print(table_text(["name", "n"], [["a", "10"]]))
        name   n
        a     10
    """
    columns = list(zip(heads, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    lines = (
        "  ".join(
            cell.ljust(width) if place < texts else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (heads, *rows)
    )
    return "\n".join(lines)
