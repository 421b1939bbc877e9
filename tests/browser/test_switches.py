"""The switchboard on a page without Python: its numbers are those of `evaluate`."""

from itertools import product
from math import prod

import pytest
from explorer_page import ExplorerPage
from page_checks import SPILLS
from playwright.sync_api import Locator, Page, expect

from byhand import Conventions
from byhand.metrics.evaluate import Evaluation
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.widgets import Switchboard

PAGES = {
    "long": {"a": 9, "x": 8, "b": 6, "c": 4},  # nobody judged x
    "tied": {"e": 1, "f": 1, "d": 1},
    "empty": {"a": 2, "b": 1},
}
GRADES = {
    "long": {"a": 1, "b": 3, "c": 1, "z": 2},
    "tied": {"d": 0, "e": 0, "f": 2},
    "empty": {"a": 0},
    "missing": {"a": 1},
}
MEASURES = ["RR", "AP@2", "nDCG@3"]


def made(**given: object) -> Switchboard:
    return Switchboard(PAGES, GRADES, measures=MEASURES, **given)


def of_evaluate(tables: RunWithQrels, measure: str, chosen: dict) -> tuple:
    """What each query has, or why there is nothing."""
    try:
        under = Evaluation(tables, [measure], conventions=Conventions(**chosen))
        return under.table()[measure], ""
    except ValueError as error:
        return None, str(error)


def means(page: ExplorerPage) -> list[str]:
    return page.find(".rm-mean-value").all_text_contents()


def turn(page: ExplorerPage, **choices: str) -> None:
    for name, option in choices.items():
        switch(page, name).select_option(option)


def switch(page: ExplorerPage, name: str) -> Locator:
    return page.find(f"[data-name='{name}']")


@pytest.mark.parametrize("measure", MEASURES)
def test_every_combination_has_the_mean_of_evaluate_or_is_refused_as_it_refuses(
    live: Page, measure: str
):
    fixed = made().fixed
    options = {name: [each for each, *_ in of] for name, _, of in fixed["choices"]}
    of = made().chosen[measure]
    every = [dict(zip(of, each, strict=True)) for each in product(*(options[n] for n in of))]
    worked_out = next(each for each in fixed["measures"] if each["name"] == measure)
    found = live.evaluate(
        "([measure, every]) => every.map((chosen) => live.pickedFrom(measure, chosen))",
        [worked_out, every],
    )
    assert len(found) == prod(len(options[name]) for name in of)
    tables, refusals = RunWithQrels(PAGES, GRADES), 0
    for chosen, picked in zip(every, found, strict=True):
        values, why = of_evaluate(tables, measure, chosen)
        if why:
            assert picked["mean"] is None
            assert why.startswith(picked["why"])
            refusals += 1
        else:
            assert picked["mean"] == pytest.approx(values.mean(), abs=1e-12), chosen
            assert [value is None for value in picked["values"]] == values.isna().tolist()
    assert 0 < refusals < len(every)


def test_a_turn_marks_what_moved_and_by_how_much(show):
    page = show(made())
    assert means(page) == ["0.500", "0.313", "0.381"]
    turn(page, denominator="capped")
    assert means(page) == ["0.500", "0.375", "0.381"]
    expect(page.find(".rm-of-all .rm-changed")).to_have_text("0.375+0.063")
    expect(switch(page, "denominator").locator(":checked")).to_have_text("at most k relevant")
    meant = (
        'AP@k divides by the smaller of k and the number of relevant items. denominator="capped"'
    )
    expect(page.find(".rm-meaning")).to_have_text(meant)
    said = "AP@2 goes from 0.313 to 0.375. Not moved: RR and nDCG@3."
    expect(page.find(".rm-said[role=status]")).to_have_text(said)
    turn(page, missing="skip")
    expect(page.find("tr").filter(has_text="missing").locator("td")).to_have_text(["left out"] * 3)


