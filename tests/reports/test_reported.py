"""A number that somebody reported: a report says what gives it, on the page and as JSON."""

import json

import pytest

import byhand
from byhand import DataError, scan
from byhand.reports.report_command import main
from helpers.places import DATA

RUN, QRELS = DATA / "sample-old.txt.gz", DATA / "sample-qrels.csv"
SKIPPED = "a query without a relevant item is left out of the mean"


def test_the_command_says_what_gives_it(tmp_path):
    page, numbers = tmp_path / "page.html", tmp_path / "numbers.json"
    how = ["--measures", "nDCG@10", "--reported", "nDCG@10=0.2963", "--json", str(numbers)]
    assert main([str(RUN), "--qrels", str(QRELS), "-o", str(page), *how]) == 0
    html = page.read_text(encoding="utf-8")
    assert '<h2 id="reported">' in html
    assert SKIPPED in html
    told = json.loads(numbers.read_text(encoding="utf-8"))["reported"]
    assert told["means"] == {"nDCG@10": "0.2963"}
    (row,) = told["explanations"]
    assert (row["explanation"], row["choices"]["no_relevant"]) == (SKIPPED, "skip")
    assert told["says"][-1] == ("Presets of tools under which these numbers come out: trulens.")


def test_of_a_scanned_run_it_is_refused_with_the_way_out(tmp_path):
    byhand.read_run(RUN).to_parquet(tmp_path / "run.parquet")
    run = scan(tmp_path / "run.parquet", memory="1KB")
    with pytest.raises(DataError, match="does not fit into memory cannot be ranked again"):
        byhand.report(run, scan(QRELS, "qrels"), measures="AP", reported={"AP": "0.3"})
