"""How each tool is called, and what it is given: no tool is imported before it is asked for."""

import subprocess
import tempfile
from pathlib import Path
from statistics import fmean
from typing import Any

from peer_cases import CASES, FIRST_THREE, RBP, Case
from peer_rankers import RANKERS
from peer_retrieval import RETRIEVAL
from peer_spark import SPARK
from peer_tool import REPEATED, WITH_TIES, Names, Tool, public, ranked, relevant, trec_eval_command


def with_trec_eval(case: Case) -> Names:
    # trec_eval: the command with these arguments; qrels, run: the two files, in TREC's format
    run = [f"{query} Q0 {item} 0 {score!r} run" for query, item, score, _ in case.rows()]
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


def trec_eval_tool(option: str = "", *, cases: tuple[str, ...] = tuple(CASES)) -> Tool:
    """trec_eval with an option; it prints 4 decimals."""
    measures = {
        "RR": "-m recip_rank",
        "RR@k": "-M {k} -m recip_rank",
        "AP": "-m map",
        "AP@k": "-m map_cut.{k}",
        "nDCG": "-m ndcg",
        "nDCG@k": "-m ndcg_cut.{k}",
        "P@k": "-m P.{k}",
        "R@k": "-m recall.{k}",
        "Success@k": "-m success.{k}",
    }
    return Tool(
        (),
        with_trec_eval,
        {
            name: (f"trec_eval('{option + ' ' if option else ''}{asked} qrels run')",)
            for name, asked in measures.items()
        },
        lambda printed: float(printed.split()[-1]),
        skip=frozenset(set(CASES) - set(cases)),
        tolerance=5e-5,
    )


def with_pytrec_eval(case: Case) -> Names:
    # qrels: {query: {item: grade}}, run: {query: {item: score}}
    return public("pytrec_eval", "RelevanceEvaluator") | {"qrels": case.qrels, "run": case.run}


def pytrec_eval_call(name: str) -> tuple[str, ...]:
    return (f"RelevanceEvaluator(qrels, {{'{name}'}}).evaluate(run)",)


def mean_of_queries(results: dict[str, dict[str, float]]) -> float:
    return fmean(value for one in results.values() for value in one.values())


def with_ir_measures(case: Case) -> Names:
    # as above
    names = public("ir_measures", "calc_aggregate", "RR", "AP", "nDCG", "ERR", "RBP", "P", "R")
    names |= public("ir_measures", "Success")
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


def recommenders_call(name: str, k: str = "{k}", more: str = "") -> str:
    return f"{name}(rating_true, rating_pred, k={k}{more})"


def with_recbole(case: Case) -> Names:
    # evaluate: what its trainer does with a model's scores, -inf for what was not retrieved
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


def recbole_call(name: str, k: str = "{k}") -> tuple[str, ...]:
    return (f"evaluate('{name}', k={k})",)


def with_cornac(case: Case) -> Names:
    # train_set: the retrieved items, in input order; test_set: the judgements of those; model:
    # one that gives the scores of the run
    import numpy as np

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


def cornac_call(name: str) -> tuple[str, ...]:
    return (f"ranking_eval(model, [{name}], train_set, test_set)",)


def with_evidently(case: Case) -> Names:
    # data: one row a retrieved item, columns as they are by default
    import pandas as pd

    names = public("evidently", "DataDefinition", "Dataset", "Recsys", "Report")
    rows = pd.DataFrame(case.rows(), columns=["user_id", "item_id", "prediction", "target"])
    ranking = names["DataDefinition"](ranking=[names["Recsys"]()])
    metrics = ("HitRate", "MAP", "MRR", "NDCG", "PrecisionTopK", "RecallTopK")
    return public("evidently.metrics", *metrics) | {
        "Report": names["Report"],
        "data": names["Dataset"].from_pandas(rows, ranking),
    }


def evidently_call(name: str, k: str = "{k}") -> tuple[str, ...]:
    return (f"Report([{name}(k={k})]).run(data, None)",)


def at_its_cutoff(snapshot: Any) -> float:
    """The row of the cutoff in the table that the report gives, or its last where it is shorter."""
    (metric,) = snapshot.dict()["metrics"]
    values = list(metric["value"]["value"].values())
    return values[min(metric["config"]["k"], len(values)) - 1]


def with_recmetrics(case: Case) -> Names:
    # actual, predicted: lists of items, one a query of the run
    return public("recmetrics", "mark") | {
        "actual": [list(grades) for grades in relevant(case).values()],
        "predicted": list(ranked(case).values()),
    }


