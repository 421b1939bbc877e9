"""A question that a reader answers before the lesson does."""

import random
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from numbers import Real
from textwrap import wrap

import ipywidgets

from helpers.errors import DataError
from helpers.widgets.controls import Controls, button, choice, text
from helpers.widgets.message import Message
from helpers.widgets.picture import Picture, Pictured, axes_in, write_lines
from helpers.widgets.ranked_list import RankedList
from helpers.widgets.scores import as_fraction

Answer = Real | str | Sequence[Hashable]


class Prediction(Pictured, ipywidgets.VBox):
    """A question with a number, a choice or an order for an answer: commit, then see.

    Args:
        question: what to predict.
        answer: a number; one of `options`; or a list of items, best first. The browser does not
            hold it before the reader has committed.
        options: the answers to choose from; their being given makes the question a choice.
        why: why the answer is what it is, shown after committing; or a function that says so of
            a given guess.
        tolerance: how far a number may be off and still be right.
        start: for an order, the order to start from; shuffled, alike each time, if not given.

    Attributes:
        guess: what the reader committed to, or None.
        right: whether that was right, or None.

    Raises:
        DataError: an answer that is not among the options, or is none of the three kinds.

    Example:
        >>> prediction = Prediction("What is RR when the first hit stands at rank 4?", 0.25)
        >>> prediction
        Prediction('What is RR when the first hit stands at rank 4?'; no guess yet)
        >>> prediction.commit("1/4")
        >>> prediction.right
        True
    """

    def __init__(
        self,
        question: str,
        answer: Answer,
        *,
        options: Sequence[Answer] | None = None,
        why: str | Callable[[Answer], str] = "",
        tolerance: float = 0.005,
        start: Sequence[Hashable] | None = None,
    ) -> None:
        self.question, self.answer, self.why, self.tolerance = question, answer, why, tolerance
        self.options = None if options is None else [str(option) for option in options]
        self.kind = self._kind()
        self.guess: Answer | None = None
        self.right: bool | None = None
        self.ranks = self._list(start) if self.kind == "order" else None
        self._title, self.message = Message(heading=question), Message()
        self.controls = Controls(self._asking(), values={"guess": ""}, caption="Your prediction")
        self.controls.on_press(self._pressed)
        super().__init__(layout=ipywidgets.Layout(width="100%"))
        parts = [self._title, self.ranks, self.controls, self.message]
        self.children = tuple(part for part in parts if part is not None)

    def _kind(self) -> str:
        answer = self.answer
        if self.options is not None:
            if str(answer) not in self.options:
                raise DataError(
                    f"The answer {answer!r} is not among the options {self.options}. Add it."
                )
            return "choice"
        if isinstance(answer, Real) and not isinstance(answer, bool):
            return "number"
        if isinstance(answer, Sequence) and not isinstance(answer, str) and len(answer) > 1:
            return "order"
        raise DataError(
            f"The answer {answer!r} is neither a number nor an order of two items or more. For a "
            "choice, give the options: Prediction(question, answer, options=[...])."
        )

    def _list(self, start: Sequence[Hashable] | None) -> RankedList:
        order = list(self.answer if start is None else start)
        if set(order) != set(self.answer) or len(order) != len(self.answer):
            raise DataError(f"start holds {order}, and the answer {self.answer}. They must agree.")
        shuffler = random.Random(len(order))
        while start is None and order == list(self.answer):
            shuffler.shuffle(order)
        return RankedList(
            order, (), grading=False, docking=False, judged=False, caption="Your order"
        )

    def commit(self, guess: Answer | None = None) -> None:
        """Commit to a guess, as the Commit button does with what stands in the widget.

        Args:
            guess: a number or its text ("0.25", "1/4", "25 %"), an option, or an order; without
                it, what the reader has entered.
        """
        if guess is None:
            guess = self.ranks.order if self.ranks else self.controls.values["guess"]
        understood = self._understood(guess)
        if understood is None:
            return
        self.guess, self.right = understood, self._is_right(understood)
        self.controls.controls = [
            *self._asking(committed=True)[:-1],
            button("again", "Try again"),
        ]
        if self.ranks:
            self.ranks.order = tuple(understood)
        else:
            self.controls.store("guess", str(guess))
        verdict = "Right" if self.right else "Not quite"
        what = (
            "." if self.right and self.kind == "choice" else f": the answer is {self._in_words()}."
        )
        self.message.say(
            f"{verdict}{what}", tone="good" if self.right else "warn", more=self._reason(understood)
        )

    def _reason(self, guess: Answer) -> str:
        return self.why(guess) if callable(self.why) else self.why

    def again(self) -> None:
        """Take the guess back and ask anew."""
        self.guess = self.right = None
        self.controls.controls = self._asking()
        self.controls.store("guess", "")
        if self.ranks:
            self.ranks.reset()
        self.message.say("")

    def picture(self) -> Picture:
        """The question, for a page on which nothing can be entered."""
        lines = wrap(self.question, 66)
        if self.options:
            lines += [f"○  {option}" for option in self.options]
        if self.ranks:
            lines += [f"{n}.  {item}" for n, item in enumerate(self.ranks.start[0], start=1)]
        picture = Picture(f"A question: {self.question}", (4.6, 0.26 * len(lines) + 0.1))
        write_lines(axes_in(picture), lines)
        return picture

    def _asking(self, *, committed: bool = False) -> list[dict]:
        commit = button("commit", "Commit", primary=True)
        if self.kind == "choice":
            options = choice("guess", "Your prediction", self.options, disabled=committed)
            return [options, commit]
        if self.kind == "number":
            field = text("guess", "Your prediction", enter="commit", disabled=committed)
            return [field, commit]
        return [commit]

    def _pressed(self, name: str) -> None:
        if name == "again":
            self.again()
        else:
            self.commit()

    def _understood(self, guess: Answer) -> Answer | None:
        """The guess as a value, or None after saying what is wrong with it."""
        if self.kind == "order":
            return list(guess)
        if self.kind == "choice":
            if str(guess) in self.options:
                return str(guess)
            self.message.say("Choose one of the answers first.")
            return None
        number = _number(guess)
        if number is None:
            said = f"“{guess}” is no number." if str(guess).strip() else "Enter a number first."
            self.message.say(f"{said} Write it as 0.25 or as 1/4.")
        return number

    def _is_right(self, guess: Answer) -> bool:
        if self.kind == "number":
            return abs(guess - float(self.answer)) <= self.tolerance
        return guess == (str(self.answer) if self.kind == "choice" else list(self.answer))

    def _in_words(self) -> str:
        if self.kind == "order":
            return " > ".join(str(item) for item in self.answer)
        if self.kind == "choice":
            return str(self.answer)
        fraction = as_fraction(float(self.answer))
        number = f"{float(self.answer):.3f}".rstrip("0").rstrip(".")
        return f"{number} ({fraction})" if fraction else number

    def __repr__(self) -> str:
        """One stable line: the question, and what was committed to."""
        if self.guess is None:
            return f"Prediction({self.question!r}; no guess yet)"
        return f"Prediction({self.question!r}; {self.guess}, {'right' if self.right else 'wrong'})"


def _number(guess: Answer) -> float | None:
    """A number as people write it: 0.25, 1/4, 25 %, and 0,25 with a comma."""
    entered = str(guess).strip().replace(",", ".")
    percent = entered.endswith("%")
    try:
        value = float(Fraction(entered.removesuffix("%").strip().replace(" ", "")))
    except (ValueError, ZeroDivisionError):
        return None
    return value / 100 if percent else value
