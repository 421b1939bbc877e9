"""What stands beside a list: in each state it is what Python says, and it follows the hand."""

from collections.abc import Callable
from itertools import accumulate

import pytest
from explorer_page import ExplorerPage
from page_checks import FINISH
from playwright.sync_api import Locator, expect

from byhand import ndcg
from byhand.widgets import Challenge, Explorer, FormulaComparison, Goal, Queries
from byhand.widgets.bench import FORMULAS

Show = Callable[..., ExplorerPage]
TODAY = ["ketchup", "minestrone", "gazpacho", "lasagne", "focaccia", "bisque", "salad", "tart"]
SOUPS = {"bisque": 3, "gazpacho": 2, "harira": 2, "minestrone": 1, "rasam": 1}
STATES = ["number", "curve", "area", "discount", "ideal", "bars"]


def explorer(shows: str, **more: object) -> Explorer:
    relevant = SOUPS if shows in ("discount", "ideal") else set(SOUPS)
    most = {"max_grade": 3} if shows in ("discount", "ideal") else {}
    return Explorer(TODAY, relevant, shows=shows, **most, **more)


def sizes(parts: Locator, *names: str) -> dict[str, list[float]]:
    """The sizes of parts that belong to items, as their style has them, by item."""
    found = parts.evaluate_all(
        """(all, names) => all.map((each) => [each.dataset.id ?? null,
          names.map((name) => Number(each.style.getPropertyValue(name)))])""",
        [f"--{name}" for name in names],
    )
    return dict(found)


def words(parts: Locator) -> dict[str, str]:
    """The texts at the lines of items, by item."""
    return dict(parts.evaluate_all("all => all.map((each) => [each.dataset.id, each.innerText])"))


def close(found: dict, expected: dict) -> None:
    assert set(found) == set(expected)
    for item, values in expected.items():
        assert found[item] == pytest.approx(values, abs=1e-9), item


def hits(widget: Explorer) -> dict[str, dict]:
    steps = widget.steps
    return {row["item"]: row for row in steps.to_dict("records") if row["hit"]}


def check_number(place: ExplorerPage, widget: Explorer) -> None:
    (value,) = widget.values.values()
    expect(place.find(".rm-riding")).to_have_text(f"{value:.3f}")
    expect(place.find(".rm-lane")).to_have_attribute("aria-label", f"The number is {value:.3f}.")
    place.page.evaluate(FINISH)
    first = place.row(next(iter(hits(widget)))).bounding_box()
    rides = place.find(".rm-riding").bounding_box()
    assert rides["y"] == pytest.approx(first["y"], abs=1)


def check_curve(place: ExplorerPage, widget: Explorer) -> None:
    found, counted = sizes(place.find(".rm-line"), "value"), hits(widget)
    first = min(counted, key=lambda item: counted[item]["rank"])
    rank, value = counted[first]["rank"], widget.values["RR"]
    close(found, {item: [value * (item == first)] for item in widget.ranks.order})
    expect(place.find(".rm-formula")).to_have_text(f"RR =1{rank}")
    expect(place.find(".rm-result")).to_have_text(f"{value:.3f}")
    expect(place.find(".rm-formula")).to_have_attribute(
        "aria-label", f"RR = 1 divided by {rank} = {value:.3f}"
    )


def check_area(place: ExplorerPage, widget: Explorer) -> None:
    counted, ap = hits(widget), widget.values["AP"]
    precision = {item: row["precision"] for item, row in counted.items()}
    every = dict.fromkeys(widget.ranks.order, 0) | precision
    close(sizes(place.find(".rm-line"), "value"), {item: [p] for item, p in every.items()})
    close(sizes(place.find(".rm-col[data-id]"), "value"), {i: [p] for i, p in precision.items()})
    expect(place.find(".rm-col.rm-unfound")).to_have_count(len(SOUPS) - len(counted))
    level = place.find(".rm-level").evaluate("e => Number(e.style.getPropertyValue('--value'))")
    assert level == pytest.approx(ap, abs=1e-12)
    assert sum(precision.values()) / len(SOUPS) == pytest.approx(ap, abs=1e-12)
    expect(place.find(".rm-result")).to_have_text(f"{ap:.3f}")


