"""The text of a refusal, and cases of them in text files.

A case is a line with a name and a call, and below it, indented, what comes of it.
"""

import re
from pathlib import Path

import pytest

from byhand import DataError


def message_of(call, *args, **kwargs):
    """Return the sentence with which a call of ours ends."""
    with pytest.raises(DataError) as caught:
        call(*args, **kwargs)
    return str(caught.value)


def alike(found: str, expected: str) -> bool:
    """Whether a message is as expected, where … stands for anything."""
    pattern = ".*".join(map(re.escape, expected.split("…")))
    return re.fullmatch(pattern, found, re.DOTALL) is not None


def cases_of(path: Path) -> dict[str, tuple[str, list[str]]]:
    """The cases of a file: for the name of each its call, and the lines below it."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^([^#\s].*?): (.*)\n((?:    .*\n)+)", text, re.MULTILINE)
    assert len({name for name, *_ in found}) == len(found)
    return {name: (call, below.strip().split("\n    ")) for name, call, below in found}


def refusal_of(call: str, names: dict) -> str:
    """Return what a call that is written as text raises; its kind is named if it is not ours."""
    with pytest.raises((ValueError, TypeError)) as caught:
        eval(call, names)
    kind = "" if caught.type is DataError else f"{caught.type.__name__}: "
    return f"{kind}{caught.value}"
