"""Convert the columns of a file: ids to text, scores and grades to finite numbers."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from byhand.errors import DataError, shown
from byhand.files.forms import Form
from byhand.files.lines import location
from byhand.naming import WHOLE, number_of, too_large
from byhand.parallel import in_threads

_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_EXPECTED = {
    "score": "a score such as 0.93, with a decimal point",
    "rank": "a rank such as 1",
    "relevance": "a grade such as 0, 1 or 2, or true or false",
}
_TRUTH = {"true": 1.0, "false": 0.0}
_TEXT = pa.large_string()


@dataclass(frozen=True)
class Column:
    """A column of a file, from its row `first` on, and its name here."""

    values: pa.ChunkedArray
    ours: str
    form: Form
    first: int = 0
    marks: set[str] | None = None  # decimal marks of earlier parts

    def error(self, bad: np.ndarray, what: str, fix: str) -> DataError:
        """Return the error for some rows: the place of the first, and their number."""
        n_bad, file = int(bad.sum()), self.form.file.name
        count = f" (and {n_bad - 1} more of {len(bad)} rows)" if n_bad > 1 else ""
        where = location(self.form, self.first + int(bad.argmax()))
        called = self.form.columns.named(self.ours)
        return DataError(f"{file}, {where}, {called}: {what}{count}. {fix}")

    def refused(self, expected: str) -> DataError:
        """Return the error for a column of an unsupported type."""
        try:
            example = f", such as {shown(self.values.drop_null()[0].as_py())}"
        except (IndexError, ValueError, OverflowError, KeyError):
            example = ""  # no value, or none that Python can represent
        called = f"{self.form.file.name}, {self.form.columns.named(self.ours)}"
        return DataError(
            f"{called} contains {str(self.values.type)[:80]} values{example}. {expected}"
        )


def ids(column: Column) -> pa.ChunkedArray:
    """Return ids as large strings, exactly as written."""
    values = plain_values(column.values)
    if str(values.type) == "extension<arrow.uuid>":
        texts = [each and str(each) for each in values.to_pylist()]
        values = pa.chunked_array([texts], pa.string())
    known = is_text(values.type) or is_whole(values.type)
    if not (known or pa.types.is_null(values.type)):  # a column without any id
        raise column.refused(
            "Ids are text or whole numbers. Write the column as text, for example with "
            "astype('Int64').astype('string') if a missing value turned whole numbers into floats."
        )
    texts = values.cast(_TEXT)
    if texts.null_count or not all(in_threads(_filled, texts.chunks)):
        blank = pc.equal(pc.binary_length(pc.utf8_trim_whitespace(texts)), 0)
        missing = np.asarray(pc.fill_null(blank, True))
        if missing.any():
            fix = "Every row needs an id: fill it in, or remove the row."
            raise column.error(missing, "the id is missing", fix)
    return texts


def plain_values(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return the values without dictionary encoding."""
    kind = values.type
    return values.cast(kind.value_type) if pa.types.is_dictionary(kind) else values


def joined(tables: Sequence[pa.Table]) -> dict[str, pa.ChunkedArray]:
    """Concatenate the columns of tables, with types that fit all values."""
    columns = {name: [table[name] for table in tables] for name in tables[0].column_names}
    return {name: _alike(parts) for name, parts in columns.items()}


def _alike(parts: Sequence[pa.ChunkedArray]) -> pa.ChunkedArray:
    if len({part.type for part in parts}) > 1:
        parts = [plain_values(part) for part in parts]
    kinds = {part.type for part in parts}
    if kinds == {pa.int64(), pa.float64()}:
        with suppress(pa.ArrowInvalid):  # a whole number that float64 cannot represent
            parts, kinds = [part.cast(pa.float64()) for part in parts], {pa.float64()}
    if len(kinds) > 1:
        parts = [_plain_text(part) for part in parts]
    return pa.chunked_array([chunk for part in parts for chunk in part.chunks], parts[0].type)


