"""What a report is written to beside its page: values, numbers, a table for a paper, figures."""

import hashlib
import json
import os
import re
from pathlib import Path

import pandas as pd
import pytest
from jsonschema import Draft202012Validator
from small_runs import NEW, OLD, QRELS

import byhand
from byhand import DataError, compare, read_qrels, read_run
from byhand.reports.schema import schema

MEASURES = ["nDCG@10", "AP", "RR"]
NASTY = ["50% & a_b", "$x$ #1", r"\input{x}", "~^<>|[1]", '"q" `w`', "line\nbreak", "*s"]
PAIR = [pd.DataFrame({"query_id": "q", "doc_id": ["d", "e"], "score": s}) for s in ([2, 1], [1, 2])]
HITS = {"q": {"d": 1}}


def test_numbers_are_those_of_evaluate_and_compare(sample, tmp_path):
    sample.save(tmp_path / "values.csv", tmp_path / "all.json")
    told = json.loads((tmp_path / "all.json").read_text())
    values = pd.read_csv(tmp_path / "values.csv")
    assert values.groupby("system")["answered"].sum().tolist() == [197, 200]
    runs = {"sample-new": read_run(NEW), "sample-old": read_run(OLD)}
    table = compare(runs, read_qrels(QRELS), MEASURES, correct="primary")
    for row, wanted in zip(told["comparison"], table.to_dict("records"), strict=True):
        assert {name: row[name] for name in wanted} == wanted
    for row in told["means"]:
        assert row["lift"] == row["mean"] / row["chance"] > 1


def test_the_schema_has_each_key_that_is_written_and_no_other(tmp_path):
    """Of the keys of the gate, the matrix of options checks it."""
    Draft202012Validator.check_schema(schema())
    of_report, *_ = schema()["anyOf"]
    groups = {query: "ab"[n % 2] for n, query in enumerate(read_qrels(QRELS)["query_id"].unique())}
    seen = {}
    for runs, options in (
        ([NEW], {"reported": {"nDCG@5": "0.5"}}),
        ([NEW, OLD], {"groups": groups, "matters": 0.02}),
    ):
        made = byhand.report(runs, QRELS, measures="nDCG@5", **options)
        made.save(tmp_path / "all.json")
        numbers = json.loads((tmp_path / "all.json").read_text(encoding="utf-8"))
        Draft202012Validator(of_report).validate(numbers)
        seen |= numbers
    assert [*sorted(seen)] == sorted(of_report["properties"])


class TestMarkdown:
    @pytest.mark.parametrize("name", NASTY)
    def test_names_stay_in_their_cells(self, name):
        table = byhand.report({name: PAIR[0], "old": PAIR[1]}, HITS, measures="RR").to_markdown()
        head, _, row, old = table.splitlines()
        assert (head, old) == ("| System | RR |", "| old | 0.500 |")
        assert re.fullmatch(r"\| ([^|\\]|\\.)+ \| \*\*1\.000\*\* \|", row)
        assert re.sub(r"\\(.)", r"\1", row)[2:-14] == name.replace("\n", " ")

    def test_an_interval_stands_beside_its_mean(self, sample):
        (mean, *_) = [row for row in sample.results["means"] if row["measure"] == "RR"]
        wanted = f"**{mean['mean']:.3f}** [{mean['low']:.3f}, {mean['high']:.3f}]"
        assert sample.to_markdown().splitlines()[2].endswith(f" {wanted} |")


class TestPaths:
    @pytest.fixture
    def report(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        return byhand.report(PAIR[0], HITS, measures="RR")

    def test_the_ending_says_what_is_written(self, report):
        paths = ["a.html", Path("b.json"), "c.csv", "d.tex", "e.md"]
        assert report.save(*paths) == [*map(Path, paths)]
        assert "</html>" in Path("a.html").read_text()
        assert json.loads(Path("b.json").read_text())["systems"] == ["run"]
        assert Path("c.csv").read_text().startswith("query_id,")
        assert "tabular" in Path("d.tex").read_text()
        assert Path("e.md").read_text() == "| System | RR |\n| :-- | --: |\n| run | 1.000 |\n"
        assert report.save("A.HTM") == [Path("A.HTM")]

    @pytest.mark.parametrize(
        ("paths", "message"),
        [
            ([], "No path was passed. Pass a file name that ends in .html, .csv, "),
            (["x.pdf"], "x.pdf has no known extension. Pass a file name that ends in .html"),
            ([""], "'' is not a path. Pass a file"),
            (["gone/x.html"], "There is no folder 'gone' to write gone/x.html into. Create it"),
            (["x.html", "./x.html"], "./x.html is passed twice. Pass a different path"),
        ],
    )
    def test_what_cannot_be_written_is_refused_in_a_line(self, report, paths, message):
        with pytest.raises(DataError) as error:
            report.save(*paths)
        assert str(error.value).startswith(message)
        assert "\n" not in str(error.value)
        assert [*Path().iterdir()] == []


@pytest.fixture
def two_files(tmp_path, monkeypatch):
    """A run and qrels in the current folder, and a folder beside them."""
    monkeypatch.chdir(tmp_path)
    Path("run.csv").write_text("query_id,doc_id,score\nq1,a,1\n")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,a,1\n")
    Path("elsewhere").mkdir()


@pytest.mark.parametrize("what", ["run.csv", "qrels.csv", "groups.csv"])
def test_a_hash_is_of_the_bytes_that_were_read(two_files, what):
    Path("groups.csv").write_text("query_id,group\nq1,en\n")
    before = hashlib.sha256(Path(what).read_bytes()).hexdigest()
    report = byhand.report("run.csv", "qrels.csv", measures="RR", groups="groups.csv")
    Path("new").write_text("query_id,doc_id,score,relevance,group\nq1,a,1,1,ko\n")
    Path("new").replace(what)
    os.chdir("elsewhere")
    report.save("all.json")
    files = json.loads(Path("all.json").read_text())["files"]
    assert {"file": what, "sha256": before} in [file for each in files.values() for file in each]


def test_what_is_read_is_never_replaced(two_files, tmp_path):
    (tmp_path / "elsewhere").rmdir()
    report = byhand.report("run.csv", "qrels.csv", measures="RR")
    for file in ("run.csv", "./qrels.csv"):
        before = Path(file).read_text()
        with pytest.raises(DataError, match="is an input file and cannot be overwritten"):
            report.save(file)
        with pytest.raises(DataError, match="is an input file"):
            byhand.report("run.csv", "qrels.csv", measures="RR", path=file)
        assert Path(file).read_text() == before
    report.save("values.csv", "all.json")
    assert {path.name for path in tmp_path.iterdir()} == {
        *("all.json", "qrels.csv", "run.csv", "values.csv"),
    }
