"""What of a page's text stays on one line, and where a long name may go on below."""

import re

# a value stays on the line of its sign, as in n + 1) and (1 + 1/2) / 2, and the number of a lesson
# and of a rank on that of its word
_TOGETHER = re.compile(
    r" (?== (?:[-−]?\d|$))|(?<= =) (?=[-−]?\d|$)"
    r"| (?=[+−] [\d/,.]+\))|(?<= [+−]) (?=[\d/,.]+\))"
    r"|(?<=[\d)]) (?=/ )|(?<=[\d)] /) "
    r"|(?:(?<=lesson)|(?<=lição)) (?=\d|$)"
    r"|(?:(?<=rank)|(?<=posição)|(?<=grade)|(?<=grau)|(?<=code)|(?<=código)) (?=\d)",
    re.IGNORECASE,
)
# a short name stays whole, as tf-idf does, and so does a range; in Korean a particle stays with a
# mark as with a letter
_NAME = r"(?<![\w-])(?=[A-Za-z-]{3,16}(?![A-Za-z\d_-]))[A-Za-z]+-(?=[A-Za-z])"
_JOINED = re.compile(rf"{_NAME}|(?<=[가-힣])-(?=[가-힣])|(?<=\d)–(?=\d)|[’”)\]%](?=[가-힣])")
# an option, or a file, that any screen has room for
_CODE_NAME = re.compile(r"(?<![\w.-])(?=[\w.-]{1,18}(?![\w.-]))(?:--[a-z]|\w[\w.]*-)[\w.-]+")
_LONG_NAME = re.compile(r"\w{17,}")
_CELL = re.compile(r"(?<=>)[^<>]+(?=</?(?:bdi|td|th|caption|br|small|strong|a|b)\b)")
_WITH_PARTICLE = re.compile(r"<math(?:(?!</math>).)*</math>[가-힣]+")
_GLUED = r'<span class="glued">\g<0></span>'


def joined(text: str) -> str:
    """Text whose short names, ranges and particles stay whole."""
    return _JOINED.sub("\\g<0>\N{WORD JOINER}", text)


def together(text: str) -> str:
    """The same, and each value on the line of its sign."""
    return _TOGETHER.sub("\u00a0", joined(text))


def glued_names(html: str) -> str:
    """Code whose options and files stay whole."""
    return _CODE_NAME.sub(_GLUED, html)


def glued_formulas(html: str) -> str:
    """A particle on the line of its formula."""
    return _WITH_PARTICLE.sub(_GLUED, html)


def cells_joined(html: str) -> str:
    """Cells of a table with `joined` text, where a long name of code may go on below."""

    def cell_joined(cell: re.Match[str]) -> str:
        return _LONG_NAME.sub(lambda name: name[0].replace("_", "_<wbr>"), joined(cell[0]))

    return _CELL.sub(cell_joined, html)
