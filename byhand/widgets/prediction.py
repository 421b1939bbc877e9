"""A question that a reader answers before the lesson does."""

import random
from collections.abc import Hashable, Mapping, Sequence
from math import isfinite
from numbers import Real
from textwrap import wrap

import traitlets
from IPython.display import display

from byhand.errors import DataError
from byhand.widgets.embed import PASSING, cover
from byhand.widgets.live import Live
from byhand.widgets.numerals import as_fraction, number_in
from byhand.widgets.picture import Picture, axes_in, write_lines
from byhand.widgets.ranked_list import RankedList
from byhand.widgets.words import say

Answer = Real | str | Sequence[Hashable]


class Prediction(Live):
    """A question with a number, a choice or an order for an answer: commit, then see.

    A wrong guess is answered with a hint, another one with the next, and then with an offer to
    show the answer.

    Args:
        question: what to predict.
        answer: a number; one of `options`; or a list of items, best first.
        options: the answers to choose from; their being given makes the question a choice.
        why: why the answer is what it is, shown with it.
        hints: what to say to a first wrong guess, and to later ones, or just one thing to say; they
            do not give the answer.
        slips: wrong guess -> what went wrong, said in place of a hint; not for an order.
        tolerance: how far a number may be off and still be right.
        start: for an order, the order to start from; shuffled, alike each time, if not given.
        covers: whether a notebook, or a page, covers what follows until the reader has the answer
            or skips the question. What is stored and what is printed is never covered.

    Attributes:
        guesses: what the reader has committed to so far, as it was entered.
        told: whether the reader was shown the answer.

    Raises:
        DataError: an answer that is not among the options, or is none of the three kinds; options
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
    told = traitlets.Bool(False).tag(sync=True)
    covers = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        question: str,
        answer: Answer,
        *,
        options: Sequence[Answer] | None = None,
        why: str = "",
        hints: str | Sequence[str] = (),
        slips: Mapping[Answer, str] | None = None,
        tolerance: float = 0.005,
        start: Sequence[Hashable] | None = None,
        covers: bool = False,
    ) -> None:
        self.kind, self._answer = _kind_of(answer, options), answer
        self.question, self.options = question, [str(option) for option in options or ()]
        self.ranks = _list_of(answer, start) if self.kind == "order" else None
        self.tolerance, keys = tolerance, self.ranks and self.ranks.catalogue.keys
        fixed = {
            "ranks": self.ranks,
            "question": question,
            "kind": self.kind,
            "answer": {"number": float, "choice": str, "order": keys}[self.kind](answer),
            "shown_answer": _in_words(self.kind, answer),
            "options": self.options,
            "why": why,
            "hints": [hints] if isinstance(hints, str) else list(hints),
            "slips": _slips(self.kind, slips or {}, self.options),
            "tolerance": tolerance,
        }
        super().__init__("prediction", fixed=fixed, covers=covers)

    def commit(self, guess: Answer) -> None:
        """Commit to a guess, as the Commit button does with what stands in the widget.

        Args:
            guess: a number or its text ("0.25", "1/4", "25 %"), an option, or an order.

        Raises:
            DataError: a guess that is none of that.
        """
        if self.ranks:
            self.ranks.rearrange(guess)
            given = self.ranks.catalogue.keys(guess)
        else:
            given = str(guess)
        if self._read(given) is None:
            said = "one of the options" if self.kind == "choice" else "a number, as 0.25 or as 1/4"
            raise DataError(f"The guess {guess!r} is not {said}. Write it so.")
        self.guesses = [*self.guesses, given]

    def again(self) -> None:
        """Take the guesses back and ask anew; what follows has been seen, and is not covered."""
        self.guesses, self.told, self.covers = [], False, False
        if self.ranks:
            self.ranks.reset()

    @property
    def guess(self) -> Answer | None:
        """What the reader committed to last: a number, an option, or an order; or None."""
        return self._read(self.guesses[-1]) if self.guesses else None

    @property
    def right(self) -> bool | None:
        """Whether that was right, or None."""
        guess = self.guess
        if guess is None:
            return None
        if self.kind == "number":
            return abs(guess - float(self._answer)) <= self.tolerance
        return guess == (str(self._answer) if self.kind == "choice" else list(self._answer))

    def _read(self, given: str | Sequence[str]) -> Answer | None:
        if self.kind == "order":
            return [self.ranks.catalogue.item(key) for key in given]
        if self.kind == "choice":
            return given if given in self.options else None
        return number_in(given)

    def picture(self) -> Picture:
        """The question, for a page on which nothing can be entered."""
        lines = wrap(self.question, 66)
        lines += [f"{chr(97 + n)}  ○  {option}" for n, option in enumerate(self.options)]
        if self.ranks:
            lines += [f"{n}.  {item}" for n, item in enumerate(self.ranks.order, start=1)]
        picture = Picture(f"A question: {self.question}", (4.6, 0.26 * len(lines) + 0.1))
        write_lines(axes_in(picture), lines)
        return picture

    def _ipython_display_(self) -> None:
        """Cover what follows at once, as a browser takes a while to load the widget."""
        if self.covers and not (self.right or self.told):
            display({"text/html": cover()}, raw=True, metadata={PASSING: True})
        raise NotImplementedError  # IPython then shows the widget as any other

    def __repr__(self) -> str:
        """One stable line: the question, and what was committed to."""
        if self.guess is None:
            return f"Prediction({self.question!r}; no guess yet)"
        return f"Prediction({self.question!r}; {self.guess}, {'right' if self.right else 'wrong'})"


def _kind_of(answer: Answer, options: Sequence[Answer] | None) -> str:
    if isinstance(options, str):
        raise DataError(
            f"options is the text {options!r}, not a list of answers to choose from. Put them into "
            "a list, such as ['RR', 'AP']."
        )
    if options is not None:
        if str(answer) not in map(str, options):
            raise DataError(
                f"The answer {answer!r} is not among the options {list(options)}. Add it."
            )
        return "choice"
    if isinstance(answer, Real) and not isinstance(answer, bool) and isfinite(answer):
        return "number"
    if isinstance(answer, Sequence) and not isinstance(answer, str) and len(answer) > 1:
        return "order"
    raise DataError(
        f"The answer {answer!r} is neither a finite number nor an order of two items or more. For "
        "a choice, give the options: Prediction(question, answer, options=[...])."
    )


def _slips(kind: str, slips: Mapping[Answer, str], options: Sequence[str]) -> list[list[Answer]]:
    if kind == "order" and slips:
        raise DataError("Slips are for a number or a choice. Say it in hints, or leave it out.")
    found = []
    for guess, said in slips.items():
        read = number_in(str(guess)) if kind == "number" else str(guess)
        if read is None or (kind == "choice" and read not in options):
            expected = (
                "a number, as 0.25 or '1/4'" if kind == "number" else f"one of {list(options)}"
            )
            raise DataError(f"The slip {guess!r} cannot be a guess: that is {expected}.")
        found.append([read, said])
    return found


def _list_of(answer: Sequence[Hashable], start: Sequence[Hashable] | None) -> RankedList:
    order = list(answer if start is None else start)
    if set(order) != set(answer) or len(order) != len(answer):
        raise DataError(f"start holds {order}, and the answer {answer}. They must agree.")
    shuffler = random.Random(len(order))
    while start is None and order == list(answer):
        shuffler.shuffle(order)
    caption = say("prediction", "order")
    return RankedList(order, (), grading=False, docking=False, judged=False, caption=caption)


def _in_words(kind: str, answer: Answer) -> str:
    if kind == "order":
        return " > ".join(str(item) for item in answer)
    if kind == "choice":
        return str(answer)
    fraction = as_fraction(float(answer))
    number = f"{float(answer):.3f}".rstrip("0").rstrip(".")
    return f"{number} ({fraction})" if fraction else number
