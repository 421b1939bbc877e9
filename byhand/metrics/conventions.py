"""The conventions on which evaluation tools differ: their table, and `Conventions`."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from inspect import cleandoc
from pathlib import Path
from typing import Self

from byhand.words import Message


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A convention on which tools differ, as read from conventions.toml."""

    name: str  # the field in `Conventions`
    label: str  # a short description
    concerns: Sequence[str] = ()  # names of the measures concerned; empty for all
    options: Mapping[str, str]  # option -> meaning, as a clause; the first is the default
    brief: Mapping[str, str] = field(default_factory=dict)  # option -> meaning in few words

    @property
    def default(self) -> str:
        """Return the default option."""
        return next(iter(self.options))

    @property
    def of_low_grades(self) -> bool:
        """Return whether the choice only has an effect if `relevant_from` is given."""
        return any("{relevant_from" in clause for clause in self.options.values())

    def clause(self, option: str, relevant_from: float | None = None) -> Message:
        """Return the meaning of an option; `relevant_from` is the lowest relevant grade.

        Example:
            >>> CHOICES["low_grades"].clause("nothing", 4)
            'a grade below 4 gains nothing'
        """
        return Message(self.options[option], relevant_from=relevant_from)


_TABLE = Path(__file__).with_name("conventions.toml").read_text(encoding="utf-8")
CHOICES = {name: Choice(name=name, **each) for name, each in tomllib.loads(_TABLE).items()}
OF_QUERIES = ("missing", "no_relevant")  # choices that only affect which queries count


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """Specify how to compute a measure if tools compute it in different ways.

    The defaults are those of trec_eval with its option -c
    (https://github.com/usnistgov/trec_eval, version 9). Each option except `ties="best"` is used by
    some tool.

    Raises:
        ValueError: If an option does not exist; the message lists those that do.

    Example:
        >>> Conventions(gain="exponential").gain
        'exponential'
    """

    ties: str = CHOICES["ties"].default
    denominator: str = CHOICES["denominator"].default
    ideal: str = CHOICES["ideal"].default
    gain: str = CHOICES["gain"].default
    discount: str = CHOICES["discount"].default
    low_grades: str = CHOICES["low_grades"].default
    no_relevant: str = CHOICES["no_relevant"].default
    missing: str = CHOICES["missing"].default
    unjudged: str = CHOICES["unjudged"].default

    def __post_init__(self) -> None:
        for name, choice in CHOICES.items():
            if getattr(self, name) not in choice.options:
                known = ", ".join(map(repr, choice.options))
                raise ValueError(
                    f"{name}={getattr(self, name)!r} is not an option; choose from {known}."
                )

    def but(self, **choices: str) -> Self:
        """Return a copy of the conventions with some options changed.

        Example:
            >>> Conventions().but(ties="worst").ties
            'worst'
        """
        return replace(self, **choices)

    def as_dict(self) -> dict[str, str]:
        """Return the option of each convention by name, as plain text for any file format."""
        return asdict(self)


def _help() -> str:
    """Return all choices with their options, for `help(Conventions)`."""
    lines = ["Attributes:"]
    for choice in CHOICES.values():
        lines.append(f"    {choice.name}:")
        for option, clause in choice.options.items():
            meant = clause.replace("{relevant_from:g}", "`relevant_from`")
            lines.append(f'        "{option}": {meant}.')
    return "\n".join([*lines, "", "Raises:"])


Conventions.__doc__ = cleandoc(Conventions.__doc__ or "").replace("Raises:", _help(), 1)
