"""The switchboard on a page without Python: its numbers are those of `evaluate`."""

from itertools import product
from math import prod

import pytest
from explorer_page import ExplorerPage
from page_checks import SPILLS
from playwright.sync_api import Page, expect

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


def turn(page: ExplorerPage, *names: str) -> None:
    for name in names:
        page.find(f"[data-name='{name}']").click()


@pytest.mark.parametrize("measure", MEASURES)
def test_every_combination_has_the_mean_of_evaluate_or_is_refused_as_it_refuses(
    live: Page, measure: str
):
    fixed = made().fixed
    options = {name: [each for each, _ in of] for name, _, of in fixed["choices"]}
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
    turn(page, "denominator-capped")
    assert means(page) == ["0.500", "0.375", "0.381"]
    expect(page.find(".rm-of-all .rm-changed")).to_have_text("0.375+0.063")
    expect(page.find(".rm-switch .rm-moved-by").filter(has_text="AP@2")).to_have_text("AP@2 +0.063")
    said = "AP@2 goes from 0.313 to 0.375. Not moved: RR and nDCG@3."
    expect(page.find(".rm-said[role=status]")).to_have_text(said)
    turn(page, "missing-skip")
    expect(page.find("tr").filter(has_text="missing").locator("td")).to_have_text(["left out"] * 3)


def test_a_preset_is_one_tap_and_it_is_said_whose_choices_these_are(show):
    page = show(made())
    verdict = page.find(".rm-verdict")
    alike = "trec_eval -c and ir_measures (approximately)"
    expect(verdict).to_have_text(f"These are the choices of {alike}.")
    page.find("[data-name='as-recommenders']").tap()
    expect(verdict).to_have_text("These are the choices of recommenders (approximately).")
    expect(page.find("[data-name='gain-binary']")).to_be_checked()
    expect(page.find("[data-name^='missing-']:checked")).to_have_count(0)  # not alike for all
    expect(page.find(".rm-meaning").filter(has_text="nDCG@3: A judged")).to_have_count(1)
    turn(page, "missing-zero", "as-ranx")
    expect(verdict).to_contain_text("refused for RR, AP@2 and nDCG@3: 1 of 4 judged queries are")
    assert means(page) == ["none"] * 3
    turn(page, "missing-zero")
    expect(verdict).to_have_text("None of these tools makes all these choices.")


def test_a_goal_is_reached_with_the_keyboard(show):
    page = show(made(goal={"RR": "0.375", "AP@2": "0.188"}))
    expect(page.find("tr").filter(has_text="wanted").locator("td")).to_have_text(
        ["0.375", "0.188", "–"]
    )
    verdict = page.find(".rm-verdict")
    page.find("[data-name='ties-doc_id']").focus()
    for rr, ap in (("0.333", "0.063"), ("✓ 0.375", "✓ 0.188")):
        expect(verdict).not_to_contain_text("Reached")
        page.page.keyboard.press("ArrowRight")
        assert means(page)[:2] == [rr.removeprefix("✓ "), ap.removeprefix("✓ ")]
    expect(page.find(".rm-good:is(td)")).to_have_text(["✓ 0.375", "✓ 0.188"])
    expect(verdict).to_contain_text("✓ Reached: all of them come out.")
    expect(page.find(".rm-switch .rm-moved-by").filter(has_text="✓")).to_have_text("✓ reached")
    expect(page.find("[data-name='ties-input']")).to_be_focused()


def test_it_fits_and_its_options_are_large_enough(show):
    page = show(made(goal={"RR": "0.333"}), width=390)
    turn(page, "as-recommenders", "ties-expected")
    small = "(all) => all.filter((each) => each.getBoundingClientRect().height < 43.9).length"
    assert page.find(".rm-option, .rm-options > button").evaluate_all(small) == 0
    for width in (390, 1000):
        page.page.set_viewport_size({"width": width, "height": 900})
        assert page.page.evaluate(SPILLS) == 0
