"""Somebody who comes from ranx: nested dicts, by position, in its order, with its names."""

import json
import re

import pytest

# what their notebook has in memory
HELD = """
import csv, gzip, json
from collections import defaultdict
from byhand import compare, evaluate

qrels, run, old = defaultdict(dict), defaultdict(dict), defaultdict(dict)
for row in csv.DictReader(open("qrels.csv")):
    qrels[row["query_id"]][row["doc_id"]] = int(row["relevance"])
for held, name in ((run, "new.run.gz"), (old, "old.run.gz")):
    for query, _, doc, _, score, _ in map(str.split, gzip.open(name, "rt")):
        held[query][doc] = float(score)
"""
NAMES = '["mrr@10", "map@100", "ndcg@10", "hit_rate@5", "precision@5", "recall@100"]'
OF_THE_README = """
from byhand import evaluate
qrels = {"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6, "d_22": 1}}
run = {
    "q_1": {"d_12": 0.9, "d_23": 0.8, "d_25": 0.7, "d_36": 0.6, "d_32": 0.5, "d_35": 0.4},
    "q_2": {"d_12": 0.9, "d_11": 0.8, "d_25": 0.7, "d_36": 0.6, "d_22": 0.5, "d_35": 0.4},
}
"""
COMPARED = f"""
print(json.dumps(evaluate(run, qrels, {NAMES}).mean().to_dict()))
from byhand import report
runs = {{"run": run, "old": old}}
print(compare(runs, qrels, ["map@100"])[["a", "b", "mean_a", "verdict"]].to_json(orient="records"))
report(runs, qrels, measures=["map@100"]).save("two.tex", "two.html")
"""


def test_the_first_example_of_its_page(shell):
    typed = OF_THE_README + 'print(evaluate(qrels, run, "ndcg@5")["ndcg@5"].mean())'
    said = shell("python", types=typed, error="DataError").err
    (again,) = re.findall(r"evaluate\((run, qrels)\)", said)
    said = shell("python", types=typed.replace("qrels, run", again))
    assert float(said.out) == pytest.approx(0.7861, abs=1e-4)


def test_the_own_notebook(shell, samples):
    typed = HELD + 'compare([run, old], qrels, ["map@100"])'
    assert "runs={'a': a, 'b': b}" in shell("python", types=typed, error="DataError").err
    means, (row,) = map(json.loads, shell("python", types=HELD + COMPARED).out.splitlines())
    assert means["ndcg@10"] == pytest.approx(0.339850741388207)
    assert means["map@100"] == pytest.approx(0.292649226412955)
    assert row["mean_a"] == pytest.approx(means["map@100"])
    assert list(means) == json.loads(NAMES)
    assert (row["a"], row["b"], row["verdict"]) == ("run", "old", "a is higher")
    assert r"\textbf{0.293}" in (samples / "two.tex").read_text(encoding="utf-8")
    page = re.sub("<[^>]*>", "", (samples / "two.html").read_text(encoding="utf-8"))
    assert "run is higher than old in map@100." in page
