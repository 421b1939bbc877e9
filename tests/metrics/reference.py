"""The metrics once more, by sorting and with fractions: slow, plain, and sharing no code."""

import math
from fractions import Fraction
from itertools import pairwise

MEASURES = ("RR", "AP", "nDCG", "DCG", "ERR", "RBP", "P", "R", "Rprec", "Success", "Bpref")


def ranking(rows, grades, ties):
    """The items of one query, best first; `rows` are (item, score) as they stand in the table."""

    def worth(item):
        return max(grades.get(item, 0), 0)

    rows = list(rows)
    if ties in ("doc_id", "doc_id_ascending"):
        rows.sort(key=lambda row: row[0], reverse=ties == "doc_id")
    elif ties == "best":
        rows.sort(key=lambda row: worth(row[0]), reverse=True)
    elif ties == "worst":
        rows.sort(key=lambda row: worth(row[0]))
    rows.sort(key=lambda row: row[1], reverse=True)  # stable: equal scores keep their order
    assert all(a[1] >= b[1] for a, b in pairwise(rows))
    return [item for item, _ in rows]


def value(
    measure,
    ranked,
    grades,
    *,
    k=None,
    rel=1,
    denominator="relevant",
    gain="linear",
    ideal="judged",
    discount="log2",
    p=Fraction(4, 5),
    max_rel=4,
):
    """One measure of one ranked list; `grades` maps items to grades of any sign."""
    top = ranked[:k]
    relevant = {item for item, grade in grades.items() if grade > 0 and grade >= rel}
    hit = [item in relevant for item in top]
    if measure == "RR":
        return Fraction(1, hit.index(True) + 1) if any(hit) else 0
    if measure == "Success":
        return int(any(hit))
    if measure == "P":
        length = len(ranked) if k is None else k
        return Fraction(sum(hit), length) if length else 0
    if measure == "R":
        capped = denominator == "capped" and k is not None
        divisor = min(len(relevant), k) if capped else len(relevant)
        return Fraction(sum(hit), divisor) if divisor else 0
    if measure == "Rprec":
        return Fraction(sum(hit[: len(relevant)]), len(relevant)) if relevant else 0
    if measure == "Bpref":
        others = {item for item, grade in grades.items() if grade >= 0} - relevant
        found = Fraction(0)
        for rank in (rank for rank, one in enumerate(hit) if one):
            above = sum(item in others for item in ranked[:rank])
            fewest = min(len(others), len(relevant))
            found += 1 - (Fraction(min(above, len(relevant)), fewest) if fewest else 0)
        return found / len(relevant) if relevant else 0
    if measure == "RBP":
        return sum((1 - p) * p**i for i, one in enumerate(hit) if one)
    if measure == "ERR":
        found, reading = Fraction(0), Fraction(1)
        for rank, item in enumerate(top, start=1):
            stop = Fraction(2 ** max(grades.get(item, 0), 0) - 1, 2**max_rel)
            found, reading = found + reading * stop / rank, reading * (1 - stop)
        return found
    if measure == "AP":
        precisions = [Fraction(sum(hit[: i + 1]), i + 1) for i, one in enumerate(hit) if one]
        divisor = {
            "relevant": len(relevant),
            "capped": len(relevant) if k is None else min(len(relevant), k),
            "retrieved": sum(hit),
        }[denominator]
        return sum(precisions) / divisor if divisor else 0
    found = _dcg([grades.get(item, 0) for item in top], gain, discount)
    if measure == "DCG":
        return found
    pool = [item for item in ranked if item in grades] if ideal == "retrieved" else grades
    longest = {"uncut": None, "length": len(top)}.get(ideal, k)
    best = sorted((grades[item] for item in pool), reverse=True)[:longest]
    return found / _dcg(best, gain, discount) if _dcg(best, gain, discount) else 0


def _dcg(grades, gain, discount):
    worth = {"exponential": lambda g: 2**g - 1, "linear": lambda g: g, "binary": lambda g: g > 0}
    gains = [worth[gain](max(g, 0)) for g in grades]
    by = {"log2": lambda rank: math.log2(rank + 1), "log2_from_2": lambda r: max(math.log2(r), 1)}
    return math.fsum(g / by[discount](rank) for rank, g in enumerate(gains, start=1))
