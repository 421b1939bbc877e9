"""Formulas to try, in a notebook: Python hears of it, shortcuts do not leak."""

import pytest
from browser_harness import Reader
from explorer_page import ExplorerPage
from playwright.sync_api import expect

TRIALS = """from byhand.widgets import Bench, FirstHits, Queries
lists = {"bread": (["tart", "focaccia"], {"focaccia"}), "gyoza": (["salad"], {"dumplings"})}
bench = Bench({"bread": lists["bread"]}, ["rank", "1/rank"], extra=92)
queries = Queries(lists, formulas=("mean rank", "mean of all"), never=True)
hits = FirstHits({"steady": [2, 2], "far": [1, 9]})
display(bench, queries, hits)"""
TOLD = "print(bench, bench.formula, queries, queries.never, hits, sep='\\n')"


@pytest.mark.parametrize("reader", ["lab"], indirect=True)
def test_python_hears_what_is_tried(reader: Reader):
    reader.page.set_viewport_size({"width": 1250, "height": 3000})
    reader.open([TRIALS, TOLD])
    page, cells = ExplorerPage(reader.page), reader.cells()
    page.grip("focaccia").press("ArrowUp")
    page.find(".rm-bench [data-name='1/rank']").click()
    page.find(".rm-bench [data-name=longer]").click()
    tile = page.find(".rm-queries [data-id=dumplings] .rm-piece")
    tile.focus()
    for key in ("Enter", "ArrowLeft", "d", "d", "m", "x"):
        reader.page.keyboard.press(key)
    page.find(".rm-queries input[type=range]").press("ArrowRight")
    page.find(".rm-queries [data-name='mean of all']").click()
    page.find(".rm-hits [data-name=far]").click()
    page.find(".rm-dot-of").nth(0).press("End")
    expect(page.find(".rm-fact .rm-big")).to_have_text(["1/18", "18", "?"])
    assert reader.printed(1).strip().split("\n") == [
        "Bench(bread: focaccia* > tart; rank: 1; 1/rank: 1)",
        "1/rank",
        "Queries(bread: tart > focaccia*; gyoza: dumplings* > salad; mean of all RR = 3/4)",
        "3",
        "FirstHits(far: never, 9; MRR = 1/18, 1/MRR = 18, mean rank = ?)",
    ]
    assert reader.cells() == cells
