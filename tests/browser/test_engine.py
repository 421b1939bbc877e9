"""The browser's formulas are those of the package."""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice, permutations, product

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from byhand import Conventions, DataError, chance, measure_list
from byhand.metrics import measure_named, shares_of
from byhand.metrics.measures import MEASURES
from byhand.metrics.presets import preset_named
from byhand.statistics import comparison_power, mean_interval, paired_t_p, randomisation_p
from byhand.widgets import Challenge, Goal, IntervalSamples, PermutationTest, RankedList, Shuffle
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
OF_HITS = ["RR", "AP", "P", "R", "Rprec", "Success", "RBP", "Bpref"]
IN_MODULE = {*MEASURES} - PYTHON_ANSWERS
NAMES = [f"{name}{k}" for name in sorted(IN_MODULE) for k in ("", "@1", "@3", "@20")]
NAMES += [f"{name}(rel=2)" for name in OF_HITS]
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


def random_lists(seed: str, n: int) -> Iterator[tuple[list[str], dict[str, int | None]]]:
    """Ranked lists and all grades: short or empty, graded or not, with missing items."""
    dice = random.Random(seed)
    for _ in range(n):
        items = [f"D{n}" for n in range(dice.randint(0, 12))]
        top = dice.choice([1, 1, 3])
        grades = {item: dice.choice([0, None, dice.randint(0, top)]) for item in items}
        dice.shuffle(items)
        yield items[: dice.randint(0, len(items))], grades


AS_ELSEWHERE = Conventions(ideal="length", discount="log2_from_2", gain="exponential")


@pytest.mark.parametrize(
    "conventions",
    ["trec_eval -c", "recommenders", "torchmetrics", "haystack", AS_ELSEWHERE],
    ids=str,
)
def test_every_formula_agrees_on_random_lists(live, conventions):
    preset, lists = preset_named(conventions), [*random_lists(str(conventions), 60)]
    measures = {name: measure_named(name) for name in NAMES}
    board = MeasuredList(RankedList([], ()), NAMES, conventions=conventions)
    found = live.evaluate(EVALUATED, [lists, board.specs])
    for (order, grades), row in zip(lists, found, strict=True):
        judged = {item: grade for item, grade in grades.items() if grade is not None}
        shares = shares_of(measures, order, judged, preset=preset)
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
    assert {*live.evaluate("Object.keys(live.MEASURES)")} == IN_MODULE
    assert {name for name in phrases()["adds"] if not name.endswith("nothing")} == IN_MODULE


def some(parts: Sequence, *, n: int, most: int) -> list[list]:
    """So many random rows of such parts, the longest of `most` of them."""
    dice = random.Random(n)
    return [dice.choices(parts, k=1 + place % most) for place in range(n)]


def read_alike(text: str) -> object:
    try:
        ranked, grades = read_list(text)
    except DataError as error:
        return str(error)
    return [ranked, [list(each) for each in grades.items()]]


FRACTIONS = [p / q for q in range(1, 40) for p in range(3 * q)] + [0.6309297535714574, 1 / 999]
FRACTIONS += [1 / 1000, 998 / 999, 0.1 + 0.2, 1 - 1e-13, 2**0.5, 1e-9, 123 / 457]
ENTERED = ["1e400", "1e999999999", "nan", "-Infinity", "\u0661", "\x1c1", "1" * 60_000 + "x"]
ENTERED += map("".join, some("0123.,/e+-% \u00a0\ufeff_1", n=20_000, most=7))
LINES = [*"ab01*- \t\n\n\r\u2028\u2029\x0b\x1c\x85\xa0\u200b\u3000\ufeff\0😀", "---", "*" * 9]
LINES += ["**", "\r\n", "__proto__", "constructor"]
TEXTS = ["", *map("".join, some(LINES, n=6000, most=20))]
RANKS = [None, *range(1, 9), 1000]
QUERIES = [
    [mean, first, 1 / first if first else 0, never]
    for mean, first, never in product(MEANS, RANKS, RANKS)
]
READ = """(({ problem, order, grades }) =>
  problem ?? [order, [...grades].filter(([, grade]) => grade > 0)])(live.readList(each))"""
