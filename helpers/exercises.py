"""Ask questions in a lesson, and check the answers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape
from pathlib import Path

from byhand.theme import sheet, tokens
from byhand.widgets import Prediction
from byhand.widgets.prediction.answers import Answer, Number
from byhand.words import N_
from helpers.follow import followed
from helpers.open_answers import Judged
from helpers.questions import ASKED, Asked, Question, questions
from helpers.translation import LessonError, gettext as _

NO_ANSWER = N_("No answer yet: put yours in place of None and run the cell again.")
_NEARLY = 0.006  # tolerance of predictions, for two decimals
THE_WAY = N_("Stuck? Open the solution below.")


class _Memory:
    """The state of a reader's answers in a kernel.

    Attributes:
        tried: question -> first wrong answer.
        own: name -> question that is not ours.
    """

    def __init__(self) -> None:
        self.tried: dict[str, str] = {}
        self.own: dict[str, Question] = {}

    def met(self, asked: str | Question) -> tuple[Question | None, str]:
        """Register and return a question that is not ours, and its name.

        This includes our questions about lists that the reader has changed.
        """
        name = asked.name if isinstance(asked, Question) else asked
        own = asked if isinstance(asked, Question) else followed(name)
        if own is asked and name in questions():
            raise LessonError(
                f"{asked}: a question of the course has this name. Rename your question."
            )
        if own:
            if name in self.own and self.own[name].entry != own.entry:  # a new version
                self.tried.pop(name, None)
            self.own[name] = own
        elif name in questions():
            self.own.pop(name, None)  # the original lists are back
        return self.own.get(name), name

    def question(self, name: str) -> Asked:
        """Return the question with a name, a reader's own or ours."""
        if name in self.own:
            return self.own[name].asked
        if name not in questions():
            raise LessonError(
                f"There is no question {name!r}. Use one of these: {', '.join(questions())}."
            )
        return questions()[name]


memory = _Memory()


@dataclass(frozen=True, repr=False)
class Reply:
    """The feedback on an answer, shown as a card in a notebook."""

    text: str
    tone: str = ""  # "good" if right, "warn" if wrong, "bad" if unreadable
    more: str = ""  # text below
    values: Mapping[str, object] = field(default_factory=dict)  # values of a right answer
    question: Question | None = None  # if it is not one of ours

    def __repr__(self) -> str:
        return f"{self.text}\n{self.more}".rstrip()

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, str], dict[str, object]]:
        tone = f" rm-answer-{self.tone}" if self.tone else ""
        mark = {"good": "✓ ", "warn": "≠ ", "bad": "! "}.get(self.tone, "")
        more = escape(self.more)
        # JupyterLab shows the first line of the source of a folded output
        html = f'{mark}{escape(self.text)}\n<div class="rm-answer{tone}">{more}</div>{_style()}'
        also = {ASKED: self.question.entry} if self.question else {}
        return {"text/plain": repr(self), "text/html": html, **also}, dict(self.values)


@cache
def _style() -> str:
    """Return the style of feedback, scoped so that it does not affect widgets."""
    own = re.sub(r":where\([^)]*\)|\.report", ":has(> .rm-answer)", tokens())
    return f"<style>{own}{sheet(Path(__file__).with_name('answer.css'))}</style>"


def check(name: str | Question, given: object = None) -> Reply:
    """Check an answer; give a hint if it is wrong, then a second hint.

    Repeating the same wrong answer counts as one attempt.

    Args:
        name: name of a question, or a `Question` of your own.
        given: the answer; None (the default) for no answer yet.

    Example:
        >>> check("05-a")
        No answer yet: put yours in place of None and run the cell again.
    """
    own, name = memory.met(name)
    return replace(_reply(name, given), question=own)


def _reply(name: str, given: object) -> Reply:
    question = memory.question(name)
    if given is None:
        return Reply(_(NO_ANSWER))
    n = 1 if memory.tried.get(name, repr(given)) == repr(given) else 2
    right, text, values = _judged(question, given, n=n)
    if right is None:
        return Reply(text, "bad" if isinstance(question.answer, Answer) else "")
    if right:
        return Reply(question.praise(values), "good", values=values)
    memory.tried.setdefault(name, repr(given))
    way = _(THE_WAY) if n > 1 and name not in memory.own else ""
    return Reply(_("Not yet. {said}").format(said=text).strip(), "warn", way)


def forget() -> None:
    """Forget all answers and own questions."""
    memory.tried.clear()
    memory.own.clear()


def _judged(question: Asked, given: object, *, n: int) -> Judged:
    """Judge an answer; `n` is the number of wrong answers if it is wrong."""
    answer = question.answer
    if not isinstance(answer, Answer):
        judged = answer(given)
        later = judged.right is False and n > 1
        return judged._replace(said=f"{judged.said} {question.hints[-1]}") if later else judged
    if refused := answer.refused(given):
        return Judged(None, refused)
    guess = answer.read(given)
    right = answer.is_right(guess)
    return Judged(right, "" if right else answer.comment(guess, n=n))


def predict(
    name: str | Question, question: str, *, options: Mapping[str, str] | None = None
) -> Prediction:
    """Return a widget that asks for a prediction and then shows the answer.

    It hides the following content until the reader answers or skips the question: on a page all of
    it, in JupyterLab texts and outputs up to the next question.

    Args:
        name: name of a question, or a `Question` of your own.
        question: text of the question.
        options: mapping letter -> option, for questions with options; none by default.

    Example:
        >>> options = {"a": "1", "b": "6", "c": "8"}
        >>> prediction = predict("tracin-real-guess", "How large?", options=options)
        >>> prediction.guesses = ["c"]
        >>> prediction.right
        False
    """
    return _card(name, question, options)


def ask(name: str | Question, *, options: Mapping[str, str] | None = None) -> Prediction:
    """Return a widget in which readers answer the exercise that is written above it.

    A wrong answer gets a hint, a second one another hint and a button that shows the answer.

    Args:
        name: name of a question, or a `Question` of your own.
        options: mapping letter -> option, for questions with options; by default only the letters
            are shown.

    Example:
        >>> card = ask("05-a", options={"a": "AP", "b": "Success@1", "c": "nDCG@10", "d": "R@100"})
        >>> card.guesses = ["b"]
        >>> card.right
        True
    """
    return _card(name, "", options)


def _card(name: str | Question, question: str, options: Mapping[str, str] | None) -> Prediction:
    own, name = memory.met(name)
    answer = memory.question(name).answer
    if options:
        answer = replace(answer, options=options)
    if question and isinstance(answer, Number):
        answer = replace(answer, tolerance=max(_NEARLY, answer.tolerance))
    prediction = Prediction(question, answer, covers=bool(question))
    if own:
        prediction.also = {ASKED: own.entry}
    return prediction


def boxed(name: str | Question) -> dict[str, object] | None:
    """Return a page's answer box with the hints of `check`; None if the answer is Python."""
    question = name.asked if isinstance(name, Question) else memory.question(name)
    is_read = isinstance(question.answer, Answer)
    return Prediction("", question.answer).page_state() if is_read else None


def asked(name: str) -> str:
    """Return the code of an exercise's cell without an answer."""
    begins = memory.question(name).begins
    answer = re.findall(r"^(?:def )?(\w+)", begins, re.MULTILINE)[-1]
    return f'{begins}\n\ncheck("{name}", {answer})'
