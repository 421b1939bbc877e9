"""The one exception that speaks about a user's data, and how it shows a value.

.. include:: ../docs/errors.md
"""

import re
from collections.abc import Callable, Mapping, Sequence
from string import Formatter

from byhand.words import ENGLISH, N_, Message, gettext as _, speaking, spoken, together

_LONG = 200
# what moves a terminal's cursor, colours it, turns a line round or is no character at all
_STEERS = re.compile(r"[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")

# where a message speaks of an option: its name, and a value
_OPTION = re.compile("\ue000(\\w+)=([^\ue001]*)\ue001")
_OF_CONVENTIONS = ("missing", "no_relevant")


def option(name: str, value: str = "") -> str:
    """An option in the message of a `DataError`: Python and a command write it differently."""
    return f"\ue000{name}={value}\ue001"


class DataError(ValueError):
    """What is wrong with the data: what was found, where, what was expected, what to do.

    Every complaint of this package about data that a user supplied is a `DataError`,
    so one `except DataError` catches them all. It is a `ValueError`. Its text is English,
    which can be compared and searched for; `spoken` says the same in the language that is spoken.

    Attributes:
        message: the text as far as it holds for every reader, with its options marked (`option`).
            It is made of a sentence and its values, in the order in which the sentence has them.
        ways: what their columns may be of ours: if more than one, only their owner can tell which
            is right. The text goes on "pass" and ends in them, as Python's `columns=`; that of a
            command goes on "add", and says the same with an option.
        argument: what such columns are passed as, in Python.
        file: which of several files it is about, where that is known.
        table: which table the error is about, "run" or "qrels"; None if it is about neither.
        missing: the columns of ours that are not there.
        option: the name of the option that it refuses.
    """

    def __init__(
        self,
        message: str = "",
        values: Sequence[object] = (),
        *,
        columns: Mapping[object, str] | Sequence[Mapping[object, str]] | None = None,
        table: str | None = None,
        missing: Sequence[str] = (),
    ) -> None:
        ways = [columns] if isinstance(columns, Mapping) else columns or []
        self.ways = tuple(dict(way) for way in ways if way)
        self.message = with_values(message, values) if values else message
        super().__init__(self.message)
        self.file: str | None = None
        self.table = table
        self.missing = tuple(missing)
        self.argument = "columns"
        self.option: str | None = None

    def __str__(self) -> str:
        with speaking(ENGLISH):
            return self.spoken()

    def spoken(self) -> str:
        """The whole text for a reader in Python, in the language that is spoken."""
        passed = [f"{self.argument}={way}" for way in self.ways]
        said = N_("{text} pass {ways}")
        return self.said(said, passed, self._as_passed) + "." * bool(passed)

    def said(self, going_on: str, ways: Sequence[str], spelled: Callable[[str, str], str]) -> str:
        """The whole text for one kind of reader, in the language that is spoken.

        Args:
            going_on: how the text goes on with the ways, a message.
            ways: the options that say what the columns may be.
            spelled: writes an option of this name and value.
        """
        text = _OPTION.sub(lambda found: spelled(*found.groups()), spoken(self.message))
        if ways:
            going_on = "{text} {ways}" if text.endswith(":") else _(going_on)
            text = going_on.format(text=text, ways=_(" or ").join(ways))
        return printable(text)

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the traceback, and the text in the language that is spoken."""
        from IPython import get_ipython

        kind, traceback = type(self), get_ipython().InteractiveTB
        shown = traceback.structured_traceback(kind, self, self.__traceback__)
        return [line.replace(str(self), self.spoken()) for line in shown]

    def _as_passed(self, name: str, value: str) -> str:
        if name == "columns":
            return f"{self.argument}="
        return f"Conventions({name}={value!r})" if name in _OF_CONVENTIONS else f"{name}={value!r}"


def shown(value: object) -> str:
    """A value as Python writes it; of a long one, the beginning."""
    import numpy as np  # whatever a command says of itself, it says without

    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= _LONG else f"{text[:81]}…"


def with_values(message: str, values: Sequence[object]) -> Message:
    """A sentence with its values, in the order in which it has them."""
    names = dict.fromkeys(name for __, name, *__ in Formatter().parse(message) if name)
    return Message(message, **dict(zip(names, values, strict=True)))


def sentence(error: BaseException) -> str:
    """What an error says, as it can be said in another language."""
    if isinstance(error, DataError):
        return together([error])
    said = error.args[0] if error.args else None
    return said if isinstance(said, Message) else str(error)


def both(parts: Sequence[str]) -> str:
    """Parts of a sentence with commas and an "and".

    Example:
        >>> both(["query_id", "doc_id", "score"])
        'query_id, doc_id and score'
    """
    *names, last = parts or [""]
    return Message("{names} and {last}", names=together(names, ", "), last=last) if names else last


def one_line(text: str) -> str:
    """A text without its line breaks, for a terminal."""
    return " ".join(text.split())


def printable(text: str) -> str:
    """A text for a terminal: what would steer that stands as Python writes it.

    Example:
        >>> print(printable("a\x1b[2Jb\u202ec"))
        a\\x1b[2Jb\\u202ec
    """
    return _STEERS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


# what a system says of files, as its catalog's keys
_OF_SYSTEM = (
    N_("No such file or directory"),
    N_("File exists"),
    N_("Permission denied"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("No space left on device"),
    N_("Read-only file system"),
)


def failure(error: BaseException) -> str:
    """What ended a command that is no fault of the data, in one line."""
    if isinstance(error, MemoryError):
        return _("There is not enough memory.")
    if isinstance(error, ImportError):
        while isinstance(error.__context__, ImportError) and not isinstance(error.msg, Message):
            error = error.__context__
        why = one_line(spoken(sentence(error)))
        if isinstance(error, ModuleNotFoundError) and not isinstance(error.msg, Message):
            why = _("{library} is not installed").format(library=error.name)
        return _("The package or a library of it cannot be loaded: {error}").format(error=why)
    if isinstance(error, FileNotFoundError) and not error.filename:
        return _("The current folder is not there any more. Change into one that is.")
    if isinstance(error, OSError) and error.filename:
        return f"{spoken(error.filename)}: {_(error.strerror)}"
    return one_line(spoken(sentence(error)))
