"""What the commands write as JSON has the keys that byhand/reports/schema.json names, no others."""

import json
import random
from pathlib import Path
from typing import get_args

import pytest
from commands import gate
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from byhand import report
from byhand.metrics.conventions import CHOICES
from byhand.statistics import Correct, Verdict

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((ROOT / "byhand/reports/schema.json").read_text(encoding="utf-8"))
KINDS = SCHEMA["$defs"]
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


def checked(told, kind):
    """What was told, which is what the schema calls by this name."""
    wrong = best_match(
        Draft202012Validator(SCHEMA["$defs"][kind] | {"$defs": KINDS}).iter_errors(told)
    )
    assert wrong is None, (list(wrong.absolute_path), wrong.message)
    return told


def test_the_schema_is_one_and_closed():
    Draft202012Validator.check_schema(SCHEMA)
    assert [each["$ref"].rpartition("/")[2] for each in SCHEMA["oneOf"]] == [
        *("report", "gate", "gate_unusable")
    ]


def test_its_words_are_those_of_the_library():
    row, gated = KINDS["comparison_row"]["properties"], KINDS["gate"]["properties"]
    choices = {name: {"enum": [*choice.options]} for name, choice in CHOICES.items()}
    assert KINDS["conventions"]["properties"] == choices
    assert gated["conventions"]["properties"] == {"preset": {"type": "string"}} | choices
    assert row["verdict"]["enum"] == [*Verdict]
    assert KINDS["report"]["properties"]["test"]["properties"]["correct"]["enum"] == [
        *get_args(Correct)
    ]


def test_a_report_has_its_keys():
    seen = {}
    for runs, options in REPORTS:
        options = {"qrels": "qrels.csv", "measures": "nDCG@5"} | options
        report(runs, **options).save(json="all.json")
        seen |= checked(json.loads(Path("all.json").read_text(encoding="utf-8")), "report")
    assert [*sorted(seen)] == sorted(KINDS["report"]["properties"])


@pytest.mark.parametrize("name", GATES)
def test_a_gate_has_its_keys(name, capsys):
    status = gate([*GATES[name].split(), "--json"])
    told = json.loads(capsys.readouterr().out)
    checked(told, "gate_unusable" if name == "unusable" else "gate")
    verdicts = {0: "pass", 2: "unusable", 3: "inconclusive", 4: "fail", 5: "lower"}
    assert told["verdict"] == verdicts[status] == name
