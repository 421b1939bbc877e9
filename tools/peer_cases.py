"""The cases that other tools are run on: each separates tools that differ in a convention."""

import struct
from dataclasses import dataclass

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]


@dataclass(frozen=True)
class Case:
    """A run, qrels, and the measures (in ir_measures' notation) that show a difference.

    An item that is retrieved once more stands in `repeats`: (query, item, score).
    """

    run: Run
    qrels: Qrels
    measures: tuple[str, ...]
    repeats: tuple[tuple[str, str, float], ...] = ()

    @property
    def n_retrieved(self) -> int:
        """The length of the longest list."""
        return max(map(len, self.run.values())) + len(self.repeats)

    @property
    def has_ties(self) -> bool:
        """Whether a query has two items with equal scores."""
        return any(len(set(one.values())) < len(one) for one in self.run.values())

    def rows(self) -> list[tuple[str, str, float, int]]:
        """(query, item, score, grade) of what was retrieved, in input order; unjudged is 0."""
        once = [
            (query, item, self.run[query][item]) for query in self.run for item in self.run[query]
        ]
        return [
            (query, item, score, self.qrels.get(query, {}).get(item, 0))
            for query, item, score in (*once, *self.repeats)
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
RBP = ("RBP(rel=1)", "RBP(rel=2,p=0.5)")

# In the tied cases the first relevant item comes 3rd in input order, 2nd by identifier
# descending (5th once renamed), 7th ascending (4th), and 6th in reversed input order.
CASES: dict[str, Case] = {
    # graded; g and h are judged, not retrieved: which ideal, which gain
    "graded": Case(
        {"1": in_order("a b c d e f")},
        {"1": {"a": 3, "b": 2, "c": 3, "d": 0, "e": 1, "f": 2, "g": 3, "h": 2}},
        ("nDCG@3", "nDCG@6", "nDCG(dcg='exp-log2')@6", "ERR@3", "ERR@9", *RBP),
    ),
    "grade-below-zero": Case(
        {"1": in_order("a b c")}, {"1": {"a": -1, "b": 1, "c": 2}}, ("nDCG", "AP", "ERR@3", *RBP)
    ),
    # what AP@k divides by: R = 20 > k = 10; R = 4 > k = 3, a hit beyond k; R = 2 < k = 5
    "deep": Case(
        {"1": in_order("r1 b c d e f g h i j")},
        {"1": {f"r{i}": 1 for i in range(1, 21)}},
        ("AP@10", "R@10", "nDCG@10"),
    ),
    "many-relevant": Case(
        {"1": in_order("a b c d e f")},
        {"1": {"a": 1, "c": 1, "f": 1, "z": 1}},
        ("AP", "AP@3", "P@3", "R@3", "nDCG@3"),
    ),
    # fewer judged than the cutoff
    "few-relevant": Case(
        {"1": in_order("a b c d e f")},
        {"1": {"b": 1, "z": 1}},
        ("AP", "AP@5", "P@5", "R@5", "nDCG@5"),
    ),
    "late": Case({"1": in_order("a b c d")}, {"1": {"c": 1}}, ("RR", "RR@2", "RR@3", "Success@2")),
    # fewer retrieved than the cutoff, and than are relevant; a single item; rows in another order
    # than the scores
    "short": Case(
        {"1": in_order("a b c")},
        {"1": {"a": 1, "c": 1}},
        ("P@5", "R@5", "AP@5", "nDCG@5", "RR@5", "Success@5"),
    ),
    "one-of-ten": Case(
        {"1": in_order("r1")},
        {"1": {f"r{i}": 1 for i in range(1, 11)}},
        ("AP@10", "P@10", "R@10", "nDCG@10"),
    ),
    "one-item": Case({"1": in_order("a")}, {"1": {"a": 1}}, FIRST_THREE),
    "unsorted": Case({"1": {"c": 1.0, "b": 2.0, "a": 3.0}}, {"1": {"b": 1}}, FIRST_THREE),
    # equal scores
    "tied-one": Case({"1": tied("c a g h f b e d")}, {"1": {"g": 1}}, (*FIRST_THREE, "RR@8")),
    "tied-one-renamed": Case(
        {"1": tied("c a cc h f b e d")}, {"1": {"cc": 1}}, (*FIRST_THREE, "RR@8")
    ),
    "tied-two": Case(
        {"1": tied("c a g h f b e d")}, {"1": {"g": 1, "f": 1}}, (*FIRST_THREE, "P@3")
    ),
    "tied-graded": Case(
        {"1": tied("c a g h f b e d")},
        {"1": {"g": 3, "f": 1}},
        ("nDCG", "nDCG@3", "ERR@3", "ERR@9", *RBP),
    ),
    "tied-twenty": Case({"1": tied(TWENTY)}, {"1": {"d09": 1}}, FIRST_THREE),
    # a long list in which just two scores are equal, the 9th and the 10th
    "tied-in-twenty": Case(
        {"1": in_order(TWENTY) | {"d04": 12.0}}, {"1": {"d04": 1}}, ("RR", "nDCG@10")
    ),
    # scores that are equal in float32, or in float16, and are not in float64
    "float32": Case({"1": {"b": 1.0, "a": 1 + 1e-9}}, {"1": {"a": 1}}, (*FIRST_THREE, "RR@2")),
    "before-float16": Case({"1": CLOSE}, {"1": {"e": 1}}, FIRST_THREE),
    "float16": Case(
        {"1": {item: half(score) for item, score in CLOSE.items()}}, {"1": {"e": 1}}, FIRST_THREE
    ),
    "negative-scores": Case(
        {"1": {"a": -1.0, "b": -2.0, "c": -3.0}}, {"1": {"b": 1}}, (*FIRST_THREE, "P@2")
    ),
    # an item at ranks 1 and 2; an item that is the query itself; a grade above most scales
    "repeated": Case(
        {"1": {"a": 4.0, "b": 2.0, "c": 1.0}},
        {"1": {"a": 1, "c": 1}},
        ("AP", "nDCG", "P@4", "R@4"),
        repeats=(("1", "a", 3.0),),
    ),
    "itself": Case({"1": in_order("1 a b c")}, {"1": {"b": 1}}, ("RR", "AP", "nDCG@3")),
    "grade-forty": Case(
        {"1": in_order("b a c")},
        {"1": {"a": 40, "b": 1, "c": 0}},
        ("nDCG@3", "nDCG(dcg='exp-log2')@3", "ERR@3"),
    ),
    # two queries, the second without a relevant item, not in the run, not in the qrels: the mean
    "no-relevant": Case(
        {"1": in_order("a b c"), "2": in_order("a b c")},
        {"1": {"b": 1}, "2": {"a": 0, "b": 0}},
        (*FIRST_THREE, "RR@2", "P@2", "ERR@9", *RBP),
    ),
    "missing": Case(
        {"1": in_order("a b c")},
        {"1": {"b": 1}, "2": {"b": 1}},
        (*FIRST_THREE, "RR@2", "P@2", "ERR@9", *RBP),
    ),
    # as above, but the run has the second query, with an empty list
    "empty-list": Case(
        {"1": in_order("a b c"), "2": {}},
        {"1": {"b": 1}, "2": {"b": 1}},
        (*FIRST_THREE, "RR@2", "P@2"),
    ),
    "unjudged": Case(
        {"1": in_order("a b c"), "2": in_order("a b c")},
        {"1": {"b": 1}},
        (*FIRST_THREE, "RR@2", "P@2"),
    ),
}
