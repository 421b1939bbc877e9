"""Rare large drops on a page without Python: its ends are those of the gate."""

import numpy as np
import pytest
from page_checks import SPILLS, violations
from playwright.sync_api import Page, expect

from byhand.statistics import mean_bounds, mean_interval
from byhand.widgets import Drops


@pytest.mark.parametrize("n", [1, 2, 25, 100, 500])
@pytest.mark.parametrize("share", [0, 0.02, 0.1])
def test_the_browsers_ends_are_those_of_the_gate(live: Page, n: int, share: float):
    rng = np.random.default_rng([n, round(100 * share)])
    drawn = np.where(rng.random(n) < share, -1, rng.uniform(-0.006, 0.002, n))
    for sample in (drawn, np.zeros(n), rng.choice([-1, 0, 0.5], n)):
        found = live.evaluate("(sample) => live.boundsOf(sample, 1, 0.05)", sample.tolist())
        assert found == pytest.approx(mean_bounds(sample, 1.0), abs=1e-10)


@pytest.mark.parametrize(("n", "share"), [(25, 0.02), (150, 0), (500, 0.1)])
def test_a_sample_with_rare_drops_is_drawn_and_judged_as_it_is_said(live: Page, n, share):
    fixed = Drops().page_state()["fixed"]
    samples = live.evaluate(
        """([fixed, dials]) => Array.from({ length: 200 }, (_, draw) => {
          const changes = live.changesOf({ ...fixed, ...dials, draw });
          return [changes, live.judged(changes, fixed)];
        })""",
        [fixed, {"share": share, "fall": 0.5, "n": n}],
    )
    fell = np.array([changes for changes, _ in samples]) == -0.5
    assert fell.mean() == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / fell.size))
    for changes, said in samples[:40]:
        kept = [each for each in changes if each != -0.5]
        assert -0.006 <= min(kept) <= max(kept) <= 0
        ends = {
            "t": mean_interval(np.array(changes), confidence=0.9),
            "gate": mean_bounds(np.array(changes), 1.0),
        }
        for who, (low, high) in ends.items():
            expected = "held" if low > -0.02 else "dropped" if high < -0.02 else "cannot tell"
            assert said[who] == expected
            assert said["ends"][who] == pytest.approx([low, high], abs=1e-10)


@pytest.mark.parametrize("width", [1000, 390])
def test_a_ruinous_change_and_a_harmless_one(show, axe_source, width):
    page = show(Drops(), width=width)
    title, said, passed = (page.find(each) for each in (".rm-title", ".rm-verdict", ".rm-value"))
    expect(title).to_contain_text(
        "changes by −0.023. It may fall by 0.02 at most, so this must not"
    )
    expect(said).to_have_text("Nothing drawn yet.")
    page.button("Draw").press("Enter")
    expect(said).to_contain_text("Sample 1: ")
    page.button("Draw 100 times").press("Space")
    expect(said).to_contain_text("Sample 101: ")
    by_t = int(passed.first.text_content().rstrip("%")) / 100
    assert by_t == pytest.approx(0.98**50, abs=0.16)
    expect(passed.last).to_have_text("0%")
    page.find("[data-name=share]").press("Home")
    expect(title).to_contain_text("changes by −0.003. It may fall by 0.02, so this may pass.")
    expect(passed).to_have_text(["100%", "0%"])
    dial = page.find("[data-name=n]")
    for queries in ("100", "150", "200"):
        expect(said).not_to_contain_text("✓")
        dial.press("ArrowRight")
        expect(dial).to_have_attribute("aria-valuetext", queries)
    expect(said).to_contain_text("✓ With 200 queries the gate lets 100% of the samples through.")
    for scheme in ("light", "dark"):
        page.page.emulate_media(color_scheme=scheme)
        page.page.evaluate(axe_source)
        assert violations(page.page, "main") == []
    page.page.emulate_media(color_scheme=None)
    assert page.page.evaluate(SPILLS) == 0
    page.button("Start over").press("Enter")
    expect(passed).to_have_text(["–", "–"])
