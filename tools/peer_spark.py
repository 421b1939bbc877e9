"""What tools give that count on a cluster, run here on one core."""

from functools import cache
from typing import Any

from peer_cases import Case
from peer_tool import WITH_TIES, Names, Tool, public, ranked, relevant


@cache
def session() -> Any:
    """A Spark of our own."""
    builder = public("pyspark.sql", "SparkSession")["SparkSession"].builder.master("local[1]")
    return builder.config("spark.ui.enabled", "false").getOrCreate()


def with_spark(case: Case) -> Names:
    # pairs: (retrieved items, items judged above 0) of each query; graded: with the grades, too
    spread, judged = session().sparkContext.parallelize, relevant(case)
    found = [(items, judged[query]) for query, items in ranked(case).items()]
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
    true = [
        (query, item, float(grade))
        for query, grades in relevant(case).items()
        for item, grade in grades.items()
    ]
    names = public("recommenders.evaluation.spark_evaluation", "SparkRankingEvaluation")
    frame = session().createDataFrame
    return names | {
        "rating_true": frame(true, ["userID", "itemID", "rating"]),
        "rating_pred": frame([row[:3] for row in case.rows()], ["userID", "itemID", "prediction"]),
    }


def recommenders_call(name: str, k: str = "{k}") -> str:
    return f"SparkRankingEvaluation(rating_true, rating_pred, k={k}).{name}()"


SPARK: dict[str, Tool] = {
    "spark": Tool(
        ("pyspark",),
        with_spark,
        {
            "AP": ("RankingMetrics(pairs).meanAveragePrecision",),
            "AP@k": ("RankingMetrics(pairs).meanAveragePrecisionAt({k})",),
            **{
                f"nDCG{at}": tuple(
                    f"RankingMetrics({given}).ndcgAt({k})" for given in ("pairs", "graded")
                )
                for at, k in (("", "{n}"), ("@k", "{k}"))
            },
            "P@k": ("RankingMetrics(pairs).precisionAt({k})",),
            "R@k": ("RankingMetrics(pairs).recallAt({k})",),
        },
        skip=WITH_TIES,
    ),
    "recommenders spark": Tool(
        ("recommenders", "pyspark"),
        with_recommenders_spark,
        {
            **{
                f"AP{at}": (recommenders_call("map", k), recommenders_call("map_at_k", k))
                for at, k in (("", "{n}"), ("@k", "{k}"))
            },
            "nDCG": (recommenders_call("ndcg_at_k", "{n}"),),
            "nDCG@k": (recommenders_call("ndcg_at_k"),),
            "P@k": (recommenders_call("precision_at_k"),),
            "R@k": (recommenders_call("recall_at_k"),),
        },
        beside=("pyspark",),
    ),
}
