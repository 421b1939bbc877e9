"""How to install each tool of data/tool-results.csv, and the names that its calls use.

peer_tools.csv has a row per tool. Each is imported only when it is needed.
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
from functools import cache, partial
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
    def relevant(self) -> dict[str, dict[str, float]]:
        """The judgements above 0 by query, in the order of the lists."""
        return {
            query: {item: float(n) for item, n in self.qrels.get(query, {}).items() if n > 0}
            for query in self.lists
        }

    @property
    def ratings(self) -> list[tuple[str, str, float]]:
        """The judgements above 0 as rows: query, item, grade."""
        return [(query, *row) for query, grades in self.relevant.items() for row in grades.items()]

    @property
    def pairs(self) -> list[tuple[list[str], list[str]]]:
        """The items judged above 0 and the retrieved items of each query."""
        return [*zip(map(list, self.relevant.values()), self.lists.values(), strict=True)]

    @property
    def columns(self) -> tuple[np.ndarray, np.ndarray, list[int]]:
        """Grades (unjudged 0) and scores of all retrieved items, and the number per query."""
        *_, scores, grades = zip(*self.rows, strict=True)
        sizes = [sum(row[0] == query for row in self.rows) for query in self.run]
        return np.array(grades, dtype=float), np.array(scores), sizes


def read_cases() -> dict[str, Case]:
    """Read data/tool-cases.csv; add the empty list, for which it has no row."""
    cases: dict[str, Case] = {}
    with (DATA / "tool-cases.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            case = cases.setdefault(row["case"], Case())
            query, item = row["query_id"], row["doc_id"]
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
        uses: names that its calls use, after their module: "module: name name; module: name".
        given: function from a case to what calls also use: the case in the tool's format.
        value: function from the result of a call to the mean over the queries.
        beside: other packages whose versions may affect the result.
        tolerance: allowed error due to the tool's precision or output format.
    """

    install: tuple[str, ...]
    uses: str
    given: Callable[[Case], Names]
    value: Callable[[Any], float]
    beside: tuple[str, ...]
    tolerance: float

    def names(self, case: Case) -> Names:
        """Return the names in calls."""
        return public(self.uses) | self.given(case)

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


def public(uses: str) -> Names:
    """Import names of modules, from "module: name name; module: name"."""
    found = (each.partition(":") for each in uses.split(";") if each)
    modules = {importlib.import_module(module.strip()): names for module, _, names in found}
    return {name: getattr(each, name) for each, names in modules.items() for name in names.split()}


def imported(module: str, name: str) -> Any:
    """Import one name of a module."""
    return getattr(importlib.import_module(module), name)


def trec_eval_command() -> Path | None:
    """Return the path of trec_eval, from the variable TREC_EVAL or the PATH."""
    found = shutil.which(os.environ.get("TREC_EVAL", "trec_eval"))
    return Path(found).resolve() if found else None


def with_trec_eval(case: Case) -> Names:
    # trec_eval: the command with arguments; qrels, run: files in TREC format
    run = [f"{query} Q0 {item} 0 {score!r} run" for query, item, score, _ in case.rows]
    judged = ((query, *row) for query, grades in case.qrels.items() for row in grades.items())
    qrels = [f"{query} 0 {item} {grade}" for query, item, grade in judged]

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


def dictionaries(case: Case) -> Names:
    # qrels: {query: {item: grade}}, run: {query: {item: score}}
    return {"qrels": case.qrels, "run": case.run}


def mean_of_queries(results: dict[str, dict[str, float]]) -> float:
    return fmean(value for one in results.values() for value in one.values())


def only(results: dict[Any, float]) -> float:
    (value,) = results.values()
    return value


def with_sklearn(case: Case) -> Names:
    # grades, scores: arrays with a row per query of the run and a column per retrieved item
    grades, scores, _ = case.columns
    shape = (len(case.run), -1)
    grades = grades.astype(int).reshape(shape)
    relevant = (grades > 0).astype(int)
    return {"grades": grades, "relevant": relevant, "scores": scores.reshape(shape), "fmean": fmean}


def with_ranx(case: Case) -> Names:
    # qrels, run: Qrels(...) and Run(...) of the dictionaries for pytrec_eval
    return {
        "qrels": imported("ranx", "Qrels")(case.qrels),
        "run": imported("ranx", "Run")(case.run),
    }


def with_torchmetrics(case: Case) -> Names:
    # preds, target, grades, indexes: one element per retrieved item; target is grade > 0
    import torch

    query, _, score, grade = zip(*case.rows, strict=True)
    return {
        "preds": torch.tensor(score, dtype=torch.float64),
        "target": torch.tensor(grade) > 0,
        "grades": torch.tensor(grade),
        "gains": 2 ** torch.tensor(grade) - 1,
        "indexes": torch.tensor([int(number) for number in query]),
    }


