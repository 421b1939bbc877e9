"""The lessons' questions, from `answers.toml`, which explains their fields."""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import isfinite
from numbers import Real
from pathlib import Path

from byhand.errors import DataError
from byhand.widgets.prediction.answers import Answer, Choice, Number, Order, Several
from byhand.words import N_, filled, language, localised, speaking
from helpers.open_answers import JUDGES, LOOKS, Judged, Looked
from helpers.translation import LessonError, gettext as _, name

RIGHT, JUST_RIGHT = N_("Right: {said}"), N_("Right.")
# output type for the entry of a question that is not ours
ASKED = "application/vnd.ranking-metrics.question+json"


@dataclass(frozen=True)
class Asked:
    """An answer, or a function that judges one, and the initial code of the cell."""

    answer: Answer | Callable[[object], Judged]
    why: str
    hints: tuple[str, ...]
    begins: str

    def praise(self, values: Mapping[str, object]) -> str:
        """Return the feedback on a right answer, with its values filled in."""
        number = f"{_number_text(self.answer.answer)}. " if isinstance(self.answer, Number) else ""
        why = filled(self.why, **values) if values else self.why
        text = f"{number}{why}".strip()
        return _(RIGHT).format(said=text) if text else _(JUST_RIGHT)


def _number_text(number: float | Fraction) -> str:
    if isinstance(number, Fraction):
        return f"{number} = {localised(f'{float(number):.4f}')}"
    return localised(f"{float(number):.4f}".rstrip("0").rstrip("."))


def _open(entry: dict, look: Callable[[object], Looked]) -> Callable[[object], Judged]:
    """Return a function that judges an answer by its requirements."""

    def judged(given: object) -> Judged:
        try:
            met, values = look(given)
        except Exception as error:  # the reader's answer may raise any error
            found = f"{type(error).__name__}: {error}"
            text = _("The answer should be {form}. Reading yours ended in {error}")
            return Judged(None, text.format(form=entry["form"], error=found))
        unmet = [hint for each, hint in entry["must"].items() if not met[each]]
        return Judged(not unmet, " ".join(filled(each, **values) for each in unmet), values)

    return judged


def question_of(asked: str, entry: dict) -> Asked:
    """Return a question from its entry in the file."""
    hints = tuple(entry[each] for each in ("hint", "second_hint") if each in entry)
    why = entry.get("why", "")
    if "must" in entry:
        return Asked(_open(entry, LOOKS[asked]), why, hints, entry["begins"])
    if asked in JUDGES:
        return Asked(JUDGES[asked], why, hints, entry["begins"])
    answer = _answer(entry, why=why, hints=hints, slips=entry.get("slips", {}))
    return Asked(answer, answer.why, hints, entry.get("begins", "answer = None"))


def _answer(entry: dict, *, slips: dict[str, str], **said: object) -> Answer:
    answer = entry["answer"]
    if comments := entry.get("comments"):
        if answer not in comments:
            raise LessonError(
                f"The answer {answer!r} is not one of the letters {[*comments]}. Use one of these, "
                f"or add a comment on {answer!r}."
            )
        letters = {each: each for each in comments}
        slips = {each: text for each, text in comments.items() if each != answer}
        return Choice(
            answer=answer, options=letters, slips=slips, **said | {"why": comments[answer]}
        )
    if among := entry.get("among"):
        letters = {each: each for each in among}
        opinion = entry.get("opinion", "")
        return Several(answer=answer, options=letters, slips=slips, opinion=opinion, **said)
    if isinstance(answer, list):
        asked = {key: entry[key] for key in ("start", "parts") if key in entry}
        parts = entry.get("parts", answer)
        if len({*answer}) < len(answer) or len(parts) < 2:
            raise LessonError(
                f"The order {answer} must have two or more items, without repeats, and two "
                "or more parts."
            )
        if parts is not answer and sum(parts) != len(answer):
            raise LessonError(
                f"The parts {parts} do not add up to the {len(answer)} items. Change the parts."
            )
        order = Order(answer=answer, slips=slips, **asked, **said)
        order.ranking()  # raises an error if the start is invalid
        return order
    try:
        number = Fraction(answer) if isinstance(answer, str) else answer
    except (ValueError, ZeroDivisionError):
        number = None
    if not isinstance(number, Real) or isinstance(number, bool) or not isfinite(number):
        raise LessonError(
            f"The answer {answer!r} is neither a number nor a list in order. For a choice, pass "
            "comments (letter -> feedback); for several options, pass among (the letters)."
        )
    return Number(answer=number, tolerance=entry.get("within", 0.0006), slips=slips, **said)


