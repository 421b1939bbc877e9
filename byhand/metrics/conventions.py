"""The choices on which evaluation tools differ: their table, and a value of each."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Self

from byhand.words import N_, Text, text


@dataclass(frozen=True)
class Choice:
    """A choice on which tools differ: whatever checks, offers or explains one asks its table.

    Attributes:
        name: its field in `Conventions`.
        label: what a switch for it is called.
        concerns: the names of the measures that it is about; empty if it is about all of them.
        options: option -> what it means, as a clause; the first one is the default.
        brief: option -> the same for a cell of a table, where somebody shows it in one.
    """

    name: str
    label: str
    concerns: tuple[str, ...]
    options: Mapping[str, str]
    brief: Mapping[str, str] = field(default_factory=dict)

    @property
    def default(self) -> str:
        """What holds unless something else is chosen."""
        return next(iter(self.options))

    @property
    def of_low_grades(self) -> bool:
        """Whether it means anything only where a lowest relevant grade is given."""
        return any("{relevant_from" in clause for clause in self.options.values())

    def clause(self, option: str, relevant_from: float | None = None) -> Text:
        """What an option means; `relevant_from` is the lowest relevant grade.

        Example:
            >>> CHOICES["low_grades"].clause("nothing", 4)
            'a grade below 4 gains nothing'
        """
        return text(self.options[option], relevant_from=relevant_from)


_CHOICES = (
    Choice(
        "ties",
        N_("equal scores"),
        (),
        {
            "doc_id": N_(
                "items with equal scores are ordered by their identifier, descending by code point"
            ),
            "doc_id_ascending": N_(
                "items with equal scores are ordered by their identifier, ascending by code point"
            ),
            "input": N_("items with equal scores keep the order of the file"),
            "best": N_("among items with equal scores the relevant ones come first (best case)"),
            "worst": N_("among items with equal scores the relevant ones come last (worst case)"),
            "expected": N_(
                "over items with equal scores each value is the exact mean of all orders"
            ),
        },
        {
            "doc_id": N_("by identifier"),
            "doc_id_ascending": N_("by identifier, ascending"),
            "input": N_("as in the file"),
            "best": N_("relevant first"),
            "worst": N_("relevant last"),
            "expected": N_("mean of all orders"),
        },
    ),
    Choice(
        "denominator",
        N_("AP divides by"),
        ("AP",),
        {
            "relevant": N_("AP divides by all relevant items of the query, retrieved or not"),
            "capped": N_("AP@k divides by the smaller of k and the number of relevant items"),
            "retrieved": N_("AP divides by the number of relevant items retrieved"),
        },
    ),
    Choice(
        "ideal",
        N_("nDCG ideal"),
        ("nDCG",),
        {
            "judged": N_("the ideal order of nDCG holds all judged items"),
            "retrieved": N_("the ideal order of nDCG holds the retrieved items only"),
            "length": N_("the ideal order of nDCG is cut at the length of the list"),
            "uncut": N_("the ideal order of nDCG holds all judged items, also beyond the cutoff"),
        },
    ),
    Choice(
        "gain",
        N_("gain"),
        ("DCG", "nDCG"),
        {
            "linear": N_("the gain of an item is its grade"),
            "exponential": N_("the gain of an item is 2^grade - 1"),
            "binary": N_("the gain of a relevant item is 1"),
        },
    ),
    Choice(
        "discount",
        N_("discount"),
        ("DCG", "nDCG"),
        {
            "log2": N_("a gain is divided by log2(rank + 1)"),
            "log2_from_2": N_("a gain is divided by log2(rank), and at rank 1 by 1"),
        },
    ),
    Choice(
        "low_grades",
        N_("low grades"),
        ("DCG", "nDCG", "ERR"),
        {
            "nothing": N_("a grade below {relevant_from:g} gains nothing"),
            "gain": N_(
                "a grade below {relevant_from:g} keeps its gain, as with trec_eval's option -l"
            ),
        },
    ),
    Choice(
        "no_relevant",
        N_("nothing relevant"),
        (),
        {
            "zero": N_("a query without a relevant item counts 0"),
            "skip": N_("a query without a relevant item is left out of the mean"),
            "one": N_("a query without a relevant item counts 1"),
            "error": N_("every query has a relevant item"),
        },
    ),
    Choice(
        "missing",
        N_("query missing"),
        (),
        {
            "zero": N_("a judged query that the run lacks counts 0"),
            "skip": N_("a judged query that the run lacks is left out of the mean"),
            "error": N_("the run has every judged query"),
        },
    ),
    Choice(
        "unjudged",
        N_("item unjudged"),
        (),
        {
            "not_relevant": N_("an item that nobody judged counts as not relevant"),
            "removed": N_(
                "an item that nobody judged is taken out of its list, and those below move up"
            ),
        },
    ),
)
CHOICES: dict[str, Choice] = {choice.name: choice for choice in _CHOICES}


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
    lines = ["    Attributes:"]
    for choice in CHOICES.values():
        lines.append(f"        {choice.name}: {choice.label}.")
        for option, clause in choice.options.items():
            meant = clause.replace("{relevant_from:g}", "`relevant_from`")
            lines.append(f'            "{option}": {meant}.')
    return "\n".join([*lines, "", "    Raises:"])


Conventions.__doc__ = (Conventions.__doc__ or "").replace("    Raises:", _help(), 1)