def ratings_and_predictions(frame: Callable[[list, list[str]], Any], case: Case) -> Names:
    # rating_true: the judgements above 0; rating_pred: the run; columns as they are by default
    predictions = [row[:3] for row in case.rows]
    return {
        "rating_true": frame(case.ratings, ["userID", "itemID", "rating"]),
        "rating_pred": frame(predictions, ["userID", "itemID", "prediction"]),
    }


def with_recommenders(case: Case) -> Names:
    return ratings_and_predictions(lambda rows, columns: pd.DataFrame(rows, columns=columns), case)


def with_recommenders_spark(case: Case) -> Names:
    return ratings_and_predictions(session().createDataFrame, case)


def with_recbole(case: Case) -> Names:
    # evaluate: its trainer's evaluation of scores, with -inf for other items
    import torch

    items = list(
        dict.fromkeys(x for one in (*case.run.values(), *case.qrels.values()) for x in one)
    )
    scores = [[one.get(item, float("-inf")) for item in items] for one in case.run.values()]
    rows = {query: row for row, query in enumerate(case.run)}
    judged = ((query, *row) for query in case.run for row in case.qrels.get(query, {}).items())
    positives = [(rows[query], items.index(item)) for query, item, grade in judged if grade > 0]

    def evaluate(metric: str, k: int) -> dict[str, float]:
        config = {"metrics": [metric], "topk": [k], "metric_decimal_place": 10, "device": "cpu"}
        config["eval_args"] = {"mode": "full"}
        collector = imported("recbole.evaluator", "Collector")(config)
        users, found = (torch.tensor(column) for column in zip(*positives, strict=True))
        collector.eval_batch_collect(torch.tensor(scores, dtype=torch.float64), None, users, found)
        return imported("recbole.evaluator", "Evaluator")(config).evaluate(
            collector.get_data_struct()
        )

    return {"evaluate": evaluate}


def with_cornac(case: Case) -> Names:
    # train_set: retrieved items in input order; test_set: their judgements; model: returns the
    # scores of the run
    method = imported("cornac.eval_methods", "BaseMethod")
    seen = [(query, "seen before", 1.0) for query in case.run]
    retrieved = [("someone", item, 1.0) for scores in case.run.values() for item in scores]
    judged = [
        (query, item, float(grade))
        for query, grades in case.qrels.items()
        for item, grade in grades.items()
    ]
    data = method.from_splits(seen + list(dict.fromkeys(retrieved)), judged, exclude_unknowns=True)

    class Recorded(imported("cornac.models", "Recommender")):
        def score(self, user_idx: int, item_idx: int | None = None) -> np.ndarray:
            query = list(data.train_set.uid_map)[user_idx]
            scores = [case.run[query].get(item, -np.inf) for item in data.train_set.iid_map]
            return np.array(scores)

    model = Recorded("recorded")
    for name in ("num_users", "num_items", "uid_map", "iid_map"):
        setattr(model, name, getattr(data.train_set, name))
    return {"model": model, "train_set": data.train_set, "test_set": data.test_set}


def with_evidently(case: Case) -> Names:
    # data: one row per retrieved item, with default columns
    rows = pd.DataFrame(case.rows, columns=["user_id", "item_id", "prediction", "target"])
    ranking = [imported("evidently", "Recsys")()]
    definition = imported("evidently", "DataDefinition")(ranking=ranking)
    return {"data": imported("evidently", "Dataset").from_pandas(rows, definition)}


def at_its_cutoff(snapshot: Any) -> float:
    """Return the report's value at the cutoff, or its last value if there are fewer."""
    (metric,) = snapshot.dict()["metrics"]
    values = list(metric["value"]["value"].values())
    return values[min(metric["config"]["k"], len(values)) - 1]


def with_recmetrics(case: Case) -> Names:
    # actual, predicted: a list of items per query of the run
    actual, predicted = map(list, zip(*case.pairs, strict=True))
    return {"actual": actual, "predicted": predicted}


def with_xgboost(case: Case) -> Names:
    # graded, binary: one row per retrieved item; boosting starts and ends with its score
    label, score, group = case.columns
    matrix, start = imported("xgboost", "DMatrix"), {"base_margin": score, "group": np.array(group)}
    both = {"graded": label, "binary": label > 0}
    return {
        name: matrix(np.zeros((len(label), 1)), label=each, **start) for name, each in both.items()
    }


def with_lightgbm(case: Case) -> Names:
    # data: as with XGBoost
    label, score, group = case.columns
    start = {"label": label, "init_score": score, "group": np.array(group)}
    data = imported("lightgbm", "Dataset")(np.zeros((len(label), 1)), **start)
    return {"data": data, "ranking": {"objective": "lambdarank", "verbose": -1}}


