"""A widget that asks readers for a prediction before it shows the answer."""

import traitlets

from byhand.widgets.list.ranked_list import RankedList
from byhand.widgets.live import Covering
from byhand.widgets.phrases import say
from byhand.widgets.prediction.answers import Answer
from byhand.widgets.still import ListPicture, Still


class Prediction(Covering):
    """Ask for a number, one or several options, or an order, and check the reader's guess.

    Args:
        question: text of the question; empty if it is written above the widget.
        answer: a `Number`, `Choice`, `Several` or `Order`, with its explanation, its hints and
            comments on wrong guesses.
        covers: If True, hide the following content until the reader has the answer or skips the
            question: on a page all of it, in JupyterLab up to the next question. False by
            default.

    Attributes:
        guesses: the reader's guesses so far.
        told: whether the reader was shown the answer.

    Example:
        >>> from byhand.widgets.prediction.answers import Number
        >>> asked = Prediction("Where is RR 1/4?", Number(answer=4))
        >>> asked
        Prediction('Where is RR 1/4?'; no guess yet)
        >>> asked.guesses = ["4"]  # as a reader does
        >>> asked.right
        True
    """

    guesses = traitlets.List().tag(sync=True)

    def __init__(self, question: str, answer: Answer, *, covers: bool = False) -> None:
        self.question, self.answer, given = question, answer, answer.ranking()
        self.ranks = RankedList(**given) if given else None
        fixed = {"ranks": self.ranks, "question": question, **answer.as_json()}
        super().__init__("prediction", fixed=fixed, covers=covers)

    @property
    def guess(self) -> object | None:
        """The last guess: a number, an option, options or an order; None before the first."""
        read = self._read
        return [self.ranks.catalogue.item(key) for key in read] if read and self.ranks else read

    @property
    def right(self) -> bool | None:
        """Whether the last guess was right; None before the first."""
        return None if self._read is None else self.answer.is_right(self._read)

    @property
    def _read(self) -> object | None:
        return self.answer.read(self.guesses[-1]) if self.guesses else None

    def picture(self) -> Still:
        """Draw the question and its options."""
        options = [*getattr(self.answer, "options", {}).values()]
        asked = [self.question] if self.question else []
        said = [say("prediction", "picture", question=each) for each in asked]
        still = Still(said or [say("prediction", "exercise")], "answer", asks=bool(asked))
        still.lines(*asked, look="ask")
        button = say("prediction", "commit" if asked else "check")
        if self.ranks:
            rows = ListPicture(self.ranks, say("prediction", "order"), judged=False)
            still.said.append(rows.words)
            return still.rows(rows).button(button)
        if not options:
            label = say("prediction", "number label")
            return still.lines(label, look="q").field().button(button, x=182)
        still.said += [f"{chr(97 + n)}: {option}." for n, option in enumerate(options)]
        return still.choices(options, several=self.answer.kind == "several").button(button)

    @property
    def _line(self) -> str:
        guess = f"{self.guess}, {'right' if self.right else 'wrong'}"
        state = "no guess yet" if self.guess is None else guess
        return f"{self.question!r}; {state}" if self.question else state
