"""A measure of one's own: one class, registered, works wherever a measure does."""

import re
from pathlib import Path
from unittest.mock import patch

import pytest

from byhand import PRESETS, chance, chance_levels, evaluate, tie_range
from byhand.metrics.measures import MEASURES

PAGE = (Path(__file__).parents[2] / "docs" / "measure.md").read_text(encoding="utf-8")
(AS_THE_PAGE_SAYS,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(autouse=True)
def registered():
    with patch.dict(MEASURES):  # what a test registers goes with it
        exec(AS_THE_PAGE_SAYS, {"__name__": "page"})
        yield MEASURES["HLU"]


RUN = {"q": {"a": 3, "b": 2, "c": 2, "d": 1}, "r": {"a": 1, "b": 1}}
QRELS = {"q": {"b": 1, "d": 2}, "r": {"a": 1}}
HLU = "HLU(half=2)"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_with_ranges_and_chance(preset):
    best, worst = 1 / 2 + 1 / 8, 1 / 4 + 1 / 8
    expected = {"worst": worst, "best": best, "expected": (best + worst) / 2}
    expected |= {"doc_id": worst, "input": best}
    row = tie_range(RUN, QRELS, HLU, conventions=preset).loc["q"]
    assert row[HLU] == expected[PRESETS[preset].choices.ties]
    assert (row[f"{HLU} worst"], row[f"{HLU} best"]) == (worst, best)
    level = chance_levels(RUN, QRELS, HLU, conventions=preset)[f"{HLU} chance"]["q"]
    by_chance = (1 + 1 / 2 + 1 / 4 + 1 / 8) / 2  # two hits, on four ranks
    assert level == chance(4, 2, HLU) == pytest.approx(by_chance, abs=1e-15)


def test_without_an_exact_mean_it_says_what_to_choose():
    says = r"Bpref@1 has no exact mean.*Set ties='doc_id'"
    with pytest.raises(ValueError, match=says):
        evaluate(RUN, QRELS, "Bpref@1", conventions="sklearn")
    with pytest.raises(ValueError, match=says):
        chance_levels(RUN, QRELS, "Bpref@1")
