"""The choices on which evaluation tools differ, as one value with names."""

from dataclasses import asdict, dataclass, fields, replace
from typing import Literal, Self, get_args

from helpers.tables.counting import TieOrder

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
            >>> Conventions().but(ties="worst").ties
            'worst'
        """
        return replace(self, **choices)

    def as_dict(self) -> dict[str, str]:
        """The choices by name, as plain text that any file format keeps."""
        return asdict(self)


@dataclass(frozen=True)
class Preset:
    """What a tool does, as far as it was seen to do it.

    Attributes:
        choices: its conventions.
        says: what sets it apart, in a sentence.
        source: the version that was run, and the call.
    """

    choices: Conventions
    says: str
    source: str


_RECORD = "recorded in data/tool-results.csv"
PRESETS: dict[str, Preset] = {
    "trec_eval": Preset(
        Conventions(),
        "Divides AP by all relevant items, and counts a query that the run lacks as 0 "
        "(trec_eval's option -c). It reads scores as float32, which this package does not.",
        f"pytrec_eval-terrier 0.5.11, which is trec_eval 9's code; {_RECORD}",
    ),
    "pytrec_eval": Preset(
        Conventions(missing="skip"),
        "As trec_eval, but a query that the run lacks is left out of the mean.",
        f"pytrec_eval-terrier 0.5.11, RelevanceEvaluator(...).evaluate(run); {_RECORD}",
    ),
    "ir_measures": Preset(
        Conventions(),
        "As trec_eval. RR with a cutoff breaks ties the other way round, by ascending doc_id.",
        f"ir-measures 0.4.3, calc_aggregate; {_RECORD}",
    ),
    "sklearn": Preset(
        Conventions(ties="expected", denominator="retrieved", ideal="retrieved", missing="skip"),
        "ndcg_score averages over ties, and takes the rows it is given for all there is. Its "
        "average precision treats ties in a way of its own, and label_ranking_average_precision_"
        "score counts a query without a relevant item as 1.",
        f"scikit-learn 1.9.1, ndcg_score(grades, scores); {_RECORD}",
    ),
    "ranx": Preset(
        Conventions(ties="input", missing="error"),
        "Keeps the order of the input among up to 15 equal scores, and any order among more. "
        "With make_comparable=True a missing query counts 0. ndcg_burges has the exponential gain.",
        f"ranx 0.3.21, evaluate(qrels, run, metric); {_RECORD}",
    ),
    "torchmetrics": Preset(
        Conventions(ties="expected", denominator="retrieved", ideal="retrieved", missing="skip"),
        "nDCG averages over ties; the other metrics break them in no order of their own. An item "
        "with a score of 0 or below is no hit to RR, AP and P. Scores are float32, negative grades "
        "are subtracted, and R knows only of what was retrieved.",
        f"torchmetrics 1.9.0, RetrievalNormalizedDCG()(preds, target, indexes); {_RECORD}",
    ),
    "recommenders": Preset(
        Conventions(ties="input", denominator="capped", no_relevant="skip", missing="skip"),
        "map_at_k divides by min(R, k), map by R. ndcg_at_k takes every grade as 1, unless "
        "score_type is 'raw' or 'exp', and counts a user that the run lacks as 0.",
        f"recommenders 1.2.1, map_at_k(rating_true, rating_pred, k); {_RECORD}",
    ),
}


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
    return PRESETS[conventions].choices
