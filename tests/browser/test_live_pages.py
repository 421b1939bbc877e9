"""Lists on a page from disk: they live there as in a notebook, with neither Python nor a host."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from explorer_page import ExplorerPage
from page_checks import NASTY, SPILLS, STARTED, until, watch
from playwright.sync_api import Browser, Page, expect

from byhand.reports.page import page as page_around
from byhand.widgets import (
    Challenge,
    Explorer,
    Goal,
    IntervalSamples,
    OwnList,
    PermutationTest,
    Prediction,
)
from byhand.widgets.embed import live_html
from byhand.widgets.prediction.answers import Choice, Number

ITEMS = ["D1", "D2", "D3", "D4", "D5"]
STILL = "<p>as a picture</p>"
SAID = {
    "challenge": "✓ Reached.",
    "number": "✓ Right: the answer is 0.25 (1/4).",
    "choice": "✓ Right.",
    "draws": "Sample 100: mean ",
}


def explorer() -> Explorer:
    return Explorer(ITEMS, {"D4": 2, "D2": 1}, max_grade=2, measures=("RR", "AP", "nDCG"))


def widgets() -> dict[str, object]:
    """One of each, by its place on the page."""
    return {
        "explorer": explorer(),
        "challenge": Challenge(["D1", "D2", "D3", "D4"], {"D3", "D4"}, Goal.reach("RR", "1/2")),
        "number": Prediction(
            "What is RR?",
            Number(answer=0.25, hints=["Look at the first hit.", "At which rank is it?"]),
        ),
        "choice": Prediction(
            "Which one moves?", Choice(answer="AP", options={"RR": "RR", "AP": "AP"})
        ),
        "own": OwnList("Museum\nMarket *\nHarbour"),
        "permutation": PermutationTest([0.5, 0.25, -0.125]),
        "draws": IntervalSamples([0.5, 0.25, -0.125]),
        "nasty": Explorer(dict(zip("abcde", NASTY, strict=True)), {"a", "b"}),
    }


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    body = "".join(
        f'<section id="{name}"><h2>{name}</h2>{live_html(widget.page_state(), STILL)}</section>'
        for name, widget in widgets().items()
    )
    path = tmp_path_factory.mktemp("live") / "page.html"
    path.write_text(page_around(title="Lists", head="<h1>Lists</h1>", body=body), "utf-8")
    return path


@pytest.fixture(scope="module")
def tab(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(has_touch=True, offline=True)
    yield context.new_page()
    context.close()


@pytest.fixture(params=[360])
def page(request: pytest.FixtureRequest, tab: Page, path: Path) -> Iterator[Page]:
    """The page as it opens; in the end, it has asked for nothing and not complained."""
    seen = watch(tab)
    tab.set_viewport_size({"width": request.param, "height": 900})
    tab.goto(path.as_uri())
    until(tab, STARTED)
    yield tab
    assert seen == []
    assert tab.evaluate(SPILLS) <= 0


def part(page: Page, name: str) -> ExplorerPage:
    return ExplorerPage(page, scope=f"#{name}")


@pytest.mark.parametrize("page", [1100, 360], indirect=True)
def test_each_widget_lives_on_a_page_from_disk(page: Page):
    """One step each, as the policy may forbid what a page without one allows."""
    place, widget = part(page, "explorer"), explorer()
    place.drag_with_finger("D4", "D1")
    widget.ranks.move("D4", to=1)
    assert place.values == [f"{name} = {value:.3f}" for name, value in widget.values.items()]
    said = {
        "challenge": lambda place: place.drag_with_mouse("D3", "D2"),
        "number": lambda place: place.find(".rm-text").fill("1/4"),
        "choice": lambda place: place.find(".rm-option").filter(has_text="AP").click(),
        "draws": lambda place: place.press("draw-many"),
    }
    for name, act in said.items():
        place = part(page, name)
        act(place)
        if name in ("number", "choice"):
            place.press("commit")
        words = SAID[name]
        expect(place.find(".rm-verdict")).to_contain_text(words)


def test_on_paper_and_without_javascript_the_pictures_show(
    page: Page, chromium: Browser, path: Path
):
    stills = page.get_by_text("as a picture").all()
    assert not any(still.is_visible() for still in stills)
    page.emulate_media(media="print")
    assert all(still.is_visible() for still in stills)
    assert not page.locator(".rm").first.is_visible()
    page.emulate_media(media="screen")
    context = chromium.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(path.as_uri())
    expect(plain.get_by_text("as a picture")).to_have_count(len(widgets()))
    assert all(still.is_visible() for still in plain.get_by_text("as a picture").all())
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
