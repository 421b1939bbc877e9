"""One table of widgets for the tests of behaviour, and a page that shows them."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from byhand.reports.rendering import page as page_around
from byhand.widgets import (
    Challenge,
    Explorer,
    FormulaComparison,
    Goal,
    IntervalSamples,
    OwnList,
    OwnQueries,
    PermutationTest,
    Prediction,
    Queries,
    RankedList,
    Shuffle,
    Visitors,
)
from byhand.widgets.bench import FORMULAS
from byhand.widgets.embed import live_html
from byhand.widgets.prediction.answers import Choice, Number, Order, Several

LIST, GRADES = ["α", "β", "γ", "δ"], {"β": 1, "γ": 1, "ω": 1}
TWO, LETTERS = {"①": (LIST, GRADES), "②": (["α"], ())}, {"α": "α", "β": "β", "γ": "γ"}
KEEP_RR = Goal.highest("AP", given={"RR": "3/4"})
WIDGETS: dict[str, Callable[[], object]] = {
    "explorer": lambda: Explorer(LIST, {"β": 2, "γ": None, "ω": 1}, max_grade=2, k=3),
    "spans": lambda: Explorer(LIST, {"β"}, spans={"δ": 5}, measures=["RR", "P@2"]),
    "others": lambda: Explorer(LIST, {"β": 2, "ω": 1}, max_grade=2, measures=["ERR", "RBP", "R@2"]),
    "means": lambda: Explorer(LIST, {"β"}, measures="RR", means={"①": {"②": (LIST, {"γ"})}}),
    "low": lambda: Explorer(LIST, {"β": 2, "γ": 1}, max_grade=2, measures=["AP(rel=2)", "DCG"]),
    "number": lambda: Explorer(LIST, {"γ"}, shows="number", trace=True),
    "curve": lambda: Explorer(LIST, {"β", "δ"}, shows="curve"),
    "area": lambda: Explorer(LIST, GRADES, shows="area"),
    "discount": lambda: Explorer(LIST, {"β": 2, "δ": 1}, max_grade=2, shows="discount"),
    "ideal": lambda: Explorer(LIST, {"β": 2, "ω": 1}, max_grade=2, shows="ideal"),
    "bench": lambda: FormulaComparison({"①": (LIST, GRADES)}, [*FORMULAS], extra=92),
    "challenge": lambda: Challenge(
        LIST, {"β", "γ"}, KEEP_RR, beside={"①": (["α"], {"α"})}, covers=True
    ),
    "one goal": lambda: Challenge(LIST, {"γ"}, Goal.reach("RR", "1/2"), docking=True),
    "own": lambda: OwnList("α\nβ *\nγ **", measures=["nDCG", "AP"]),
    "own queries": lambda: OwnQueries("①\nα\nβ *\n\n②\nγ"),
    "guess": lambda: Prediction("①?", Number(answer=0.25, hints=["②"]), covers=True),
    "choice": lambda: Prediction("①?", Choice(answer="β", options=LETTERS)),
    "ticks": lambda: Prediction("①?", Several(answer={"α"}, options=LETTERS)),
    "order": lambda: Prediction("①?", Order(answer=LIST, start=LIST[::-1])),
    "queries": lambda: Queries(
        TWO, formulas=["mean rank", "mean of all", "mean of hits"], never=True
    ),
    "one mean": lambda: Queries(TWO, goal=Goal.nearest("RR", 0.3), digits=4),
    "draws": lambda: IntervalSamples([0.5, 0.25, -0.5, 0], names=("Α", "Β"), n=30, goal=0.1),
    "signs": lambda: PermutationTest([0.5, 0.25, 0, -0.25], names=("Α", "Β")),
    "shuffle": lambda: Shuffle(LIST, GRADES, measures="AP", others=1000),
    "labels": lambda: PermutationTest({"Α": [0.5, 0.2, 0.1], "Β": [0.1, 0.05, 0.01]}),
    "visitors": lambda: Visitors(LIST, GRADES),
    "whole walk": lambda: Visitors([*"αβγδεζηθ"], [*"βγζικ"]),
    "list": lambda: RankedList(["α", "β", "γ"], {"β"}, caption="①"),
    "long": lambda: RankedList([*"αβγδωabcdefghi"], {"β", "γ"}),
    "cut": lambda: Explorer([*"αβγδω"], {"β", "γ"}, measures=["AP"], shows="area", k=3),
    "three": lambda: FormulaComparison(
        {"①": ([*"αβγδω"], {"α"}), "②": ([*"δγβαω"], {*"αβγ"})},
        ["sum of grades", "grade / rank", "grade / log2"],
    ),
    "five": lambda: Visitors([*"αβγδω"], {*"αβγδω"}, measures="AP"),
}
# names as long as those of the lessons: one word, two, and two lines of them
LONG = {
    "α": "Minestrone",
    "β": "Tomato ketchup",
    "γ": "Butternut squash and apple soup",
    "δ": "Apple tart",
    "ω": "Bisque",
    "①": "tomato soup",
    "②": "soup for a cold",
}


def write_page(
    folder: Path, names: Iterable[str] = WIDGETS, *, items: dict[str, str] | None = None
) -> Path:
    """Write a page with these widgets, each in a section; `items` are other names of items."""
    body = ""
    for name in names:
        widget = WIDGETS[name]()
        state = json.dumps(widget.page_state(), ensure_ascii=False)
        for short, long in (items or {}).items():
            state = state.replace(short, long)
        alt = picture.alt if (picture := widget.picture()) else ""
        section = live_html(json.loads(state), f'<img class="still" alt="{alt}">')
        body += f'<section id="{name.replace(" ", "-")}"><h2>①</h2>{section}</section>'
    path = folder / "page.html"
    html = page_around(title="①", head="<h1>①</h1>", body=body)
    path.write_text(html, encoding="utf-8")
    return path
