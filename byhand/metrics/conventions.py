"""The choices on which evaluation tools differ: their table, and a value of each."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from inspect import cleandoc
from pathlib import Path
from typing import Self

from byhand.words import Message


@dataclass(frozen=True, kw_only=True)
class Choice:
    """A choice on which tools differ: whatever checks, offers or explains one asks its table."""

    name: str  # its field in `Conventions`
    label: str  # what it is called in few words
    concerns: Sequence[str] = ()  # names of the measures that it is about; empty if it is of all
    options: Mapping[str, str]  # option -> what it means, as a clause; the first is the default
    brief: Mapping[str, str] = field(default_factory=dict)  # the same in few words

    @property
    def default(self) -> str:
        """What holds unless something else is chosen."""
        return next(iter(self.options))

    @property
    def of_low_grades(self) -> bool:
        """Whether it means anything only where a lowest relevant grade is given."""
        return any("{relevant_from" in clause for clause in self.options.values())

    def clause(self, option: str, relevant_from: float | None = None) -> Message:
        """What an option means; `relevant_from` is the lowest relevant grade.

        Example:
            >>> CHOICES["low_grades"].clause("nothing", 4)
            'a grade below 4 gains nothing'
        """
        return Message(self.options[option], relevant_from=relevant_from)


_TABLE = Path(__file__).with_name("conventions.toml").read_text(encoding="utf-8")
CHOICES = {name: Choice(name=name, **each) for name, each in tomllib.loads(_TABLE).items()}
OF_QUERIES = ("missing", "no_relevant")  # they count queries, and move no value of another one


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """How a metric is computed where the field has more than one way.

    Each choice has a default, that of trec_eval with its option -c
    (https://github.com/usnistgov/trec_eval, version 9); each option is what some tool does.

    Raises:
        ValueError: an option that does not exist; the message lists those that do.

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
        """The same conventions with some choices changed.

        Example:
            >>> Conventions().but(ties="worst").ties
            'worst'
        """
        return replace(self, **choices)

    def as_dict(self) -> dict[str, str]:
        """The choices by name, as plain text that any file format keeps."""
        return asdict(self)


def _help() -> str:
    """Every choice with its options, for `help(Conventions)`."""
    lines = ["Attributes:"]
    for choice in CHOICES.values():
        lines.append(f"    {choice.name}: {choice.label}.")
        for option, clause in choice.options.items():
            meant = clause.replace("{relevant_from:g}", "`relevant_from`")
            lines.append(f'        "{option}": {meant}.')
    return "\n".join([*lines, "", "Raises:"])


Conventions.__doc__ = cleandoc(Conventions.__doc__ or "").replace("Raises:", _help(), 1)
