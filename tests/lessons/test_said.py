"""What the notebooks say in numbers comes out: of dragged lists, in hints, of documents."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from math import log2
from pathlib import Path

import nbformat
import pytest

from byhand import average_precision, chance, ndcg, reciprocal_rank, success
from byhand.metrics import chance_at_mean
from byhand.widgets.bench import FORMULAS
from helpers import questions, worked_example
from helpers.measuring import average, placements
from helpers.places import NOTEBOOKS


def mean(*values: object) -> Fraction:
    return sum(map(Fraction, values)) / len(values)


def page(name: str, *, without: str = "", k: int | None = None, **options: object) -> Fraction:
    """The AP of a page for tomato soup, less one recipe."""
    ranked, soups = worked_example("cooking", "tomato soup")[name]
    left = [item for item in ranked if item != without]
    return Fraction(average_precision(left, soups, k=k, **options)).limit_denominator(1000)


def graded(**grades: int) -> float:
    """The nDCG of today's page for tomato soup, with some grades changed."""
    ranked, soups = worked_example("cooking", "tomato soup")["today"]
    return ndcg(ranked, soups | grades)


def added_up(*hits: int, worth: Callable[[int], float]) -> float:
    """What today's minestrone, gazpacho and bisque add up to at these ranks."""
    return sum(grade * worth(rank) for grade, rank in zip((1, 2, 3), hits, strict=False))


def discount(rank: int) -> float:
    return 1 / log2(rank + 1)


def supper(**options: str) -> float:
    """The nDCG@6 of the page for supper."""
    return ndcg(*worked_example("cooking", "supper")["supper"], k=6, **options)


def supper_by(worth: Callable[[int], float]) -> float:
    """The same with another discount, by its grades and those of the best page."""
    found, best = (3, 2, 3, 0, 1, 2), (3, 3, 3, 2, 2, 2)
    mine, ideal = (sum(g * worth(r) for r, g in enumerate(each, 1)) for each in (found, best))
    return mine / ideal


def graded_twice(metric: Callable[..., float]) -> list[float]:
    """Of a page with one soup, at rank 2: all 20 soups of the site are relevant, or that one."""
    soups = [*range(1, 21)]
    return [metric(["tart", 2, "salad"], relevant) for relevant in (soups, [2])]


def nearest_p(n: int) -> float:
    """The p of RBP whose weights of n ranks come nearest to the discounts of nDCG."""
    ranks = range(1, n + 1)
    return min(
        (each / 200 for each in range(1, 200)),
        key=lambda p: sum((p ** (rank - 1) - discount(rank)) ** 2 for rank in ranks),
    )


