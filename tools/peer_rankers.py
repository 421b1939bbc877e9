"""What libraries of boosted trees give: their evaluation metrics of a ranking, without a tree."""

from typing import Any

import numpy as np
from peer_cases import Case
from peer_tool import Names, Tool, public


def columns(case: Case) -> Names:
    """One row a retrieved item: its grade, unjudged 0, and its score; and the rows a query has."""
    rows = case.rows()
    return {
        "label": np.array([float(row[3]) for row in rows]),
        "score": np.array([row[2] for row in rows]),
        "group": np.array([sum(row[0] == query for row in rows) for query in case.run]),
    }


def with_xgboost(case: Case) -> Names:
    # graded, binary: one row a retrieved item; its score is where boosting starts from, and ends
    found = columns(case)
    names = public("xgboost", "Booster", "DMatrix")
    label, shape = found["label"], (len(found["label"]), 1)

    def data(label: np.ndarray) -> Any:
        start = {"base_margin": found["score"], "group": found["group"]}
        return names["DMatrix"](np.zeros(shape), label=label, **start)

    return {"Booster": names["Booster"], "graded": data(label), "binary": data(label > 0)}


def xgboost_call(metric: str, data: str, more: str = "") -> str:
    return f"Booster({{'eval_metric': '{metric}'{more}}}, [{data}]).eval({data})"


def with_lightgbm(case: Case) -> Names:
    # data: as above
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


def lightgbm_call(metric: str, k: str = "{k}", more: str = "") -> str:
    asked = f"'metric': '{metric}', 'eval_at': {k}{more}"
    return f"Booster({{**ranking, {asked}}}, data).eval_train()"


def with_catboost(case: Case) -> Names:
    # label, approx, group_id: one row a retrieved item
    found = columns(case)
    return public("catboost.utils", "eval_metric") | {
        "label": found["label"],
        "approx": found["score"],
        "group_id": np.repeat(np.arange(len(found["group"])), found["group"]),
    }


def catboost_call(metric: str) -> tuple[str, ...]:
    return (f"eval_metric(label, approx, '{metric}', group_id=group_id)",)


LINEAR = {"xgboost": ", 'ndcg_exp_gain': False", "lightgbm": ", 'label_gain': [0, 1, 2, 3]"}

RANKERS: dict[str, Tool] = {
    "xgboost": Tool(
        ("xgboost",),
        with_xgboost,
        {
            "AP": (xgboost_call("map", "binary"),),
            "AP@k": (xgboost_call("map@{k}", "binary"),),
            **{
                f"nDCG{at}": (
                    xgboost_call(f"ndcg{k}", "graded"),
                    xgboost_call(f"ndcg{k}", "graded", LINEAR["xgboost"]),
                )
                for at, k in (("", ""), ("@k", "@{k}"))
            },
            "nDCG(dcg='exp-log2')@k": (xgboost_call("ndcg@{k}", "graded"),),
            "P@k": (xgboost_call("pre@{k}", "binary"),),
        },
        lambda printed: float(printed.rpartition(":")[2]),
        beside=("numpy",),
    ),
    "lightgbm": Tool(
        ("lightgbm",),
        with_lightgbm,
        {
            **{f"AP{at}": (lightgbm_call("map", k),) for at, k in (("", "{n}"), ("@k", "{k}"))},
            **{
                f"nDCG{at}": (
                    lightgbm_call("ndcg", k),
                    lightgbm_call("ndcg", k, LINEAR["lightgbm"]),
                )
                for at, k in (("", "{n}"), ("@k", "{k}"))
            },
            "nDCG(dcg='exp-log2')@k": (lightgbm_call("ndcg"),),
        },
        lambda results: results[0][2],
        beside=("numpy",),
    ),
    "catboost": Tool(
        ("catboost",),
        with_catboost,
        {
            "RR": catboost_call("MRR"),
            "RR@k": catboost_call("MRR:top={k}"),
            "AP": catboost_call("MAP"),
            "AP@k": catboost_call("MAP:top={k}"),
            "nDCG": catboost_call("NDCG"),
            "nDCG@k": catboost_call("NDCG:top={k}"),
            "nDCG(dcg='exp-log2')@k": catboost_call("NDCG:top={k};type=Exp"),
            "P@k": catboost_call("PrecisionAt:top={k}"),
            "R@k": catboost_call("RecallAt:top={k}"),
        },
        lambda results: results[0],
        beside=("numpy",),
    ),
}
