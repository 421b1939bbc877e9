"""What a reader, a hand or a name may do that nobody expects, on a page without a notebook."""

from collections.abc import Iterator
from html import escape
from json import dumps

import pytest
from browser_harness import Reader
from explorer_page import ExplorerPage
from playwright.sync_api import Browser, Page, expect

from byhand.widgets import Challenge, Explorer, Goal, OwnList, Prediction
from byhand.widgets.embed import module, style
from byhand.widgets.live import Live


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Page]:
    tab = chromium.new_page(viewport={"width": 1000, "height": 900}, has_touch=True)
    yield tab
    tab.close()


@pytest.fixture
def show(tab: Page) -> Iterator[object]:
    """Puts a widget on a page, where no script fails."""
    failed = []

    def note(error: object) -> None:
        failed.append(str(error))

    tab.on("pageerror", note)

    def show(widget: Live, row: str = ".rm-row") -> ExplorerPage:
        state = escape(dumps(widget.page_state()))
        tab.set_content(
            f'<meta charset="utf-8"><style>{style()}</style><main data-live="{state}"></main>'
            f'<script type="module">{module("page")}</script>'
        )
        tab.wait_for_selector(row)
        return ExplorerPage(Reader(tab, None, "page"), scope="main")

    yield show
    tab.remove_listener("pageerror", note)
    assert failed == []


def values_of(place: ExplorerPage) -> list[str]:
    return place.find(".rm-value").all_text_contents()


def expect_values(place: ExplorerPage, widget: Explorer) -> None:
    words = [f"{name} = {value:.3f}" for name, value in widget.values.items()]
    expect(place.find(".rm-value")).to_have_text(words)


# names that every object has, that a model has, or that JavaScript would sort
ODD = ["constructor", "view", "__proto__", "", "10", "9", "a\nb", "a", "b", "😀" * 4000]


def test_no_name_of_an_item_changes_what_a_list_is_worth(show):
    widget = Explorer(ODD, {"view", "__proto__", "9", "a", "missed"})
    place = show(widget)
    expect_values(place, widget)
    place.expect_order(*ODD)
    place.find(".rm-grip").nth(6).press("ArrowDown")  # "a\nb", "a" read like "a", "a\nb"
    place.find(".rm-grip").nth(7).press("ArrowDown")
    widget.ranks.move("a\nb", to=9)
    place.expect_order(*widget.ranks.order)
    expect_values(place, widget)
    labels = place.find(".rm-box-label").all_text_contents()
    assert not any("\ufffd" in label for label in labels)
    assert set(labels[8]) == {"😀"}  # as many as there is room for


@pytest.fixture
def letters(show) -> ExplorerPage:
    return show(Explorer(list("abcde"), {"e", "b"}, k=5))


def expect_nothing_held(place: ExplorerPage) -> None:
    expect(place.find(".rm-ghost, .rm-slot, .rm-lifted, .rm-dragging")).to_have_count(0)


def test_another_finger_neither_drops_nor_takes(letters):
    touch = letters.reader.page.context.new_cdp_session(letters.reader.page)
    x, y, _, to_y = letters.way("e", "a")
    other = letters.row("d").locator(".rm-grip").bounding_box()
    second = {"x": other["x"] + 9, "y": other["y"] + 9, "id": 2}

    def send(kind: str, *points: dict) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    send("touchStart", {"x": x, "y": y, "id": 1})
    for step in range(1, 7):
        first = {"x": x, "y": y + (to_y - y) * step / 6, "id": 1}
        send("touchMove", first)
    send("touchStart", first, second)
    for _ in range(6):
        second = {**second, "y": second["y"] + 8}
        send("touchMove", first, second)
    expect(letters.find(".rm-ghost")).to_have_count(1)
    send("touchEnd", second)
    expect(letters.find(".rm-ghost")).to_have_count(1)
    send("touchEnd")
    letters.expect_order(*"eabcd")
    expect_nothing_held(letters)


def test_an_undo_while_an_item_is_held_lets_go_of_it(letters):
    mouse = letters.reader.page.mouse
    letters.grip("a").press("End")
    letters.expect_order(*"bcdea")
    letters.hold("e", "b")
    letters.reader.page.keyboard.press("Control+z")
    letters.expect_order(*"abcde")
    expect_nothing_held(letters)
    mouse.up()
    letters.expect_order(*"abcde")


def test_a_cutoff_that_changes_while_an_item_is_held_shows_where_it_is_held(letters):
    letters.hold("e", "a")
    letters.expect_value("AP@5 = 0.833")
    letters.find("input[type=range]").evaluate(
        "(input) => { input.value = 1; input.dispatchEvent(new Event('input')); }"
    )
    letters.expect_value("RR@1 = 1.000")
    letters.reader.page.mouse.up()
    letters.expect_order(*"eabcd")
    letters.expect_value("RR@1 = 1.000")