DCG = added_up(2, 3, 6, worth=discount)
IDEAL = sum(grade * discount(rank) for rank, grade in enumerate((3, 2, 2, 1, 1), start=1))
SAID = {
    "00-start-here": {"from 1/3 to {}, and RR is": float(mean("1/2", "2/3", "3/4", "4/5", "5/6"))},
    "01-reciprocal-rank": {
        "From rank 7 to rank 8 it loses only {}.": Fraction(1, 7) - Fraction(1, 8),
    },
    "02-mean-reciprocal-rank": {
        "(1/2 + 1/4) / 2 = {}.": mean("1/2", "1/4"),
        "from 3/8 to {}.": mean("1/2"),
        "goes down, here from {}": mean("1/2", "1/4", 0),
        "here from 1/4 to {}, as": mean("1/2", 0, 0),
        "(1/2 + 1/4 + 1/4) / 3 = {}.": mean("1/2", "1/4", "1/4"),
        "At the top, the dumplings would give {}.": mean("1/2", "1/4", 1),
        "it gives (1/2 + 1) / 2 = {}.": mean("1/2", 1),
        "The measure for that is Success@1, here {}:": mean(0, 1, 0),
        "and their mean rank is {}.": mean(4, 1, 4),
    },
    "03-average-precision": {
        "is never more than {:.3f}": float(mean(1, "1/2", "1/3", "1/4", "1/5")),
        "AP@3 is (1/2 + 2/3) / 5 = {}, or 0.233.": page("today", k=3),
        "or {:.3f}. The most": float(page("today", k=3)),
        "The most it can be is {},": page("perfect", k=3),
        "With `g3` at rank 5 AP is {:.3f},": float(mean(1, 1, "3/5")),
        "with `g2` at rank 4 it is {:.3f}.": float(mean(1, "2/4", "3/5")),
        "and MAP from 0.5556 to {:.4f}.": float(mean("1/2", "5/6", 1)),
    },
    "04-ndcg": {
        "1, 2 and 3 add up to {} in any order.": added_up(2, 3, 6, worth=lambda rank: 1),
        "It is {:.2f}, and": log2(3),
        "1/1.58 is {:.2f}.": discount(2),
        "All see rank 1, {:.0f} see rank 2,": 100 * discount(2),
        "50 see rank 3, and {:.0f} are still there at rank 7.": 100 * discount(7),
        "With 1/rank only {:.0f} would be.": 100 / 7,
        "and rank 6 is worth only {:.3f}.": discount(6),
        "3 × 0.43 = {:.2f}.": 3 * discount(4),
        "the grades 1, 2 and 3, discounted at ranks 2, 3 and 6, add up to {:.2f}.": DCG,
        "one of grade 3, {:.3f} to 3.": FORMULAS["grade / log2"].value(
            [(1, 2), (2, 2)], n=8, relevant=5
        ),
        "7 to {:.3f}.": FORMULAS["(2^grade - 1) / log2"].value([(1, 2), (2, 2)], n=8, relevant=5),
        "has 2.70 of {:.2f}, which": IDEAL,
        "which is {:.3f}, and *bread*": DCG / IDEAL,
        "of 3, which is {:.3f}.": discount(4),
        "With the logarithm, {:.0f} of 100 go on from rank 1 to rank 2,": 100 * discount(2),
        "but {:.0f} of 100 from rank 7 to rank 8:": 100 * discount(8) / discount(7),
        "For the third user that would be {}.": mean(1, "1/2", "1/3", "2/4"),
        "The table has {},": mean(1, "2/4"),
        "(0.444 + 0.431 + 0) / 3 = {:.3f}.": (DCG / IDEAL + discount(4)) / 3,
    },
    "05-choosing-a-metric": {
        "Change p to {:.1f}, which comes closest": nearest_p(8),
        "higher: {:.2f} for 20 rows,": nearest_p(20),
        "{:.2f} for 100.": nearest_p(100),
        "the first adds {:.2f},": discount(2),
        "the second {:.2f}.": 1 - discount(2),
        "*bold* wins, {:.3f} to 0.500.": float(mean(1, "1/20")),
        "*even* wins, {:.3f} to": discount(2),
        "0.631 to {:.3f}.": (discount(1) + discount(20)) / 2,
        "one hit of 20, and nDCG is {:.2f}.": graded_twice(ndcg)[0],
        "one hit of one, and nDCG is {:.2f}.": graded_twice(ndcg)[1],
    },
}
HINTED = {
    "each step: {}, and": mean("1/3", "3/4", "1/4", 1) - mean("1/3", "3/4", "1/4", 0),
    "1/4, and {}.": mean(1, "3/4", "1/4", 0) - mean("1/3", "3/4", "1/4", 0),
    "1/2 + 2/3 + 3/6, which is {:.3f}.": added_up(2, 3, 6, worth=lambda rank: 1 / rank),
    "today's page wins, {:.3f} to 2.": DCG,
    "DCG rises by {:.3f}.": added_up(1, 3, 6, worth=discount) - DCG,
    "that adds only {:.3f}.": added_up(3, 2, 6, worth=discount) - DCG,
    "it adds only {:.3f}.": added_up(2, 3, 5, worth=discount) - DCG,
    "AP falls to 3/4, and nDCG only to {:.3f},": (1 + discount(4)) / (1 + discount(2)),
    "That gives {:.3f}. What does the soup": graded(gazpacho=3, bisque=2),
    "That gives {:.3f}. Compare": graded(minestrone=3, gazpacho=1, bisque=2),
    "That gives {:.3f}. Which of": graded(minestrone=2, gazpacho=3, bisque=1),
    "That gives {:.3f}. The bisque": graded(minestrone=2, gazpacho=1),
    "first cook's grades: {:.3f}.": graded(),
    "nDCG is {:.3f}: the best grade": graded(minestrone=3, bisque=1),
    "That gives {:.3f}: lower than ours": supper(gain="exponential"),
    "That gives {:.3f}. Theirs is": supper_by(lambda rank: 1 / rank),
}

# --- the documents ko and d4

KO, D4 = worked_example("ko", "mrr"), worked_example("d4", "mrr")


def moved_mean(lists, query, item, rank=None, metric=reciprocal_rank, **cut):
    """The mean over the lists, an item of one moved to a rank, or taken off without one."""
    values = []
    for name, (ranked, relevant) in lists.items():
        order = [*ranked]
        if name == query:
            order = [each for each in order if each != item]
            if rank:
                order.insert(rank - 1, item)
        values.append(Fraction(metric(order, relevant, **cut)).limit_denominator(1000))
    return sum(values) / len(values)


