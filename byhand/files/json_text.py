"""JSON value by value, in no more memory than the longest of them takes."""

import codecs
import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Self

from byhand.errors import DataError
from byhand.files.file import File
from byhand.files.lines import decoded

EXPECTED = 'Expected queries that hold items, as in {"q1": {"d7": 0.93}}'
_TOKEN = 16  # so long are -Infinity and the like: what the end of a text may cut
_LIST_OF_TEXT = re.compile(r'\[[ \t\r\n]*"')
_BLANKS = re.compile(r"[ \t\r\n]*")
# an object becomes a tuple of pairs, which keeps names that stand in it twice; an array a list
_scan = json.JSONDecoder(object_pairs_hook=tuple).scan_once


class JsonText:
    """The text of a file, as much of it at a time as the value takes that begins `at` a place."""

    def __init__(self, file: File, pieces: Iterator[str]) -> None:
        self._file, self._pieces = file, pieces
        self._text, self._at = "", 0
        self._line, self._column = 1, 1  # where the text begins in the file

    @classmethod
    def of(cls, file: File) -> Self:
        """All of a file."""
        return cls(file, _pieces(file))

    @classmethod
    def of_head(cls, file: File) -> Self:
        """The first bytes of a file only."""
        return cls(file, iter([file.head.decode(errors="replace")]))

    def sign(self) -> str:
        """The next character that is not blank; none at the end."""
        while True:
            self._at = _BLANKS.match(self._text, self._at).end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def is_list_of_text(self) -> bool:
        """Whether the value that begins here is a list, and its first item text."""
        return self.sign() == "[" and bool(_LIST_OF_TEXT.match(self._text, self._at))

    def names(self) -> Iterator[str]:
        """The names in the object that begins here; whoever gets one takes its value next.

        Raises:
            DataError: it is no object.
        """
        self._take("{")
        while self.sign() != "}":
            if self.sign() != '"':
                raise self._broken("Expecting a name in quotes")
            name = self.value()
            self._take(":")
            yield name
            if self.sign() == ",":
                self._take(",")
                if self.sign() == "}":
                    raise self._broken("Nothing follows the comma")
            elif self.sign() != "}":
                raise self._broken("Expecting ',' or '}'")
        self._take("}")

    def value(self) -> object:
        """The value that begins here.

        Raises:
            DataError: it is none, or not whole.
        """
        self.sign()
        while True:
            try:
                value, end = _scan(self._text, self._at)
            except StopIteration as error:
                if not (self._is_cut(error.value) and self._more()):
                    self._at = error.value
                    raise self._broken("Expecting a value") from None
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or self._is_cut(error.pos)
                if not (cut and self._more()):
                    self._at = error.pos
                    raise self._broken(error.msg) from None
            except RecursionError:
                raise self._broken("Nested too deeply") from None
            except ValueError:  # Python's own limit
                raise self._broken("A number of thousands of digits") from None
            else:
                self._at = end
                return value

    def _take(self, sign: str) -> None:
        if self.sign() != sign:
            raise self._broken(f"Expecting {sign!r}")
        self._at += 1

    def _is_cut(self, place: int) -> bool:
        return place + _TOKEN > len(self._text)

    def _more(self) -> bool:
        """Let go of what was taken, and read at least as much as is left."""
        parts, size = [self._text[self._at :]], 0
        for piece in self._pieces:
            parts.append(piece)
            size += len(piece)
            if size >= len(parts[0]):
                break
        if size:
            self._line, self._column = self._place(self._at)
            self._text, self._at = "".join(parts), 0
        return bool(size)

    def _place(self, at: int) -> tuple[int, int]:
        """The line of a character of the text, and its place in it, from 1."""
        lines = self._text.count("\n", 0, at)
        if not lines:
            return self._line, self._column + at
        return self._line + lines, at - self._text.rfind("\n", 0, at)

    def _broken(self, what: str) -> DataError:
        while len(self._text) < self._at + 40 and self._more():
            pass
        line, column = self._place(self._at)
        near = self._text[self._at : self._at + 40]
        found = f": {near!r}" if near.strip() else ""
        ends = (
            "" if near.strip() else " The file ends there: was it written, or copied, to its end?"
        )
        return DataError(
            f"{self._file.name}, line {line}, character {column} is no whole JSON ({what}){found}. "
            f"{EXPECTED}.{ends}"
        )


def _pieces(file: File) -> Iterator[str]:
    """The text of a file, wherever reading cuts it.

    Raises:
        DataError: bytes that are not UTF-8.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    line = 1
    for piece in chain(file.pieces(), [b""]):
        try:
            text = decoder.decode(piece, final=not piece)
        except UnicodeDecodeError as error:
            line += error.object.count(b"\n", 0, error.start)
            decoded(file, error.object, line)
            raise
        line += text.count("\n")
        yield text