def check_discount(place: ExplorerPage, widget: Explorer) -> None:
    rows = {row["item"]: row for row in widget.steps.to_dict("records")}
    found = sizes(place.find(".rm-line"), "value")
    close(found, {item: [row["share of DCG"] / 3] for item, row in rows.items()})
    shares = {item: row["share of DCG"] for item, row in rows.items()}
    texts = {item: f"{share:.2f}" if share else "" for item, share in shares.items()}
    assert words(place.find(".rm-line")) == texts
    # by hand the products are what stands at the bars
    terms = [each.split(" × ") for each in place.find(".rm-term").all_text_contents()]
    products = [float(gain) * float(discount) for gain, discount in terms]
    assert products == pytest.approx([each for each in shares.values() if each], abs=0.002)
    expect(place.find(".rm-result")).to_have_text(f"{widget.values['DCG']:.2f}")


def check_ideal(place: ExplorerPage, widget: Explorer) -> None:
    rows, value = widget.steps.to_dict("records"), widget.values["nDCG"]
    mine = list(accumulate(row["share of nDCG"] for row in rows))  # over the ideal
    best = sorted(SOUPS, key=lambda item: -SOUPS[item])
    # the sum of the ideal so far is that of a list that goes no further
    most = [ndcg(best[: n + 1], SOUPS) for n in range(len(rows))]
    found = sizes(place.find(".rm-run"), "before", "adds", "gap-share")
    close(
        found,
        {
            row["item"]: [sum_ - row["share of nDCG"], row["share of nDCG"], top - sum_]
            for row, sum_, top in zip(rows, mine, most, strict=True)
        },
    )
    assert place.find(".rm-best:visible .rm-best-name").all_inner_texts() == best
    missing = [item for item in best if item not in widget.ranks.order]
    assert place.find(".rm-best.rm-unfound .rm-best-name").all_inner_texts() == missing
    expect(place.find(".rm-result")).to_have_text(f"{value:.3f}")


def check_bars(place: ExplorerPage, widget: Explorer) -> None:
    rows = {row["item"]: row for row in widget.steps.to_dict("records")}
    shares = {
        item: [row[f"share of {name}"] for name in widget.values] for item, row in rows.items()
    }
    texts = {item: [f"{each:.3f}" for each in some if each] for item, some in shares.items()}
    found = {item: text.split() for item, text in words(place.find(".rm-line")).items()}
    assert found == texts
    assert place.values == [f"{name} = {value:.3f}" for name, value in widget.values.items()]


CHECKS = {
    "number": check_number,
    "curve": check_curve,
    "area": check_area,
    "discount": check_discount,
    "ideal": check_ideal,
    "bars": check_bars,
}


@pytest.mark.parametrize("shows", STATES)
def test_each_state_is_what_python_says_after_each_move_and_under_the_hand(show: Show, shows: str):
    widget = explorer(shows)
    place = show(widget)
    CHECKS[shows](place, widget)
    for item, key, to in (("bisque", "Home", 1), ("tart", "ArrowUp", 7), ("minestrone", "End", 8)):
        place.grip(item).press(key)
        widget.ranks.move(item, to=to)
        CHECKS[shows](place, widget)
    place.hold("gazpacho", widget.ranks.order[0])
    widget.ranks.move("gazpacho", to=1)
    expect(place.find(".rm-ghost")).to_have_count(1)
    if shows in ("area", "ideal", "bars"):  # the others are between two ranks with the hand
        CHECKS[shows](place, widget)
    place.page.mouse.up()
    CHECKS[shows](place, widget)


def test_a_hit_slides_on_its_curve_with_the_hand(show: Show):
    place = show(explorer("curve"))
    seen = []
    x, y, _, _ = place.way("minestrone", "ketchup")
    place.page.mouse.move(x, y)
    place.page.mouse.down()
    for step in range(1, 9):
        place.page.mouse.move(x, y - step * 6)
        place.page.evaluate("() => new Promise(requestAnimationFrame)")
        seen.append(sizes(place.find(".rm-line.rm-held"), "value")["minestrone"][0])
    place.page.mouse.up()
    assert seen == sorted(seen)
    assert len({round(each, 3) for each in seen}) > 4  # not only 1/2 and 1
    assert 0.5 <= seen[0] < seen[-1] <= 1


def test_a_trace_keeps_a_dot_for_each_value_that_was_seen(show: Show):
    place = show(Explorer(TODAY, {"bisque"}, shows="number", trace=True, docking=False))
    for _ in range(3):
        place.grip("bisque").press("ArrowUp")
    expect(place.find(".rm-seen")).to_have_count(4)
    lane = place.find(".rm-lane")
    seen = "rank 3: 0.333; rank 4: 0.250; rank 5: 0.200; rank 6: 0.167"
    said = f"The number is 0.333. What the number was at each rank. {seen}"
    expect(lane).to_have_attribute("aria-label", said)
    place.grip("bisque").press("ArrowDown")
    expect(place.find(".rm-seen")).to_have_count(4)  # that of rank 4 was there
    dots = place.find(".rm-seen").evaluate_all(
        "all => all.map((each) => Number(each.style.getPropertyValue('--value')))"
    )
    assert dots == pytest.approx([1 / 3, 1 / 4, 1 / 5, 1 / 6])


