"""What the commands write as JSON has the keys of byhand/reports/schema.py, no others.

Each key is written by one of these; that none is written besides, the matrix of options checks.
"""

import json
from pathlib import Path

import pandas as pd
import pytest
from commands import gate
from jsonschema import Draft202012Validator

from byhand import report
from byhand.reports.schema import schema

SCHEMA = schema()
OF_REPORT, OF_GATE, OF_UNUSABLE = SCHEMA["anyOf"]
DATA = Path(__file__).parents[1] / "data"
NEW, OLD, QRELS = (
    str(DATA / f"sample-{name}") for name in ("new.txt.gz", "old.txt.gz", "qrels.csv")
)


def test_a_report_has_its_keys(tmp_path):
    Draft202012Validator.check_schema(SCHEMA)
    queries = pd.read_csv(QRELS)["query_id"].unique()
    groups = {query: "ab"[n % 2] for n, query in enumerate(queries)}
    seen = {}
    for runs, options in (
        ([NEW], {"reported": {"nDCG@5": "0.5"}}),
        ([NEW, OLD], {"groups": groups, "matters": 0.02}),
    ):
        report(runs, QRELS, measures="nDCG@5", **options).save(tmp_path / "all.json")
        numbers = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
        Draft202012Validator(OF_REPORT).validate(numbers)
        seen |= numbers
    assert [*sorted(seen)] == sorted(OF_REPORT["properties"])


@pytest.mark.parametrize(
    ("new", "old", "more", "verdict"),
    [
        (NEW, OLD, "", "pass"),
        (OLD, NEW, "", "fail"),
        (OLD, NEW, "--max-drop 70%", "pass"),
        ("gone.run", OLD, "", "unusable"),
    ],
)
def test_a_gate_has_its_keys(new, old, more, verdict, capsys):
    gate([new, old, "--qrels", QRELS, "--json", *more.split()])
    told = json.loads(capsys.readouterr().out)
    Draft202012Validator(OF_UNUSABLE if verdict == "unusable" else OF_GATE).validate(told)
    assert told["verdict"] == verdict
