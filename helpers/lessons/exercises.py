"""What a lesson calls to ask a reader, and to check an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from helpers.lessons.answers import ANSWERS
from helpers.lessons.questions import Choice, Exercise

if TYPE_CHECKING:
    from helpers.widgets.prediction import Prediction

_NO_ANSWER = "No answer yet: put yours in place of None and run the cell again."


def check(name: str, given: object = None) -> None:
    """Print whether an answer is right, and if it is not, a hint.

    Args:
        name: the question, as the lesson calls it, such as `"01-b"`.
        given: the reader's answer; None if there is none yet.

    Raises:
        ValueError: a question that does not exist.

    Example:
        >>> check("01-a")
        No answer yet: put yours in place of None and run the cell again.
    """
    question = _question(name)
    if given is None:
        print(_NO_ANSWER)
        return
    right, comment = question.judge(given)
    print(f"{'Right' if right else 'Not yet'}: {comment}" if comment else "Right.")


def predict(name: str, question: str, *, options: Mapping[str, str] | None = None) -> Prediction:
    """A widget in which a reader commits to a prediction, and learns whether it was right.

    Args:
        name: the question, such as `"01-guess"`.
        question: what to predict.
        options: for a choice, letter -> what it stands for.

    Raises:
        ValueError: a question that does not exist.

    Example:
        >>> prediction = predict("01-guess", "What is the RR of this list?")
        >>> prediction.commit("2")
        >>> prediction.right
        False
    """
    from helpers.widgets.prediction import Prediction

    known = _question(name)
    if isinstance(known, Choice):
        said = {text: known.comments[letter] for letter, text in options.items()}
        answer = options[known.answer]
        return Prediction(question, answer, options=list(said), why=said.pop(answer), slips=said)
    return Prediction(
        question,
        float(known.answer),
        why=known.why,
        hints=[known.hint, known.second_hint],
        slips=known.slips,
        tolerance=0.006,
    )


def _question(name: str) -> Exercise:
    if name not in ANSWERS:
        raise ValueError(f"There is no question {name!r}. The questions: {', '.join(ANSWERS)}.")
    return ANSWERS[name]