class Question:
    """Define a question of your own for `check` and `predict`.

    The fields are those of `answers.toml` that a browser can check. A page made from an executed
    notebook has the same box, hints and feedback.

    Args:
        name: unique name of the question in the notebook.
        answer: the right answer: a number, or a fraction in quotes; the letter of a choice; the
            letters of several options; or the items of an order from first to last.
        why: feedback on a right answer; empty by default, as are the hints.
        hint: feedback on a wrong answer that is not in `slips`.
        second_hint: feedback on a second wrong answer.
        slips: mapping common mistake -> feedback; for an order, items in the wrong order, such as
            `"late > short"`. None by default.
        comments: for a choice, a mapping letter -> feedback; none by default.
        among: for several options ("tick all that apply"), the letters, such as `"abcd"`, or a
            list of options.
        within: tolerance of a number; by default, three correct decimals are enough.
        start: initial order of the items; shuffled by default.
        parts: numbers of items in successive parts of an order; the order within a part does not
            matter. None by default.

    Raises:
        DataError: If a field is unknown or invalid.

    Example:
        >>> from helpers import Question, check
        >>> salsa = Question(
        ...     "salsa-a",
        ...     answer="1/4",
        ...     why="The first hit is at rank 4.",
        ...     hint="At which rank is the first hit?",
        ...     slips={4: "That is the rank."},
        ... )
        >>> check(salsa, 4)
        Not yet. That is the rank.
        >>> check(salsa, 0.25)
        Right: 1/4 = 0.2500. The first hit is at rank 4.
    """

    def __init__(
        self,
        name: str,
        *,
        answer: Real | str | Sequence[str] | None = None,
        why: str = "",
        hint: str = "",
        second_hint: str = "",
        slips: Mapping[object, str] | None = None,
        comments: Mapping[str, str] | None = None,
        among: str | Sequence[str] = "",
        within: float | None = None,
        start: Sequence[str] | None = None,
        parts: Sequence[int] | None = None,
        **unknown: object,
    ) -> None:
        given = {key: value for key, value in locals().items() if key in _FIELDS}
        try:
            if not isinstance(name, str) or not re.fullmatch(r"[\w-]+", name):
                raise LessonError(
                    "The name must be one word of letters, digits and -, such as 'salsa-a'."
                )
            self.entry = _checked_entry(given, unknown)  # JSON for pages
            self.asked = question_of(name, self.entry)
        except (DataError, TypeError) as error:
            raise LessonError(f"Question({name!r}): {error}") from None
        self.name = name
        self.entry["name"] = name

    def __repr__(self) -> str:
        """Omit the answer, because readers see this."""
        return f"Question({self.name!r})"


_FIELDS = [*Question.__init__.__kwdefaults__]
_TEXTS = {"why", "hint", "second_hint"}


def _checked_entry(given: Mapping[str, object], unknown: Iterable[str]) -> dict:
    for field in unknown:
        raise LessonError(f"There is no field {field!r}. Use one of these: {', '.join(_FIELDS)}.")
    if given["answer"] is None:
        raise LessonError("It has no answer. Add answer=…")
    entry = {key: value for key, value in given.items() if value is not None}
    for key, value in given.items():
        if key in _TEXTS and not isinstance(value, str):
            raise LessonError(f"{key} must be text in quotes, but is {value!r}.")
        if key in SAID_OF_EACH and value is not None:
            if not isinstance(value, Mapping) or not all(
                isinstance(v, str) for v in value.values()
            ):
                raise LessonError(
                    f'{key} must be a mapping to feedback, {{"…": "…"}}, but is {value!r}.'
                )
            entry[key] = {str(each): said for each, said in value.items()}
    if not isinstance(given["within"], Real | None):
        raise LessonError(f"within must be a number such as 0.01, but is {given['within']!r}.")
    entry = {key: value for key, value in entry.items() if not isinstance(value, str) or value}
    return json.loads(json.dumps(entry, default=_plain))


def _plain(value: object) -> object:
    """Convert a set, a NumPy number or a fraction for JSON."""
    if isinstance(value, set | frozenset):
        return sorted(value)
    return value.tolist() if hasattr(value, "tolist") else str(value)


def questions() -> dict[str, Asked]:
    """Return all questions in the current language."""
    return _in(language())


@cache
def entries() -> dict[str, dict]:
    """Return the entries of the file, in English."""
    return tomllib.loads(Path(__file__).with_name("answers.toml").read_text(encoding="utf-8"))


@cache
def _in(language: str) -> dict[str, Asked]:
    with speaking(language):
        return {asked: question_of(asked, spoken(entry)) for asked, entry in entries().items()}


SAID = ("why", "hint", "second_hint", "form", "opinion")  # fields with sentences
SAID_OF_EACH = ("slips", "comments", "must")  # fields with tables of sentences
_NAMED = ("answer", "start")  # fields with names of items


def spoken(entry: dict) -> dict:
    """Return an entry with its sentences and names in the current language."""
    made = {key: _(text) if key in SAID else text for key, text in entry.items()}
    for key in SAID_OF_EACH:
        if table := entry.get(key):
            keys = map(_named, table) if key == "slips" else table
            made[key] = dict(zip(keys, map(_, table.values()), strict=True))
    for key in _NAMED:
        if isinstance(value := entry.get(key), list):
            made[key] = [*map(name, value)]
    return made


def _named(slip: str) -> str:
    """Translate the names in a common mistake of an order."""
    return " > ".join(map(name, slip.split(" > ")))
