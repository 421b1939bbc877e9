"""What a lesson calls to ask a reader, and to check an answer."""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape

from byhand.widgets import Prediction
from byhand.widgets.embed import rules
from helpers.questions import ANSWERS, Choice, Number, Question

_NO_ANSWER = "No answer yet: put yours in place of None and run the cell again."
_THE_WAY = "The solution stands below: open it to see the way."
# by question, the wrong answers that this kernel has seen: a notebook's memory is its kernel
_TRIED: dict[str, list[str]] = defaultdict(list)


@dataclass(frozen=True, repr=False)
class Verdict:
    """What is said to an answer: its `repr` is the text, and in a notebook it is a card."""

    text: str
    tone: str = ""  # "good" for a right answer, "warn" for a wrong one
    more: str = ""  # what stands below it

    def __repr__(self) -> str:
        return f"{self.text}\n{self.more}".rstrip()

    def _repr_html_(self) -> str:
        tone = f" rm-answer-{self.tone}" if self.tone else ""
        mark = "✓ " if self.tone == "good" else ""
        more = f'<div class="rm-answer-more">{escape(self.more)}</div>' if self.more else ""
        said = f'<div class="rm-answer-verdict{tone}">{mark}{escape(self.text)}</div>{more}'
        return f'{_style()}<div class="rm-answer"><div class="rm-answer-message">{said}</div></div>'


@cache
def _style() -> str:
    """The widgets' own rules, under names of their own so that they reach no widget."""
    look = (".rm", '[data-jp-theme-light="false"] .rm', ".rm-message", ".rm-verdict", ".rm-more")
    tones = (".rm-verdict.rm-good", ".rm-verdict.rm-warn")
    return f"<style>{rules(*look, *tones).replace('.rm', '.rm-answer')}</style>"


def check(name: str, given: object = None) -> Verdict:
    """Whether an answer is right; if it is not, a hint, then another one and the way.

    The same wrong answer is one try, however often its cell is run. None is no answer yet.

    Example:
        >>> check("01-a")
        No answer yet: put yours in place of None and run the cell again.
    """
    question = _question(name)
    right, comment = (None, _NO_ANSWER) if given is None else question.judge(given)
    if right is None:
        return Verdict(comment)
    if right:
        return Verdict(f"Right: {comment}", "good")
    if repr(given) not in _TRIED[name]:
        _TRIED[name].append(repr(given))
    if _TRIED[name][0] == repr(given):
        return Verdict(f"Not yet. {comment}", "warn")
    said = [question.second_hint]
    if not (isinstance(question, Number) and comment == question.hint):
        said.insert(0, comment)
    return Verdict(" ".join(["Not yet.", *said]), "warn", _THE_WAY)


def predict(name: str, question: str, *, options: Mapping[str, str] | None = None) -> Prediction:
    """A widget in which a reader commits to a prediction, and learns whether it was right.

    What follows in the lesson is covered until then, or until the reader skips the question.

    For a choice, `options` holds what each letter stands for.

    Example:
        >>> prediction = predict("01-ko-guess", "What is the RR of this list?")
        >>> prediction.commit("2")
        >>> prediction.right
        False
    """
    known = _question(name)
    if isinstance(known, Choice):
        said = {text: known.comments[letter] for letter, text in options.items()}
        answer = options[known.answer]
        why = said.pop(answer)
        return Prediction(
            question, answer, options=list(options.values()), why=why, slips=said, covers=True
        )
    return Prediction(
        question,
        float(known.answer),
        why=known.why,
        hints=[known.hint, known.second_hint],
        slips=known.slips,
        tolerance=0.006,
        covers=True,
    )


def asked(name: str) -> str:
    """The code of an exercise's cell before anybody has answered it."""
    begins = _question(name).begins
    answer = re.findall(r"^(?:def )?(\w+)", begins, re.MULTILINE)[-1]
    return f'{begins}\n\ncheck("{name}", {answer})'


def _question(name: str) -> Question:
    if name not in ANSWERS:
        raise ValueError(f"There is no question {name!r}. The questions: {', '.join(ANSWERS)}.")
    return ANSWERS[name]
