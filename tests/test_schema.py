"""What the commands write as JSON has the keys of byhand/reports/schema.py, no others."""

import json
import random
from pathlib import Path

import pytest
from commands import gate
from jsonschema import Draft202012Validator

from byhand import report
from byhand.reports.schema import schema

SCHEMA = schema()
OF_REPORT, OF_GATE, OF_UNUSABLE = SCHEMA["anyOf"]
ITEMS = [f"d{number}" for number in range(12)]
WITH = "--qrels qrels.csv"
# together they have every key; the matrix of options holds all others to the schema
REPORTS = [
    (["new.run"], {"reported": {"nDCG@5": "0.5"}}),
    (["new.run", "old.run"], {"groups": "groups.csv", "matters": 0.02}),
]
GATES = {
    "pass": f"new.run new.run.copy {WITH}",
    "fail": f"worst.run new.run {WITH} --max-drop 0.001",
    "inconclusive": f"few.run new.run {WITH} --relevant-from 2",
    "lower": f"worst.run new.run {WITH} --max-drop 70%",
    "unusable": f"gone.run new.run {WITH}",
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """Small runs with ties, and with queries that they lack."""
    monkeypatch.chdir(tmp_path)
    drawn = random.Random(7)
    queries = [f"q{number:02}" for number in range(40)]
    grades = {query: {each: drawn.choice([0, 0, 1, 3]) for each in ITEMS[:9]} for query in queries}
    lines = [f"{q},{each},{grade}" for q in queries for each, grade in grades[q].items()]
    write("qrels.csv", "query_id,doc_id,relevance", lines)
    write("groups.csv", "query_id,group", [f"{q},{'ab'[n % 2]}" for n, q in enumerate(queries)])

    def run(name, some=queries, *, noise=2.0, sign=1):
        rows = []
        for query in some:
            score = {e: sign * grades[query].get(e, 0) + noise * drawn.random() for e in ITEMS}
            rows += [f"{query},{each},{of:.1f}" for each, of in score.items()]
        write(name, "query_id,doc_id,score", rows)
        return rows

    rows = run("new.run")
    write("new.run.copy", "query_id,doc_id,score", rows)
    run("old.run", noise=4)
    run("worst.run", noise=0.5, sign=-0.1)
    run("few.run", queries[:39])


def write(name, head, lines):
    Path(name).write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")


def test_a_report_has_its_keys():
    Draft202012Validator.check_schema(SCHEMA)
    seen = {}
    for runs, options in REPORTS:
        options = {"qrels": "qrels.csv", "measures": "nDCG@5"} | options
        report(runs, **options).save(json="all.json")
        numbers = json.loads(Path("all.json").read_text(encoding="utf-8"))
        Draft202012Validator(OF_REPORT).validate(numbers)
        seen |= numbers
    assert [*sorted(seen)] == sorted(OF_REPORT["properties"])


@pytest.mark.parametrize("name", GATES)
def test_a_gate_has_its_keys(name, capsys):
    status = gate([*GATES[name].split(), "--json"])
    told = json.loads(capsys.readouterr().out)
    Draft202012Validator(OF_UNUSABLE if name == "unusable" else OF_GATE).validate(told)
    verdicts = {0: "pass", 2: "unusable", 3: "inconclusive", 4: "fail", 5: "lower"}
    assert told["verdict"] == verdicts[status] == name
