"""What tools for retrieval with language models give: those of their metrics that need no model."""

import os
from copy import deepcopy
from statistics import fmean
from typing import Any

from peer_cases import Case
from peer_tool import REPEATED, WITH_TIES, Names, Tool, public, ranked, relevant


def pairs(case: Case) -> Names:
    """What was judged above 0 and what was retrieved, of each query."""
    queries = zip(map(list, relevant(case).values()), ranked(case).values(), strict=True)
    return {"fmean": fmean, "queries": list(queries)}


def with_llama_index(case: Case) -> Names:
    # queries: (items judged above 0, retrieved items, best first) of each query
    names = ("AveragePrecision", "HitRate", "MRR", "NDCG", "Precision", "Recall")
    return public("llama_index.core.evaluation.retrieval.metrics", *names) | pairs(case)


def llama_index_call(name: str, cut: str = "") -> tuple[str, ...]:
    asked = f"{name}().compute(expected_ids=e, retrieved_ids=r{cut})"
    return (f"fmean({asked}.score for e, r in queries)",)


def with_haystack(case: Case) -> Names:
    # relevant, retrieved: a list of documents a query; graded: with the grade as score
    names = public("haystack", "Document")
    document = names["Document"]
    evaluators = ("DocumentMAPEvaluator", "DocumentMRREvaluator", "DocumentNDCGEvaluator")
    judged = relevant(case).values()
    return public("haystack.components.evaluators", *evaluators, "DocumentRecallEvaluator") | {
        "relevant": [[document(content=item) for item in one] for one in judged],
        "graded": [
            [document(content=item, score=float(grade)) for item, grade in one.items()]
            for one in judged
        ],
        "retrieved": [[document(content=item) for item in one] for one in ranked(case).values()],
    }


def haystack_call(name: str, judged: str = "relevant", k: str = "", option: str = "") -> str:
    found = f"[one[:{k}] for one in retrieved]" if k else "retrieved"
    return f"Document{name}Evaluator({option}).run({judged}, {found})"


def with_lenskit(case: Case) -> Names:
    # run, qrels: item lists by query, those of the run ordered; judged above 0, grade as rating
    names = public("lenskit.data", "ItemList", "ItemListCollection")
    items, collection = names["ItemList"], names["ItemListCollection"].from_dict
    metrics = ("AveragePrecision", "Hit", "NDCG", "Precision", "Recall", "RecipRank")
    lists = ranked(case)
    return {
        **public("lenskit.metrics", "RunAnalysis"),
        **public("lenskit.metrics.ranking", *metrics),
        "run": collection(
            {query: items(lists[query], ordered=True) for query in case.run}, key="user_id"
        ),
        "qrels": collection(
            {
                query: items(list(grades), rating=[float(grade) for grade in grades.values()])
                for query, grades in relevant(case).items()
                if query in case.qrels
            },
            key="user_id",
        ),
    }


def lenskit_call(metric: str) -> str:
    return f"RunAnalysis({metric}).measure(run, qrels)"


def with_mlflow(case: Case) -> Names:
    # predictions, targets: a list of items a query, retrieved and judged above 0
    import pandas as pd

    return public("mlflow.metrics", "ndcg_at_k", "precision_at_k", "recall_at_k") | {
        "predictions": pd.Series(list(ranked(case).values())),
        "targets": pd.Series([list(grades) for grades in relevant(case).values()]),
    }


def mlflow_call(name: str, k: str = "{k}") -> tuple[str, ...]:
    return (f"{name}({k}).eval_fn(predictions, targets)",)


def with_trulens(case: Case) -> Names:
    # truth: the judgements above 0; lists: (query, retrieved items); value: a mean without NaN
    import numpy as np
    from trulens.feedback.llm_provider import LLMProvider

    class NoModel(LLMProvider):
        def _create_chat_completion(self, *_: object, **__: object) -> str:
            raise NotImplementedError

    expected = [
        {
            "query": query,
            "expected_chunks": [
                {"text": item, "expect_score": float(grade)} for item, grade in grades.items()
            ],
        }
        for query, grades in relevant(case).items()
    ]
    agreement = public("trulens.feedback", "GroundTruthAgreement")["GroundTruthAgreement"]
    return {
        "truth": agreement(expected, provider=NoModel(model_engine="none")),
        "lists": list(ranked(case).items()),
        "nanmean": np.nanmean,
    }


def trulens_call(name: str, k: str = "") -> tuple[str, ...]:
    return (f"nanmean([truth.{name}(q, r{k}) for q, r in lists])",)