def _plain_text(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return values as text; whole numbers without a point, so that they can become integers."""
    if pa.types.is_floating(values.type):
        with suppress(pa.ArrowInvalid):
            values = values.cast(pa.int64())
    return values.cast(_TEXT)


def _filled(texts: pa.LargeStringArray) -> bool:
    shortest = pc.min(pc.binary_length(texts)).as_py()
    return shortest != 0 and not pc.any(pc.utf8_is_space(texts)).as_py()


def is_text(kind: pa.DataType) -> bool:
    """Test whether a type of Arrow is one of text."""
    return str(kind) in ("string", "large_string", "string_view")


def is_whole(kind: pa.DataType) -> bool:
    """Test whether a type of Arrow is one of whole numbers."""
    return pa.types.is_integer(kind) or (pa.types.is_decimal(kind) and kind.scale == 0)


def _is_numeric(kind: pa.DataType) -> bool:
    return pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)


# ---- scores -------------------------------------------------------------------------------------


def scores(column: Column) -> np.ndarray:
    """Return scores or ranks as finite float64; refuse whole numbers beyond its precision."""
    values = plain_values(column.values)
    if not (is_text(values.type) or _is_numeric(values.type)):
        raise column.refused("Expected finite numbers.")
    fractions = pa.types.is_floating(values.type)
    if pa.types.is_decimal(values.type):
        values = values.cast(_TEXT)  # its direct cast to float64 is wrong in the last digit
    if is_text(values.type) and column.marks is not None:
        _refuse_other_marks(column, values)
    elif (
        fractions
        and column.marks == set()
        and pc.any(pc.not_equal(pc.floor(values), values)).as_py()
    ):
        column.marks.add(".")
    try:
        chunks = in_threads(_as_floats, values.chunks)
        numbers = pa.chunked_array(chunks, pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        numbers = _numbers_of_text(column, values)
    _refuse_infinite(column, ~np.isfinite(numbers))
    if not fractions and (large := np.abs(numbers) >= WHOLE).any():
        whole = pc.match_substring_regex(values.cast(_TEXT), r"^\s*[+-]?\d+\s*$")
        if (large := large & np.asarray(whole)).any():
            raise column.error(large, *too_large(values[int(large.argmax())].as_py()))
    return numbers


def _as_floats(values: pa.Array) -> pa.Array:
    return values.cast(pa.float64(), safe=False)


def _refuse_other_marks(column: Column, texts: pa.ChunkedArray) -> None:
    """Refuse a decimal point after decimal commas in an earlier part."""
    pointed = pc.match_substring(texts, ".")
    if not pc.any(pointed).as_py():
        return
    if "," in column.marks:
        what = "the number has a decimal point, and numbers above have a comma"
        fix = "Use the same decimal mark in all rows."
        raise column.error(np.asarray(pc.fill_null(pointed, False)), what, fix)
    column.marks.add(".")


def _refuse_infinite(column: Column, bad: np.ndarray) -> None:
    if bad.any():
        value = column.values[int(bad.argmax())].as_py()
        text = "" if value is None else str(value)
        what = f"{shown(text)} is not a finite number" if text.strip() else "the value is missing"
        raise column.error(bad, what, f"Expected {_EXPECTED[column.ours]}: fix the row.")


def _numbers_of_text(column: Column, values: pa.ChunkedArray) -> np.ndarray:
    """Convert numbers that Arrow cannot: with blanks around them, or a decimal comma."""
    texts = pc.utf8_trim_whitespace(values)
    commas = pc.fill_null(pc.match_substring(texts, ","), False)
    if pc.any(commas).as_py():
        texts = _with_decimal_points(column, texts, commas)
    try:
        return np.concatenate([np.asarray(_as_floats(each)) for each in texts.chunks])
    except pa.ArrowInvalid:
        return np.array([*map(number_of, texts.to_pylist())], dtype=float)


def _with_decimal_points(
    column: Column, texts: pa.ChunkedArray, commas: pa.ChunkedArray
) -> pa.ChunkedArray:
    """Replace decimal commas by points, unless the commas are ambiguous."""
    marks = set() if column.marks is None else column.marks
    if "." in marks or pc.any(pc.match_substring(texts, ".")).as_py():
        return texts  # refused later, with the first such number
    invalid = pc.or_(pc.greater(pc.count_substring(texts, ","), 1), pc.ends_with(texts, ","))
    if pc.any(invalid).as_py():
        return texts
    some = texts.filter(commas)
    if "," not in marks and all(_THOUSANDS.fullmatch(each) for each in some.to_pylist()):
        first = some[0].as_py()
        could = f"{first!r} could be {first.replace(',', '.')} or {first.replace(',', '')}"
        fix = "Write numbers with a decimal point, and without thousands separators."
        raise column.error(np.asarray(pc.fill_null(pc.equal(texts, first), False)), could, fix)
    marks.add(",")
    return pc.replace_substring(texts, ",", ".")


# ---- grades -------------------------------------------------------------------------------------


def grades(column: Column, *, all_judged: bool) -> np.ndarray:
    """Return grades: int64 if all are whole numbers, else float64; true is 1, false is 0.

    A missing value is NaN (unjudged); if `all_judged`, it raises a DataError.
    """
    values, kind = column.values, column.values.type
    if pa.types.is_signed_integer(kind) and len(values) and not values.null_count:
        numbers = values.to_numpy().astype(np.int64, copy=False)
        if numbers.min() > -WHOLE and numbers.max() < WHOLE:
            return numbers
    if not pa.types.is_dictionary(kind):
        if pa.types.is_float16(kind):
            values = values.cast(pa.float32())
        known = _is_numeric(kind) or is_text(kind) or pa.types.is_boolean(kind)
        if not (known or (pa.types.is_null(kind) and not all_judged)):
            raise column.refused(f"Expected {_EXPECTED['relevance']}.")
        values = values.dictionary_encode()  # there are few different grades: convert each once
    values = values.unify_dictionaries().combine_chunks()
    if isinstance(values, pa.ChunkedArray):
        values = values.chunk(0) if values.num_chunks else pa.array([], values.type)
    kinds = values.dictionary.to_pylist()
    numbers = np.array([*map(_grade, kinds), np.nan])
    codes = np.asarray(pc.fill_null(values.indices, len(kinds)))
    used = np.zeros(len(numbers), dtype=bool)
    used[codes] = True
    invalid = ~np.isfinite(numbers)
    if not all_judged:
        full = [each is not None and str(each).strip().lower() not in ("", "nan") for each in kinds]
        invalid &= np.array([*full, False])
    _refuse_infinite(column, invalid[codes])
    few, found = numbers[used], numbers.take(codes)
    whole = bool((np.abs(few) < WHOLE).all() and not (few % 1).any())
    return found.astype(np.int64) if whole else found


def _grade(value: object) -> float:
    if isinstance(value, str):
        text = value.strip().lower()
        return _TRUTH.get(text, number_of(text))
    try:
        return float(value)
    except (TypeError, ValueError):
        return np.nan
