"""Extract and translate the messages of a lesson.

In Markdown, a line without its leading marks is a message. In code, messages are comments, names
of recipes and lists, and strings of several words or passed to a function that shows them.
"""

import ast
import io
import json
import math
import re
import tokenize
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from gettext import NullTranslations
from html import escape, unescape
from typing import NamedTuple, get_args

import pandas as pd
from nbformat import NotebookNode

from byhand import words
from byhand.metrics.presets import PRESETS
from byhand.statistics import Verdict
from byhand.widgets.bench import FORMULAS
from byhand.widgets.queries import MEANS
from helpers import record, translation
from helpers.examples import DOCUMENTS, queries_of
from helpers.places import DATA
from helpers.translation import NAME

_MARKS = re.compile(r"\s*(?:>\s?)*\s*(?:#+ |[-*] |\d+\. )?")
_WORD = re.compile(r"[^\W\d_]{2}")
_FILLED = re.compile(r"\{[^}]*\}")
DRAWN = re.compile(r"(?<=>)[^<>]*[^\W\d_]{2}[^<>]*(?=</(?:text|title)>)")
_FENCE = "```"
_LINE = 86  # width of a comment after its mark
_FORMULA_TEXT = re.compile(r"\\text\{\s*([^{}]*\w[^{}]*?)\s*\}")
_NAMES = (  # lists, searches, rows, recipes
    *("steady", "uneven", "patchy", "spread", "mixed", "bold", "even", "noise"),
    *("lunch", "vegetarian", "pasta", "as documented"),
    *("results", "steps", "readings", "statements", "old", "new", "many", "few", "list"),
    *("code 1", "code 2", "code 3", "code 4"),
    *("weighted", "normalized"),
    *("waffle", "crêpes", "blini", "dosa", "galette", "scone", "muffin", "bagel"),
)
# Fewest words of a message: 2 by default, 1 for functions and arguments that show text. In
# brackets, only names of lists are messages. Arguments in _READ are never messages.
_SHOW = ("print", "label", "labels", "title", "xlabel", "ylabel", "alt", "caption", "name")
_FEWEST = dict.fromkeys((*_SHOW, "options", "marks", "keys"), 1) | {"[]": math.inf}
_READ = {"worked_example", "printed_beside", "query", "how", "ha", "va", "run_line_magic"}


class Passage(NamedTuple):
    """A message and its position in the source of a cell."""

    text: str
    start: int
    end: int
    kind: str  # markdown, comment, string or f-string
    context: str | None = None


@cache
def _keys() -> frozenset[str]:
    """Return names of presets, formulas and verdicts, which stay in English."""
    known = {*PRESETS, *FORMULAS, *MEANS}
    return frozenset(known | {each.value for each in Verdict})


@cache
def names() -> frozenset[str]:
    """Return the names of recipes, lists and other objects in the lessons."""
    rows = pd.read_csv(DATA / "cooking.csv")
    lists = {each for document in DOCUMENTS for each in queries_of(document) if " " in each}
    known = {*rows["doc_id"], *rows["query_id"], *lists}
    return frozenset(known | {*get_args(record.Verdict), *_NAMES})


def messages(cell: NotebookNode) -> Iterator[Passage]:
    """Yield the messages of a cell in order."""
    if cell.cell_type == "code":
        yield from _of_code(cell.source, 0)
    elif cell.cell_type == "markdown":
        yield from _of_markdown(cell.source)


def translated(notebook: NotebookNode, said_in: NullTranslations) -> NotebookNode:
    """Return a lesson translated by a catalog, not yet run."""
    lesson = deepcopy(notebook)
    for cell in lesson.cells:
        source = cell.source
        for message in sorted(messages(cell), key=lambda message: message.start, reverse=True):
            text = said_in.pgettext(message.context, message.text) if message.context else None
            text = text or said_in.gettext(message.text)
            if text != message.text:
                begin, end = source[: message.start], source[message.end :]
                source = f"{begin}{_in_source(text, message, source)}{end}"
        cell.source = source
    return lesson


def _in_source(text: str, message: Passage, source: str) -> str:
    if message.kind == "markdown":
        return text
    if message.kind == "comment":
        before = source[: message.start].rpartition("\n")[2]
        if before.strip():
            return f"# {text}"
        lines = words.folded(text, _LINE).splitlines()
        return f"\n{before}".join(f"# {line}" for line in lines)
    prefix = "f" if message.kind == "f-string" else ""
    if source.startswith('"""', message.start):
        return f'"""{text}"""'
    return prefix + json.dumps(text, ensure_ascii=False)


