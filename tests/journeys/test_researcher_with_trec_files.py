"""A researcher: gzipped TREC files, a number from somebody's paper, and a table for the own one."""

import json

# a topic that is called as people tag it, and files as the tracks hand them out
FILES = r"""
zcat new.run.gz | sed 's/^q001 /#covid /' | gzip > mine.run.gz
zcat old.run.gz | sed 's/^q001 /#covid /' | gzip > baseline.run.gz
tail -n +2 qrels.csv | sed 's/^q001,/#covid,/; s/,/ 0 /; s/,/ /' | gzip > qrels.txt.gz
"""
AS_BEFORE = """
import gzip, json
import pytrec_eval
with gzip.open("qrels.txt.gz", "rt") as qrels, gzip.open("mine.run.gz", "rt") as run:
    qrels, run = pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)
print(json.dumps(pytrec_eval.RelevanceEvaluator(qrels, {names}).evaluate(run)))
"""
NOW = """
from byhand import evaluate
values = evaluate("mine.run.gz", "qrels.txt.gz", {names}, conventions="pytrec_eval")
print(values.dropna().to_json(orient="index", double_precision=15))
"""
NAMES = ["map", "ndcg_cut_10", "recip_rank", "P_5", "recall_100", "success_1", "Rprec", "bpref"]
# their table says nDCG@10 of the baseline is .2715, and trec_eval says .2889
WHY = """
from byhand import which_conventions
found = which_conventions("baseline.run.gz", "qrels.txt.gz", {{"nDCG@10": "{number}"}})
print(found["explanation"][0])
"""
EXPONENTIAL = """
from byhand import Conventions, evaluate
gain = Conventions(gain="exponential")
print(evaluate("baseline.run.gz", "qrels.txt.gz", "nDCG@10", conventions=gain)["nDCG@10"].mean())
"""
# what reviewers ask of a paper: three systems at once, how alike they rank, and a second judge
REVIEWED = """
import pandas as pd
from byhand import evaluate, read_qrels, read_run
from byhand.statistics import agreement, kendall_tau, rank_biased_overlap, tukey_hsd
mine, baseline = read_run("mine.run.gz"), read_run("baseline.run.gz")
runs = {"mine": mine, "baseline": baseline, "noise": baseline.sample(frac=1, random_state=0)}
runs["noise"] = runs["noise"].assign(score=range(len(baseline)))
values = {name: evaluate(run, "qrels.txt.gz", ["nDCG@10"]) for name, run in runs.items()}
found = tukey_hsd(values, permutations=2000)
found.to_csv("together.csv", index=False)
print(rank_biased_overlap(mine, mine).mean(), round(rank_biased_overlap(mine, baseline).mean(), 2))
print(kendall_tau(mine, mine)["tau"].mean())
judged = read_qrels("qrels.txt.gz")
judged.assign(relevance=judged["relevance"].where(judged.index % 5 > 0, 0)).to_csv(
    "second.csv", index=False
)
print(round(agreement("qrels.txt.gz", "second.csv").kappa, 2))
"""


def test_from_two_gzipped_files_to_a_table(shell, samples):
    shell(FILES)
    theirs = json.loads(shell("python", types=AS_BEFORE.format(names=set(NAMES))).out)
    ours = json.loads(shell("python", types=NOW.format(names=NAMES)).out)
    assert len(ours) == len(theirs) == 197
    for query, values in theirs.items():
        assert all(abs(ours[query][name] - value) < 1e-12 for name, value in values.items())

    mean = float(shell("python", types=EXPONENTIAL).out)
    said = shell("python", types=WHY.format(number=f"{mean:.4f}"))
    assert said.out == "the gain of an item is 2^grade - 1\n"

    shell(
        "ranking-report mine=mine.run.gz --qrels qrels.txt.gz --against baseline.run.gz "
        "--measures nDCG@10 AP --reported nDCG@10=0.3399 --latex means.tex --json all.json"
    )
    numbers = json.loads((samples / "all.json").read_text(encoding="utf-8"))
    assert numbers["data"]["mine"]["counts"]["judged"] == 200
    assert len(numbers["queries"]["mine"]) == 200
    assert "#covid" in numbers["queries"]["mine"]
    assert numbers["reported"]["explanations"][0]["departures"] == 0
    table = (samples / "means.tex").read_text(encoding="utf-8")
    assert r"mine (\textit{a}) & \textbf{0.340}" in table
    assert table.count("{") == table.count("}")

    said = shell("python", types=REVIEWED).out.split()
    assert [round(float(each), 12) for each in said[:3:2]] == [1.0, 1.0]
    assert 0 < float(said[1]) < 1
    assert 0.5 < float(said[3]) < 1
    rows = (samples / "together.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 3
