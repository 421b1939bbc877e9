"""Run other tools on small cases and record what they give: data/tools.csv.

    python tests/peers/record_tools.py                          # the tools that are installed here
    python tests/peers/record_tools.py --tools ranx --install   # each in an environment of its own

Each case is made so that tools that differ in a convention give different numbers. The call in
the table is the text that was run (see `Tool.names` for what its names hold), so the table says
of a tool only what the tool said. Rows of tools that were not run stay as they are.
"""

import argparse
import csv
import importlib
import importlib.metadata
import struct
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

DATA = Path(__file__).parents[2] / "data"
TABLE, CASE_TABLE = DATA / "tools.csv", DATA / "tool-cases.csv"
COLUMNS = ("tool", "version", "case", "measure", "call", "value", "error")
CASE_COLUMNS = ("case", "query_id", "doc_id", "score", "relevance")

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]
Names = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A run, qrels, and the measures (in ir_measures' notation) that show a difference."""

    run: Run
    qrels: Qrels
    measures: tuple[str, ...]

    def rows(self) -> list[tuple[str, str, float, int]]:
        """(query, item, score, grade) of what was retrieved, in input order; unjudged is 0."""
        return [
            (query, item, score, self.qrels.get(query, {}).get(item, 0))
            for query, scores in self.run.items()
            for item, score in scores.items()
        ]


def in_order(items: str) -> dict[str, float]:
    """Items, best first, with the scores n ... 1."""
    return {item: float(len(items.split()) - i) for i, item in enumerate(items.split())}


def tied(items: str) -> dict[str, float]:
    """Items with one score, in this input order."""
    return dict.fromkeys(items.split(), 0.5)


def half(score: float) -> float:
    """The score after a stay in float16."""
    return struct.unpack("e", struct.pack("e", score))[0]


CLOSE = {"a": 0.90001, "c": 0.90002, "e": 0.90008, "b": 0.90003, "f": 0.90004, "d": 0.90005}
TWENTY = " ".join(f"d{7 * i % 20 + 1:02}" for i in range(20))
FIRST_THREE = ("RR", "AP", "nDCG")

# In the tied cases the first relevant item comes 3rd in input order, 2nd by identifier
# descending (5th once renamed), 7th ascending (4th), and 6th in reversed input order.
CASES: dict[str, Case] = {
    # graded; g and h are judged, not retrieved: which ideal, which gain
    "graded": Case(
        {"1": in_order("a b c d e f")},
        {"1": {"a": 3, "b": 2, "c": 3, "d": 0, "e": 1, "f": 2, "g": 3, "h": 2}},
        ("nDCG", "nDCG@3", "nDCG@6", "nDCG(dcg='exp-log2')@6"),
    ),
    "grade-below-zero": Case(
        {"1": in_order("a b c")}, {"1": {"a": -1, "b": 1, "c": 2}}, ("nDCG", "AP")
    ),
    # what AP@k divides by: R = 20 > k = 10; R = 4 > k = 3, a hit beyond k; R = 2 < k = 5
    "deep": Case(
        {"1": in_order("r1 b c d e f g h i j")},
        {"1": {f"r{i}": 1 for i in range(1, 21)}},
        ("AP", "AP@10", "R@10", "nDCG@10"),
    ),
    "many-relevant": Case(
        {"1": in_order("a b c d e f")},
        {"1": {"a": 1, "c": 1, "f": 1, "z": 1}},
        ("AP", "AP@3", "P@3", "R@3", "nDCG@3"),
    ),
    "few-relevant": Case(
        {"1": in_order("a b c d e f")}, {"1": {"b": 1, "z": 1}}, ("AP", "AP@5", "P@5", "R@5")
    ),
    "late": Case({"1": in_order("a b c d")}, {"1": {"c": 1}}, ("RR", "RR@2", "RR@3", "Success@2")),
    # fewer retrieved than the cutoff; a single item
    "short": Case(
        {"1": in_order("a b c")},
        {"1": {"a": 1, "c": 1}},
        ("P@5", "R@5", "AP@5", "nDCG@5", "RR@5", "Success@5"),
    ),
    "one-item": Case({"1": in_order("a")}, {"1": {"a": 1}}, FIRST_THREE),
    # equal scores
    "tied-one": Case({"1": tied("c a g h f b e d")}, {"1": {"g": 1}}, FIRST_THREE),
    "tied-one-renamed": Case({"1": tied("c a cc h f b e d")}, {"1": {"cc": 1}}, FIRST_THREE),
    "tied-two": Case(
        {"1": tied("c a g h f b e d")}, {"1": {"g": 1, "f": 1}}, (*FIRST_THREE, "P@3")
    ),
    "tied-graded": Case(
        {"1": tied("c a g h f b e d")}, {"1": {"g": 3, "f": 1}}, ("nDCG", "nDCG@3")
    ),
    "tied-twenty": Case({"1": tied(TWENTY)}, {"1": {"d09": 1}}, FIRST_THREE),
    # scores that are equal in float32, or in float16, and are not in float64
    "float32": Case({"1": {"b": 1.0, "a": 1 + 1e-9}}, {"1": {"a": 1}}, FIRST_THREE),
    "before-float16": Case({"1": CLOSE}, {"1": {"e": 1}}, FIRST_THREE),
    "float16": Case(
        {"1": {item: half(score) for item, score in CLOSE.items()}}, {"1": {"e": 1}}, FIRST_THREE
    ),
    "negative-scores": Case(
        {"1": {"a": -1.0, "b": -2.0, "c": -3.0}}, {"1": {"b": 1}}, (*FIRST_THREE, "P@2")
    ),
    # two queries, the second without a relevant item, not in the run, not in the qrels: the mean
    "no-relevant": Case(
        {"1": in_order("a b c"), "2": in_order("a b c")},
        {"1": {"b": 1}, "2": {"a": 0, "b": 0}},
        FIRST_THREE,
    ),
    "missing": Case({"1": in_order("a b c")}, {"1": {"b": 1}, "2": {"b": 1}}, FIRST_THREE),
    "unjudged": Case(
        {"1": in_order("a b c"), "2": in_order("a b c")}, {"1": {"b": 1}}, FIRST_THREE
    ),
}


@dataclass(frozen=True)
class Tool:
    """How a tool is called, the way its documentation shows.

    Attributes:
        install: what pip is given; the first is the distribution whose version is recorded.
        names: the tool's functions, and a case in the form that it takes.
        calls: measure -> the calls that give it, as Python; {k} is the cutoff.
        value: what a call returns -> the mean over the queries.
    """

    install: tuple[str, ...]
    names: Callable[[Case], Names]
    calls: dict[str, tuple[str, ...]]
    value: Callable[[Any], float] = float

    @property
    def version(self) -> str | None:
        """The version that is installed here, if any."""
        try:
            return importlib.metadata.version(self.install[0])
        except importlib.metadata.PackageNotFoundError:
            return None


def public(module: str, *names: str) -> Names:
    """These names of a module."""
    found = importlib.import_module(module)
    return {name: getattr(found, name) for name in names}


def with_pytrec_eval(case: Case) -> Names:
    # qrels: {query: {item: grade}}, run: {query: {item: score}}
    return public("pytrec_eval", "RelevanceEvaluator") | {"qrels": case.qrels, "run": case.run}


def pytrec_eval_call(name: str) -> tuple[str, ...]:
    return (f"RelevanceEvaluator(qrels, {{'{name}'}}).evaluate(run)",)


def mean_of_queries(results: dict[str, dict[str, float]]) -> float:
    return fmean(value for one in results.values() for value in one.values())


def with_ir_measures(case: Case) -> Names:
    # as above
    names = public("ir_measures", "calc_aggregate", "RR", "AP", "nDCG", "P", "R", "Success")
    return names | {"qrels": case.qrels, "run": case.run}


def only(results: dict[Any, float]) -> float:
    (value,) = results.values()
    return value


def with_sklearn(case: Case) -> Names:
    # grades, scores: arrays, one row a query of the run, one column a retrieved item
    import numpy as np

    shape = (len(case.run), -1)
    rows = case.rows()
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
    # qrels, run: made with Qrels(...) and Run(...) from the same dictionaries as above
    names = public("ranx", "Qrels", "Run", "evaluate")
    return {
        "evaluate": names["evaluate"],
        "qrels": names["Qrels"](case.qrels),
        "run": names["Run"](case.run),
    }


def ranx_call(name: str) -> tuple[str, ...]:
    call = f"evaluate(qrels, run, '{name}'"
    return (f"{call})", f"{call}, make_comparable=True)")


def with_torchmetrics(case: Case) -> Names:
    # preds, target, grades, indexes: one row a retrieved item; target is grade > 0
    import torch

    query, _, score, grade = zip(*case.rows(), strict=True)
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


def torchmetrics_call(name: str, target: str = "target") -> tuple[str, ...]:
    return (f"{name}(preds, {target}, indexes=indexes)",)


def with_recommenders(case: Case) -> Names:
    # rating_true: the judgements above 0; rating_pred: the run; columns as they are by default
    import pandas as pd

    true = [
        (query, item, float(grade))
        for query, grades in case.qrels.items()
        for item, grade in grades.items()
        if grade > 0
    ]
    pred = [row[:3] for row in case.rows()]
    return public(
        "recommenders.evaluation.python_evaluation",
        "map",
        "map_at_k",
        "ndcg_at_k",
        "precision_at_k",
        "recall_at_k",
    ) | {
        "rating_true": pd.DataFrame(true, columns=["userID", "itemID", "rating"]),
        "rating_pred": pd.DataFrame(pred, columns=["userID", "itemID", "prediction"]),
    }


def recommenders_call(name: str, more: str = "") -> str:
    return f"{name}(rating_true, rating_pred, k={{k}}{more})"


TOOLS: dict[str, Tool] = {
    "pytrec_eval": Tool(
        ("pytrec-eval-terrier",),
        with_pytrec_eval,
        {
            "RR": pytrec_eval_call("recip_rank"),
            "AP": pytrec_eval_call("map"),
            "AP@k": pytrec_eval_call("map_cut_{k}"),
            "nDCG": pytrec_eval_call("ndcg"),
            "nDCG@k": pytrec_eval_call("ndcg_cut_{k}"),
            "P@k": pytrec_eval_call("P_{k}"),
            "R@k": pytrec_eval_call("recall_{k}"),
            "Success@k": pytrec_eval_call("success_{k}"),
        },
        mean_of_queries,
    ),
    "ir_measures": Tool(
        ("ir-measures", "pytrec-eval-terrier"),
        with_ir_measures,
        {
            **{name: (f"calc_aggregate([{name}], qrels, run)",) for name in FIRST_THREE},
            **{
                f"{name}@k": (f"calc_aggregate([{name}@{{k}}], qrels, run)",)
                for name in ("RR", "AP", "nDCG", "P", "R", "Success", "nDCG(dcg='exp-log2')")
            },
        },
        only,
    ),
    "sklearn": Tool(
        ("scikit-learn",),
        with_sklearn,
        {
            "AP": (
                "label_ranking_average_precision_score(relevant, scores)",
                "fmean(map(average_precision_score, relevant, scores))",
            ),
            "nDCG": ("ndcg_score(grades, scores)", "ndcg_score(grades, scores, ignore_ties=True)"),
            "nDCG@k": (
                "ndcg_score(grades, scores, k={k})",
                "ndcg_score(grades, scores, k={k}, ignore_ties=True)",
            ),
            "nDCG(dcg='exp-log2')@k": ("ndcg_score(2**grades - 1, scores, k={k})",),
        },
    ),
    "ranx": Tool(
        ("ranx",),
        with_ranx,
        {
            "RR": ranx_call("mrr"),
            "RR@k": ranx_call("mrr@{k}"),
            "AP": ranx_call("map"),
            "AP@k": ranx_call("map@{k}"),
            "nDCG": ranx_call("ndcg"),
            "nDCG@k": ranx_call("ndcg@{k}"),
            "nDCG(dcg='exp-log2')@k": ranx_call("ndcg_burges@{k}"),
            "P@k": ranx_call("precision@{k}"),
            "R@k": ranx_call("recall@{k}"),
            "Success@k": ranx_call("hit_rate@{k}"),
        },
    ),
    "torchmetrics": Tool(
        ("torchmetrics", "torch==2.13.0"),
        with_torchmetrics,
        {
            "RR": torchmetrics_call("RetrievalMRR()"),
            "RR@k": torchmetrics_call("RetrievalMRR(top_k={k})"),
            "AP": torchmetrics_call("RetrievalMAP()"),
            "AP@k": torchmetrics_call("RetrievalMAP(top_k={k})"),
            "nDCG": torchmetrics_call("RetrievalNormalizedDCG()", "grades"),
            "nDCG@k": torchmetrics_call("RetrievalNormalizedDCG(top_k={k})", "grades"),
            "nDCG(dcg='exp-log2')@k": torchmetrics_call(
                "RetrievalNormalizedDCG(top_k={k})", "gains"
            ),
            "P@k": torchmetrics_call("RetrievalPrecision(top_k={k})"),
            "R@k": torchmetrics_call("RetrievalRecall(top_k={k})"),
            "Success@k": torchmetrics_call("RetrievalHitRate(top_k={k})"),
        },
    ),
    "recommenders": Tool(
        ("recommenders",),
        with_recommenders,
        {
            "AP@k": (recommenders_call("map"), recommenders_call("map_at_k")),
            "nDCG@k": (
                recommenders_call("ndcg_at_k"),
                recommenders_call("ndcg_at_k", ", score_type='raw'"),
            ),
            "nDCG(dcg='exp-log2')@k": (recommenders_call("ndcg_at_k", ", score_type='exp'"),),
            "P@k": (recommenders_call("precision_at_k"),),
            "R@k": (recommenders_call("recall_at_k"),),
        },
    ),
}


def calls_of(tool: Tool, measure: str) -> list[str]:
    """The calls of a tool that give a measure such as `AP@10`."""
    name, _, k = measure.partition("@")
    return [call.replace("{k}", k) for call in tool.calls.get(f"{name}@k" if k else name, ())]


def outcome(tool: Tool, case: Case, call: str) -> tuple[str, str]:
    """(value, error) of a call, as the table has them: ten digits, or the error's first line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = tool.value(eval(call, tool.names(case)))
        except Exception as error:
            return "", f"{type(error).__name__}: {error}".strip().splitlines()[0].rstrip(": ")
    return f"{value:.10g}", ""


def record(name: str) -> Iterator[dict[str, str]]:
    """The rows of a tool that is installed here."""
    tool = TOOLS[name]
    for case_name, case in CASES.items():
        for measure in case.measures:
            for call in calls_of(tool, measure):
                found = (name, tool.version, case_name, measure, call, *outcome(tool, case, call))
                yield dict(zip(COLUMNS, found, strict=True))


def read_table(path: Path = TABLE) -> list[dict[str, str]]:
    """The rows of the table; none where there is no table yet."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_table(rows: list[dict[str, str]], path: Path, columns: tuple[str, ...]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def in_table_order(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """By case, measure, tool and call, in the order in which they are written down here."""
    cases, tools = list(CASES), list(TOOLS)

    def place(row: dict[str, str]) -> tuple[int, ...]:
        case, tool = CASES[row["case"]], TOOLS[row["tool"]]
        calls = calls_of(tool, row["measure"])
        return (
            cases.index(row["case"]),
            case.measures.index(row["measure"]),
            tools.index(row["tool"]),
            calls.index(row["call"]),
        )

    return sorted(rows, key=place)


def case_rows() -> list[dict[str, str]]:
    """The cases as a table: first what was retrieved, in input order, then what else is judged."""
    rows = []
    for name, case in CASES.items():
        for query in case.run | case.qrels:
            scores, grades = case.run.get(query, {}), case.qrels.get(query, {})
            for item in scores | grades:
                found = (name, query, item, scores.get(item, ""), grades.get(item, ""))
                rows.append(dict(zip(CASE_COLUMNS, map(str, found), strict=True)))
    return rows


def record_in_own_environment(name: str) -> None:
    """Install a tool in an environment that is thrown away, and run this script there."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = Path(folder, "Scripts" if sys.platform == "win32" else "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "-q", *TOOLS[name].install], check=True)
        subprocess.run([python, __file__, "--tools", name], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tools", nargs="+", choices=TOOLS, default=list(TOOLS))
    parser.add_argument(
        "--install", action="store_true", help="run each tool in an environment of its own"
    )
    chosen = parser.parse_args()
    if chosen.install:
        for name in chosen.tools:
            record_in_own_environment(name)
        return
    here = [name for name in chosen.tools if TOOLS[name].version]
    rows = [row for row in read_table() if row["tool"] not in here]
    for name in here:
        rows += record(name)
    write_table(in_table_order(rows), TABLE, COLUMNS)
    write_table(case_rows(), CASE_TABLE, CASE_COLUMNS)
    print(f"recorded: {', '.join(here) or 'nothing'}")
    if lacking := [name for name in chosen.tools if name not in here]:
        print(f"not installed here, rows kept: {', '.join(lacking)}")


if __name__ == "__main__":
    main()
