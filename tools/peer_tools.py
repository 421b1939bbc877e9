"""How to install each tool of data/tool-results.csv, and the names that its calls use.

Each tool is imported only when it is needed.
"""

import csv
import importlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd

DATA = Path(__file__).parents[1] / "data"
Names = dict[str, Any]


@dataclass
class Case:
    """A run and qrels that tools evaluate differently, as dictionaries.

    Attributes:
        rows: (query, item, score, grade) of the retrieved items in input order, including repeated
            items; unjudged items have grade 0.
    """

    run: dict[str, dict[str, float]] = field(default_factory=dict)
    qrels: dict[str, dict[str, int]] = field(default_factory=dict)
    rows: list[tuple[str, str, float, int]] = field(default_factory=list)

    @property
    def has_ties(self) -> bool:
        """Whether any query has equal scores."""
        return any(len(set(one.values())) < len(one) for one in self.run.values())

    @property
    def lists(self) -> dict[str, list[str]]:
        """The list of each query, best first; empty if the run lacks a judged query."""
        lists: dict[str, list[str]] = {query: [] for query in self.qrels | self.run}
        for query, item, *_ in sorted(self.rows, key=lambda row: -row[2]):
            lists[query].append(item)
        return lists

    @property
    def relevant(self) -> dict[str, dict[str, int]]:
        """The judgements above 0 by query, in the order of the lists."""
        return {
            query: {item: grade for item, grade in self.qrels.get(query, {}).items() if grade > 0}
            for query in self.lists
        }

    @property
    def ratings(self) -> list[tuple[str, str, float]]:
        """The judgements above 0 as rows: query, item, grade."""
        return [
            (query, item, float(grade))
            for query, grades in self.relevant.items()
            for item, grade in grades.items()
        ]


def read_cases() -> dict[str, Case]:
    """Read data/tool-cases.csv; add the empty list, for which it has no row."""
    cases: dict[str, Case] = {}
    with (DATA / "tool-cases.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            case, query, item = (
                cases.setdefault(row["case"], Case()),
                row["query_id"],
                row["doc_id"],
            )
            if row["relevance"]:
                case.qrels.setdefault(query, {})[item] = int(row["relevance"])
            if row["score"]:
                score = float(row["score"])
                case.run.setdefault(query, {}).setdefault(item, score)
                case.rows.append((query, item, score, int(row["relevance"] or 0)))
    cases["empty-list"].run["2"] = {}
    return cases


CASES = read_cases()


@dataclass(frozen=True)
class Tool:
    """How to install and run a tool.

    Attributes:
        install: packages for pip, the tool first; empty for a command.
        names: function from a case to the names in calls: the tool's functions, and the case in
            the tool's format.
        value: function from the result of a call to the mean over the queries.
        beside: other packages whose versions may affect the result.
        tolerance: allowed error due to the tool's precision or output format.
    """

    install: tuple[str, ...]
    names: Callable[[Case], Names]
    value: Callable[[Any], float] = float
    beside: tuple[str, ...] = ()
    tolerance: float = 1e-9

    @property
    def version(self) -> str | None:
        """The installed version, if any."""
        if self.install:
            try:
                return version(self.install[0])
            except PackageNotFoundError:
                return None
        if (command := trec_eval_command()) is None:
            return None
        said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
        return (said.stdout + said.stderr).split()[-1]


def public(module: str, *names: str) -> Names:
    """Import names of a module."""
    found = importlib.import_module(module)
    return {name: getattr(found, name) for name in names}


def trec_eval_command() -> Path | None:
    """Return the path of trec_eval, from the variable TREC_EVAL or the PATH."""
    found = shutil.which(os.environ.get("TREC_EVAL", "trec_eval"))
    return Path(found).resolve() if found else None


