"""What a page says in plain words, for a terminal."""

from html.parser import HTMLParser

from byhand.words import padded, text_width


def plain(html: str) -> str:
    """What HTML says, for a terminal: a table in columns, of what opens its first lines.

    Example:
        >>> print(plain("<p>a <b>b</b></p><table><tr><th>n</th></tr><tr><td>10</td></tr></table>"))
        a b
        n
        10
    """
    parser = _Plain()
    parser.feed(html)
    parser.end_line()
    return "\n".join(parser.lines)


class _Plain(HTMLParser):
    """Lines and tables out of HTML of ours, in which whatever is opened is closed."""

    _LINES = frozenset(
        ("p", "div", "h1", "h2", "h3", "li", "dt", "summary", "details", "caption", "figcaption")
    )
    _EMPTY = frozenset(("br", "img", "meta", "line"))
    _OUT = frozenset(("style", "script", "svg"))

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._line: list[str] = []
        self._table: list[list[tuple[str, bool]]] = []
        # of each open tag, whether it is left out, and how many around it open only when asked to
        self._open: list[tuple[bool, int]] = [(False, 0)]

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in self._EMPTY:
            if tag == "br":
                self._line.append(" ")
            return
        named, (out, opens) = dict(attributes), self._open[-1]
        opens += tag == "details" and "data-said" not in named
        out = out or tag in self._OUT or "data-apart" in named or opens > (tag != "table")
        self._open.append((out, opens))
        if out:
            return
        if tag in self._LINES:
            self.end_line()
            if tag == "h2" and self.lines:
                self._line.append("\n")
            elif tag == "li":
                self._line.append("- ")
        elif tag == "table":
            self.end_line()
            self._table = []
        elif tag == "tr":
            self._table.append([])
        elif tag in ("td", "th"):
            self._line = []
            self._right = bool({"n", "r"} & {*(named.get("class") or "").split()})

    def handle_endtag(self, tag: str) -> None:
        if tag in self._EMPTY or self._open.pop()[0]:
            return
        if tag in ("td", "th"):
            self._table[-1].append((self._joined(), self._right))
            self._line = []
        elif tag == "table":
            self.lines += _columns(self._table)
        elif tag in self._LINES:
            self.end_line()

    def handle_data(self, data: str) -> None:
        if not self._open[-1][0]:
            self._line.append(data)

    def _joined(self) -> str:
        return " ".join("".join(self._line).split())

    def end_line(self) -> None:
        if line := self._joined():
            self.lines += [""] * self._line[0].startswith("\n") + [line]
        self._line = []


def _columns(rows: list[list[tuple[str, bool]]]) -> list[str]:
    """The lines of a table, what is right-aligned to the right."""
    widths = [max(text_width(text) for text, _ in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            padded(text, columns, right=right)
            for (text, right), columns in zip(row, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