def test_a_button_let_go_unseen_ends_a_drag(letters):
    letters.hold("e", "a")
    letters.row("e").evaluate(
        "(row) => row.dispatchEvent(new PointerEvent('pointermove', { pointerId: 1, buttons: 0 }))"
    )
    expect_nothing_held(letters)
    letters.reader.page.mouse.up()
    letters.expect_order(*"abcde")


def test_a_page_that_scrolls_under_a_held_item_changes_where_it_lands(letters):
    page = letters.reader.page
    page.set_viewport_size({"width": 1000, "height": 300})
    letters.row("c").scroll_into_view_if_needed()
    letters.hold("c", "b")
    letters.expect_value("AP@5 = 0.367")
    page.evaluate("scrollBy(0, 60)")
    page.wait_for_timeout(100)
    ranks = letters.find(".rm-ghost .rm-rank").text_content()
    page.mouse.up()
    expect(letters.row("c").locator(".rm-rank")).to_have_text(ranks)
    assert ranks != "2"


def test_what_python_answers_late_does_not_take_back_what_a_value_was(live):
    widget = Explorer(["a", "b", "c"], {"c"}, measures=("RR", "Judged"))
    state = widget.page_state()
    widget.ranks.move("c", to=1)
    said = live.evaluate(
        """async ([state, late]) => {
          const [model, el] = [new live.PageModel(state), document.createElement('div')];
          Object.defineProperty(model, 'alone', { value: false });  // as if Python would answer
          await live.render({ model, el });
          const said = () => [...el.querySelectorAll('.rm-was')].map((each) => each.textContent);
          model.get('fixed').ranks.set('order', late.order);
          await null;
          const before = said();
          model.set('answers', late);
          return [before, said()];
        }""",
        [state, widget.page_state()["answers"]],
    )
    assert said == [["was 0.333", "after the drop"], ["was 0.333", "\u00a0"]]


def test_a_widget_drawn_before_its_state_says_so_and_comes_to_life(live):
    state = Explorer(["a", "b"], {"b"}, measures="RR").page_state()
    said = live.evaluate(
        """async ({ view, ...rest }) => {
          const [model, el] = [new live.PageModel(rest), document.createElement('div')];
          const stop = await live.render({ model, el });
          const before = el.textContent;
          model.set('view', view);
          await new Promise((done) => setTimeout(done));
          const after = el.querySelector('.rm-value').textContent;
          stop();
          return [before, after];
        }""",
        state,
    )
    waiting = "What stands here has not come yet. If it does not come, run the cell again."
    assert said == [waiting, "RR = 0.500"]


def slide(place: ExplorerPage, *values: int) -> None:
    """As a hand does that lets go at the last of these values."""
    place.find("input[type=range]").evaluate(
        """(input, values) => {
          for (const value of values) {
            input.value = value;
            input.dispatchEvent(new Event('input'));
          }
          input.dispatchEvent(new Event('change'));
        }""",
        list(values),
    )


def test_undo_undoes_the_cutoff_however_far_it_was_drawn_as_one_step(letters):
    cutoff = letters.find("input[type=range]")
    letters.grip("e").press("Home")
    slide(letters, 4, 3, 2)
    slide(letters, 1)
    expect(letters.find("[role=status]").first).to_contain_text("Cutoff k: 1. RR@1 = 1.000")
    for action, value, first in (
        *(("undo", "2", "e"), ("undo", "5", "e"), ("undo", "5", "a")),
        *(("redo", "5", "e"), ("redo", "2", "e"), ("redo", "1", "e")),
    ):
        press(letters, action)
        expect(cutoff).to_have_value(value)
        expect(letters.find(".rm-value").first).to_contain_text(f"RR@{value} = ")
        expect(letters.find(".rm-scroll .rm-label").first).to_have_text(first)
    press(letters, "reset")
    expect(cutoff).to_have_value("5")
    letters.expect_order(*"abcde")
    press(letters, "undo")  # of the reset, as one step
    expect(cutoff).to_have_value("1")
    letters.expect_order(*"eabcd")


def test_a_row_is_marked_with_what_became_of_its_item(show):
    place = show(Explorer(list("abc"), {"c": 1, "d": 2}, max_grade=3, k=5))
    note = place.find(".rm-moved-note")
    place.grip("c").press("ArrowUp")
    expect(note).to_have_text("moved")
    place.grip("a").press("2")
    expect(note).to_have_text("graded")
    place.grip("d").press("Home")
    expect(note).to_have_text("brought in")
    place.grip("d").press("Delete")
    expect(note).to_have_count(0)
    heads = place.find(".rm-steps th").all_text_contents()
    assert [head for head in heads if "share" in head] == [
        *("share of RR@5", "share of AP@5", "share of nDCG@5")
    ]