def with_trec_eval(case: Case) -> Names:
    # trec_eval: the command with arguments; qrels, run: files in TREC format
    run = [f"{query} Q0 {item} 0 {score!r} run" for query, item, score, _ in case.rows]
    qrels = [
        f"{query} 0 {item} {grade}"
        for query, grades in case.qrels.items()
        for item, grade in grades.items()
    ]

    def trec_eval(arguments: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            for name, lines in (("run", run), ("qrels", qrels)):
                Path(folder, name).write_text("\n".join(lines) + "\n", encoding="utf-8")
            command = [str(trec_eval_command()), *arguments.split()]
            said = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if said.returncode:
            raise RuntimeError(said.stderr)
        return said.stdout

    return {"trec_eval": trec_eval}


def with_pytrec_eval(case: Case) -> Names:
    # qrels: {query: {item: grade}}, run: {query: {item: score}}
    return public("pytrec_eval", "RelevanceEvaluator") | {"qrels": case.qrels, "run": case.run}


def mean_of_queries(results: dict[str, dict[str, float]]) -> float:
    return fmean(value for one in results.values() for value in one.values())


def with_ir_measures(case: Case) -> Names:
    # as with pytrec_eval
    names = public("ir_measures", "calc_aggregate", "RR", "AP", "nDCG", "ERR", "RBP", "P", "R")
    names |= public("ir_measures", "Success")
    return names | {"qrels": case.qrels, "run": case.run}


def only(results: dict[Any, float]) -> float:
    (value,) = results.values()
    return value


def with_sklearn(case: Case) -> Names:
    # grades, scores: arrays with a row per query of the run and a column per retrieved item
    shape = (len(case.run), -1)
    rows = case.rows
    grades = np.array([row[3] for row in rows]).reshape(shape)
    return public(
        "sklearn.metrics",
        "average_precision_score",
        "label_ranking_average_precision_score",
        "ndcg_score",
    ) | {
        "grades": grades,
        "relevant": (grades > 0).astype(int),
        "scores": np.array([row[2] for row in rows]).reshape(shape),
        "fmean": fmean,
    }


def with_ranx(case: Case) -> Names:
    # qrels, run: Qrels(...) and Run(...) of the dictionaries for pytrec_eval
    names = public("ranx", "Qrels", "Run", "evaluate")
    return {
        "evaluate": names["evaluate"],
        "qrels": names["Qrels"](case.qrels),
        "run": names["Run"](case.run),
    }


def with_torchmetrics(case: Case) -> Names:
    # preds, target, grades, indexes: one element per retrieved item; target is grade > 0
    import torch

    query, _, score, grade = zip(*case.rows, strict=True)
    return public(
        "torchmetrics.retrieval",
        "RetrievalHitRate",
        "RetrievalMAP",
        "RetrievalMRR",
        "RetrievalNormalizedDCG",
        "RetrievalPrecision",
        "RetrievalRecall",
    ) | {
        "preds": torch.tensor(score, dtype=torch.float64),
        "target": torch.tensor(grade) > 0,
        "grades": torch.tensor(grade),
        "gains": 2 ** torch.tensor(grade) - 1,
        "indexes": torch.tensor([int(number) for number in query]),
    }


def with_recommenders(case: Case) -> Names:
    # rating_true: the judgements above 0; rating_pred: the run; columns as they are by default
    pred = [row[:3] for row in case.rows]
    return public(
        "recommenders.evaluation.python_evaluation",
        "map",
        "map_at_k",
        "ndcg_at_k",
        "precision_at_k",
        "recall_at_k",
    ) | {
        "rating_true": pd.DataFrame(case.ratings, columns=["userID", "itemID", "rating"]),
        "rating_pred": pd.DataFrame(pred, columns=["userID", "itemID", "prediction"]),
    }


def with_recbole(case: Case) -> Names:
    # evaluate: its trainer's evaluation of scores, with -inf for other items
    import torch

    names = public("recbole.evaluator", "Collector", "Evaluator")
    known = (*case.run.values(), *case.qrels.values())
    items = list(dict.fromkeys(item for one in known for item in one))
    lowest = float("-inf")
    scores = [[one.get(item, lowest) for item in items] for one in case.run.values()]
    positives = [
        (row, items.index(item))
        for row, query in enumerate(case.run)
        for item, grade in case.qrels.get(query, {}).items()
        if grade > 0
    ]

    def evaluate(metric: str, k: int) -> dict[str, float]:
        config = {
            "metrics": [metric],
            "topk": [k],
            "metric_decimal_place": 10,
            "device": "cpu",
            "eval_args": {"mode": "full"},
        }
        collector = names["Collector"](config)
        users, found = (torch.tensor(column) for column in zip(*positives, strict=True))
        collector.eval_batch_collect(torch.tensor(scores, dtype=torch.float64), None, users, found)
        return names["Evaluator"](config).evaluate(collector.get_data_struct())

    return {"evaluate": evaluate}


def with_cornac(case: Case) -> Names:
    # train_set: retrieved items in input order; test_set: their judgements; model: returns the
    # scores of the run
    recommender = public("cornac.models", "Recommender")["Recommender"]
    method = public("cornac.eval_methods", "BaseMethod")["BaseMethod"]
    seen = [(query, "seen before", 1.0) for query in case.run]
    retrieved = [("someone", item, 1.0) for scores in case.run.values() for item in scores]
    judged = [
        (query, item, float(grade))
        for query, grades in case.qrels.items()
        for item, grade in grades.items()
    ]
    data = method.from_splits(seen + list(dict.fromkeys(retrieved)), judged, exclude_unknowns=True)

    class Recorded(recommender):
        def score(self, user_idx: int, item_idx: int | None = None) -> np.ndarray:
            query = list(data.train_set.uid_map)[user_idx]
            scores = [case.run[query].get(item, -np.inf) for item in data.train_set.iid_map]
            return np.array(scores)

    model = Recorded("recorded")
    model.num_users, model.num_items = data.train_set.num_users, data.train_set.num_items
    model.uid_map, model.iid_map = data.train_set.uid_map, data.train_set.iid_map
    names = public("cornac.metrics", "HitRatio", "MAP", "MRR", "NDCG", "Precision", "Recall")
    return names | {
        **public("cornac.eval_methods", "ranking_eval"),
        "model": model,
        "train_set": data.train_set,
        "test_set": data.test_set,
    }


def with_evidently(case: Case) -> Names:
    # data: one row per retrieved item, with default columns
    names = public("evidently", "DataDefinition", "Dataset", "Recsys", "Report")
    rows = pd.DataFrame(case.rows, columns=["user_id", "item_id", "prediction", "target"])
    ranking = names["DataDefinition"](ranking=[names["Recsys"]()])
    metrics = ("HitRate", "MAP", "MRR", "NDCG", "PrecisionTopK", "RecallTopK")
    return public("evidently.metrics", *metrics) | {
        "Report": names["Report"],
        "data": names["Dataset"].from_pandas(rows, ranking),
    }


def at_its_cutoff(snapshot: Any) -> float:
    """Return the report's value at the cutoff, or its last value if there are fewer."""
    (metric,) = snapshot.dict()["metrics"]
    values = list(metric["value"]["value"].values())
    return values[min(metric["config"]["k"], len(values)) - 1]


def with_recmetrics(case: Case) -> Names:
    # actual, predicted: a list of items per query of the run
    return public("recmetrics", "mark") | {
        "actual": [list(grades) for grades in case.relevant.values()],
        "predicted": list(case.lists.values()),
    }


def columns(case: Case) -> Names:
    """Return grades (unjudged 0) and scores of all retrieved items, and the number per query."""
    rows = case.rows
    return {
        "label": np.array([float(row[3]) for row in rows]),
        "score": np.array([row[2] for row in rows]),
        "group": np.array([sum(row[0] == query for row in rows) for query in case.run]),
    }


def with_xgboost(case: Case) -> Names:
    # graded, binary: one row per retrieved item; boosting starts and ends with its score
    found = columns(case)
    names = public("xgboost", "Booster", "DMatrix")
    label, shape = found["label"], (len(found["label"]), 1)

    def data(label: np.ndarray) -> Any:
        start = {"base_margin": found["score"], "group": found["group"]}
        return names["DMatrix"](np.zeros(shape), label=label, **start)

    return {"Booster": names["Booster"], "graded": data(label), "binary": data(label > 0)}


def with_lightgbm(case: Case) -> Names:
    # data: as with XGBoost
    found = columns(case)
    names = public("lightgbm", "Booster", "Dataset")
    data = names["Dataset"](
        np.zeros((len(found["label"]), 1)),
        label=found["label"],
        init_score=found["score"],
        group=found["group"],
    )
    quiet = {"objective": "lambdarank", "verbose": -1}
    return {"Booster": names["Booster"], "data": data, "ranking": quiet}


def with_catboost(case: Case) -> Names:
    # label, approx, group_id: one element per retrieved item
    found = columns(case)
    return public("catboost.utils", "eval_metric") | {
        "label": found["label"],
        "approx": found["score"],
        "group_id": np.repeat(np.arange(len(found["group"])), found["group"]),
    }


def pairs(case: Case) -> Names:
    """Return the items judged above 0 and the retrieved items of each query."""
    queries = zip(map(list, case.relevant.values()), case.lists.values(), strict=True)
    return {"fmean": fmean, "queries": list(queries)}


def with_llama_index(case: Case) -> Names:
    # queries: (items judged above 0, retrieved items, best first) of each query
    names = ("AveragePrecision", "HitRate", "MRR", "NDCG", "Precision", "Recall")
    return public("llama_index.core.evaluation.retrieval.metrics", *names) | pairs(case)


def with_haystack(case: Case) -> Names:
    # relevant, retrieved: a list of documents per query; graded: with the grade as score
    names = public("haystack", "Document")
    document = names["Document"]
    evaluators = ("DocumentMAPEvaluator", "DocumentMRREvaluator", "DocumentNDCGEvaluator")
    judged = case.relevant.values()
    return public("haystack.components.evaluators", *evaluators, "DocumentRecallEvaluator") | {
        "relevant": [[document(content=item) for item in one] for one in judged],
        "graded": [
            [document(content=item, score=float(grade)) for item, grade in one.items()]
            for one in judged
        ],
        "retrieved": [[document(content=item) for item in one] for one in case.lists.values()],
    }


def with_lenskit(case: Case) -> Names:
    # run: ordered item lists by query; qrels: items judged above 0, with the grade as rating
    names = public("lenskit.data", "ItemList", "ItemListCollection")
    items, collection = names["ItemList"], names["ItemListCollection"].from_dict
    metrics = ("AveragePrecision", "Hit", "NDCG", "Precision", "Recall", "RecipRank")
    lists = case.lists
    return {
        **public("lenskit.metrics", "RunAnalysis"),
        **public("lenskit.metrics.ranking", *metrics),
        "run": collection(
            {query: items(lists[query], ordered=True) for query in case.run}, key="user_id"
        ),
        "qrels": collection(
            {
                query: items(list(grades), rating=[float(grade) for grade in grades.values()])
                for query, grades in case.relevant.items()
                if query in case.qrels
            },
            key="user_id",
        ),
    }


def with_mlflow(case: Case) -> Names:
    # predictions, targets: lists of items per query, retrieved and judged above 0
    return public("mlflow.metrics", "ndcg_at_k", "precision_at_k", "recall_at_k") | {
        "predictions": pd.Series(list(case.lists.values())),
        "targets": pd.Series([list(grades) for grades in case.relevant.values()]),
    }


def with_trulens(case: Case) -> Names:
    # truth: the judgements above 0; lists: (query, retrieved items); value: a mean without NaN
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
        for query, grades in case.relevant.items()
    ]
    agreement = public("trulens.feedback", "GroundTruthAgreement")["GroundTruthAgreement"]
    return {
        "truth": agreement(expected, provider=NoModel(model_engine="none")),
        "lists": list(case.lists.items()),
        "nanmean": np.nanmean,
    }


