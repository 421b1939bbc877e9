"""Tables and sentences as a notebook displays them: whatever comes from the data is text."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from html import escape

from IPython.display import display
from matplotlib.axes import Axes

from helpers.figures.style import show

# keeps a notebook from reading "$x$" in a name as a formula
_NO_MATH = "tex2jax_ignore mathjax_ignore"
_LEFT = ' style="text-align:left"'
_RIGHT = ' style="text-align:right;font-variant-numeric:tabular-nums"'


def name_html(name: object) -> str:
    """A name from the data as HTML that shows exactly that text, whatever is in it.

    Example:
        >>> name_html("<b>")
        '<bdi>&lt;b&gt;</bdi>'
    """
    return f"<bdi>{escape(str(name))}</bdi>"


def table_html(heads: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1) -> str:
    """An HTML table; every cell is text.

    Args:
        heads: the names of the columns.
        rows: the cells.
        texts: how many columns, from the left, hold words; the others hold numbers.

    Example:
        >>> table_html(["n"], [["<"]]).count("&lt;")
        1
    """
    sides = [_LEFT if place < texts else _RIGHT for place in range(len(heads))]
    head = "".join(
        f'<th scope="col"{side}>{escape(name)}</th>'
        for name, side in zip(heads, sides, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{side}>{name_html(cell) if side is _LEFT else escape(cell)}</td>"
            for cell, side in zip(row, sides, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


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


def show_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1) -> None:
    """Display a table as HTML and as text; every cell is text."""
    show_html(table_html(heads, rows, texts=texts), table_text(heads, rows, texts=texts))


def show_html(html: str, text: str) -> None:
    """Display HTML, whose names are escaped already, with the same in plain text."""
    framed = f'<div class="{_NO_MATH}">{html}</div>'
    display({"text/html": framed, "text/plain": text}, raw=True)


def show_text(*sentences: str) -> None:
    """Display sentences as a paragraph."""
    text = " ".join(sentences)
    show_html(f"<p>{escape(text)}</p>", text)


def show_figure(draw: Callable[..., Axes], values: Mapping[str, object], **options: object) -> None:
    """Draw what each system has and display it; the names of systems are no formulas.

    Args:
        draw: a function of `helpers.figures.comparisons`.
        values: what it draws, by the name of the system.
        options: what else it takes.
    """
    # matplotlib reads "$x$" as a formula, and leaves "_x" out of the legend
    safe = {name.replace("$", r"\$"): each for name, each in values.items()}
    safe = {f"run {name}" if name.startswith("_") else name: each for name, each in safe.items()}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        ax = draw(safe, **options)
        ax.set_label(ax.get_label().replace(r"\$", "$"))
        show(ax)
