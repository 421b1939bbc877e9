"""docs/coming-from.md: each call of ours runs, and gives what the call beside it gives."""

import re
from pathlib import Path

import ir_measures
import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from ir_measures import AP, RR, P, nDCG
from sklearn import metrics

import byhand
from helpers import tool_case, tool_results

PAGE = (Path(__file__).parents[1] / "docs" / "coming-from.md").read_text(encoding="utf-8")
ROWS = [
    tuple(re.findall(r"(?<!`)`([^`]+)`", cell) for cell in line.split(" | ")[:2])
    for line in PAGE.splitlines()
    if line.startswith("| `")
]
assert {there[0].partition("(")[0] for there, _ in ROWS} >= {"Run", "evaluate", "ndcg_score"}
RNG = np.random.default_rng(1)
QUERIES = [f"q{n}" for n in range(4)]
QRELS = {query: {f"d{n}": int(RNG.integers(0, 4)) for n in range(8)} for query in QUERIES}
# with equal scores, and without the last query
RUN = {q: {f"d{n}": float(RNG.integers(0, 5)) for n in RNG.permutation(10)} for q in QUERIES[:-1]}
OURS = {name: getattr(byhand, name) for name in byhand.__all__}
THEIRS = {"ir_measures": ir_measures, "nDCG": nDCG, "AP": AP, "RR": RR, "P": P}
THEIRS |= {"pytrec_eval": pytrec_eval, **vars(metrics)}
LISTS = {"labels": [3, 2, 0, 1], "hits": [1, 1, 0, 1], "scores": [0.9, 0.2, 0.5, 0.1]}
RECORDED = tool_results().set_index(["tool", "call"]).loc["ranx"]
RECORDED = RECORDED[RECORDED["case"].isin(["graded", "short"])]  # no ties, nothing missing


def numbers(found):
    """Whatever a tool returns, as its numbers in order."""
    if isinstance(found, dict):
        return sorted(each for value in found.values() for each in numbers(value))
    if isinstance(found, pd.DataFrame | pd.Series):
        return sorted(found.to_numpy().ravel().tolist())
    if np.ndim(found) == 0 and isinstance(found, float):
        return [found]
    return sorted(each.value for each in found)


# which of these tell of the query that the run lacks is not the matter
@pytest.mark.filterwarnings("ignore::byhand.metrics.MissingQueriesWarning")
@pytest.mark.parametrize(("there", "here"), ROWS, ids=[there[0] for there, _ in ROWS])
def test_each_call_gives_what_the_other_gives(there, here, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("new.run").write_text("q Q0 d1 1 0.5 t\n")
    data = {"run": RUN, "bm25": RUN, "dense": RUN, "qrels": QRELS, **LISTS}
    if there[0].startswith("evaluate(") and there[0] in RECORDED.index:
        for case, value in RECORDED.loc[[there[0]], ["case", "value"]].to_numpy():
            run, qrels = tool_case(case)
            found = eval(here[0], OURS | {"run": run, "qrels": qrels})
            assert numbers(found) == pytest.approx([value], abs=1e-9)
        return
    found = [eval(each, THEIRS | OURS | data) for each in here]
    if there[0].startswith(("ir_measures.", "pytrec_eval.Rel", *vars(metrics))):
        wanted = eval(there[0], OURS | THEIRS | data)
        assert numbers(found[0]) == pytest.approx(numbers(wanted), abs=1e-9)