def with_phoenix(case: Case) -> Names:
    # grades: a list per query of the retrieved items' grades, best first, unjudged 0
    return public("phoenix.metrics.retrieval_metrics", "RetrievalMetrics") | {
        "fmean": fmean,
        "grades": [
            [case.qrels.get(query, {}).get(item, 0) for item in items]
            for query, items in case.lists.items()
        ],
    }


def with_ragas(case: Case) -> Names:
    # queries: as with LlamaIndex
    metrics = ("IDBasedContextPrecision", "IDBasedContextRecall")
    return (
        public("ragas", "SingleTurnSample")
        | public("ragas.metrics", "NonLLMContextPrecisionWithReference", *metrics)
        | pairs(case)
    )


def with_deepeval(case: Case) -> Names:
    # queries: as with LlamaIndex; Judge(e): a model for which only the items of e are relevant
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


def with_mteb(case: Case) -> Names:
    # qrels: {query: {item: grade}}, run: {query: {item: score}}
    evaluator = public("mteb._evaluators", "RetrievalEvaluator")["RetrievalEvaluator"]
    return {
        "evaluate": lambda *given, **options: evaluator.evaluate(None, *given, **options),
        "qrels": deepcopy(case.qrels),
        "run": deepcopy(case.run),
    }


@cache
def session() -> Any:
    """Return a local Spark session."""
    builder = public("pyspark.sql", "SparkSession")["SparkSession"].builder.master("local[1]")
    return builder.config("spark.ui.enabled", "false").getOrCreate()