def with_phoenix(case: Case) -> Names:
    # grades: those of the retrieved items, best first, unjudged 0, a list a query
    return public("phoenix.metrics.retrieval_metrics", "RetrievalMetrics") | {
        "fmean": fmean,
        "grades": [
            [case.qrels.get(query, {}).get(item, 0) for item in items]
            for query, items in ranked(case).items()
        ],
    }


def phoenix_call(method: str, cut: str = "") -> tuple[str, ...]:
    return (f"fmean(RetrievalMetrics(g{cut}).{method} for g in grades)",)


def with_ragas(case: Case) -> Names:
    # queries: as with LlamaIndex
    metrics = ("IDBasedContextPrecision", "IDBasedContextRecall")
    return (
        public("ragas", "SingleTurnSample")
        | public("ragas.metrics", "NonLLMContextPrecisionWithReference", *metrics)
        | pairs(case)
    )


def ragas_call(metric: str, kind: str, cut: str = "") -> tuple[str, ...]:
    sample = f"SingleTurnSample(retrieved_{kind}=r{cut}, reference_{kind}=e)"
    return (f"fmean({metric}.single_turn_score({sample}) for e, r in queries)",)


def with_deepeval(case: Case) -> Names:
    # queries: as with LlamaIndex; Judge(e): a model that finds just the items of e relevant
    os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
    model = public("deepeval.models", "DeepEvalBaseLLM")["DeepEvalBaseLLM"]
    test_case = public("deepeval.test_case", "LLMTestCase")["LLMTestCase"]

    class Judge(model):
        def __init__(self, found: list[str]) -> None:
            self.found = found
            super().__init__("judge")

        def load_model(self) -> "Judge":
            return self

        def get_model_name(self) -> str:
            return "judge"

        def generate(self, prompt: str, schema: type) -> Any:
            shown = prompt.rpartition("Retrieval Context")[2].partition("JSON:")[0]
            items = eval(shown.partition(":")[2].strip())
            verdicts = ["yes" if item in self.found else "no" for item in items]
            return schema(verdicts=[{"verdict": each, "reason": ""} for each in verdicts])

        async def a_generate(self, prompt: str, schema: type) -> Any:
            return self.generate(prompt, schema)

    return (
        public("deepeval.metrics", "ContextualPrecisionMetric")
        | pairs(case)
        | {
            "Judge": Judge,
            "asked": lambda items: test_case(
                input="-", actual_output="-", expected_output="-", retrieval_context=items
            ),
        }
    )


def deepeval_call(cut: str = "") -> tuple[str, ...]:
    metric = "ContextualPrecisionMetric(model=Judge(e), async_mode=False, include_reason=False)"
    return (f"fmean({metric}.measure(asked(r{cut})) for e, r in queries)",)


def with_mteb(case: Case) -> Names:
    # qrels: {query: {item: grade}}, run: {query: {item: score}}
    evaluator = public("mteb._evaluators", "RetrievalEvaluator")["RetrievalEvaluator"]
    return {
        "evaluate": lambda *given, **options: evaluator.evaluate(None, *given, **options),
        "qrels": deepcopy(case.qrels),
        "run": deepcopy(case.run),
    }


def mteb_call(table: str, name: str, k: str) -> tuple[str, ...]:
    ways = ("", ", ignore_identical_ids=True")
    return tuple(f"evaluate(qrels, run, [{k}]{way}).{table}['{name}@{k}']" for way in ways)