@pytest.mark.parametrize(("most", "zero"), [(1, "not relevant"), (3, "0")])
def test_what_nobody_judged_has_a_dash_and_no_grade_until_a_hand_gives_it_one(show, most, zero):
    grades = {"a": None, "b": 1, "c": 0, "d": None}
    place = show(Explorer([*grades], grades, max_grade=most, spans={"d": 5}))
    mark, read = (place.row("a").locator(part) for part in (".rm-pips", ".rm-word"))
    expect(mark).to_have_text("–")
    expect(read).to_have_text("not judged")
    expect(place.grip("a")).to_have_accessible_name("Move a, rank 1 of 8, not judged")
    expect(place.button("Grade of a: not judged")).to_have_count(1)
    expect(place.row("c").locator(".rm-word")).to_have_text(zero)
    expect(place.row("d").locator(".rm-word")).to_have_text("not judged")
    place.row("a").hover()
    expect(place.find(".rm-lens")).to_contain_text("Rank 1, a: not judged, so it adds nothing.")
    values = values_of(place)
    place.grip("a").press("0")
    expect(read).to_have_text(zero)
    expect(mark).to_have_text("○" * most)
    assert values_of(place) == values
    place.grip("a").press("Control+z")
    expect(read).to_have_text("not judged")
    place.grip("a").press("Enter")
    expect(mark).to_have_text("●" + "○" * (most - 1))
    place.button("Reset").click()
    expect(mark).to_have_text("–")
    if most > 1:
        expect(place.find(".rm-steps tbody tr td:nth-child(3)")).to_have_text(["–", "1", "0", ""])


@pytest.mark.parametrize("key", ["Shift+Enter", "Enter"])
@pytest.mark.parametrize("given", ["order", "number", "choice"])
def test_no_key_after_a_right_answer_asks_anew(show, tab, key, given):
    asked = {
        "order": Prediction("Best first?", ["b", "a"], start=["b", "a"]),
        "number": Prediction("How much?", 0.5),
        "choice": Prediction("Which?", "RR", options=["AP", "RR"]),
    }[given]
    show(asked, row=".rm-controls")
    if given == "number":
        tab.locator("input").fill("1/2")
    if given == "choice":
        tab.get_by_role("radio").last.check()
    tab.locator("[data-name=commit]").press("Enter")
    expect(tab.locator(".rm-verdict")).to_contain_text("Right")
    tab.keyboard.press(key)
    expect(tab.locator(".rm-verdict")).to_contain_text("Right")
    tab.keyboard.press("Tab")
    tab.locator("[data-name=again]").focus()
    tab.keyboard.press("Shift+Enter")
    expect(tab.locator(".rm-verdict")).to_contain_text("Right")


@pytest.mark.parametrize("text", ["a\u2028b *", "\ud800\nb *", "a\nb\u00a0*\n"])
def test_any_text_of_an_own_list_is_shown(show, tab, text):
    show(OwnList("x *", measures="RR"))
    tab.locator("textarea").evaluate(
        "(field, text) => { field.value = text; field.dispatchEvent(new Event('input')); }", text
    )
    expect(tab.locator(".rm-value")).to_have_text("RR = 0.500")


GOALS = [Goal.highest("AP"), Goal.highest("nDCG"), Goal.reach("RR", 1)]


def press(place: ExplorerPage, *names: str) -> None:
    for name in names:
        place.find(f"[data-name={name}]").click()


@pytest.mark.parametrize(
    "names",
    [
        ["solution", "reset"],
        ["solution", "undo", "redo"],
        ["solution", "reset", "undo"],
        ["solution", "goal-1"],
        ["solution", "next", "undo"],
        ["solution", "goal-2", "goal-0", "undo", "undo"],
        ["solution", "solution", "goal-1", "solution", "goal-2", "reset"],
    ],
    ids=" ".join,
)
def test_a_solution_that_was_shown_is_no_goal_reached_however_it_comes_back(show, names):
    place = show(Challenge(["a", "b", "c"], {"b", "c"}, GOALS))
    press(place, *names)
    expect(place.find("[data-name^=goal-]")).to_have_text(["Goal 1", "Goal 2", "Goal 3"])


def test_what_was_reached_stays_reached_and_an_own_order_counts_for_one_goal(show):
    place = show(Challenge(["a", "b", "c"], {"b", "c"}, GOALS))
    place.grip("a").press("End")
    texts = place.find("[data-name^=goal-]")
    expect(texts).to_have_text(["✓ Goal 1", "Goal 2", "Goal 3"])
    press(place, "solution", "reset", "undo", "next")
    expect(texts).to_have_text(["✓ Goal 1", "Goal 2", "Goal 3"])
    press(place, "solution", "reset")
    place.grip("a").press("End")
    expect(texts).to_have_text(["✓ Goal 1", "✓ Goal 2", "Goal 3"])


def test_an_order_asked_anew_starts_anew(show):
    place = show(Prediction("Best first?", ["c", "a", "b"], start=["a", "b", "c"]))
    place.grip("c").press("Home")
    press(place, "commit", "again")
    place.expect_order("a", "b", "c")