def rr(order, relevant, k=None):
    return Fraction(reciprocal_rank([*order], {*relevant}, k=k)).limit_denominator(1000)


SAID |= {
    "korean-list": {
        "Only RR, from 1/2 to {}.": rr("ALYUFBCZ", "BCKZ"),
        "RR stays at {}: the tutorial is right.": rr("ABLYUF", "BCKZ"),
        "The first two cost more, 1/2 and {}.": rr("AB", "B") - rr("ACB", "B"),
        "and the last one only {}.": Fraction(1, 7) - Fraction(1, 8),
        "with k = 5, RR@5 falls from {} to 0": rr("ACLYBUFZ", "B", k=5),
        "so MRR gains {}. With K": moved_mean(KO, "case 2", "E", 1) - moved_mean(KO, "", ""),
        "case 1 rises from 1/2 to 1, and MRR gains {}.": moved_mean(KO, "case 1", "K", 1)
        - moved_mean(KO, "", ""),
        "its RR falls to 0 and MRR to {}.": moved_mean(KO, "case 2", "B"),
        "RR has {} values for them,": len({*placements("RR", 3, 8)}),
        "AP has {} |": len({*placements("AP", 3, 8)}),
    },
    "d4-queries": {
        "MRR falls from 1/2 to {},": moved_mean(D4, "Q2", "D4", 2),
        "and then only to {}.": moved_mean(D4, "Q2", "D4", 3),
        "from rank 9 to 10 it loses {}.": Fraction(1, 9) - Fraction(1, 10),
        "MRR rises from 1/2 to {}.": moved_mean(D4, "Q3", "D4", 3),
        "it suits recommenders when *only* the top matters | Success@1 is {}, MRR 1/2": moved_mean(
            D4, "", "", metric=success, k=1
        ),
        "RR falls from 1/2 to {}: it also": rr(["D1", "D2", "D4"], D4["Q1"].relevant),
    },
}

# --- the document tracin

MEANS = {"many": 17.37, "few": 1.69}  # relevant edges of a triple
DOCUMENTED = {"RR": (0.0123, 0.0021), "AP": (0.0048, 0.0020)}


def hits(metric, ranks, n=10):
    """A metric of a list of n items that is relevant at these ranks alone."""
    return metric(range(1, n + 1), {*ranks})


def mrr(*ranks):
    return average(Fraction(1, rank) for rank in ranks)


def ratio(measure, n, *, n_few=None, many=MEANS["many"]):
    """How many times as high the chance level of many is as that of few."""
    return chance_at_mean(n, many, measure) / chance_at_mean(n_few or n, MEANS["few"], measure)


def uneven(n):
    """The same for RR, if half of many have one relevant edge, and the mean is the same."""
    return (ratio("RR", n, many=1) + ratio("RR", n, many=2 * MEANS["many"] - 1)) / 2


def lift(measure, which):
    return DOCUMENTED[measure][which] / chance_at_mean(10_000, [*MEANS.values()][which], measure)


SAID |= {
    "tracin-triples": {
        "AP falls to {:.4f}, though": hits(average_precision, [3, 4, 5], 7),
        "but nDCG is {:.3f} for one": hits(ndcg, [1, 4, 6]),
        "and {:.3f} for the other": hits(ndcg, [1, 3, 9]),
        "MRR is {:.4f} again,": float(mrr(1, *[430] * 99)),
        "but the mean rank is {:.0f}.": float(average([1, *[430] * 99])),
    },
    "tracin-real-data": {
        'a random order is "{:.1f}x better" by MRR': ratio("RR", 10_000),
        'and "{:.1f}x better" by MAP.': ratio("AP", 10_000),
        "The documented {:.1f} and": DOCUMENTED["RR"][0] / DOCUMENTED["RR"][1],
        "and {:.1f} are below that.": DOCUMENTED["AP"][0] / DOCUMENTED["AP"][1],
        "the ratios are {:.1f} and": chance(10_000, 17) / chance(10_000, 2),
        "6.2 and {:.1f}.": chance(10_000, 17, "AP") / chance(10_000, 2, "AP"),
        "The documented MRR are {:.1f} times": lift("RR", 0),
        "of *many* and {:.1f} times that of *few*": lift("RR", 1),
        "the MAP are {:.1f} and": lift("AP", 0),
        "1.8 and {:.1f} times.": lift("AP", 1),
        "{:.4f} with 17.37,": chance_at_mean(10_000, 17.37, "AP"),
        "and {:.4f} with 1.69.": chance_at_mean(10_000, 1.69, "AP"),
        "then {:.1f} in lists of 10,000": uneven(10_000),
        "and {:.1f} in lists of 1,000.": uneven(1_000),
        "Their MRR is {:.4f},": float(mrr(1, 5, *[3300] * 98)),
        "of 10,000 have AP {:.4f}": hits(average_precision, range(1860, 1877), 10_000),
        "a random order has {:.1f} times the AP": ratio("AP", 10_000),
    },
}