def _of_markdown(source: str) -> Iterator[Passage]:
    code, opened, at = None, "", 0
    solution = source.startswith("<details><summary>Solution")
    for line in source.splitlines(keepends=True):
        if line.startswith(_FENCE):
            if code is not None and opened.strip() == f"{_FENCE}python":
                yield from _of_code(source[code:at], code)
            code, opened = (at + len(line), line) if code is None else (None, "")
        elif code is None and not solution:
            text = line.rstrip("\n")
            start = _MARKS.match(text).end()
            if text.startswith("$$"):
                for found in _FORMULA_TEXT.finditer(text):
                    yield Passage(found[1], at + found.start(1), at + found.end(1), "markdown")
            elif _WORD.search(text[start:]):
                yield Passage(text[start:], at + start, at + len(text), "markdown")
        at += len(line)


def _of_code(code: str, offset: int) -> Iterator[Passage]:
    starts = [0]
    for line in code.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = [*_comments(code, starts), *_strings(code, starts)]
    for each in sorted(found, key=lambda each: each.start):
        yield each._replace(start=each.start + offset, end=each.end + offset)


def _comments(code: str, starts: list[int]) -> Iterator[Passage]:
    """Yield comments; those of several lines are one message."""
    found: list[tuple[tuple[int, int], Passage]] = []  # (position of a next line, comment)
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        text = token.string.lstrip("# ")
        if token.type != tokenize.COMMENT:
            continue
        (row, column), start = token.start, starts[token.start[0] - 1] + token.start[1]
        alone = not token.line[:column].strip()
        if alone and found and found[-1][0] == token.start:
            before = found.pop()[1]
            text, start = f"{before.text} {text}", before.start
        end = starts[row - 1] + token.end[1]
        found.append(((row + 1, column if alone else -1), Passage(text, start, end, "comment")))
    yield from (message for _, message in found)


def _strings(code: str, starts: list[int]) -> Iterator[Passage]:
    try:
        tree = ast.parse(code)
    except SyntaxError:  # code of a reader, or a magic
        return
    lines = code.splitlines(keepends=True)

    def offset(row: int, column: int) -> int:  # ast counts columns in bytes
        return starts[row - 1] + len(lines[row - 1].encode()[:column].decode())

    found = [(node, _text_of(node), fewest) for node, fewest in _texts(tree, 2)]
    known = {text for _, text, fewest in found if _is_said(text, fewest)}
    for node, text, fewest in found:
        # a key in brackets is translated if the same cell translates this name
        if text in known if fewest == math.inf else _is_said(text, fewest):
            kind = "f-string" if isinstance(node, ast.JoinedStr) else "string"
            ends = (
                offset(node.lineno, node.col_offset),
                offset(node.end_lineno, node.end_col_offset),
            )
            yield Passage(text, *ends, kind, NAME if text in names() else None)


def _is_said(text: str, fewest: float) -> bool:
    """Return whether a string is a message, given the fewest words of one."""
    if (text in _keys() and fewest > 1) or not _WORD.search(_FILLED.sub("", text)):
        return False
    return text in names() or len(_FILLED.sub("0", text).split()) >= fewest


def _texts(node: ast.AST, fewest: float) -> Iterator[tuple[ast.Constant | ast.JoinedStr, float]]:
    """Yield the strings in code, with the fewest words of a message there."""
    match node:
        case ast.JoinedStr() | ast.Constant(value=str()):
            yield node, fewest  # expressions inside are not translated
        case _:
            for part, taker in _parts(node):
                if taker not in _READ:
                    yield from _texts(part, _FEWEST.get(taker, fewest))


def _parts(node: ast.AST) -> Iterator[tuple[ast.AST, object]]:
    """Yield the parts of code and what each is passed to: a function, keyword, key or "[]"."""
    match node:
        case ast.Dict(keys=keys, values=values):
            yield from ((key, None) for key in keys if key)
            yield from zip(values, (getattr(key, "value", None) for key in keys), strict=True)
        case ast.keyword(arg=name, value=value):
            yield value, name
        case ast.Call(func=function, args=arguments, keywords=keywords):
            name = getattr(function, "id", getattr(function, "attr", None))
            yield function, None
            yield from ((each, name) for each in (*arguments, *keywords))
        case ast.Subscript(value=value, slice=inside, ctx=ast.Load()):
            yield from ((value, None), (inside, "[]"))
        case _:
            yield from ((child, None) for child in ast.iter_child_nodes(node))


def _text_of(node: ast.Constant | ast.JoinedStr) -> str:
    """Return the text of a string or f-string."""
    if isinstance(node, ast.Constant):
        return node.value
    return "".join(map(_piece, node.values))


def _piece(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return node.value.replace("{", "{{").replace("}", "}}")
    conversion = f"!{chr(node.conversion)}" if node.conversion > 0 else ""
    form = f":{''.join(map(_piece, node.format_spec.values))}" if node.format_spec else ""
    return f"{{{ast.unparse(node.value)}{conversion}{form}}}"


def picture(svg: str) -> str:
    """Translate the words in an SVG."""
    return DRAWN.sub(
        lambda found: escape(translation.gettext(unescape(found[0])), quote=False), svg
    )
