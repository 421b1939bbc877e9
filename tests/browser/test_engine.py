"""The browser's formulas are those of the package."""

import random
import time
from collections.abc import Sequence
from dataclasses import asdict
from itertools import islice, permutations, product

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from byhand import Conventions, DataError, average_precision, chance, reciprocal_rank
from byhand.metrics import measure_named, shares_of
from byhand.metrics.measures import MEASURES
from byhand.metrics.presets import preset_named
from byhand.statistics import comparison_power, mean_interval, paired_t_p, randomisation_p
from byhand.widgets import (
    Challenge,
    Explorer,
    Goal,
    IntervalSamples,
    PermutationTest,
    RankedList,
    Shuffle,
)
from byhand.widgets.bench import FORMULAS
from byhand.widgets.list.measured_list import MeasuredList
from byhand.widgets.numbers import as_fraction, number_in
from byhand.widgets.own import read_list
from byhand.widgets.phrases import phrases
from byhand.widgets.prediction.answers import Order
from byhand.widgets.queries import MEANS, of_query
from helpers.exercises import boxed
from helpers.questions import questions

PYTHON_ANSWERS = {"Judged"}
NAMES = ["RR", "AP", "nDCG", "DCG", "ERR", "RBP", "P", "R", "Rprec", "Success", "Bpref"]
NAMES += [f"{name}@{k}" for name in NAMES for k in (1, 3, 20)]
NAMES += [f"{name}(rel=2)" for name in ("RR", "AP", "P", "R", "Rprec", "Success", "RBP", "Bpref")]
NAMES += ["nDCG(dcg='exp-log2')", "nDCG(dcg='exp-log2')@3", "DCG(dcg='exp-log2')"]
NAMES += ["ERR(max_rel=3)@3", "ERR(max_rel=60)", "RBP(p=0)", "RBP(rel=2,p=0.95)@3"]
NAMES += ["R(denominator='capped')@3"]
# of each list, of each measure: value, most, share of each place
EVALUATED = """([lists, specs]) => lists.map(([order, grades, spans]) => {
  const list = live.listOf(order, grades, spans ?? {});
  return specs.map((spec) => {
    const { value, shares } = live.evaluate(list, spec);
    return [value, live.mostOf(list, spec), ...shares];
  });
})"""


def random_list(dice: random.Random) -> tuple[list[str], dict[str, int | None]]:
    """A ranked list and all grades: short or empty, graded or not, with missing items."""
    items = [f"D{n}" for n in range(dice.randint(0, 12))]
    top = dice.choice([1, 1, 3])
    grades = {item: dice.choice([0, None, dice.randint(0, top)]) for item in items}
    dice.shuffle(items)
    return items[: dice.randint(0, len(items))], grades


def judged_of(grades: dict[str, int | None]) -> dict[str, int]:
    """The grades of what somebody judged."""
    return {item: grade for item, grade in grades.items() if grade is not None}


AS_ELSEWHERE = Conventions(ideal="length", discount="log2_from_2", gain="exponential")


@pytest.mark.parametrize(
    "conventions",
    ["trec_eval -c", "recommenders", "torchmetrics", "haystack", AS_ELSEWHERE],
    ids=str,
)
def test_every_formula_agrees_on_random_lists(live, conventions):
    dice, preset = random.Random(str(conventions)), preset_named(conventions)
    lists = [random_list(dice) for _ in range(100)]
    measures = {name: measure_named(name) for name in NAMES}
    board = MeasuredList(RankedList([], ()), NAMES, conventions=conventions)
    found = live.evaluate(EVALUATED, [lists, board.specs])
    for (order, grades), row in zip(lists, found, strict=True):
        shares = shares_of(measures, order, judged_of(grades), preset=preset)
        for (name, each), mine in zip(shares.items(), row, strict=True):
            expected = [each.value, each.most, *each.ranks]
            np.testing.assert_allclose(mine, expected, rtol=0, atol=1e-12, err_msg=name)


def test_a_row_for_several_ranks_counts_as_so_many(live):
    ranks = RankedList(["a", "gap", "b"], {"a", "b", "z"}, spans={"gap": 36})
    board, state = MeasuredList(ranks, NAMES), ranks.page_state()
    lists = [[state["order"], state["grades"], state["fixed"]["spans"]]]
    (found,) = live.evaluate(EVALUATED, [lists, board.specs])
    np.testing.assert_allclose([row[0] for row in found], [*board.values.values()], atol=1e-12)