def with_catboost(case: Case) -> Names:
    # label, approx, group_id: one element per retrieved item
    label, score, group = case.columns
    return {"label": label, "approx": score, "group_id": np.repeat(np.arange(len(group)), group)}


def with_pairs(case: Case) -> Names:
    # queries: (items judged above 0, retrieved items, best first) of each query
    return {"fmean": fmean, "queries": case.pairs}


def with_haystack(case: Case) -> Names:
    # relevant, retrieved: a list of documents per query; graded: with the grade as score
    document, judged = imported("haystack", "Document"), case.relevant.values()
    return {
        "relevant": [[document(content=item) for item in one] for one in judged],
        "graded": [[document(content=x, score=n) for x, n in one.items()] for one in judged],
        "retrieved": [[document(content=item) for item in one] for one in case.lists.values()],
    }


def with_lenskit(case: Case) -> Names:
    # run: ordered item lists by query; qrels: items judged above 0, with the grade as rating
    items = imported("lenskit.data", "ItemList")
    collection = imported("lenskit.data", "ItemListCollection").from_dict
    run = {query: items(case.lists[query], ordered=True) for query in case.run}
    qrels = {
        query: items(list(grades), rating=list(grades.values()))
        for query, grades in case.relevant.items()
        if query in case.qrels
    }
    return {"run": collection(run, key="user_id"), "qrels": collection(qrels, key="user_id")}


def with_mlflow(case: Case) -> Names:
    # predictions, targets: lists of items per query, retrieved and judged above 0
    targets, predictions = map(list, zip(*case.pairs, strict=True))
    return {"predictions": pd.Series(predictions), "targets": pd.Series(targets)}


def with_trulens(case: Case) -> Names:
    # truth: the judgements above 0; lists: (query, retrieved items); value: a mean without NaN
    class NoModel(imported("trulens.feedback.llm_provider", "LLMProvider")):
        def _create_chat_completion(self, *_: object, **__: object) -> str:
            raise NotImplementedError

    expected = [
        {
            "query": query,
            "expected_chunks": [{"text": x, "expect_score": n} for x, n in one.items()],
        }
        for query, one in case.relevant.items()
    ]
    agreement = imported("trulens.feedback", "GroundTruthAgreement")
    truth = agreement(expected, provider=NoModel(model_engine="none"))
    return {"truth": truth, "lists": list(case.lists.items()), "nanmean": np.nanmean}


def with_phoenix(case: Case) -> Names:
    # grades: a list per query of the retrieved items' grades, best first, unjudged 0
    grades = [
        [case.qrels.get(query, {}).get(item, 0) for item in items]
        for query, items in case.lists.items()
    ]
    return {"fmean": fmean, "grades": grades}


def with_deepeval(case: Case) -> Names:
    # queries: as with LlamaIndex; Judge(e): a model for which only the items of e are relevant
    os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"

    class Judge(imported("deepeval.models", "DeepEvalBaseLLM")):
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

    empty = dict.fromkeys(("input", "actual_output", "expected_output"), "-")
    asked = partial(imported("deepeval.test_case", "LLMTestCase"), **empty)
    asking = {"Judge": Judge, "asked": lambda items: asked(retrieval_context=items)}
    return with_pairs(case) | asking


def with_mteb(case: Case) -> Names:
    # as with pytrec_eval
    evaluator = imported("mteb._evaluators", "RetrievalEvaluator")
    return {"evaluate": partial(evaluator.evaluate, None), **deepcopy(dictionaries(case))}


@cache
def session() -> Any:
    """Return a local Spark session."""
    builder = imported("pyspark.sql", "SparkSession").builder.master("local[1]")
    return builder.config("spark.ui.enabled", "false").getOrCreate()


def with_spark(case: Case) -> Names:
    # pairs: (retrieved items, items judged above 0) per query; graded: also with grades
    spread = session().sparkContext.parallelize
    found = [(items, case.relevant[query]) for query, items in case.lists.items()]
    return {
        "pairs": spread([(items, [*grades]) for items, grades in found]),
        "graded": spread([(items, [*grades], [*grades.values()]) for items, grades in found]),
    }


def read_tools() -> dict[str, Tool]:
    """Read peer_tools.csv; `trec_eval` has further rows in the record, by its options."""
    tools = {}
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="|"):
            tools[row["tool"]] = Tool(
                install=tuple(row["install"].split()),
                uses=row["uses"],
                given=globals()[row["given"]],
                value=eval(f"lambda found: {row['value']}", globals()),
                beside=tuple(row["beside"].split()),
                tolerance=float(row["tolerance"]),
            )
    trec_eval = ("trec_eval", "trec_eval -c", "trec_eval -J", "trec_eval 10")
    return dict.fromkeys(trec_eval, tools["trec_eval"]) | tools


TOOLS = read_tools()
