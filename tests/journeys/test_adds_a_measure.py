"""Somebody whose measure is not here: by the page that says how, with the mistakes one makes."""

import json
import re
from pathlib import Path

import pytest

import byhand

PAGE = Path(byhand.__file__).parents[1] / "docs" / "measure.md"
(CODE,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
USED = """
import json
from hlu import HLU
from byhand import compare, evaluate, explain, report
from byhand.widgets import Challenge, Explorer, Goal

runs, mine = {"new": "new.run.gz", "old": "old.run.gz"}, "HLU(half=2)@10"
print(json.dumps(evaluate("new.run.gz", "qrels.csv", [mine, "AP"])[mine].to_dict()))
print(evaluate("new.run.gz", "qrels.csv", HLU(half=2, k=10)).mean().iloc[0])
print(compare(runs, "qrels.csv", mine)["mean_a"][0])
print(explain(["a", "b", "c"], {"a", "c"}, measures=["HLU(half=2)"])["share of HLU(half=2)"].sum())
print(Explorer(["a", "b", "c"], {"a", "c"}, measures=["HLU(half=2)"]).values["HLU(half=2)"])
print(1 + Challenge(["a", "b"], {"a"}, Goal.lowest("HLU")).values["HLU"] / 4)
report(runs, "qrels.csv", measures=[mine, "RR"]).save("hlu.html", "hlu.json")
"""
SQUARE = """
from byhand import evaluate
from byhand.metrics.measures import Binary, RankWeighted, option, register

@register
class Square(RankWeighted, Binary):
    name, meaning, source = "Square", "1 / rank^2 of each hit", "mine"

    def weight(self, rank):
        return 1 / rank**2

print(evaluate("new.run.gz", "qrels.csv", ["Square", "RR"])["RR"].mean())
"""


# what somebody writes instead of a part of it, and what is said then
MISTAKES = [
    ("@register", "", "Square is not registered"),
    ('"Square", "1', '"MRR", "1', "The name 'MRR' is taken"),
    ('"Square", "1', '"", "1', "cannot be the name of a measure"),
    ('    name, meaning, source = "Square", "1 / rank^2 of each hit", "mine"', "", "name"),
    ("    def", '    p: float = option(0.5, float, "p=0.5")\n    def', "@dataclass"),
    ('["Square"', '["Square(p=2)"', "Square has rel=1, rel=2 and so on"),
    ('["Square"', '["Sqare"', "The nearest is 'Square'"),
    ("        return", "        rank -= 1\n        return", "read-only"),
]


def test_the_page_is_all_it_takes(shell, samples):
    (samples / "hlu.py").write_text(CODE)
    values, *others = shell("python", types=USED).out.splitlines()
    values = json.loads(values)
    mean = pytest.approx(sum(values.values()) / len(values), abs=1e-12)
    assert [*map(float, others)] == [mean, mean, 1.25, 1.25, 1.25]
    numbers = json.loads((samples / "hlu.json").read_text(encoding="utf-8"))
    assert numbers["means"][0]["mean"] == mean
    assert "HLU(half=2)@10" in (samples / "hlu.html").read_text(encoding="utf-8")


def test_mistakes_are_answered_and_a_cell_may_be_run_again(run_cells, samples):
    cells = [SQUARE.replace(written, instead) for written, instead, _ in MISTAKES]
    assert SQUARE not in cells
    *done, once, again = run_cells(*cells, SQUARE, SQUARE)
    for (*_, said), outputs in zip(MISTAKES, done, strict=True):
        assert outputs[-1]["ename"] == "ValueError"
        assert said in outputs[-1]["evalue"]
    for outputs in (once, again):
        assert outputs[0]["text"].startswith("0.58502")
