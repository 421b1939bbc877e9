"""Lists on a page from disk: they live there as in a notebook, with neither Python nor a host."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_harness import Reader
from explorer_page import ExplorerPage
from playwright.sync_api import Browser, Locator, Page, expect
from test_pages import NASTY, SPILLS, STARTED, watch

from byhand.report.page import Page as Around
from byhand.widgets import Challenge, CoinTosses, Duel, Explorer, Goal, OwnList, Prediction
from byhand.widgets.embed import live_html

ITEMS = ["D1", "D2", "D3", "D4", "D5"]
STILL = "<p>as a picture</p>"


def explorer() -> Explorer:
    return Explorer(ITEMS, {"D4": 2, "D2": 1}, max_grade=2, measures=("RR", "AP", "nDCG"))


def widgets() -> dict[str, object]:
    """One of each, by its place on the page."""
    return {
        "explorer": explorer(),
        "challenge": Challenge(
            ["D1", "D2", "D3", "D4"], {"D3", "D4"}, [Goal.reach("RR", "1/2"), Goal.highest("AP")]
        ),
        "number": Prediction(
            "What is RR?", 0.25, hints=["Look at the first hit.", "At which rank is it?"]
        ),
        "choice": Prediction("Which one moves?", "AP", options=["RR", "AP"]),
        "duel": Duel({"old": ["D1", "D4", "D5"], "new": ["D2", "D4", "D3", "D5"]}, {"D4", "D5"}),
        "own": OwnList("Museum\nMarket *\nHarbour"),
        "tosses": CoinTosses([0.5, 0.25, -0.125]),
        "nasty": Explorer(dict(zip("abcde", NASTY, strict=True)), {"a", "b"}),
    }


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    body = "".join(
        f'<section id="{name}"><h2>{name}</h2>{live_html(widget.page_state(), STILL)}</section>'
        for name, widget in widgets().items()
    )
    path = tmp_path_factory.mktemp("live") / "page.html"
    path.write_text(Around(title="Lists", head="<h1>Lists</h1>", body=body).html(), "utf-8")
    return path


@pytest.fixture(scope="module", params=[1100, 360], ids=["wide", "phone"])
def tab(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    size = {"width": request.param, "height": 900}
    context = chromium.new_context(viewport=size, has_touch=True, offline=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(tab: Page, path: Path) -> Iterator[Page]:
    """The page as it opens; in the end, it has asked for nothing and not complained."""
    seen = watch(tab)
    tab.goto(path.as_uri())
    tab.wait_for_function(STARTED)
    yield tab
    assert seen == []
    assert tab.evaluate(SPILLS) <= 0


def part(page: Page, name: str) -> ExplorerPage:
    return ExplorerPage(Reader(page, None, "page"), scope=f"#{name}")


def values_of(place: ExplorerPage) -> list[str]:
    return place.find(".rm-value").all_text_contents()


def said(widget: Explorer) -> list[str]:
    return [f"{name} = {value:.3f}" for name, value in widget.values.items()]


def press(place: ExplorerPage, name: str) -> Locator:
    button = place.find("").get_by_role("button", name=name, exact=True)
    button.click()
    return button


class TestExplorer:
    def test_values_follow_the_hand_as_python_reckons_them(self, page: Page):
        place, widget = part(page, "explorer"), explorer()
        assert values_of(place) == said(widget)
        x, y, _, _ = place.way("D4", "D1")
        rows = {item: place.row(item).bounding_box() for item in ITEMS}
        page.mouse.move(x, y)
        page.mouse.down()
        for rank in (3, 2, 1, 2, 5, 1):
            goal = rows[ITEMS[rank - 1]]
            # of a row above, its upper half; of one below, its lower
            share = 0.75 if rank > 4 else 0.25
            page.mouse.move(x + 3, goal["y"] + goal["height"] * share, steps=2)
            expect(place.find(".rm-ghost .rm-rank")).to_have_text(str(rank))
            widget.ranks.move("D4", to=rank)
            assert values_of(place) == said(widget)
            place.expect_order(*ITEMS, *["D4"])  # nothing has moved yet but its shadow
        page.mouse.up()
        place.expect_order("D4", "D1", "D2", "D3", "D5")
        assert values_of(place) == said(widget)

    @pytest.mark.parametrize("way", ["finger", "keys", "buttons"])
    def test_each_way_to_move_an_item(self, page: Page, way: str):
        place, widget = part(page, "explorer"), explorer()
        if way == "finger":
            place.drag_with_finger("D4", "D1")
        elif way == "keys":
            place.grip("D4").focus()
            for _ in range(3):
                page.keyboard.press("ArrowUp")
        else:
            for _ in range(3):
                press(place, "Move D4 up")
        place.expect_order("D4", "D1", "D2", "D3", "D5")
        widget.ranks.move("D4", to=1)
        assert values_of(place) == said(widget)

    def test_undo_regrade_and_take_out(self, page: Page):
        place, widget = part(page, "explorer"), explorer()
        place.grip("D4").focus()
        for key in ("Home", "1", "Delete"):
            page.keyboard.press(key)
        widget.ranks.set_grade("D4", 1)
        widget.ranks.take_out("D4")
        place.expect_docked("D4")
        assert values_of(place) == said(widget)
        for _ in range(3):
            page.keyboard.press("Control+z")
        place.expect_order(*ITEMS)
        assert values_of(place) == said(explorer())


def test_a_challenge_is_reached_and_the_next_one_offered(page: Page):
    place = part(page, "challenge")
    expect(place.find(".rm-title")).to_have_text("Goal 1: Make RR = 1/2.")
    place.drag_with_mouse("D3", "D2")
    expect(place.find(".rm-verdict")).to_have_text("✓ Reached.")
    press(place, "Next goal")
    expect(place.find(".rm-title")).to_contain_text("Goal 2")
    place.expect_order("D1", "D2", "D3", "D4")
    for item in ("D3", "D4"):
        place.grip(item).press("Home")
    expect(place.find(".rm-verdict")).to_contain_text("no order of these 4 items does better")
    expect(place.find("[data-name^=goal]")).to_have_text(["✓ Goal 1", "✓ Goal 2"])


def test_a_prediction_hints_twice_and_then_is_right(page: Page):
    place = part(page, "number")
    verdict, field = place.find(".rm-verdict"), place.find(".rm-text")
    show = place.find("[data-name=show]")
    for guess, hint in (("4", "Look at the first hit."), ("0.5", "At which rank is it?")):
        expect(show).to_be_hidden()
        field.fill(guess)
        field.press("Enter")
        expect(verdict).to_have_text(f"Not yet. {hint}")
    expect(show).to_be_visible()
    field.fill("1/4")
    press(place, "Commit")
    expect(verdict).to_contain_text("Right")


def test_a_choice_is_chosen(page: Page):
    place = part(page, "choice")
    place.find(".rm-option").filter(has_text="AP").click()
    press(place, "Commit")
    expect(place.find(".rm-verdict")).to_have_text("✓ Right.")


def test_a_duel_is_decided_again(page: Page):
    place = part(page, "duel")
    expect(place.find(".rm-verdict")).to_contain_text("RR cannot tell the two apart.")
    place.grip("D5").first.press("Home")
    expect(place.find(".rm-verdict")).to_have_text("RR, AP and nDCG say: old is better.")


def test_names_stay_text_while_they_are_dragged(page: Page):
    place = part(page, "nasty")
    place.expect_order(*NASTY)
    place.hold("e", "a")
    expect(place.find(".rm-ghost .rm-label")).to_have_text(NASTY[-1])
    page.mouse.up()
    place.expect_order(NASTY[-1], *NASTY[:-1])
    place.grip("a").press("End")
    expect(place.find(".rm-said").filter(has_text="moved")).to_contain_text(NASTY[0])
    assert place.find("script, img, b").count() == 0
    texts = place.find(".rm-steps td:nth-child(2)").all_text_contents()
    assert all(name in " ".join(texts) for name in NASTY)


def test_without_javascript_and_on_paper_the_pictures_show(chromium: Browser, path: Path):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    expect(page.get_by_text("as a picture")).to_have_count(len(widgets()))
    assert all(still.is_visible() for still in page.get_by_text("as a picture").all())
    context.close()
    context = chromium.new_context()
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_function(STARTED)
    stills = page.get_by_text("as a picture").all()
    assert not any(still.is_visible() for still in stills)
    page.emulate_media(media="print")
    assert all(still.is_visible() for still in stills)
    assert not page.locator(".rm").first.is_visible()
    context.close()


def test_no_other_script_runs(tab: Page, path: Path):
    tab.goto(path.as_uri())
    with tab.expect_console_message(lambda message: "Security Policy" in message.text):
        tab.evaluate(
            """() => {
              const script = document.createElement('script');
              script.textContent = 'window.ran = 1';
              document.body.append(script);
              document.body.insertAdjacentHTML('beforeend', '<p onclick="window.ran = 2">');
              document.body.lastElementChild.click();
            }"""
        )
    assert tab.evaluate("window.ran") is None


class TestOwnList:
    def test_what_is_written_becomes_a_list_and_what_is_dragged_becomes_text(self, page: Page):
        place = part(page, "own")
        field = place.find("textarea")
        assert values_of(place) == ["RR = 0.500", "AP = 0.500", "nDCG = 0.631"]
        field.fill("Hotel\nBeach **\n---\nPier *")
        place.expect_order("Hotel", "Beach")
        assert values_of(place)[0] == "RR = 0.500"
        place.grip("Pier").press("Home")
        expect(field).to_have_value("Pier *\nHotel\nBeach **")
        place.grip("Beach").press("2")
        place.grip("Hotel").press("Delete")
        expect(field).to_have_value("Pier *\nBeach **\n---\nHotel")
        assert values_of(place)[:2] == ["RR = 1.000", "AP = 1.000"]
        press(place, "Undo")
        expect(field).to_have_value("Pier *\nHotel\nBeach **")

    def test_a_mistake_is_said_with_its_line_and_mended(self, page: Page):
        place = part(page, "own")
        field, status = place.find("textarea"), place.find("[role=status]").first
        for text, words in [
            ("a\nb\na", "Line 3 has “a” again, as line 1 does."),
            ("*", "Line 1 has stars, but no item."),
            ("", "Write one item a line, best first."),
        ]:
            field.fill(text)
            expect(status).to_contain_text(words)
            expect(place.find("[inert]")).to_have_count(1)
        field.fill("a *")
        expect(status).to_have_text("")
        assert values_of(place)[0] == "RR = 1.000"

    def test_a_link_holds_the_list(self, page: Page, path: Path):
        place, text = part(page, "own"), "50% & #1 <b>\n한국 *"
        place.find("textarea").fill(text)
        link = place.find("a").get_attribute("href")
        other = page.context.new_page()
        seen = watch(other)
        other.goto(path.as_uri() + link)
        expect(part(other, "own").find("textarea")).to_have_value(text)
        assert values_of(part(other, "own"))[0] == "RR = 0.500"
        other.goto(path.as_uri() + "#list=%E0%A4%A")
        expect(part(other, "own").find("[role=status]").first).to_contain_text("not whole")
        other.close()
        assert seen == []
