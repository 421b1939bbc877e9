"""What tools for retrieval with language models give: those of their metrics that need no model."""

from statistics import fmean

from peer_cases import Case
from peer_tool import WITH_TIES, Names, Tool, public, ranked, relevant


def with_llama_index(case: Case) -> Names:
    # queries: (items judged above 0, retrieved items, best first) of each query
    names = ("AveragePrecision", "HitRate", "MRR", "NDCG", "Precision", "Recall")
    return public("llama_index.core.evaluation.retrieval.metrics", *names) | {
        "fmean": fmean,
        "queries": list(
            zip(map(list, relevant(case).values()), ranked(case).values(), strict=True)
        ),
    }


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
}