def scale(place: ExplorerPage) -> list[str]:
    """What the bars mean, and the ticks of their scale."""
    return [place.find(".rm-axis > span").first.inner_text(), *ticks(place)]


def ticks(place: ExplorerPage) -> list[str]:
    return place.find(".rm-ticks").first.locator("span").all_inner_texts()


def test_a_scale_stands_on_top_says_what_it_is_of_and_shows_that_it_changed(show: Show):
    expected = {
        "number": ["The number as a bar", "0", "1/2", "1"],
        "curve": ["1 / rank", "0", "1/2", "1"],
        "area": ["precision", "0", "1/2", "1"],
        "discount": ["gain × discount", "0", "1", "2", "3"],
        "ideal": ["the sum so far", "0", "6.08"],
    }
    for shows, said in expected.items():
        place = show(explorer(shows))
        assert scale(place) == said
        on_top, lane = place.find(".rm-axis").bounding_box(), place.find(".rm-lane").bounding_box()
        assert on_top["y"] + on_top["height"] <= lane["y"] + 1
        expect(place.find(".rm-rescaled")).to_have_count(0)
    place = show(FormulaComparison({"one": (TODAY, {"minestrone"})}, ["rank", "1/rank"], extra=92))
    assert scale(place) == ["what a hit counts as", "0", "4", "8"]
    place.press("longer")
    assert scale(place) == ["what a hit counts as", "0", "50", "100"]
    expect(place.find(".rm-rescaled")).to_have_count(3)
    place.grip("minestrone").press("Delete")
    assert scale(place) == ["what a hit counts as", "0", "50", "99"]  # a rank is a whole number
    place.press("longer")
    assert scale(place) == ["what a hit counts as", "0", "4", "7"]
    place.press("'1/rank'")
    assert scale(place) == ["what a hit counts as", "0", "1/2", "1"]


def lit(place: ExplorerPage, part: str) -> Locator:
    return place.find(f"{part}.rm-lit")


def test_a_term_and_its_row_light_each_other_and_the_last_input_wins(show: Show):
    place = show(explorer("area"))
    terms = place.find(".rm-term")
    expect(terms).to_have_text(["1/2", "2/3", "3/6"])
    expect(terms.nth(1)).to_have_accessible_name("2/3: gazpacho, rank 3")
    terms.nth(1).hover()
    for part in (".rm-row", ".rm-line", ".rm-col", ".rm-term"):
        expect(lit(place, part)).to_have_attribute("data-id", "gazpacho")
    expect(place.find(".rm-lens > div").first).to_have_text("Rank 3, gazpacho: relevant.")
    place.grip("bisque").focus()
    for part in (".rm-row", ".rm-line", ".rm-col", ".rm-term"):
        expect(lit(place, part)).to_have_attribute("data-id", "bisque")
    place.find(".rm-col").first.hover()
    expect(lit(place, ".rm-term")).to_have_text("1/2")
    place.page.mouse.move(0, 0)
    expect(lit(place, ".rm-term")).to_have_text("3/6")  # the focus is still there
    terms.first.focus()
    terms.first.press("ArrowRight")
    expect(terms.nth(1)).to_be_focused()
    expect(lit(place, ".rm-row")).to_have_attribute("data-id", "gazpacho")
    terms.nth(2).tap()
    expect(lit(place, ".rm-col")).to_have_attribute("data-id", "bisque")


@pytest.mark.parametrize(
    ("shows", "item", "said"),
    [
        ("curve", "ketchup", "It pushes the first hit down by one rank."),
        (
            "curve",
            "lasagne",
            "It is below the first hit, so it is ignored.",
        ),
        ("curve", "gazpacho", "RR +0: only the first hit counts"),
        ("area", "lasagne", "It lowers the precision at every hit below it."),
        ("area", "tart", ""),  # no hit is below it
        ("discount", "bisque", "DCG +1.069: gain 3 × discount 0.356"),
        (
            "ideal",
            "gazpacho",
            "Down to rank 3, my list has 1.63 and the ideal 5.26. The gap is 3.63.",
        ),
    ],
)
def test_what_a_row_does_is_said_of_hits_and_of_others(
    show: Show, shows: str, item: str, said: str
):
    place = show(explorer(shows))
    place.row(item).hover()
    assert place.find(".rm-lens > div").all_text_contents()[1:] == [said] * bool(said)


