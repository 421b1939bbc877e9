"""What each evaluation tool chooses, as far as it was seen: its conventions by its name."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from byhand.errors import both
from byhand.metrics.conventions import Conventions
from byhand.words import N_, spoken


@dataclass(frozen=True, kw_only=True)
class Preset:
    """What a tool does, as far as it was seen to do it.

    Attributes:
        choices: its conventions.
        says: what sets it apart, in a sentence.
        source: the version that was run, and the call.
        of_measures: for some measures what it chooses otherwise, by their names; `"RR@"` is RR
            with a cutoff.
        except_that: what it does that no choice expresses, a clause each; if there is any, the
            preset gives its numbers only approximately.
    """

    choices: Conventions
    says: str = ""
    source: str = ""
    of_measures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    except_that: tuple[str, ...] = ()

    def of(self, name: str, k: int | None) -> Conventions:
        """The conventions for the measure of this name at this cutoff.

        Example:
            >>> PRESETS["ir_measures"].of("RR", 10).ties
            'doc_id_ascending'
        """
        special = self.of_measures.get(name if k is None else f"{name}@", {})
        return self.choices.but(**{**self.of_measures.get(name, {}), **special})

    @property
    def exception(self) -> str:
        """What no choice expresses, in clauses; empty if there is nothing."""
        return "; ".join(map(spoken, self.except_that))


_RECORD = "recorded in data/tool-results.csv"
FLOAT32 = N_("scores that differ only after their 7th digit are equal to it (float32)")
_STRANGERS = N_("a query that nobody judged counts as one without a relevant item")
_CAPPED = N_("AP@k divides by the smaller of k and the number of relevant items in the whole list")
_FOUND = N_("R divides by the relevant items that were retrieved")
_BELOW_ZERO = N_("grades below 0 are subtracted in nDCG")
_SHORT = N_("P@k divides by the length of a list that is shorter than k")
# of tools that are given rows and know of no others
_ROWS = Conventions(denominator="retrieved", ideal="retrieved", missing="skip")
_BOOSTED = _ROWS.but(ties="input", gain="exponential", no_relevant="one")
PRESETS: dict[str, Preset] = {
    "trec_eval -c": Preset(
        choices=Conventions(),
        says=N_(
            "Divides AP by all relevant items, and counts a query that the run lacks as 0. "
            "Versions up to 9.0.7 compare scores as float32."
        ),
        source=f"trec_eval 9.0.8, trec_eval -c -m map qrels run; {_RECORD}",
    ),
    "trec_eval": Preset(
        choices=Conventions(missing="skip"),
        says=N_(
            "Without its option -c a query that the run lacks is left out of the mean. "
            "Versions up to 9.0.7 compare scores as float32."
        ),
        source=f"trec_eval 9.0.8, trec_eval -m map qrels run; {_RECORD}",
    ),
    "pytrec_eval": Preset(
        choices=Conventions(missing="skip"),
        says=N_("As trec_eval: a query that the run lacks is left out of the mean."),
        source=f"pytrec-eval-terrier 0.5.11, RelevanceEvaluator(...).evaluate(run); {_RECORD}",
        except_that=(FLOAT32,),
    ),
    "ir_measures": Preset(
        choices=Conventions(),
        says=N_(
            "As trec_eval -c. RR with a cutoff and Judged break ties the other way round, by "
            "ascending doc_id. RBP keeps equal scores in the order of the input."
        ),
        source=f"ir-measures 0.4.3, calc_aggregate; {_RECORD}",
        of_measures={
            "RBP": {"ties": "input"},
            **{name: {"ties": "doc_id_ascending"} for name in ("RR@", "Judged@")},
        },
        except_that=(FLOAT32,),
    ),
    "sklearn": Preset(
        choices=_ROWS.but(ties="expected"),
        says=N_("ndcg_score averages over ties, and its ideal knows only the rows it is given."),
        source=f"scikit-learn 1.9.1, ndcg_score(grades, scores); {_RECORD}",
        except_that=(
            N_("in AP all items with equal scores have the last rank among them"),
            N_("label_ranking_average_precision_score counts a query without a relevant item as 1"),
            _STRANGERS,
            N_("it has no RR, P, R or Success"),
        ),
    ),
    "ranx": Preset(
        choices=Conventions(ties="input", missing="error"),
        says=N_(
            "Equal scores keep the order of the input in lists of up to 15 items. With "
            "make_comparable=True a missing query counts 0. ndcg_burges has the exponential gain."
        ),
        source=f"ranx 0.3.21, evaluate(qrels, run, metric); {_RECORD}",
        except_that=(N_("equal scores have no fixed order in lists of more than 15 items"),),
    ),
    "torchmetrics": Preset(
        choices=_ROWS.but(ties="expected"),
        says=N_("nDCG averages over ties."),
        source=f"torchmetrics 1.9.0, RetrievalNormalizedDCG()(preds, target, indexes); {_RECORD}",
        of_measures={"AP@": {"ties": "doc_id"}},  # the mean of all orders is not known
        except_that=(
            N_("equal scores have no fixed order outside nDCG"),
            N_("an item with a score of 0 or below is no hit to RR, AP and P"),
            _FOUND,
            _BELOW_ZERO,
            FLOAT32,
            _STRANGERS,
        ),
    ),
    "recommenders": Preset(
        choices=Conventions(ties="input", denominator="capped", no_relevant="skip", missing="skip"),
        says=N_(
            "map_at_k divides by min(R, k), map by R. ndcg_at_k takes every grade as 1, unless "
            "score_type is 'raw' or 'exp', and counts a user that the run lacks as 0."
        ),
        source=f"recommenders 1.2.1, map_at_k(rating_true, rating_pred, k); {_RECORD}",
        of_measures={"nDCG": {"gain": "binary", "missing": "zero"}},
        except_that=(N_("it has no RR or Success"),),
    ),
    "xgboost": Preset(
        choices=_BOOSTED,
        says=N_(
            "Its ndcg has the exponential gain, unless ndcg_exp_gain is False, and its ideal knows "
            "only the rows it is given. A query without a relevant item counts 1 in both, map and "
            "ndcg."
        ),
        source=f"xgboost 3.2.0, eval_metric='ndcg@k'; {_RECORD}",
        of_measures={"P": {"no_relevant": "zero"}},
        except_that=(_CAPPED, _SHORT, FLOAT32, _STRANGERS, N_("it has no RR, R or Success")),
    ),
    "lightgbm": Preset(
        choices=_BOOSTED,
        says=N_(
            "Its ndcg has the exponential gain, unless label_gain says otherwise, and its ideal "
            "knows only the rows it is given. A query without a relevant item counts 1."
        ),
        source=f"lightgbm 4.7.0, metric='ndcg', eval_at=k; {_RECORD}",
        except_that=(_CAPPED, _STRANGERS, N_("it has no RR, P, R or Success")),
    ),
    "catboost": Preset(
        choices=_ROWS.but(ties="worst"),
        says=N_(
            "Equal scores are ordered for the worst, and the ideal of NDCG knows only the rows it "
            "is given. A query without a relevant item counts 1 in NDCG, and 0 in MAP and MRR."
        ),
        source=f"catboost 1.2.10, eval_metric(label, approx, 'NDCG:top=k', group_id); {_RECORD}",
        of_measures={"nDCG": {"no_relevant": "one"}},
        except_that=(_CAPPED, _FOUND, _SHORT, _BELOW_ZERO, _STRANGERS, N_("it has no Success")),
    ),
    "llama_index": Preset(
        choices=Conventions(ideal="uncut", gain="binary", no_relevant="error", missing="error"),
        says=N_(
            "Takes lists of identifiers, so it knows no grades and no scores. The ideal of nDCG "
            "is not cut at k. It refuses a query without a relevant item, and an empty list."
        ),
        source=f"llama-index-core 0.14.25, NDCG().compute(expected_ids, retrieved_ids); {_RECORD}",
        except_that=(_SHORT,),
    ),
    "haystack": Preset(
        choices=Conventions(ideal="uncut"),
        says=N_(
            "Takes lists of documents, so it knows no scores of a run. The ideal of nDCG is not "
            "cut at k. An empty list counts 0. Documents without a grade gain 1 each in nDCG."
        ),
        source=f"haystack-ai 3.4.0, DocumentNDCGEvaluator().run(relevant, retrieved); {_RECORD}",
        except_that=(_STRANGERS, N_("it has no P")),
    ),
    "lenskit": Preset(
        choices=Conventions(
            denominator="capped", gain="binary", discount="log2_from_2", missing="skip"
        ),
        says=N_(
            "Divides a gain by log2(rank), and at rank 1 by 1. Takes every grade as 1, unless "
            "NDCG is given gain='rating'."
        ),
        source=f"lenskit 2025.8.1, RunAnalysis(NDCG(k)).measure(run, qrels); {_RECORD}",
        of_measures={"AP": {"no_relevant": "error"}},
        except_that=(
            N_("R@k divides by the smaller of k and the number of relevant items"),
            N_("AP divides by no more than the length of the list"),
            _SHORT,
            _STRANGERS,
        ),
    ),
    "mlflow": Preset(
        choices=Conventions(gain="binary", ideal="length"),
        says=N_(
            "Takes lists of identifiers, so it knows no grades and no scores. Its ideal is cut at "
            "the length of the list."
        ),
        source=f"mlflow 3.17.2, ndcg_at_k(k).eval_fn(predictions, targets); {_RECORD}",
        except_that=(_SHORT, _STRANGERS, N_("it has no RR, AP or Success")),
    ),
    "trulens": Preset(
        choices=Conventions(ideal="length", no_relevant="skip"),
        says=N_(
            "Takes lists of texts, so it knows no scores of a run. A query without a relevant text "
            "has no number (NaN), and is left out of the mean here. Without k the ideal of nDCG is "
            "cut at the length of the list."
        ),
        source=f"trulens-feedback 2.16.0, GroundTruthAgreement.ndcg_at_k(query, texts); {_RECORD}",
        of_measures={"nDCG@": {"ideal": "judged"}},
        except_that=(
            _SHORT,
            N_("a query with an empty list is left out of P, and of nDCG without a cutoff"),
            N_("it has no AP"),
        ),
    ),
    "phoenix": Preset(
        choices=Conventions(ideal="retrieved"),
        says=N_(
            "Takes the grades of a list, and knows of no others, so its ideal holds only what "
            "was retrieved."
        ),
        source=f"arize-phoenix 20.26.1, RetrievalMetrics(grades).ndcg(k); {_RECORD}",
        except_that=(_STRANGERS, N_("it has no AP or R")),
    ),
    "ragas": Preset(
        choices=Conventions(denominator="retrieved"),
        says=N_("Calls AP, divided by the relevant texts that were retrieved, context precision."),
        source="ragas 0.4.3, NonLLMContextPrecisionWithReference(threshold=1)"
        f".single_turn_score(sample); {_RECORD}",
        of_measures={"AP": {"no_relevant": "error"}},
        except_that=(_SHORT, _STRANGERS, N_("it has no RR, nDCG or Success")),
    ),
    "deepeval": Preset(
        choices=Conventions(denominator="retrieved"),
        says=N_(
            "Calls AP, divided by the relevant texts that were retrieved, contextual precision."
        ),
        source="deepeval 4.3.1, ContextualPrecisionMetric(model).measure(test_case), with a model "
        f"that knows the judgements; {_RECORD}",
        except_that=(_STRANGERS, N_("it has no RR, nDCG, P, R or Success")),
    ),
    "mteb": Preset(
        choices=Conventions(missing="skip"),
        says=N_(
            "Has its numbers from pytrec_eval, RR from its own code. A result that is the query "
            "itself is taken out where a task asks for it (ignore_identical_ids)."
        ),
        source=f"mteb 2.26.24, RetrievalEvaluator.evaluate(qrels, results, [k]); {_RECORD}",
        except_that=(FLOAT32,),
    ),
    "spark": Preset(
        choices=Conventions(denominator="capped", gain="binary"),
        says=N_(
            "Takes lists of identifiers, so it knows no scores. The grades that it can be given "
            "beside them changed nothing."
        ),
        source=f"pyspark 4.0.5, RankingMetrics(predictions_and_labels).ndcgAt(k); {_RECORD}",
        except_that=(_STRANGERS, N_("it has no RR or Success")),
    ),
    "recommenders spark": Preset(
        choices=Conventions(
            denominator="capped", gain="binary", no_relevant="skip", missing="skip"
        ),
        says=N_(
            "Its evaluator for clusters hands lists to Spark. map_at_k divides by min(R, k), map "
            "by R."
        ),
        source="recommenders 1.2.1, SparkRankingEvaluation(rating_true, rating_pred, k)"
        f".ndcg_at_k(); {_RECORD}",
        except_that=(N_("equal scores have no fixed order"), N_("it has no RR or Success")),
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