def test_every_measure_is_in_the_module_or_known_to_be_answered_by_python(live):
    in_module = set(live.evaluate("Object.keys(live.MEASURES)"))
    assert in_module == set(MEASURES) - PYTHON_ANSWERS
    assert in_module == {name for name in phrases()["adds"] if not name.endswith("nothing")}


ENTERED = [
    *("0.25", " 1/4 ", ".25", "25%", "25 %", "0,25", "1 / 4", "2.5e-1", "-1/4", "4", "1."),
    *("7e3", "", "abc", "1/0", "1/2/3", "1/2.5", "0.25x", "%", "1/-4", "--1", "e5", "."),
    *("1e400", "1e999999999", "nan", "inf", "-Infinity", "1_0", "1_0/2", "\u0661", "25\u00a0%"),
    *("\ufeff1", "\x1c1", "1" * 60_000 + "x"),
]


OWN = [
    "",
    "a\nb *\nc",
    " * a\r\n\r\n** b\rc***\n",
    "a\n---\nb*\nc",
    "-----",
    "--- *\n-- \n- x",
    "10\n2 *\n1\n---\n0 *",
    "__proto__ *\nconstructor",
    "<b>x</b> *\n$x$\n한국 **",
    "a\nb\n\na *",
    "**",
    "a **********",
    "a b * c *",
    "a\u2028b *\u2029---\u2028c *",
    "--- *",
    *(f"{blank}a{blank}*{blank}\n*{blank}b" for blank in "\x0b\x1c\x85\xa0\u200b\u3000\ufeff\0"),
]


def read_alike(text: str) -> object:
    try:
        ranked, grades = read_list(text)
    except DataError as error:
        return str(error)
    return [ranked, [list(each) for each in grades.items()]]


def some(parts: Sequence, *, n: int, most: int) -> list[list]:
    """So many random rows of such parts, the longest of `most` of them."""
    dice = random.Random(n)
    return [dice.choices(parts, k=1 + place % most) for place in range(n)]


FRACTIONS = [p / q for q in range(1, 40) for p in range(3 * q)] + [0.6309297535714574, 1 / 999]
FRACTIONS += [1 / 1000, 998 / 999, 0.1 + 0.2, 1 - 1e-13, 2**0.5, 1e-9, 123 / 457]
ENTERED += map("".join, some("0123.,/e+-% _1", n=20_000, most=7))
RANKS = [None, *range(1, 9), 1000]
QUERIES = [
    [mean, first, 1 / first if first else 0, never]
    for mean, first, never in product(MEANS, RANKS, RANKS)
]
LETTERS = [*OWN, *"ab01*- \t\n\n\r\u2028\x85😀", "---", "constructor"]
TEXTS = [*OWN, *map("".join, some(LETTERS, n=3000, most=20))]
PAGES = [
    [[*dict.fromkeys(page)], [*"afkzb"][: n % 6]]
    for n, page in enumerate([[], *some("abcdefghijklmn", n=500, most=13)])
]
READ = """(({ problem, order, grades }) =>
  problem ?? [order, [...grades].filter(([, grade]) => grade > 0)])(live.readList(each))"""
WALKED = """live.gotByAll(live.visitorsOf(
  live.listOf(each[0], Object.fromEntries([...each[1]].map((id) => [id, 1]))), '{}'))"""
# what is in both languages: in JavaScript, in Python, and what both are given
BOTH = {
    "fraction": ("live.asFraction(each)", as_fraction, FRACTIONS),
    "number": ("live.numberOf(each)", number_in, ENTERED),
    "list": (READ, read_alike, TEXTS),
    "query": ("live.ofQuery(...each)", lambda each: of_query(*each), QUERIES),
    "RR": (WALKED.format("RR"), lambda page: reciprocal_rank(*page), PAGES),
    "AP": (WALKED.format("AP"), lambda page: average_precision(*page), PAGES),
}


@pytest.mark.parametrize("what", BOTH)
def test_what_is_in_both_languages_agrees(live: Page, what: str):
    script, of_python, given = BOTH[what]
    found = live.evaluate(f"(given) => given.map((each) => {script})", given)
    expected = [of_python(each) for each in given]
    assert found == (pytest.approx(expected) if what in ("RR", "AP") else expected)


def test_a_long_line_is_read_at_once(live: Page):
    lines, begun = [f"a{middle * 60_000}b" for middle in " *-"], time.monotonic()
    found = live.evaluate(f"(given) => given.map((each) => {READ})", lines)
    assert found == [read_alike(line) for line in lines]
    assert time.monotonic() - begun < 9  # with a backtracking expression, 25 s and 11 s