def source(name: str) -> str:
    return "\n".join(cell.source for cell in nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4).cells)


@pytest.mark.parametrize(
    ("name", "said", "value"), [(name, *each) for name, of in SAID.items() for each in of.items()]
)
def test_what_is_said_comes_out(name: str, said: str, value: Fraction | float):
    assert said.format(value) in source(name)


@pytest.mark.parametrize(("said", "value"), HINTED.items())
def test_what_the_hints_of_lessons_3_and_4_and_of_their_exam_say_comes_out(
    said: str, value: Fraction | float
):
    assert said.format(value) in Path(questions.__file__).with_name("answers.toml").read_text()
    ours, theirs = supper(), supper(ideal="retrieved")
    assert f"We get an nDCG@6 of {ours:.3f}. Another program gets {theirs:.3f}." in source(
        "04-ndcg"
    )


def test_one_d4_makes_mrr_two_thirds_in_two_ways():
    ways = {
        (query, rank)
        for query, (ranked, _) in D4.items()
        for rank in (None, *range(1, len(ranked) + 2))
        if moved_mean(D4, query, "D4", rank) == Fraction(2, 3)
    }
    assert ways == {("Q1", 1), ("Q3", 2)}


def test_with_b_off_both_lists_the_first_case_loses_nothing():
    (ranked, liked), _ = KO.values()
    assert rr([each for each in ranked if each != "B"], liked) == rr(ranked, liked)


def test_the_documented_ratios_are_below_those_of_random_orders():
    many, few = DOCUMENTED["RR"]
    assert many / few < min(ratio("RR", n) for n in (1_000, 10_000, 100_000))
    assert DOCUMENTED["AP"][0] / DOCUMENTED["AP"][1] < ratio("AP", 10_000)


def test_random_orders_of_5_000_have_about_the_documented_map_and_a_higher_mrr():
    levels = {
        each: [chance_at_mean(5_000, mean, each) for mean in MEANS.values()] for each in DOCUMENTED
    }
    assert levels["AP"] == pytest.approx(DOCUMENTED["AP"], rel=0.1)
    assert all(map(float.__gt__, levels["RR"], DOCUMENTED["RR"]))


def test_an_mrr_of_one_half_has_two_mean_ranks():
    triples = worked_example("tracin", "mrr").values()
    possible = [range(1, len(case.ranked) - len(case.relevant) + 2) for case in triples]
    assert {ranks for ranks in product(*possible) if mrr(*ranks) == Fraction(1, 2)} == {
        (4, 1, 4),
        (2, 2, 2),
    }


def test_three_moves_by_one_rank_raise_map_the_most_and_one_of_all_moves():
    gains: dict[int, dict[str, Fraction]] = {1: {}, 9: {}}  # by the ranks that a move may go
    for ranked, relevant in worked_example("tracin", "map").values():
        at_first = Fraction(average_precision(ranked, relevant))
        for (at, item), to in product(enumerate(ranked), range(len(ranked))):
            others = ranked[:at] + ranked[at + 1 :]
            order = [*others[:to], item, *others[to:]]
            gain = Fraction(average_precision(order, relevant)) - at_first
            for most, found in gains.items():
                if abs(to - at) <= most:
                    found["".join(order)] = gain.limit_denominator(1000)
    one_sixth = {order for order, gain in gains[1].items() if gain == Fraction(1, 6)}
    assert one_sixth == {"BACDEFG", "HJIK", "LNM"}
    assert max(gains[1].values()) == Fraction(1, 6)
    assert {order for order, gain in gains[9].items() if gain >= Fraction(2, 3)} == {"NLM"}


def test_no_order_of_a_scenario_has_the_ap_that_is_printed_and_two_have_the_same_pair():
    ap = {at: hits(average_precision, at) for at in combinations(range(1, 11), 3)}
    assert "0.7333" not in {f"{value:.4f}" for value in ap.values()}
    alike = [at for at in ap if at[0] == 1 and ap[at] == pytest.approx(2 / 3, abs=1e-12)]
    assert alike == [(1, 3, 9), (1, 4, 6)]
