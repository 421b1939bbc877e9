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
# their table says nDCG@10 of the baseline is .2773, and trec_eval says .2889
WHY = """
from byhand import which_conventions
found = which_conventions("baseline.run.gz", "qrels.txt.gz", {"nDCG@10": "0.2773"})
print(found["explanation"][0])
"""


def test_from_two_gzipped_files_to_a_table(shell, samples):
    shell(FILES)
    theirs = json.loads(shell("python", types=AS_BEFORE.format(names=set(NAMES))).out)
    ours = json.loads(shell("python", types=NOW.format(names=NAMES)).out)
    assert len(ours) == len(theirs) == 197
    for query, values in theirs.items():
        assert all(abs(ours[query][name] - value) < 1e-12 for name, value in values.items())

    assert shell("python", types=WHY).out == "the gain of an item is 2^grade - 1\n"

    shell(
        "ranking-report mine=mine.run.gz --qrels qrels.txt.gz --against baseline.run.gz "
        "--measures nDCG@10 AP --reported nDCG@10=0.3399 -o means.tex -o all.json"
    )
    numbers = json.loads((samples / "all.json").read_text(encoding="utf-8"))
    assert numbers["data"]["mine"]["counts"]["judged"] == 200
    assert len(numbers["queries"]["mine"]) == 200
    assert "#covid" in numbers["queries"]["mine"]
    assert numbers["reported"]["explanations"][0]["departures"] == 0
    table = (samples / "means.tex").read_text(encoding="utf-8")
    assert r"mine & \textbf{0.340}" in table