def test_the_columns_level_out_and_come_back(show: Show):
    widget = explorer("area")
    place = show(widget)
    level = place.button("Level it")
    level.click()
    heights = place.find(".rm-col").evaluate_all(
        "all => all.map((each) => Number(each.style.getPropertyValue('--value')))"
    )
    assert heights == pytest.approx([widget.values["AP"]] * len(SOUPS), abs=1e-12)
    below = place.find(".rm-under-columns > span").all_text_contents()
    assert below == [f"{widget.values['AP']:.3f}"]  # once: five of them ran into each other
    expect(place.button("Back to columns")).to_have_attribute("aria-pressed", "true")
    place.button("Back to columns").click()
    check_area(place, widget)


def test_what_is_beyond_the_cutoff_is_grey_and_counts_for_nothing(show: Show):
    widget = explorer("curve", k=1)
    place = show(widget)
    expect(place.find(".rm-row.rm-beyond")).to_have_count(7)
    expect(place.find(".rm-row.rm-counts")).to_have_count(0)
    expect(place.find(".rm-formula")).to_have_attribute("aria-label", "RR@1 = 0: no hit counts.")
    place.grip("minestrone").press("ArrowUp")
    expect(place.find(".rm-row.rm-counts")).to_have_attribute("data-id", "minestrone")


@pytest.mark.parametrize(
    "asked",
    [
        {"k": 3},
        {"k": 7},
        {"conventions": "sklearn"},
        {"measures": "nDCG(dcg='exp-log2')@4"},
        {"measures": "nDCG", "spans": {"salad": 30}},
    ],
)
def test_my_share_of_the_ideal_is_the_value_under_any_convention(show: Show, asked: dict):
    widget = explorer("ideal", **asked)
    place = show(widget)
    (value,) = widget.values.values()
    for key in ("ArrowUp", "ArrowUp", "Home"):
        place.grip("bisque").press(key)
        to = widget.ranks.order.index("bisque")
        widget.ranks.move("bisque", to=1 if key == "Home" else to)
        (value,) = widget.values.values()
        before, adds, gap = list(
            sizes(
                place.find(".rm-step:not(.rm-beyond) .rm-run"), "before", "adds", "gap-share"
            ).values()
        )[-1]
        assert before + adds == pytest.approx(value, abs=1e-9)
        assert before + adds + gap == pytest.approx(1, abs=1e-9)
        expect(place.find(".rm-result")).to_have_text(f"{value:.3f}")


def test_an_ideal_list_goes_on_below_a_short_one(show: Show):
    short = ["minestrone", "ketchup", "gazpacho"]
    widget = Explorer(short, SOUPS, shows="ideal", max_grade=3)
    place = show(widget)
    expect(place.find(".rm-step")).to_have_count(5)
    assert place.find(".rm-run[data-id]").count() == 3
    expect(place.find(".rm-result")).to_have_text(f"{widget.values['nDCG']:.3f}")
    expect(place.find(".rm-lens")).to_contain_text("bisque, harira and rasam were graded but never")


LATE = ["ketchup", "lasagne", "focaccia", "salad", "tart", "minestrone", "gazpacho", "bisque"]
SEARCHES = {
    "tomato soup": (TODAY, set(SOUPS)),
    "bread": (["dumplings", "tart", "lasagne", "focaccia", "salad"], {"focaccia"}),
    "gyoza": (["lasagne", "tart", "salad", "omelette", "ketchup"], {"dumplings"}),
}
TWO = {"today": (TODAY, SOUPS), "upside down": (LATE, SOUPS)}
PICTURES = {
    "number": lambda: Explorer(TODAY, {"bisque"}, shows="number", trace=True),
    "challenge": lambda: Challenge(TODAY, set(SOUPS), Goal.highest("AP", given={"RR": "1/2"})),
    "bench": lambda: FormulaComparison(
        {"one": (TODAY, {"minestrone"})}, list(FORMULAS)[:4], extra=92
    ),
    "cutoff": lambda: explorer("curve", k=8),
    "queries": lambda: Queries(SEARCHES, formulas=("mean rank", "mean of all"), never=True),
    "two lists": lambda: FormulaComparison(TWO, ["P@5", "recall", "mean 1/rank"]),
    "area": lambda: explorer("area", k=3),
    "discount": lambda: explorer("discount"),
    "ideal": lambda: explorer("ideal", k=8),
}


