"""The choices on which evaluation tools differ, as one value with names."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, Self, get_args

TieOrder = Literal["doc_id", "input", "best", "worst", "expected"]
Denominator = Literal["relevant", "capped", "retrieved"]
Ideal = Literal["judged", "retrieved"]
Gain = Literal["linear", "exponential"]
NoRelevant = Literal["zero", "skip", "error"]
Missing = Literal["zero", "skip", "error"]


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """How a metric is computed where the field has more than one way.

    Attributes:
        ties: order of items with equal scores. `"doc_id"`: by identifier as text, descending
            by code point (equal to UTF-8 bytes), as trec_eval does; `"input"`: as they stand
            in the table; `"best"`: relevant items first, highest grade first; `"worst"`:
            relevant items last, lowest grade first; `"expected"`: no order, but the exact mean
            over all orders of the tied items.
        denominator: what AP divides by. `"relevant"`: all R relevant items of the query;
            `"capped"`: min(R, k); `"retrieved"`: the relevant items found in the top k.
        ideal: what nDCG calls perfect. `"judged"`: the best order of all judged items;
            `"retrieved"`: the best order of the items that were retrieved.
        gain: what a grade is worth to DCG. `"linear"`: the grade; `"exponential"`:
            2^grade - 1.
        no_relevant: a query without a relevant item counts as `"zero"`, or is left out of
            the mean (`"skip"`), or is an `"error"`.
        missing: a judged query that the run lacks: the same three choices.

    Raises:
        ValueError: an option that does not exist; the message lists those that do.

    Source:
        Each option is what some tool does; trec_eval's are the defaults
        (https://github.com/usnistgov/trec_eval, version 9).

    Example:
        >>> Conventions(gain="exponential").gain
        'exponential'
    """

    ties: TieOrder = "doc_id"
    denominator: Denominator = "relevant"
    ideal: Ideal = "judged"
    gain: Gain = "linear"
    no_relevant: NoRelevant = "zero"
    missing: Missing = "zero"

    def __post_init__(self) -> None:
        for field in fields(self):
            options = get_args(field.type)
            found = getattr(self, field.name)
            if found not in options:
                known = ", ".join(repr(option) for option in options)
                raise ValueError(f"{field.name}={found!r} is not an option; choose from {known}.")

    def but(self, **choices: str) -> Self:
        """The same conventions with some choices changed.

        Example:
            >>> PRESETS["trec_eval"].but(ties="worst").ties
            'worst'
        """
        return replace(self, **choices)

    def as_dict(self) -> dict[str, str]:
        """The choices by name, as plain text that any file format keeps."""
        return asdict(self)


PRESETS: dict[str, Conventions] = {"trec_eval": Conventions()}


def conventions_named(conventions: "str | Conventions") -> Conventions:
    """The conventions of that name, or the value itself.

    Raises:
        ValueError: a name that is not in `PRESETS`; the message lists those that are.

    Example:
        >>> conventions_named("trec_eval").denominator
        'relevant'
    """
    if isinstance(conventions, Conventions):
        return conventions
    if conventions not in PRESETS:
        known = ", ".join(PRESETS)
        raise ValueError(
            f"conventions={conventions!r} is not a preset; the presets are: {known}. "
            "For your own choices pass a value, such as Conventions(gain='exponential')."
        )
    return PRESETS[conventions]