REPLY = """([fixed, guesses]) => {
  const question = { ...fixed, start: fixed.ranks?.fixed.start };
  return guesses.map((tried) => live.replyTo(question, tried, false).text);
}"""
OTHERS = ["-17.5", "a", "c", ["a", "b", "c"]]


def can_be_wrong(name: str) -> bool:
    return boxed(name) is not None and "opinion" not in boxed(name)["fixed"]


@pytest.mark.parametrize("name", [name for name in questions() if can_be_wrong(name)])
def test_what_a_page_says_to_an_exercise_is_what_check_says(live: Page, name: str):
    answer = questions()[name].answer
    if isinstance(answer, Order):
        items = answer.ranking()["items"]
        step = 1 if len(items) < 6 else 97
        given = map(list, islice(permutations(items), 1, None, step))
    else:
        given = [each for each in [*answer.slips, *OTHERS] if not answer.refused(each)]
    wrong = [read for each in given if not answer.is_right(read := answer.read(each))]
    entered = [str(each) if isinstance(each, float) else each for each in wrong]
    tries = [tried for each in entered for tried in ([each], ["0", each], [each, each])]
    said = [f"Not yet. {answer.comment(each, n=n)}" for each in wrong for n in (1, 2, 1)]
    assert said
    assert live.evaluate(REPLY, [boxed(name)["fixed"], tries]) == said


ITEMS = [f"D{n}" for n in range(1, 7)]
# what a challenge says to an order for a goal
SAID = [
    (Goal.highest("AP", given={"RR": "1/2"}), "123456", "Not yet: RR is 0.333 and has to be 1/2."),
    (Goal.highest("AP", given={"RR": "1/2"}), "132546", "AP is 0.500. It can still rise by 0.083."),
    (
        Goal.highest("AP", given={"RR": "1/2"}),
        "135246",
        "✓ Reached: with RR = 1/2, no order of these 6 items does better.",
    ),
    (Goal.nearest("AP", 0.36), "132456", "AP is 0.450, 0.090 away. Another order comes nearer."),
    (Goal.nearest("AP", 0.36), "123456", "✓ Reached: no order of these 6 items comes nearer."),
    (Goal.lowest("AP"), "123456", "AP is 0.367. It can still fall by 0.100."),
    (Goal.lowest("AP"), "124635", "✓ Reached: no order of these 6 items goes lower."),
]


@pytest.mark.parametrize(("goal", "order", "said"), SAID)
def test_what_a_challenge_says(show, goal: Goal, order: str, said: str):
    challenge = Challenge(ITEMS, {"D3", "D5"}, goal)
    challenge.ranks.order = [f"D{n}" for n in order]
    expect(show(challenge).find(".rm-verdict")).to_have_text(said)


@pytest.mark.parametrize("n", [2, 3, 4, 10, 31, 200, 1000])
def test_the_browsers_t_is_that_of_the_library(live: Page, n: int):
    values = np.random.default_rng(n).normal(0.1, 0.3, n)
    p = live.evaluate(
        """(values) => {
          const { mean, error } = live.momentsOf(values);
          return live.studentP(mean / error, values.length - 1);
        }""",
        values.tolist(),
    )
    assert p == pytest.approx(paired_t_p(values), abs=1e-12)


@pytest.mark.parametrize("n", [10, 75])
def test_the_browsers_intervals_are_those_of_the_library(live: Page, n: int):
    values = np.random.default_rng(n).normal(0.1, 0.3, n)
    moments = live.evaluate("(values) => live.momentsOf(values)", values.tolist())
    half = IntervalSamples(values).fixed["reach"][str(n)] * moments["error"]
    ends = moments["mean"] - half, moments["mean"] + half
    assert ends == pytest.approx(mean_interval(values), abs=1e-12)


