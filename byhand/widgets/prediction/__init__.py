"""A question that a reader answers before the lesson does."""

from collections.abc import Hashable, Mapping, Sequence
from math import isfinite
from numbers import Real

import traitlets

from byhand.errors import DataError
from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.live import Covering
from byhand.widgets.phrases import say
from byhand.widgets.prediction.answers import (
    Answer,
    Choice,
    Number,
    Order,
    Several,
)
from byhand.widgets.still import Rows, Still

RightAnswer = Real | str | Sequence[Hashable] | set[str] | Answer


class Prediction(Covering):
    """A question with a number, choices, ticks or an order for an answer: commit, then see.

    Args:
        question: what to predict.
        answer: a number; one of `options`, or a set of them; or a list of items, best first.
        options: the answers to choose from; their being given makes the question a choice.
        why: why the answer is what it is, shown with it.
        hints: what to say to a first wrong guess, and to later ones; or just one thing to say.
        slips: wrong guess -> what went wrong, said before a hint. Of an order: a tuple of items
            that stand one after the other in it.
        tolerance: how far a number may be off and still be right.
        start: for an order, the order to start from; shuffled, alike each time, if not given.
        covers: whether what follows is covered until the reader has the answer or skips the
            question: on a page all of it, in JupyterLab up to the next question.

    Attributes:
        guesses: what the reader has committed to so far.
        told: whether the reader was shown the answer.

    Raises:
        DataError: an answer that is not among the options, or is of none of these kinds; options
            in one text; a slip that nobody can enter.

    Example:
        >>> prediction = Prediction("What is RR when the first hit stands at rank 4?", 0.25)
        >>> prediction
        Prediction('What is RR when the first hit stands at rank 4?'; no guess yet)
        >>> prediction.commit("1/4")
        >>> prediction.right
        True
    """

    guesses = traitlets.List().tag(sync=True)

    def __init__(
        self,
        question: str,
        answer: RightAnswer,
        *,
        options: Sequence[object] | None = None,
        why: str = "",
        hints: str | Sequence[str] = (),
        slips: Mapping[object, str] | None = None,
        tolerance: float = 0.005,
        start: Sequence[Hashable] | None = None,
        covers: bool = False,
    ) -> None:
        hints = [hints] if isinstance(hints, str) else list(hints)
        said = {"why": why, "hints": hints, "slips": slips or {}}
        if isinstance(answer, Answer):
            self.answer = answer
        elif options is not None:
            self.answer = _among(answer, options, said)
        elif isinstance(answer, Real) and not isinstance(answer, bool) and isfinite(answer):
            self.answer = Number(answer=answer, tolerance=tolerance, **said)
        elif isinstance(answer, Sequence) and not isinstance(answer, str) and len(answer) > 1:
            self.answer = Order(answer=answer, start=start, **said)
        else:
            raise DataError(
                f"The answer {answer!r} is neither a finite number nor an order of two items or "
                "more. For a choice, give the options: Prediction(question, answer, "
                "options=[...])."
            )
        self.question, given = question, self.answer.ranking()
        self.ranks = RankedList(**given) if given else None
        fixed = {"ranks": self.ranks, "question": question, **self.answer.as_json()}
        super().__init__("prediction", fixed=fixed, covers=covers)

    def commit(self, guess: object) -> None:
        """Commit to a number or its text ("1/4", "25 %"), an option, options, or an order.

        Raises:
            DataError: a guess that is none of that.
        """
        if refused := self.answer.refused(guess):
            raise DataError(refused)
        read = self.answer.read(guess)
        if self.ranks:
            self.ranks.rearrange(map(self.ranks.catalogue.item, read))
        self.guesses = [*self.guesses, str(guess) if self.answer.kind == "number" else read]

    def again(self) -> None:
        """Take the guesses back and ask anew; what follows has been seen, and is not covered."""
        self.guesses, self.told, self.covers = [], False, False
        if self.ranks:
            self.ranks.reset()

    @property
    def guess(self) -> object | None:
        """What the reader committed to last: a number, an option, options, an order; or None."""
        read = self._read
        return [self.ranks.catalogue.item(key) for key in read] if read and self.ranks else read

    @property
    def right(self) -> bool | None:
        """Whether that was right, or None."""
        return None if self._read is None else self.answer.is_right(self._read)

    @property
    def _read(self) -> object | None:
        return self.answer.read(self.guesses[-1]) if self.guesses else None

    def picture(self) -> Still:
        """The question, and what there is to choose from."""
        options = [*getattr(self.answer, "options", {}).values()]
        still = Still([say("prediction", "picture", question=self.question)], "answer", asks=True)
        still.lines(self.question, look="ask")
        if self.ranks:
            rows = Rows(self.ranks, say("prediction", "order"), judged=False)
            still.said.append(rows.words)
            return still.rows(rows)
        if not options:
            return still.lines(say("prediction", "number label"), look="q").field()
        still.said += [f"{chr(97 + n)}: {option}." for n, option in enumerate(options)]
        return still.choices(options, several=self.answer.kind == "several")

    @property
    def _line(self) -> str:
        guess = f"{self.guess}, {'right' if self.right else 'wrong'}"
        return f"{self.question!r}; {'no guess yet' if self.guess is None else guess}"


def _among(answer: object, options: Sequence[object], said: Mapping[str, object]) -> Answer:
    if isinstance(options, str):
        raise DataError(
            f"options is the text {options!r}, not a list of answers to choose from. Put them "
            "into a list, such as ['RR', 'AP']."
        )
    words = {str(option): str(option) for option in options}
    if isinstance(answer, set | frozenset):
        return Several(answer=answer, options=words, **said)
    return Choice(answer=str(answer), options=words, **said)
