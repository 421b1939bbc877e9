"""The choices on which evaluation tools differ, as one value with names."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Literal, Self, get_args

from byhand.errors import both
from byhand.tables.ties import TieOrder

Denominator = Literal["relevant", "capped", "retrieved"]
Ideal = Literal["judged", "retrieved"]
Gain = Literal["linear", "exponential", "binary"]
NoRelevant = Literal["zero", "skip", "error"]
LowGrades = Literal["nothing", "gain"]
Missing = Literal["zero", "skip", "error"]
Unjudged = Literal["not_relevant", "removed"]


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """How a metric is computed where the field has more than one way.

    Attributes:
        ties: order of items with equal scores. `"doc_id"`: by identifier as text, descending
            by code point (equal to UTF-8 bytes), as trec_eval does; `"doc_id_ascending"`: the
            other way round; `"input"`: as they stand in the table; `"best"`: relevant items
            first, highest grade first; `"worst"`: relevant items last, lowest grade first;
            `"expected"`: no order, but the exact mean over all orders of the tied items.
        denominator: what AP divides by. `"relevant"`: all R relevant items of the query;
            `"capped"`: min(R, k); `"retrieved"`: the relevant items found in the top k.
        ideal: what nDCG calls perfect. `"judged"`: the best order of all judged items;
            `"retrieved"`: the best order of the items that were retrieved.
        gain: what a grade is worth to DCG. `"linear"`: the grade; `"exponential"`:
            2^grade - 1; `"binary"`: 1, whatever the grade.
        low_grades: what DCG and nDCG make of a grade above 0 that is below `relevant_from`. It
            gains `"nothing"`, as an item that is not relevant; or it keeps its `"gain"`, as with
            trec_eval's option -l.
        no_relevant: a query without a relevant item counts as `"zero"`, or is left out of
            the mean (`"skip"`), or is an `"error"`.
        missing: a judged query that the run lacks: the same three choices.
        unjudged: an item that nobody judged counts as `"not_relevant"`, or is `"removed"` from
            the list, as trec_eval's option -J does, and those below it move up.

    Raises:
        ValueError: an option that does not exist; the message lists those that do.

    Source:
        Each option is what some tool does; the defaults are those of trec_eval with its option
        -c (https://github.com/usnistgov/trec_eval, version 9).

    Example:
        >>> Conventions(gain="exponential").gain
        'exponential'
    """

    ties: TieOrder = "doc_id"
    denominator: Denominator = "relevant"
    ideal: Ideal = "judged"
    gain: Gain = "linear"
    low_grades: LowGrades = "nothing"
    no_relevant: NoRelevant = "zero"
    missing: Missing = "zero"
    unjudged: Unjudged = "not_relevant"

    def __post_init__(self) -> None:
        for each in fields(self):
            options = get_args(each.type)
            found = getattr(self, each.name)
            if found not in options:
                known = ", ".join(repr(option) for option in options)
                raise ValueError(f"{each.name}={found!r} is not an option; choose from {known}.")

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


@dataclass(frozen=True, kw_only=True)
class Preset:
    """What a tool does, as far as it was seen to do it.

    Attributes:
        choices: its conventions.
        says: what sets it apart, in a sentence.
        source: the version that was run, and the call.
        of_measures: for some measures what it chooses otherwise, by their names; `"RR@"` is RR
            with a cutoff.
        except_that: what it does that no choice expresses, in a few words; if there is any, the
            preset gives its numbers only approximately.
    """

    choices: Conventions
    says: str = ""
    source: str = ""
    of_measures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    except_that: str = ""

    def of(self, name: str, k: int | None) -> Conventions:
        """The conventions for the measure of this name at this cutoff.

        Example:
            >>> PRESETS["ir_measures"].of("RR", 10).ties
            'doc_id_ascending'
        """
        special = self.of_measures.get(name if k is None else f"{name}@", {})
        return self.choices.but(**{**self.of_measures.get(name, {}), **special})


_RECORD = "recorded in data/tool-results.csv"
FLOAT32 = "scores that differ only after their 7th digit are equal to it (float32)"
_STRANGERS = "a query that nobody judged counts as one without a relevant item"
PRESETS: dict[str, Preset] = {
    "trec_eval -c": Preset(
        choices=Conventions(),
        says="Divides AP by all relevant items, and counts a query that the run lacks as 0. "
        "Versions up to 9.0.7 compare scores as float32.",
        source=f"trec_eval 9.0.8, trec_eval -c -m map qrels run; {_RECORD}",
    ),
    "trec_eval": Preset(
        choices=Conventions(missing="skip"),
        says="Without its option -c a query that the run lacks is left out of the mean. "
        "Versions up to 9.0.7 compare scores as float32.",
        source=f"trec_eval 9.0.8, trec_eval -m map qrels run; {_RECORD}",
    ),
    "pytrec_eval": Preset(
        choices=Conventions(missing="skip"),
        says="As trec_eval: a query that the run lacks is left out of the mean.",
        source=f"pytrec-eval-terrier 0.5.11, RelevanceEvaluator(...).evaluate(run); {_RECORD}",
        except_that=FLOAT32,
    ),
    "ir_measures": Preset(
        choices=Conventions(),
        says="As trec_eval -c. RR with a cutoff and Judged break ties the other way round, by "
        "ascending doc_id.",
        source=f"ir-measures 0.4.3, calc_aggregate; {_RECORD}",
        of_measures={name: {"ties": "doc_id_ascending"} for name in ("RR@", "Judged@")},
        except_that=FLOAT32,
    ),
    "sklearn": Preset(
        choices=Conventions(
            ties="expected", denominator="retrieved", ideal="retrieved", missing="skip"
        ),
        says="ndcg_score averages over ties, and takes the rows it is given for all there is.",
        source=f"scikit-learn 1.9.1, ndcg_score(grades, scores); {_RECORD}",
        except_that="in AP all items with equal scores have the last rank among them, "
        "label_ranking_average_precision_score counts a query without a relevant item as 1, "
        f"{_STRANGERS}, and it has no RR, P, R or Success",
    ),
    "ranx": Preset(
        choices=Conventions(ties="input", missing="error"),
        says="Equal scores keep the order of the input in lists of up to 15 items. With "
        "make_comparable=True a missing query counts 0. ndcg_burges has the exponential gain.",
        source=f"ranx 0.3.21, evaluate(qrels, run, metric); {_RECORD}",
        except_that="equal scores have no fixed order in lists of more than 15 items",
    ),
    "torchmetrics": Preset(
        choices=Conventions(
            ties="expected", denominator="retrieved", ideal="retrieved", missing="skip"
        ),
        says="nDCG averages over ties.",
        source=f"torchmetrics 1.9.0, RetrievalNormalizedDCG()(preds, target, indexes); {_RECORD}",
        except_that="equal scores have no fixed order outside nDCG, an item with a score of 0 or "
        "below is no hit to RR, AP and P, R divides by the relevant items that were retrieved, "
        f"grades below 0 are subtracted in nDCG, {FLOAT32}, and {_STRANGERS}",
    ),
    "recommenders": Preset(
        choices=Conventions(ties="input", denominator="capped", no_relevant="skip", missing="skip"),
        says="map_at_k divides by min(R, k), map by R. ndcg_at_k takes every grade as 1, unless "
        "score_type is 'raw' or 'exp', and counts a user that the run lacks as 0.",
        source=f"recommenders 1.2.1, map_at_k(rating_true, rating_pred, k); {_RECORD}",
        of_measures={"nDCG": {"gain": "binary", "missing": "zero"}},
        except_that="it has no RR or Success",
    ),
}


# of trec_eval, as it writes them
_OPTIONS = {
    "-c": {"missing": "zero"},
    "-J": {"unjudged": "removed"},
    "-l": {"low_grades": "gain"},
}


def preset_named(conventions: "str | Conventions") -> Preset:
    """The preset of that name, or one's own conventions as one.

    Args:
        conventions: a name in `PRESETS`; trec_eval with several of its options, such as
            `"trec_eval -c -l"` or `"trec_eval -c -J"`; or a value.

    Raises:
        ValueError: another name; the message lists those that are known.

    Example:
        >>> preset_named("trec_eval").choices.missing
        'skip'
        >>> preset_named("trec_eval -c -l").choices.low_grades
        'gain'
    """
    if isinstance(conventions, Conventions):
        return Preset(choices=conventions)
    if conventions in PRESETS:
        return PRESETS[conventions]
    tool, *given = conventions.split() if isinstance(conventions, str) else [None]
    if tool == "trec_eval" and {*given} <= {*_OPTIONS}:
        choices = {name: choice for each in given for name, choice in _OPTIONS[each].items()}
        return replace(PRESETS["trec_eval"], choices=PRESETS["trec_eval"].choices.but(**choices))
    known = ", ".join(PRESETS)
    raise ValueError(
        f"conventions={conventions!r} is not a preset; the presets are: {known}. trec_eval takes "
        f"its options {both([*_OPTIONS])} together, too, as in 'trec_eval -c -l'. For your own "
        "choices pass a value, such as Conventions(gain='exponential')."
    )
