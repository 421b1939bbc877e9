"""What the two notebooks on the document `tracin` say in numbers comes out."""

from fractions import Fraction
from itertools import combinations, product

import nbformat
import pytest

from byhand import average_precision, chance, ndcg
from byhand.metrics import chance_at_mean
from helpers import worked_example
from helpers.measuring import average
from helpers.places import NOTEBOOKS

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


SAID = {
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


def source(name):
    return "\n".join(cell.source for cell in nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4).cells)


@pytest.mark.parametrize(
    ("name", "said", "value"), [(name, *each) for name, of in SAID.items() for each in of.items()]
)
def test_what_is_said_comes_out(name, said, value):
    assert said.format(value) in source(name)


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
