"""What a report is written to beside its page: values, numbers, a table for a paper, figures."""

import copy
import errno
import hashlib
import json
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from small_runs import DATA, NEW, OLD, QRELS

import byhand
from byhand import (
    DataError,
    compare,
    evaluate,
    read_qrels,
    read_run,
    unjudged_range,
)

MEASURES = ["nDCG@10", "AP", "RR"]
NASTY = ["a_b", "50% & more", "$x$ #1", r"\input{x}", "~^<>|[1]", '"q" `w`', "line\nbreak", "*s"]
PAIR = [pd.DataFrame({"query_id": "q", "doc_id": ["d", "e"], "score": s}) for s in ([2, 1], [1, 2])]
HITS = {"q": {"d": 1}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The sample in two groups, in every form that there is."""
    folder = tmp_path_factory.mktemp("saved")
    queries = read_qrels(QRELS)["query_id"].unique()
    kinds = ["short" if place % 3 else "long" for place in range(len(queries))]
    pd.DataFrame({"query_id": queries, "group": kinds}).to_csv(folder / "groups.csv", index=False)
    report = byhand.report([NEW, OLD], QRELS, measures=MEASURES, groups=folder / "groups.csv")
    report.save(
        csv=folder / "values.csv",
        json=folder / "all.json",
        latex=folder / "means.tex",
    )
    return folder


@pytest.fixture(scope="module")
def told(folder):
    return json.loads((folder / "all.json").read_text())


def latex(path, runs, qrels=HITS, **options):
    byhand.report(runs, qrels, measures="RR", **options).save(latex=path / "means.tex")
    return (path / "means.tex").read_text(encoding="utf-8")


class TestNumbers:
    def test_values_are_those_of_evaluate_and_compare(self, told, folder):
        qrels = read_qrels(QRELS)
        runs = {"sample-new": read_run(NEW), "sample-old": read_run(OLD)}
        values = pd.read_csv(folder / "values.csv")
        for name, run in runs.items():
            wanted = evaluate(run, qrels, MEASURES)
            for query, row in wanted.iterrows():
                assert {each: told["queries"][name][query][each] for each in MEASURES} == dict(row)
            found = values[values["system"] == name].set_index("query_id")
            assert np.allclose(found.loc[wanted.index, MEASURES], wanted, atol=1e-15)
            assert found["answered"].sum() == (197 if name == "sample-new" else 200)
        means = {(row["system"], row["measure"]): row["mean"] for row in told["means"]}
        assert means["sample-old", "AP"] == evaluate(runs["sample-old"], qrels, "AP")["AP"].mean()
        table = compare(runs, qrels, MEASURES, correct="primary")
        for row, wanted in zip(told["comparison"], table.to_dict("records"), strict=True):
            assert {name: row[name] for name in wanted} == wanted
        new, old = (evaluate(run, qrels, "AP")["AP"] for run in runs.values())
        assert told["comparison"][1]["p_t"] == pytest.approx(stats.ttest_rel(new, old).pvalue)
        for row in told["means"]:
            assert row["lift"] == row["mean"] / row["chance"] > 1

    def test_what_they_rest_on(self, told):
        assert (told["measures"], told["preset"]) == (MEASURES, "trec_eval -c")
        assert told["conventions"]["AP"]["denominator"] == "relevant"
        assert (told["test"]["permutations"], told["test"]["correct"]) == (100_000, "primary")
        assert {"python", "numpy", "pandas", "scipy"} <= set(told["versions"])
        assert told["made_with"] == f"ranking-metrics-by-hand {byhand.__version__}"
        for what, path in {"run of sample-new": NEW, "qrels": QRELS}.items():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            assert told["files"][what] == [{"file": path.name, "sha256": digest}]

    def test_every_part_of_the_page(self, told):
        assert told["data"]["sample-new"]["counts"]["judged"] == 200
        assert len(told["data"]["sample-new"]["counts"]["missing"]) == 3
        qrels, run = read_qrels(QRELS), read_run(NEW)
        deep = evaluate(run, qrels, "nDCG@50")["nDCG@50"].mean()
        assert told["cutoffs"]["sample-new"]["nDCG@50"] == deep
        assert told["summary"][0] == "sample-new is higher than sample-old in nDCG@10 and AP."
        (overlap,) = told["overlap"]
        assert overlap["k"] == 10
        assert 0 < np.mean(list(overlap["queries"].values())) < 1
        pair = {"a": "sample-new", "b": "sample-old"}
        assert told["verdicts_that_depend_on_ties"] == [{"measure": "RR"} | pair]
        orders = told["orders_of_equal_scores"]
        assert set(orders) == {"expected", "best", "worst"}
        best = np.mean([row["RR best"] for row in told["queries"]["sample-new"].values()])
        assert orders["best"]["means"]["sample-new"]["RR"] == pytest.approx(best, abs=1e-12)
        shorter = run.merge(qrels[["query_id", "doc_id"]])
        mean = evaluate(shorter, qrels, "AP")["AP"].mean()
        assert told["judged_only"]["means"]["sample-new"]["AP"] == pytest.approx(mean)
        table = unjudged_range(run, qrels, "nDCG@10")
        ends = {kind: table[f"nDCG@10 {kind}"].mean() for kind in ("none", "all")}
        assert told["unjudged_items"]["sample-new"]["nDCG@10"] == ends
        groups = told["groups"]
        assert groups["measure"] == "nDCG@10"
        sizes = {name: each["queries"] for name, each in groups["means"].items()}
        assert sizes == {"short": 133, "long": 67}
        values = evaluate(run, qrels, "nDCG@10")["nDCG@10"].iloc[::3]
        assert groups["means"]["long"]["means"]["sample-new"] == pytest.approx(values.mean())
        assert {row["group"] for row in groups["comparison"]} == {"short", "long"}

    def test_what_is_no_number_is_null(self, tmp_path):
        skip = byhand.Conventions(no_relevant="skip")
        report = byhand.report(PAIR[0], {"q": {"d": 0, "e": 1}, "p": {"d": 0}}, conventions=skip)
        report.save(json=tmp_path / "all.json")
        told = json.loads((tmp_path / "all.json").read_text(), parse_constant=pytest.fail)
        assert told["queries"]["run"]["p"]["AP"] is None


class TestLatex:
    @pytest.mark.parametrize("name", NASTY)
    def test_names_are_no_commands(self, tmp_path, name):
        table = latex(tmp_path, {name: PAIR[0], "old": PAIR[1]})
        assert table.count("{") - table.count(r"\{") == table.count("}") - table.count(r"\}")
        (row,) = re.findall(r"RR \\\\\n\\hline\n(.*) & ", table)
        left = re.sub(r"\\(text[a-z]+|char34)\{\}|\\[&%$#_{}]|\{[][*]\}|\$-\$", "", row)
        assert not set(left) & set(r"\&%$#_{}~^*")


ELSEWHERE = """
import pickle, sys
report, preflight = pickle.load(open(sys.argv[1], "rb"))
sys.stdout.buffer.write(f"{report}{preflight!r}".encode())
"""


@pytest.mark.parametrize("kind", ["category", "object"])
def test_reports_and_preflights_are_copied_and_kept_for_another_process(tmp_path, kind):
    few, runs = read_qrels(QRELS).query("query_id < 'q020'"), {}
    for path in (NEW, OLD):
        run = read_run(path)
        run = run[run["query_id"].isin(few["query_id"])]
        runs[path.name] = run.astype({"doc_id": kind}).reset_index(drop=True)
    report, qrels = byhand.report(runs, few, measures="RR"), few
    checked = byhand.preflight(runs[NEW.name], qrels)
    (tmp_path / "kept").write_bytes(pickle.dumps((report, checked)))
    said = f"{report}{checked!r}"
    for again in (copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))):
        assert f"{again(report)}{again(checked)!r}" == said
    hashes = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": str(DATA.parent)}
    command = [sys.executable, "-c", ELSEWHERE, tmp_path / "kept"]
    assert subprocess.run(command, capture_output=True, env=hashes).stdout.decode() == said


class TestPaths:
    @pytest.fixture
    def report(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        return byhand.report(PAIR[0], HITS, measures="RR")

    def test_the_ending_says_what_is_written(self, report):
        paths = ["a.html", Path("b.json"), "c.csv", "d.tex"]
        written = report.save(*paths, html="e.txt", csv=None)
        assert written == [*map(Path, paths), Path("e.txt")]
        assert Path("a.html").read_bytes() == Path("e.txt").read_bytes()
        assert json.loads(Path("b.json").read_text())["systems"] == ["run"]
        assert Path("c.csv").read_text().startswith("query_id,")
        assert "tabular" in Path("d.tex").read_text()
        assert report.save("A.HTM") == [Path("A.HTM")]
        assert report.save(html=None) == []

    @pytest.mark.parametrize(
        ("paths", "forms", "message"),
        [
            ([], {}, "No path was passed. Pass a file that ends in .html, .csv, "),
            (["x.pdf"], {}, "x.pdf has no known ending. Pass a file that ends in .html"),
            ([print], {}, "<built-in function print> is not a path. Pass a file that ends in"),
            ([""], {}, "'' is not a path. Pass a file"),
            (["gone/x.html"], {}, "There is no folder 'gone' to write gone/x.html into."),
            (["x.html"], {"json": "./x.html"}, "x.html is passed twice: pass a different path"),
            ([], {"html": "."}, ". is a folder: pass a file name for html."),
            ([], {"pdf": "x"}, "'pdf' is not a form to save. Choose from html, csv, json, latex"),
            (["held/x.html"], {}, "held/x.html cannot be written: "),
        ],
    )
    def test_what_cannot_be_written_is_refused_in_a_line(
        self, report, monkeypatch, paths, forms, message
    ):
        Path("held").mkdir()
        mkdir = Path.mkdir

        def held(path, *args, **options):  # to the owner of a machine, no folder is
            if path.resolve().parent.name == "held":
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            mkdir(path, *args, **options)

        monkeypatch.setattr(Path, "mkdir", held)
        with pytest.raises(DataError) as error:
            report.save(*paths, **forms)
        assert str(error.value).startswith(message)
        assert "\n" not in str(error.value)
        assert [path.name for path in Path().rglob("*")] == ["held"]


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
    report.save(json="all.json")
    files = json.loads(Path("all.json").read_text())["files"]
    assert {"file": what, "sha256": before} in [file for each in files.values() for file in each]


def test_a_file_that_changes_before_it_is_hashed_is_refused(two_files, monkeypatch):
    read = byhand.reports.inputs.read_together

    def changed(*files, **options):
        tables = read(*files, **options)
        Path("run.csv").write_text("query_id,doc_id,score\nq1,b,1\nq1,a,2\n")
        return tables

    monkeypatch.setattr(byhand.reports.inputs, "read_together", changed)
    with pytest.raises(
        DataError, match=r"^run.csv changed while it was read: it had 29 bytes, and"
    ):
        byhand.report("run.csv", "qrels.csv", measures="RR")


def test_what_is_read_is_never_replaced(two_files, tmp_path):
    (tmp_path / "elsewhere").rmdir()
    report = byhand.report("run.csv", "qrels.csv", measures="RR")
    for file in ("run.csv", "./qrels.csv"):
        before = Path(file).read_text()
        for form in ("html", "csv", "json", "latex"):
            with pytest.raises(DataError, match="is one of the files to read: write to another"):
                report.save(**{form: file})
        with pytest.raises(DataError, match="is one of the files to read"):
            byhand.report("run.csv", "qrels.csv", measures="RR", path=file)
        assert Path(file).read_text() == before
    report.save(csv="values.csv", json="all.json")
    assert {path.name for path in tmp_path.iterdir()} == {
        *("all.json", "qrels.csv", "run.csv", "values.csv"),
    }


@pytest.mark.parametrize("form", ["html", "csv"])
def test_an_address_is_not_written_to(form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = byhand.report({"q": {"a": 1}}, {"q": {"a": 1}})
    with pytest.raises(byhand.DataError, match="is an address, and files are written on this"):
        made.save(**{form: "s3://bucket/x"})
    assert not [*tmp_path.iterdir()]