@pytest.mark.parametrize(
    ("width", "height", "room", "most"),
    [(1280, 900, 55 * 16, 640), (1280, 900, 38 * 16, 640), (390, 844, 390, 844)],
)
def test_list_bars_number_and_control_are_in_sight_together(
    show: Show, width: int, height: int, room: int, most: int
):
    show(explorer("bars")).page.evaluate(
        "(x) => (document.querySelector('main').style.maxWidth = `${x}px`)", room
    )
    for name, made in PICTURES.items():
        place = show(made(), width=width, height=height)
        place.page.wait_for_timeout(50)
        whole = ".rm-picture" if name == "challenge" else "> div"  # which has its goal besides
        box = place.find(whole).bounding_box()
        assert box["height"] <= most, (name, box["height"])
        assert place.find(".rm-row").first.bounding_box()["height"] >= 25
        for part in ("input", "[data-name=longer]"):
            for control in place.find(part).all():
                inner = control.bounding_box()
                assert box["y"] <= inner["y"] <= box["y"] + most, name
    place.page.evaluate("() => document.querySelector('main').removeAttribute('style')")


# of each bar, how far its middle is from that of the row whose name it has
OUT_OF_STEP = """(bars) => bars.map((bar) => {
  const list = bar.closest('.rm-board').querySelector('.rm-scroll');
  const row = list.querySelector(`.rm-row[data-id="${bar.dataset.id}"]`);
  const middle = (part) => (({ top, height }) => top + height / 2)(part.getBoundingClientRect());
  return Math.abs(middle(bar) - middle(row));
})"""
TWO_PAGES = {"today": (TODAY, {*SOUPS}), "late": (TODAY[::-1], {*SOUPS})}


@pytest.mark.parametrize("name", ["one list", "two lists"])
def test_bars_stay_in_the_lines_of_their_rows_when_the_window_changes(show: Show, name: str):
    made = FormulaComparison(TWO_PAGES, ["P@5", "AP"]) if name == "two lists" else explorer("area")
    place = show(made, width=390, height=844)
    for width, height in [(1204, 1300), (900, 900), (390, 844), (390, 700), (390, 900)]:
        place.page.set_viewport_size({"width": width, "height": height})
        place.page.wait_for_timeout(100)
        place.page.evaluate(FINISH)
        apart = place.find(".rm-line:visible").evaluate_all(OUT_OF_STEP)
        assert apart, (width, height)
        assert max(apart) < 1, (width, height)


def test_a_box_says_from_which_grade_on_an_item_is_relevant(show: Show):
    most = {"max_grade": 3, "relevant_from": 1, "measures": ["RR", "AP", "nDCG"]}
    widget = Explorer(TODAY, SOUPS, **most)
    place = show(widget)
    box = place.page.get_by_label("Lowest relevant grade")
    for grade, values in {
        2: ("0.333", "0.222"),
        3: ("0.167", "0.167"),
        1: ("0.500", "0.333"),
    }.items():
        box.select_option(str(grade))
        for name, value in zip(("RR", "AP"), values, strict=True):
            place.expect_value(f"{name} = {value}")
        place.expect_value("nDCG = 0.444")
    place.open_more()
    place.button("Undo").click()
    expect(box).to_have_value("3")
    place.button("Reset").click()
    expect(box).to_have_value("1")


def test_a_box_says_as_which_tool_a_value_is_computed(show: Show):
    tools = ["trec_eval -c", "sklearn", "xgboost", "recommenders", "haystack", "lenskit"]
    shown = {"shows": "ideal", "measures": "nDCG@6", "max_grade": 3}
    widget = Explorer(TODAY[:6], SOUPS, conventions=tools, **shown)
    place = show(widget)
    box = place.page.get_by_label("Computed as in")
    best = place.find(".rm-best:not([hidden])")
    missed = {}
    for tool in tools[::-1]:
        box.select_option(tool)
        widget.conventions = tool
        expect(place.find(".rm-result")).to_have_text(f"{widget.values['nDCG@6']:.3f}")
        missed[tool] = best.and_(place.find(".rm-unfound")).count()
    assert missed["trec_eval -c"] > missed["sklearn"] == missed["xgboost"] == 0
    box.select_option("xgboost")
    expect(place.find(".rm-meaning")).to_have_text(
        "nDCG ideal: what was retrieved · gain: 2^grade - 1 · discount: 1/log2(rank + 1)"
    )
    place.open_more()
    place.button("Undo").click()
    expect(box).to_have_value("trec_eval -c")
    box.select_option("sklearn")
    place.button("Reset").click()
    expect(box).to_have_value("trec_eval -c")