TOOLS: dict[str, Tool] = {
    "trec_eval": trec_eval_tool(),
    "trec_eval -c": trec_eval_tool("-c"),
    "trec_eval -J": trec_eval_tool("-J", cases=("many-relevant",)),
    "trec_eval 10": trec_eval_tool(),
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
        skip=REPEATED,
    ),
    "ir_measures": Tool(
        ("ir-measures", "cwl-eval"),
        with_ir_measures,
        {
            **{name: (f"calc_aggregate([{name}], qrels, run)",) for name in (*FIRST_THREE, *RBP)},
            **{
                f"{name}@k": (f"calc_aggregate([{name}@{{k}}], qrels, run)",)
                for name in (
                    "RR",
                    "AP",
                    "nDCG",
                    "P",
                    "R",
                    "Success",
                    "nDCG(dcg='exp-log2')",
                    "ERR",
                )
            },
        },
        only,
        skip=REPEATED,
        beside=("pytrec-eval-terrier", "cwl-eval"),
        tolerance=5e-6,  # gdeval, which it runs for ERR and the exponential gain, has five digits
    ),
    "sklearn": Tool(
        ("scikit-learn",),
        with_sklearn,
        {
            "AP": (
                "label_ranking_average_precision_score(relevant, scores)",
                "fmean(map(average_precision_score, relevant, scores))",
            ),
            "nDCG": (
                "ndcg_score(grades, scores)",
                "ndcg_score(grades, scores, ignore_ties=True)",
            ),
            "nDCG@k": (
                "ndcg_score(grades, scores, k={k})",
                "ndcg_score(grades, scores, k={k}, ignore_ties=True)",
            ),
            "nDCG(dcg='exp-log2')@k": ("ndcg_score(2**grades - 1, scores, k={k})",),
        },
        skip=frozenset({"empty-list"}),
        beside=("numpy",),
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
        skip=REPEATED,
        beside=("numba", "numpy"),
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
        beside=("torch",),
        tolerance=1e-6,  # float32
    ),
    "recommenders": Tool(
        ("recommenders",),
        with_recommenders,
        {
            **{
                f"AP{at}": (recommenders_call("map", k), recommenders_call("map_at_k", k))
                for at, k in (("", "{n}"), ("@k", "{k}"))
            },
            **{
                f"nDCG{at}": (
                    recommenders_call("ndcg_at_k", k),
                    recommenders_call("ndcg_at_k", k, ", score_type='raw'"),
                )
                for at, k in (("", "{n}"), ("@k", "{k}"))
            },
            "nDCG(dcg='exp-log2')@k": (recommenders_call("ndcg_at_k", more=", score_type='exp'"),),
            "P@k": (recommenders_call("precision_at_k"),),
            "R@k": (recommenders_call("recall_at_k"),),
        },
        beside=("numpy", "pandas"),
    ),
    "recbole": Tool(
        ("recbole", "numpy<1.24", "scipy<1.12", "pandas<2.2", "torch==2.13.0"),
        with_recbole,
        {
            "RR": recbole_call("MRR", "{n}"),
            "RR@k": recbole_call("MRR"),
            "AP": recbole_call("MAP", "{n}"),
            "AP@k": recbole_call("MAP"),
            "nDCG": recbole_call("NDCG", "{n}"),
            "nDCG@k": recbole_call("NDCG"),
            "P@k": recbole_call("Precision"),
            "R@k": recbole_call("Recall"),
            "Success@k": recbole_call("Hit"),
        },
        only,
        skip=REPEATED | {"missing", "empty-list", "no-relevant", "unjudged"},
        beside=("numpy", "torch"),
    ),
    "cornac": Tool(
        ("cornac",),
        with_cornac,
        {
            "RR": cornac_call("MRR()"),
            "AP": cornac_call("MAP()"),
            "nDCG": cornac_call("NDCG()"),
            "nDCG@k": cornac_call("NDCG(k={k})"),
            "P@k": cornac_call("Precision(k={k})"),
            "R@k": cornac_call("Recall(k={k})"),
            "Success@k": cornac_call("HitRatio(k={k})"),
        },
        lambda results: results[0][0],
        skip=REPEATED | {"missing", "empty-list"},
        beside=("numpy",),
    ),
    "evidently": Tool(
        ("evidently", "pandas<3"),
        with_evidently,
        {
            "RR": evidently_call("MRR", "{n}"),
            "RR@k": evidently_call("MRR"),
            "AP": evidently_call("MAP", "{n}"),
            "AP@k": evidently_call("MAP"),
            "nDCG": evidently_call("NDCG", "{n}"),
            "nDCG@k": evidently_call("NDCG"),
            "P@k": evidently_call("PrecisionTopK"),
            "R@k": evidently_call("RecallTopK"),
            "Success@k": evidently_call("HitRate"),
        },
        at_its_cutoff,
        beside=("numpy", "pandas"),
    ),
    "recmetrics": Tool(
        ("recmetrics", "numpy<2", "matplotlib<3.9"),
        with_recmetrics,
        {
            "AP": ("mark(actual, predicted, k={n})",),
            "AP@k": ("mark(actual, predicted, k={k})",),
        },
        skip=WITH_TIES | {"missing"},
        # "mean average recall at k", it says of mark
        label=lambda measure: measure.replace("AP", "average recall"),
    ),
    **RANKERS,
    **RETRIEVAL,
    **SPARK,
}