RETRIEVAL: dict[str, Tool] = {
    "llama_index": Tool(
        ("llama-index-core",),
        with_llama_index,
        {
            f"{name}{at}": llama_index_call(theirs, cut)
            for at, cut in (("", ""), ("@k", "[:{k}]"))
            for name, theirs in {
                "RR": "MRR",
                "AP": "AveragePrecision",
                "nDCG": "NDCG",
                "P": "Precision",
                "R": "Recall",
                "Success": "HitRate",
            }.items()
        },
        skip=WITH_TIES,
    ),
    "haystack": Tool(
        ("haystack-ai",),
        with_haystack,
        {
            **{
                f"{name}{at}": (haystack_call(theirs, k=k),)
                for at, k in (("", ""), ("@k", "{k}"))
                for name, theirs in {"RR": "MRR", "AP": "MAP"}.items()
            },
            **{
                f"nDCG{at}": (haystack_call("NDCG", "graded", k), haystack_call("NDCG", k=k))
                for at, k in (("", ""), ("@k", "{k}"))
            },
            "R@k": (haystack_call("Recall", k="{k}", option="'multi_hit'"),),
            "Success@k": (haystack_call("Recall", k="{k}", option="'single_hit'"),),
        },
        lambda results: results["score"],
        skip=WITH_TIES,
    ),
    "lenskit": Tool(
        ("lenskit",),
        with_lenskit,
        {
            "RR": (lenskit_call("RecipRank()"),),
            "RR@k": (lenskit_call("RecipRank({k})"),),
            "AP": (lenskit_call("AveragePrecision()"),),
            "AP@k": (lenskit_call("AveragePrecision({k})"),),
            "nDCG": (lenskit_call("NDCG()"), lenskit_call("NDCG(gain='rating')")),
            "nDCG@k": (lenskit_call("NDCG({k})"), lenskit_call("NDCG({k}, gain='rating')")),
            "P@k": (lenskit_call("Precision({k})"),),
            "R@k": (lenskit_call("Recall({k})"),),
            "Success@k": (lenskit_call("Hit({k})"),),
        },
        lambda found: found.list_summary()["mean"].item(),
        skip=WITH_TIES,
        beside=("numpy",),
    ),
    "mlflow": Tool(
        ("mlflow",),
        with_mlflow,
        {
            "nDCG": mlflow_call("ndcg_at_k", "{n}"),
            "nDCG@k": mlflow_call("ndcg_at_k"),
            "P@k": mlflow_call("precision_at_k"),
            "R@k": mlflow_call("recall_at_k"),
        },
        lambda found: found.aggregate_results["mean"],
        skip=WITH_TIES,
        beside=("numpy", "scikit-learn"),
        tolerance=1e-6,  # float32
    ),
    "trulens": Tool(
        ("trulens-feedback", "trulens-core"),
        with_trulens,
        {
            "RR": trulens_call("mrr"),
            "nDCG": trulens_call("ndcg_at_k"),
            "nDCG@k": trulens_call("ndcg_at_k", ", k={k}"),
            "P@k": trulens_call("precision_at_k", ", k={k}"),
            "R@k": trulens_call("recall_at_k", ", k={k}"),
            "Success@k": trulens_call("ir_hit_rate", ", k={k}"),
        },
        skip=WITH_TIES,
        beside=("numpy",),
    ),
    "phoenix": Tool(
        ("arize-phoenix",),
        with_phoenix,
        {
            "RR": phoenix_call("reciprocal_rank()"),
            "RR@k": phoenix_call("reciprocal_rank()", "[:{k}]"),
            "nDCG": phoenix_call("ndcg()"),
            "nDCG@k": phoenix_call("ndcg({k})"),
            "P@k": phoenix_call("precision({k})"),
            "Success@k": phoenix_call("hit()", "[:{k}]"),
        },
        skip=WITH_TIES,
        beside=("numpy", "pandas"),
    ),
    "ragas": Tool(
        # its vertexai is gone from later ones
        ("ragas", "langchain-community<0.4", "rapidfuzz"),
        with_ragas,
        {
            **{
                f"AP{at}": ragas_call(
                    "NonLLMContextPrecisionWithReference(threshold=1)", "contexts", cut
                )
                for at, cut in (("", ""), ("@k", "[:{k}]"))
            },
            "P@k": ragas_call("IDBasedContextPrecision()", "context_ids", "[:{k}]"),
            "R@k": ragas_call("IDBasedContextRecall()", "context_ids", "[:{k}]"),
        },
        skip=WITH_TIES,
        beside=("rapidfuzz",),
    ),
    "deepeval": Tool(
        ("deepeval", "numpy"),
        with_deepeval,
        {"AP": deepeval_call(), "AP@k": deepeval_call("[:{k}]")},
        skip=WITH_TIES,
    ),
    "mteb": Tool(
        ("mteb",),
        with_mteb,
        {
            "RR": mteb_call("mrr", "MRR", "{n}"),
            "RR@k": mteb_call("mrr", "MRR", "{k}"),
            "AP": mteb_call("map", "MAP", "{n}"),
            "AP@k": mteb_call("map", "MAP", "{k}"),
            "nDCG": mteb_call("ndcg", "NDCG", "{n}"),
            "nDCG@k": mteb_call("ndcg", "NDCG", "{k}"),
            "P@k": mteb_call("precision", "P", "{k}"),
            "R@k": mteb_call("recall", "Recall", "{k}"),
            "Success@k": mteb_call("hit_rate", "HitRate", "{k}"),
        },
        skip=REPEATED,
        beside=("pytrec-eval-terrier",),
        tolerance=5e-6,  # it rounds to five digits
    ),
}
