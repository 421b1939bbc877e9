"""The lessons' questions, from `answers.toml`, which says what each field is."""

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from zlib import crc32

from byhand.widgets.prediction.answers import Answer, Choice, Number, Order, Several
from byhand.words import N_, filled, language, localised, speaking
from helpers.open_answers import JUDGES, LOOKS, Judged, Looked
from helpers.translation import gettext as _, name

RIGHT = N_("Right: {said}")


@dataclass(frozen=True)
class Question:
    """An answer, or a function that judges what was written, and the cell before it is answered."""

    answer: Answer | Callable[[object], Judged]
    why: str
    hints: tuple[str, ...]
    begins: str

    def praise(self, values: Mapping[str, object]) -> str:
        """What is said to a right answer, with what was found out about that one."""
        number = f"{_number_text(self.answer.answer)}. " if isinstance(self.answer, Number) else ""
        why = filled(self.why, **values) if values else self.why
        return _(RIGHT).format(said=f"{number}{why}".strip())


def _number_text(number: float | Fraction) -> str:
    if isinstance(number, Fraction):
        return f"{number} = {localised(f'{float(number):.4f}')}"
    return localised(f"{float(number):.4f}".rstrip("0").rstrip("."))


def _open(entry: dict, look: Callable[[object], Looked]) -> Callable[[object], Judged]:
    """Judges what has many right answers by what they have to satisfy."""

    def judged(given: object) -> Judged:
        try:
            met, values = look(given)
        except Exception as error:  # whatever was given in place of an answer
            found = f"{type(error).__name__}: {error}"
            said = _("The answer should be {form}. Reading yours ended in {error}")
            return Judged(None, said.format(form=entry["form"], error=found))
        unmet = [hint for each, hint in entry["must"].items() if not met[each]]
        return Judged(not unmet, " ".join(filled(each, **values) for each in unmet), values)

    return judged


_BEGINS = {
    Number: "answer = None",
    Choice: "answer = None  # a letter, in quotes",
    Several: 'answer = None  # all that apply, in quotes, such as "ab"',
    Order: "order = None  # a list",
}


def question_of(asked: str, entry: dict) -> Question:
    """A question as its entry in the file has it."""
    hints = tuple(entry[each] for each in ("hint", "second_hint") if each in entry)
    why = entry.get("why", "")
    if "must" in entry:
        return Question(_open(entry, LOOKS[asked]), why, hints, entry["begins"])
    if asked in JUDGES:
        return Question(JUDGES[asked], why, hints, entry["begins"])
    answer = _answer(entry, why=why, hints=hints, slips=entry.get("slips", {}))
    return Question(answer, answer.why, hints, entry.get("begins", _BEGINS[type(answer)]))


def _answer(entry: dict, *, slips: dict[str, str], **said: object) -> Answer:
    answer = entry["answer"]
    if comments := entry.get("comments"):
        letters = {each: each for each in comments}
        slips = {each: text for each, text in comments.items() if each != answer}
        return Choice(
            answer=answer, options=letters, slips=slips, **said | {"why": comments[answer]}
        )
    if among := entry.get("among"):
        letters = {each: each for each in among}
        return Several(answer=answer, options=letters, slips=slips, **said)
    if isinstance(answer, list):
        asked = {key: entry[key] for key in ("start", "parts") if key in entry}
        return Order(answer=answer, slips=slips, **asked, **said)
    number = Fraction(answer) if isinstance(answer, str) else answer
    return Number(answer=number, tolerance=entry.get("within", 0.0006), slips=slips, **said)


def questions() -> dict[str, Question]:
    """Every question, in the language that is spoken."""
    return _in(language())


@cache
def entries() -> dict[str, dict]:
    """What the file has, in English."""
    return tomllib.loads(Path(__file__).with_name("answers.toml").read_text(encoding="utf-8"))


@cache
def _in(language: str) -> dict[str, Question]:
    with speaking(language):
        return {asked: question_of(asked, spoken(entry)) for asked, entry in entries().items()}


def edition(names: Iterable[str]) -> str:
    """What changes with any of these questions or their answers; empty without questions."""
    texts = [json.dumps([name, entries().get(name)], sort_keys=True) for name in names]
    return f"{crc32(''.join(texts).encode()):08x}" if texts else ""


SAID = ("why", "hint", "second_hint", "form")  # fields that are sentences
SAID_OF_EACH = ("slips", "comments", "must")  # … and tables of them
_NAMED = ("answer", "start")  # … and those that name what is on a list


def spoken(entry: dict) -> dict:
    """An entry with its sentences and names in the language that is spoken."""
    made = {key: _(text) if key in SAID else text for key, text in entry.items()}
    for key in SAID_OF_EACH:
        if table := entry.get(key):
            made[key] = {_named(each): _(said) for each, said in table.items()}
    for key in _NAMED:
        if isinstance(held := entry.get(key), list):
            made[key] = [*map(name, held)]
    return made


def _named(slip: str) -> str:
    """A slip of an order has names in it."""
    return " > ".join(map(name, slip.split(" > ")))
