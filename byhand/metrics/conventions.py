"""The choices on which evaluation tools differ: their table, a value of each, and tools' own."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Self

from byhand.errors import both


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

    def clause(self, option: str, relevant_from: float | None = None) -> str:
        """What an option means; `relevant_from` is the lowest relevant grade.

        Example:
            >>> CHOICES["low_grades"].clause("nothing", 4)
            'a grade below 4 gains nothing'
        """
        return self.options[option].format(relevant_from=relevant_from)


_CHOICES = (
    Choice(
        "ties",
        "equal scores",
        (),
        {
            "doc_id": "items with equal scores are ordered by their identifier, descending by "
            "code point",
            "doc_id_ascending": "items with equal scores are ordered by their identifier, "
            "ascending by code point",
            "input": "items with equal scores keep the order of the file",
            "best": "among items with equal scores the relevant ones come first (best case)",
            "worst": "among items with equal scores the relevant ones come last (worst case)",
            "expected": "over items with equal scores each value is the exact mean of all orders",
        },
        {
            "doc_id": "by identifier",
            "doc_id_ascending": "by identifier, ascending",
            "input": "as in the file",
            "best": "relevant first",
            "worst": "relevant last",
            "expected": "mean of all orders",
        },
    ),
    Choice(
        "denominator",
        "AP divides by",
        ("AP",),
        {
            "relevant": "AP divides by all relevant items of the query, retrieved or not",
            "capped": "AP@k divides by the smaller of k and the number of relevant items",
            "retrieved": "AP divides by the number of relevant items retrieved",
        },
    ),
    Choice(
        "ideal",
        "nDCG ideal",
        ("nDCG",),
        {
            "judged": "the ideal order of nDCG holds all judged items",
            "retrieved": "the ideal order of nDCG holds the retrieved items only",
            "length": "the ideal order of nDCG is cut at the length of the list",
        },
    ),
    Choice(
        "gain",
        "gain",
        ("DCG", "nDCG"),
        {
            "linear": "the gain of an item is its grade",
            "exponential": "the gain of an item is 2^grade - 1",
            "binary": "the gain of a relevant item is 1",
        },
    ),
    Choice(
        "discount",
        "discount",
        ("DCG", "nDCG"),
        {
            "log2": "a gain is divided by log2(rank + 1)",
            "log2_from_2": "a gain is divided by log2(rank), and at rank 1 by 1",
        },
    ),
    Choice(
        "low_grades",
        "low grades",
        ("DCG", "nDCG", "ERR"),
        {
            "nothing": "a grade below {relevant_from:g} gains nothing",
            "gain": "a grade below {relevant_from:g} keeps its gain, as with trec_eval's option -l",
        },
    ),
    Choice(
        "no_relevant",
        "nothing relevant",
        (),
        {
            "zero": "a query without a relevant item counts 0",
            "skip": "a query without a relevant item is left out of the mean",
            "one": "a query without a relevant item counts 1",
            "error": "every query has a relevant item",
        },
    ),
    Choice(
        "missing",
        "query missing",
        (),
        {
            "zero": "a judged query that the run lacks counts 0",
            "skip": "a judged query that the run lacks is left out of the mean",
            "error": "the run has every judged query",
        },
    ),
    Choice(
        "unjudged",
        "item unjudged",
        (),
        {
            "not_relevant": "an item that nobody judged counts as not relevant",
            "removed": "an item that nobody judged is taken out of its list, and those below "
            "move up",
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
        "ascending doc_id. RBP keeps equal scores in the order of the input.",
        source=f"ir-measures 0.4.3, calc_aggregate; {_RECORD}",
        of_measures={
            "RBP": {"ties": "input"},
            **{name: {"ties": "doc_id_ascending"} for name in ("RR@", "Judged@")},
        },
        except_that=FLOAT32,
    ),
    "sklearn": Preset(
        choices=Conventions(
            ties="expected", denominator="retrieved", ideal="retrieved", missing="skip"
        ),
        says="ndcg_score averages over ties, and its ideal knows only the rows it is given.",
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
        of_measures={"AP@": {"ties": "doc_id"}},  # the mean of all orders is not known
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
