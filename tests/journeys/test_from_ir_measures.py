"""Somebody who has a script with ir_measures, and wants the same numbers, first in its order."""

import json
import re

import pytest

# their script, as it stands
THEIRS = """
import json
import ir_measures
from ir_measures import AP, P, R, RR, Judged, Success, nDCG

qrels = list(ir_measures.read_trec_qrels("qrels.txt"))
run = list(ir_measures.read_trec_run("new.run"))
measures = [nDCG@10, AP, RR, P@5, R@100, Success@1, AP(rel=2), Judged@10]
"""
CALLED = """
found = ir_measures.calc_aggregate(measures, qrels, run)
print(json.dumps({str(measure): value for measure, value in found.items()}))
"""
OURS = """
from byhand import evaluate
found = evaluate({arguments}, conventions="ir_measures")
print(json.dumps(found.mean().to_dict()))
"""


@pytest.fixture
def files(shell, samples):
    """Files of TREC's forms, which ir_measures reads."""
    shell("zcat new.run.gz > new.run; tail -n +2 qrels.csv | tr , ' ' | sed 's/ / 0 /' > qrels.txt")


def test_the_same_numbers_after_one_complaint(shell, files):
    theirs = json.loads(shell("python", types=THEIRS + CALLED).out)
    typed = THEIRS + OURS.format(arguments="measures, qrels, run")
    said = shell("python", types=typed, error="DataError").err
    (again,) = re.findall(r"evaluate\((run, qrels, measures)\)", said)
    typed = THEIRS + OURS.format(arguments=again)
    ours = json.loads(shell("python", types=typed).out)
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_in_the_terminal(shell, files, samples):
    theirs = shell("ir_measures qrels.txt new.run 'nDCG@10 AP RR'").out
    means = dict(line.split() for line in theirs.splitlines())
    said = shell("ranking-report qrels.txt --qrels new.run", status=2).err
    assert "Were the two files swapped?" in said
    shell("ranking-report new.run --qrels qrels.txt --conventions ir_measures -o all.json")
    for row in json.loads((samples / "all.json").read_text())["means"]:
        assert f"{row['mean']:.4f}" == means[row["measure"]]


def test_a_measure_that_is_not_here_is_named(shell, files):
    typed = THEIRS + OURS.format(arguments="run, qrels, [ir_measures.infAP]")
    said = shell("python", types=typed, error="ValueError").err
    assert "'infAP' is not a measure. Expected one of RR" in said