def test_switches_stand_by_what_they_concern_and_a_turned_one_is_marked(show):
    page = show(made())
    groups = page.find(".rm-switches")
    expect(groups.locator(".rm-of")).to_have_text(["For all measures", "For AP@2 and nDCG@3"])
    expect(groups.first.locator("select")).to_have_count(4)
    turn(page, ties="input", gain="binary")
    marked = page.find(".rm-turned")
    expect(marked.locator("label")).to_have_text(["equal scores", "gain"])
    turn(page, **{"all-as": "trec_eval -c"})
    expect(marked).to_have_count(0)


def test_what_a_switch_is_turned_to_is_not_cut_off(show):
    page = show(made(), width=1000)
    cut = page.page.evaluate(
        """() => [...document.querySelectorAll('.rm-switchboard select')].flatMap((each) => {
          const { font, paddingLeft, paddingRight } = getComputedStyle(each);
          const pen = document.createElement('canvas').getContext('2d');
          pen.font = font;
          const room = each.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
          const texts = [...each.options].map((one) => one.text);
          return texts.filter((text) => pen.measureText(text).width > room);
        })"""
    )
    assert cut == []


def test_a_preset_is_one_choice_and_it_is_said_whose_choices_these_are(show):
    page = show(made())
    verdict = page.find(".rm-verdict")
    alike = "trec_eval -c and ir_measures (approximately)"
    expect(verdict).to_have_text(f"These are the choices of {alike}.")
    turn(page, **{"all-as": "recommenders"})
    expect(verdict).to_have_text("These are the choices of recommenders (approximately).")
    expect(switch(page, "gain")).to_have_value("binary")
    expect(switch(page, "missing").locator(":checked")).to_have_text(
        "not counted · counts 0"
    )  # by measure
    turn(page, missing="zero", **{"all-as": "ranx"})
    expect(verdict).to_contain_text("refused for RR, AP@2 and nDCG@3: 1 of 4 judged queries are")
    assert means(page) == ["none"] * 3
    turn(page, missing="zero")
    expect(verdict).to_have_text("None of these tools makes all these choices.")
    expect(switch(page, "all-as").locator(":checked")).to_have_text("–")


def test_a_goal_is_reached_with_the_keyboard(show):
    page = show(made(goal={"RR": "0.375", "AP@2": "0.188"}))
    expect(page.find("tr").filter(has_text="wanted").locator("td")).to_have_text(
        ["0.375", "0.188", "–"]
    )
    verdict = page.find(".rm-verdict")
    switch(page, "ties").focus()
    for rr, ap in (("0.333", "0.063"), ("✓ 0.375", "✓ 0.188")):
        expect(verdict).not_to_contain_text("Reached")
        page.page.keyboard.press("ArrowDown")
        assert means(page)[:2] == [rr.removeprefix("✓ "), ap.removeprefix("✓ ")]
    expect(page.find(".rm-good:is(td)")).to_have_text(["✓ 0.375", "✓ 0.188"])
    expect(verdict).to_contain_text("✓ Reached: all of them come out.")
    expect(switch(page, "ties")).to_be_focused()


@pytest.mark.parametrize(("width", "room"), [(390, 780), (1000, 640)])
def test_its_switches_and_the_number_fit_on_one_screen(show, width: int, room: int):
    page = show(made(goal={"RR": "0.333"}), width=width)
    turn(page, **{"all-as": "recommenders"}, ties="expected")
    heights = [each.bounding_box()["height"] for each in page.find(".rm-turn").all()]
    assert min(heights) >= 43.9
    assert page.find(".rm-bed").bounding_box()["height"] <= room
    assert page.page.evaluate(SPILLS) == 0


def test_on_a_phone_the_means_stay_in_sight_of_every_switch(show):
    page = show(made(goal={"RR": "0.333"}), width=390)
    page.page.set_viewport_size({"width": 390, "height": 480})
    for name in ("all-as", "ties", "gain", "discount"):
        switch(page, name).evaluate("e => e.scrollIntoView({ block: 'end' })")
        expect(switch(page, name)).to_be_in_viewport(ratio=1)
        expect(page.find(".rm-of-all")).to_be_in_viewport(ratio=1)
        means_end = page.find(".rm-means").bounding_box()
        assert switch(page, name).bounding_box()["y"] >= means_end["y"] + means_end["height"] - 1