def with_spark(case: Case) -> Names:
    # pairs: (retrieved items, items judged above 0) per query; graded: also with grades
    spread, judged = session().sparkContext.parallelize, case.relevant
    found = [(items, judged[query]) for query, items in case.lists.items()]
    return public("pyspark.mllib.evaluation", "RankingMetrics") | {
        "pairs": spread([(items, [*grades]) for items, grades in found]),
        "graded": spread(
            [
                (items, [*grades], [float(grade) for grade in grades.values()])
                for items, grades in found
            ]
        ),
    }


def with_recommenders_spark(case: Case) -> Names:
    # rating_true: the judgements above 0; rating_pred: the run; columns as they are by default
    names = public("recommenders.evaluation.spark_evaluation", "SparkRankingEvaluation")
    frame = session().createDataFrame
    return names | {
        "rating_true": frame(case.ratings, ["userID", "itemID", "rating"]),
        "rating_pred": frame([row[:3] for row in case.rows], ["userID", "itemID", "prediction"]),
    }


TREC_EVAL = Tool((), with_trec_eval, lambda printed: float(printed.split()[-1]), tolerance=5e-5)
TOOLS: dict[str, Tool] = {
    **dict.fromkeys(("trec_eval", "trec_eval -c", "trec_eval -J", "trec_eval 10"), TREC_EVAL),
    "pytrec_eval": Tool(("pytrec-eval-terrier",), with_pytrec_eval, mean_of_queries),
    "ir_measures": Tool(
        ("ir-measures", "cwl-eval"),
        with_ir_measures,
        only,
        ("pytrec-eval-terrier", "cwl-eval"),
        5e-6,  # it runs gdeval for ERR and the exponential gain, which prints five digits
    ),
    "sklearn": Tool(("scikit-learn",), with_sklearn, beside=("numpy",)),
    "ranx": Tool(("ranx",), with_ranx, beside=("numba", "numpy")),
    "torchmetrics": Tool(
        ("torchmetrics", "torch==2.13.0"),
        with_torchmetrics,
        beside=("torch",),
        tolerance=1e-6,  # float32
    ),
    "recommenders": Tool(("recommenders",), with_recommenders, beside=("numpy", "pandas")),
    "recbole": Tool(
        ("recbole", "numpy<1.24", "scipy<1.12", "pandas<2.2", "torch==2.13.0"),
        with_recbole,
        only,
        ("numpy", "torch"),
    ),
    "cornac": Tool(("cornac",), with_cornac, lambda results: results[0][0], ("numpy",)),
    "evidently": Tool(
        ("evidently", "pandas<3"), with_evidently, at_its_cutoff, ("numpy", "pandas")
    ),
    "recmetrics": Tool(("recmetrics", "numpy<2", "matplotlib<3.9"), with_recmetrics),
    "xgboost": Tool(
        ("xgboost",),
        with_xgboost,
        lambda printed: float(printed.rpartition(":")[2]),
        ("numpy",),
    ),
    "lightgbm": Tool(("lightgbm",), with_lightgbm, lambda results: results[0][2], ("numpy",)),
    "catboost": Tool(("catboost",), with_catboost, lambda results: results[0], ("numpy",)),
    "llama_index": Tool(("llama-index-core",), with_llama_index),
    "haystack": Tool(("haystack-ai",), with_haystack, lambda results: results["score"]),
    "lenskit": Tool(
        ("lenskit",),
        with_lenskit,
        lambda found: found.list_summary()["mean"].item(),
        ("numpy",),
    ),
    "mlflow": Tool(
        ("mlflow",),
        with_mlflow,
        lambda found: found.aggregate_results["mean"],
        ("numpy", "scikit-learn"),
        1e-6,  # float32
    ),
    "trulens": Tool(("trulens-feedback", "trulens-core"), with_trulens, beside=("numpy",)),
    "phoenix": Tool(("arize-phoenix",), with_phoenix, beside=("numpy", "pandas")),
    # later versions of langchain-community have no vertexai
    "ragas": Tool(
        ("ragas", "langchain-community<0.4", "rapidfuzz"), with_ragas, beside=("rapidfuzz",)
    ),
    "deepeval": Tool(("deepeval", "numpy"), with_deepeval),
    "mteb": Tool(
        ("mteb",),
        with_mteb,
        beside=("pytrec-eval-terrier",),
        tolerance=5e-6,  # it rounds to five digits
    ),
    "spark": Tool(("pyspark",), with_spark),
    "recommenders spark": Tool(
        ("recommenders", "pyspark"), with_recommenders_spark, beside=("pyspark",)
    ),
}