PAGES = [[[*dict.fromkeys(each)], [*"afkzb"]] for each in some("abcdefghijklm", n=200, most=13)]
PAGES += [[[], ["a"]], [["a"], []]]
WALKED = """live.gotByAll(live.visitorsOf(
  live.listOf(each[0], Object.fromEntries(each[1].map((id) => [id, 1]))), '{}'))"""
# what is in both languages: in JavaScript, in Python, and what both are given
BOTH = {
    "fraction": ("live.asFraction(each)", as_fraction, FRACTIONS),
    "number": ("live.numberOf(each)", number_in, ENTERED),
    "list": (READ, read_alike, TEXTS),
    "query": ("live.ofQuery(...each)", lambda each: of_query(*each), QUERIES),
    "RR": (WALKED.format("RR"), lambda page: measure_list("RR", *page), PAGES),
    "AP": (WALKED.format("AP"), lambda page: measure_list("AP", *page), PAGES),
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


TRIED = """([lists, formulas]) => lists.map(([order, grades, extra]) => formulas.map((formula) => {
  const { value, shares } = live.tried(formula, live.listOf(order, grades), extra);
  return [value, shares.reduce((total, each) => total + each, 0)];
}))"""


def test_every_formula_to_try_agrees_on_random_lists(live: Page):
    lists = [(*each, extra) for extra in (0, 92) for each in random_lists(str(extra), 200)]
    found = live.evaluate(TRIED, [lists, [asdict(formula) for formula in FORMULAS.values()]])
    expected = []
    for order, grades, extra in lists:
        hits = [(n, grades[item]) for n, item in enumerate(order, start=1) if grades.get(item)]
        known = {"n": len(order) + extra, "relevant": sum(map(bool, grades.values()))}
        values = [formula.value(hits, **known) for formula in FORMULAS.values()]
        expected.append([[value, value or 0] for value in values])
    np.testing.assert_allclose(np.array(found, float), np.array(expected, float), atol=1e-12)


REPLY = """([fixed, guesses]) => {
  const question = { ...fixed, start: fixed.ranks?.fixed.start };
  return guesses.map((tried) => live.replyTo(question, tried, false).text);
}"""
OTHERS = ["-17.5", "a", "c", ["a", "b", "c"]]


def can_be_wrong(name: str) -> bool:
    return boxed(name) is not None and "opinion" not in boxed(name)["fixed"]


@pytest.mark.parametrize("name", [*filter(can_be_wrong, questions())])
def test_what_a_page_says_to_an_exercise_is_what_check_says(live: Page, name: str):
    answer = questions()[name].answer
    if isinstance(answer, Order):
        items = answer.ranking()["items"]
        given = map(list, islice(permutations(items), 1, None, 1 if len(items) < 6 else 97))
    else:
        given = [each for each in [*answer.slips, *OTHERS] if not answer.refused(each)]
    wrong = [read for each in given if not answer.is_right(read := answer.read(each))]
    entered = [str(each) if isinstance(each, float) else each for each in wrong]
    tries = [tried for each in entered for tried in ([each], ["0", each], [each, each])]
    said = [f"Not yet. {answer.comment(each, n=n)}" for each in wrong for n in (1, 2, 1)]
    assert said
    assert live.evaluate(REPLY, [boxed(name)["fixed"], tries]) == said


KEEP_RR, NEAR = Goal.highest("AP", given={"RR": "1/2"}), Goal.nearest("AP", 0.36)
REACHED = "✓ Reached: with RR = 1/2, no order of these 6 items does better."


@pytest.mark.parametrize(
    ("goal", "order", "said"),
    [
        (KEEP_RR, "123456", "Not yet: RR is 0.333 and has to be 1/2."),
        (KEEP_RR, "135246", REACHED),
        (NEAR, "132456", "AP is 0.450, 0.090 away. Another order comes nearer."),
        (NEAR, "123456", "✓ Reached: no order of these 6 items comes nearer."),
        (Goal.lowest("AP"), "123456", "AP is 0.367. It can still fall by 0.100."),
        (Goal.lowest("AP"), "124635", "✓ Reached: no order of these 6 items goes lower."),
    ],
)
def test_what_a_challenge_says(show, goal: Goal, order: str, said: str):
    challenge = Challenge([*"123456"], {"3", "5"}, goal)
    challenge.ranks.order = [*order]
    expect(show(challenge).find(".rm-verdict")).to_have_text(said)


@pytest.mark.parametrize("n", [2, 3, 4, 10, 75, 1000])
def test_the_browsers_t_and_intervals_are_those_of_the_library(live: Page, n: int):
    values = np.random.default_rng(n).normal(0.1, 0.3, n)
    script = """(values) => {
      const { mean, error } = live.momentsOf(values);
      return [mean, error, live.studentP(mean / error, values.length - 1)];
    }"""
    mean, error, p = live.evaluate(script, values.tolist())
    assert p == pytest.approx(paired_t_p(values), abs=1e-12)
    if reach := IntervalSamples(values).fixed["reach"].get(str(n)):
        ends = mean - reach * error, mean + reach * error
        assert ends == pytest.approx(mean_interval(values), abs=1e-12)


def test_the_samples_of_the_browser_hold_and_find_as_often_as_computed(live: Page):
    truth, n = 0.05, 30
    world = np.sort(np.random.default_rng(1).normal(0.04, 0.18, 200))  # as each place is as likely
    values = world - world.mean() + truth
    samples = """([values, n, reach]) => Array.from({ length: 4000 }, (_, nth) => {
      const { mean, low, high } = live.sampleOf(values, { seed: 3, nth, n, reach });
      return [mean, low, high];
    })"""
    given = [values.tolist(), n, IntervalSamples(world).fixed["reach"][str(n)]]
    means, low, high = np.array(live.evaluate(samples, given)).T
    assert means.std() == pytest.approx(values.std() / np.sqrt(n), rel=0.06)
    assert np.mean((low <= truth) & (truth <= high)) == pytest.approx(0.95, abs=0.02)
    power = comparison_power(values.std(), truth, n)
    assert np.mean(low > 0) == pytest.approx(power, abs=0.035)


FEW = [0.5, 0.25, -0.125, 0.0, 0.3, -0.1, 0.2]


@pytest.mark.parametrize("differences", [FEW, FEW[:3], [0.1, 0.2, 0.3, -0.6]])
def test_of_few_queries_each_way_once_gives_the_exact_p(live: Page, differences: list[float]):
    signs = [*product([1, -1], repeat=len(differences))]
    script = "([differences, all]) => all.map((signs) => live.meanOf(differences, signs))"
    means = np.abs(live.evaluate(script, [differences, signs]))
    far = PermutationTest(differences).fixed["far"]
    assert np.mean(means >= far) == randomisation_p(np.array(differences))


PLACED = """([grades, spec, placed]) => {
  const known = { total: 5, grades, judged: Object.values(grades), spec };
  const found = placed.map((ranks) => live.valueAt(ranks, [...'mgb'], known));
  return [found, live.mostAt([...'mgb'], known)];
}"""
SHUFFLED = ["RR", "AP", "nDCG", "P", "ERR(max_rel=3)", "RBP", "R@3", "Rprec", "Success@2"]


@pytest.mark.parametrize("name", SHUFFLED)
def test_a_shuffle_has_the_value_of_its_order_and_the_mean_of_all_is_the_level(live, name):
    orders, grades = [*permutations("kmglb")], {"b": 3, "g": 2, "h": 2, "m": 1, "r": 1}
    shuffle = Shuffle(orders[0], grades, measures=name, max_grade=3)
    placed = [[each.index(item) + 1 for item in "mgb"] for each in orders]
    found, most = live.evaluate(PLACED, [grades, shuffle.fixed["measure"], placed])
    expected = [measure_list(name, each, grades) for each in orders]
    assert found == pytest.approx(expected, abs=1e-12)
    assert (most, shuffle.level) == pytest.approx((max(expected), np.mean(expected)))


def test_the_level_is_that_of_chance_also_with_others():
    shuffle = Shuffle([*"kmglfbst"], [*"mgb"], measures="AP", others=992)
    assert shuffle.level == pytest.approx(chance(8, 3, "AP"))
    shuffle.longer = True
    assert shuffle.level == pytest.approx(chance(1000, 3, "AP"))
