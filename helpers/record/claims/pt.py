"""The claims of the Portuguese tutorial."""

from itertools import combinations, permutations

import pandas as pd

from byhand import explain
from byhand.metrics.chance import chance
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import evaluate
from byhand.metrics.names import measure_list
from helpers.record.claims.claim import (
    Claim,
    different,
    equals,
    ways_to_place,
    with_grades,
)
from helpers.record.printed import Number
from helpers.record.recomputed import cases, exact, measured, recompute


def _one_of_four_tied(ties: str) -> float:
    """RR of one relevant item of four that a yes-or-no prediction cannot put in order."""
    run = pd.DataFrame({"query_id": "user", "doc_id": list("abcd"), "score": 1})
    qrels = pd.DataFrame({"query_id": ["user"], "doc_id": ["a"], "relevance": [1]})
    found = evaluate(run, qrels, ["RR"], conventions=Conventions(ties=ties))
    return float(found["RR"].iloc[0])


def _exam(measure: str) -> float:
    """Of twenty questions, each worth an answer, the pupil gets the second one right."""
    answers = [f"wrong {n}" if n != 2 else "right 2" for n in range(1, 21)]
    return measure_list(measure, answers, [f"right {n}" for n in range(1, 21)])


def _told_apart(measure: str) -> int:
    """How many different values a measure has over the orders of the grades 3, 1, 0, 0."""
    orders = set(permutations((3, 1, 0, 0)))
    return len({exact(with_grades(measure, *order)) for order in orders})


def _one_hit(measure: str) -> list[float]:
    """A measure of lists of ten with one relevant item, from rank 1 to rank 10."""
    return [with_grades(measure, *(rank == hit for rank in range(10))) for hit in range(10)]


def _ordered_differently(measure: str, other: str) -> int:
    """How many pairs of lists with one relevant item two measures put in another order."""
    values = zip(_one_hit(measure), _one_hit(other), strict=True)
    return sum((a > b) != (x > y) for (a, x), (b, y) in combinations(values, 2))


def _rank_formula() -> Number:
    """1 / rank(i + 1) as it stands, for the first user: i counts from 0, the rank from 1."""
    rank = recompute("pt/mrr: rank of hit 1 of user 1")
    i = rank - 1
    return 1 / (rank * (i + 1))


def _without_the_third() -> Number:
    """What the code prints if the relevant items of the third user are not there."""
    users = list(cases("pt", "mrr").values())
    return sum(measured("RR", user) for user in users[:-1]) / len(users)


def _argues_as_ndcg(exam: Number) -> bool:
    """Whether AP does what the tutorial says for nDCG: the exam, the table, one relevant item."""
    return exam < 1 / 2 and different("AP", "pt", "table") == 3 and _one_hit("AP") == _one_hit("RR")


CLAIMS = {
    "pt-list-size": Claim(holds=equals("pt/mrr: RR of user 1")),
    "pt-relevant-size": Claim(
        value=lambda: chance(100, 10, "RR"), holds=lambda rr: rr == chance(100, 1, "RR")
    ),
    "pt-ten-items": Claim(value="RR with hits at 1 of 10", said="RR with hits at 1 of 1"),
    "pt-binary-scores": Claim(
        value=lambda: _one_of_four_tied("worst"),
        holds=lambda lowest: lowest == _one_of_four_tied("best"),
    ),
    "pt-between": Claim(value="pt/mrr: mean RR of the lists", holds=lambda mrr: 0 < mrr < 1),
    "pt-scikit-learn": Claim(
        value="pt/table: mean AP of the lists",
        holds=lambda lrap: lrap != recompute("pt/table: mean RR of the lists"),
    ),
    "pt-zip": Claim(value=_without_the_third, holds=equals("pt/mrr: mean RR of the lists")),
    "pt-rank-formula": Claim(value=_rank_formula, holds=equals("pt/mrr: RR of user 1")),
    "pt-ndcg-complete": Claim(
        value=lambda: _told_apart("nDCG"), holds=lambda orders: orders > _told_apart("RR")
    ),
    "pt-ndcg-positions": Claim(
        value=lambda: len(set(ways_to_place("nDCG", 2, 4))),
        said=lambda: len(ways_to_place("nDCG", 2, 4)),
    ),
    "pt-exam-ndcg": Claim(value=lambda: _exam("nDCG"), holds=lambda grade: grade < 1 / 2),
    "pt-ndcg-differs": Claim(value=lambda: different("nDCG", "pt", "table"), said=3),
    "pt-one-item": Claim(value=lambda: _ordered_differently("RR", "nDCG"), said=0),
    "pt-several-items": Claim(
        value=lambda: different("nDCG", "pt", "table") - different("RR", "pt", "table"),
        holds=lambda more: more > 0,
    ),
    "pt-ndcg-grades": Claim(value=lambda: with_grades("nDCG", 1, 3), holds=lambda value: value < 1),
    "pt-map-between": Claim(
        value=lambda: _told_apart("AP"),
        holds=lambda orders: _told_apart("RR") < orders < _told_apart("nDCG"),
    ),
    "pt-map-average": Claim(
        value=lambda: float(explain(*cases("pt", "table")["user 3"])["precision"].mean()),
        said="pt/table: AP of user 3",
    ),
    "pt-map-positions": Claim(value=lambda: different("AP", "pt", "table"), said=3),
    "pt-grades-better": Claim(
        value=lambda: with_grades("nDCG", 3, 1) - with_grades("nDCG", 1, 3),
        holds=lambda gain: gain > with_grades("AP", 3, 1) - with_grades("AP", 1, 3),
    ),
    "pt-arguments-map": Claim(value=lambda: _exam("AP"), holds=_argues_as_ndcg),
}