@pytest.mark.parametrize(("truth", "n"), [(0.05, 30), (0.1, 16)])
def test_the_samples_of_the_browser_hold_and_find_as_often_as_computed(
    live: Page, truth: float, n: int
):
    world = np.sort(np.random.default_rng(1).normal(0.04, 0.18, 200))  # as each place is as likely
    values = world - world.mean() + truth
    reach = IntervalSamples(world).fixed["reach"][str(n)]
    samples = """([values, n, reach]) => Array.from({ length: 4000 }, (_, nth) => {
      const { mean, low, high } = live.sampleOf(values, { seed: 3, nth, n, reach });
      return [mean, low, high];
    })"""
    means, low, high = np.array(live.evaluate(samples, [values.tolist(), n, reach])).T
    assert means.std() == pytest.approx(values.std() / np.sqrt(n), rel=0.06)
    assert np.mean((low <= truth) & (truth <= high)) == pytest.approx(0.95, abs=0.02)
    power = comparison_power(values.std(), truth, n)
    assert np.mean(low > 0) == pytest.approx(power, abs=0.035)


FEW = [0.5, 0.25, -0.125, 0.0, 0.3, -0.1, 0.2]


@pytest.mark.parametrize("differences", [FEW, FEW[:3], [0.1, 0.2, 0.3, -0.6]])
def test_of_few_queries_each_way_once_gives_the_exact_p(live: Page, differences: list[float]):
    signs = list(product([1, -1], repeat=len(differences)))
    means = live.evaluate(
        "([differences, signs]) => signs.map((each) => live.meanOf(differences, each))",
        [differences, signs],
    )
    far = PermutationTest(differences).fixed["far"]
    assert np.mean(np.abs(means) >= far) == randomisation_p(np.array(differences))


def test_every_formula_to_try_agrees_on_random_lists(live: Page):
    dice, formulas = random.Random(4), FORMULAS.values()
    made = [random_list(dice) for _ in range(400)]
    lists = [(order, judged_of(grades), n % 2 * 92) for n, (order, grades) in enumerate(made)]
    found = live.evaluate(
        """([lists, formulas]) => lists.map(([order, grades, extra]) => formulas.map((formula) => {
          const found = live.tried(formula, live.listOf(order, grades), extra);
          const added = found.shares.reduce((total, each) => total + each, 0);
          return [found.value, added];
        }))""",
        [lists, [asdict(formula) for formula in formulas]],
    )
    for (order, grades, extra), row in zip(lists, found, strict=True):
        hits = [(n, grades[item]) for n, item in enumerate(order, start=1) if grades.get(item)]
        relevant = sum(grade > 0 for grade in grades.values())
        for formula, (value, added) in zip(formulas, row, strict=True):
            expected = formula.value(hits, n=len(order) + extra, relevant=relevant)
            assert (value is None) == (expected is None)
            assert [value or 0, added] == pytest.approx([expected or 0] * 2, abs=1e-12)


GRADES = {"b": 3, "g": 2, "h": 2, "m": 1, "r": 1}
PLACED = """([order, grades, specs, placed]) => specs.map((spec) => {
  const { judged, nRetrieved: total } = live.listOf(order, grades);
  const ids = order.filter((id) => grades[id] > 0);
  const known = { total, grades, judged, spec };
  return [placed.map((ranks) => live.valueAt(ranks, ids, known)), live.mostAt(ids, known)];
})"""


@pytest.mark.parametrize("grades", [dict.fromkeys(GRADES, 1), GRADES], ids=["plain", "graded"])
def test_values_by_the_ranks_of_hits_are_those_of_orders_and_their_mean_is_the_level(live, grades):
    order = [*"kmglb"]
    hits = [item for item in order if item in grades]
    names = ["RR", "AP", "nDCG", "P@5", "ERR(max_rel=3)", "RBP", "R@3", "Rprec", "Success@2"]
    shuffles = [Shuffle(order, grades, measures=name, max_grade=3) for name in names]
    known = Explorer(order, grades, measures=names, max_grade=3)
    rows, placed = [], []
    for each in permutations(order):
        known.ranks.order = each
        rows.append([*known.values.values()])
        placed.append([each.index(item) + 1 for item in hits])
    specs = [each.fixed["measure"] for each in shuffles]
    found = live.evaluate(PLACED, [order, grades, specs, placed])
    for shuffle, expected, (values, most) in zip(shuffles, np.array(rows).T, found, strict=True):
        np.testing.assert_allclose(values, expected, atol=1e-12)
        assert most == pytest.approx(max(values))
        assert shuffle.level == pytest.approx(np.mean(values))


def test_the_level_is_that_of_chance_also_with_others():
    shuffle = Shuffle([*"kmglfbst"], [*"mgb"], measures="AP", others=992)
    assert shuffle.level == pytest.approx(chance(8, 3, "AP"))
    shuffle.longer = True
    assert shuffle.level == pytest.approx(chance(1000, 3, "AP"))
