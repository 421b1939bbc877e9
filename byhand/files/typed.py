"""What type of values a column holds, as far as a few of them tell."""

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pyarrow

# an empty one is the type of a column of which nothing is known
Type = Literal["text", "whole", "fraction", "truth", "nested", ""]

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"[+-]?\d+")
_FRACTION = re.compile(r"[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?|[+-]?(inf|infinity)|nan")
_TRUTH = {"true", "false"}
# how odd a type is for a column of ours; one that is not listed cannot be it
_ODDITY: Mapping[str, Mapping[Type, int]] = {
    "query_id": {"text": 0, "": 1, "whole": 1},
    "doc_id": {"text": 0, "": 1, "whole": 1},
    "score": {"fraction": 0, "": 1, "whole": 1},
    "rank": {"whole": 0, "": 1},
    "relevance": {"truth": 0, "whole": 0, "": 1, "fraction": 2},
}


def number_of(text: str | None) -> float:
    """The number that a text says, and NaN if it says none: "1_0" does not, though float reads it.

    Example:
        >>> number_of("2.5e1"), number_of("1_0")
        (25.0, nan)
    """
    return float(text) if text and _NUMBER.fullmatch(text) else float("nan")


def type_of(values: Iterable[object]) -> Type:
    """The type of some values, written as text or not; missing ones tell nothing.

    Example:
        >>> type_of(["1", "2.5", ""]), type_of([7, None]), type_of(["q1", "7"]), type_of([])
        ('fraction', 'whole', 'text', '')
    """
    values = [value for value in values if value is not None]
    if any(isinstance(value, list | dict) for value in values):
        return "nested"
    texts = [str(value).strip().lower() for value in values]
    texts = [text for text in texts if text]
    if not texts:
        return ""
    if all(map(_WHOLE.fullmatch, texts)):
        return "whole"
    if all(map(_FRACTION.fullmatch, texts)):
        return "fraction"
    return "truth" if _TRUTH.issuperset(texts) else "text"


def type_of_arrow(kind: "pyarrow.DataType") -> Type:
    """The type of values that Arrow has a type of its own for.

    Example:
        >>> import pyarrow as pa
        >>> type_of_arrow(pa.int8()), type_of_arrow(pa.dictionary(pa.int8(), pa.string()))
        ('whole', 'text')
    """
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_integer(kind):
        return "whole"
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "fraction"
    if pa.types.is_null(kind):
        return ""
    if pa.types.is_nested(kind):
        return "nested"
    return "truth" if pa.types.is_boolean(kind) else "text"


def oddity(ours: str, kind: Type) -> int | None:
    """How odd values of a type are for one of our columns, from 0; None if they cannot be it.

    Example:
        >>> oddity("score", "whole"), oddity("doc_id", "fraction")
        (1, None)
    """
    return _ODDITY[ours].get(kind)
