"""What a report is written to beside its page: values, numbers, a table for a paper, figures."""

import hashlib
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import byhand
from byhand import (
    DataError,
    compare,
    evaluate,
    read_qrels,
    read_run,
    unjudged_range,
)
from byhand.reports.figures import draw_forest

DATA = Path(__file__).parents[2] / "data"
NEW, OLD, QRELS = (DATA / f"sample-{name}" for name in ("new.txt.gz", "old.txt.gz", "qrels.csv"))
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
        figures=folder / "figures",
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
        table = compare(runs, qrels, MEASURES)
        for row, wanted in zip(told["comparison"], table.to_dict("records"), strict=True):
            assert {name: row[name] for name in wanted} == wanted
        new, old = (evaluate(run, qrels, "AP")["AP"] for run in runs.values())
        assert told["comparison"][1]["p_t"] == pytest.approx(stats.ttest_rel(new, old).pvalue)
        for row in told["means"]:
            assert row["lift_low"] < row["lift"] == row["mean"] / row["chance"] < row["lift_high"]
            assert 0 < row["p_chance"] <= 0.01

    def test_what_they_rest_on(self, told):
        assert (told["measures"], told["preset"]) == (MEASURES, "trec_eval -c")
        assert told["conventions"]["AP"]["denominator"] == "relevant"
        assert told["test"]["permutations"] == 100_000
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
        assert set(told["other_choices"]) == {"answered", "judged"}
        shorter = run.merge(qrels[["query_id", "doc_id"]])
        mean = evaluate(shorter, qrels, "AP")["AP"].mean()
        assert told["other_choices"]["judged"]["means"]["sample-new"]["AP"] == pytest.approx(mean)
        row = told["other_choices"]["answered"]["comparison"][0]
        assert (row["queries"], round(row["difference"], 3)) == (197, 0.055)
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

    def test_one_system(self, tmp_path):
        byhand.report(PAIR[0], HITS, measures="RR").save(json=tmp_path / "all.json")
        told = json.loads((tmp_path / "all.json").read_text())
        assert {"comparison", "groups"}.isdisjoint(told)
        assert told["systems"] == ["run"]

    def test_what_is_no_number_is_null(self, tmp_path):
        skip = byhand.Conventions(no_relevant="skip")
        report = byhand.report(PAIR[0], {"q": {"d": 0, "e": 1}, "p": {"d": 0}}, conventions=skip)
        report.save(json=tmp_path / "all.json")
        told = json.loads((tmp_path / "all.json").read_text(), parse_constant=pytest.fail)
        assert told["queries"]["run"]["p"]["AP"] is None


class TestLatex:
    @pytest.mark.parametrize(
        ("correct", "said"),
        [
            ("all", "Holm's procedure over all 6 comparisons (measures: 2, pairs of systems: 3)"),
            ("measure", "Holm's procedure over the 3 comparisons of each measure"),
            ("none", "not corrected"),
        ],
    )
    def test_the_caption_names_what_is_corrected_together(self, tmp_path, correct, said):
        runs = dict(zip("abc", (PAIR * 2)[:3], strict=True))
        report = byhand.report(runs, HITS, measures=["RR", "AP"], correct=correct, all_pairs=True)
        report.save(latex=tmp_path / "means.tex", json=tmp_path / "all.json")
        caption = (tmp_path / "means.tex").read_text(encoding="utf-8")
        assert f", {said}, and the 95" in caption or f"corrected by {said}, and the 95" in caption
        assert "these are not simultaneous" in caption
        assert json.loads((tmp_path / "all.json").read_text())["test"]["correct"] == correct
        methods = " ".join(report.sentences("methods"))
        wanted = {"all": "the 6 comparisons", "measure": "the 3 pairs of systems for each measure"}
        assert wanted.get(correct, "not corrected, as for a comparison that was") in methods
        assert ("Holm" in report.html()) == (correct != "none")
        assert ("corrected, where" in methods) == (correct != "none")

    @pytest.mark.parametrize("name", NASTY)
    def test_names_are_no_commands(self, tmp_path, name):
        table = latex(tmp_path, {name: PAIR[0], "old": PAIR[1]})
        assert table.count("{") - table.count(r"\{") == table.count("}") - table.count(r"\}")
        (row,) = re.findall(r"\\midrule\n(.*) \(\\textit\{a\}\)", table)
        left = re.sub(r"\\(text[a-z]+|char34)\{\}|\\[&%$#_{}]|\{[][*]\}|\$-\$", "", row)
        assert not set(left) & set(r"\&%$#_{}~^*")


class TestFigures:
    def test_every_figure_in_both_formats(self, folder):
        found = sorted(path.name for path in (folder / "figures").iterdir())
        names = [*(f"distribution-{name}" for name in ("nDCG-10", "AP", "RR"))]
        names += ["cutoffs", "differences", "forest"]
        assert found == sorted(f"{name}.{kind}" for name in names for kind in ("svg", "pdf"))
        for name in names:
            svg = folder / "figures" / f"{name}.svg"
            assert ElementTree.parse(svg).getroot().tag.endswith("svg")
            assert "sample-new" in svg.read_text(encoding="utf-8")
            assert svg.with_suffix(".pdf").read_bytes().startswith(b"%PDF")

    def test_the_forest_of_a_paper_is_that_of_the_page(self):
        report = byhand.report([NEW, OLD], QRELS, measures=MEASURES, matters=0.02)
        lines = {tuple(map(float, line.get_xdata())) for line in draw_forest(report.results).lines}
        for row in report.results.comparison.to_dict("records"):
            assert {(row["low"], row["high"]), (row["difference"],)} <= lines

    def test_the_same_data_give_the_same_files(self, tmp_path):
        report = byhand.report(PAIR[0], HITS, measures="RR")
        for folder in ("a", "b"):
            report.save(figures=tmp_path / folder)
        for path in (tmp_path / "a").iterdir():
            assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_what_is_read_is_never_replaced(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run.csv").write_text("query_id,doc_id,score\nq1,a,1\n")
    Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,a,1\n")
    report = byhand.report("run.csv", "qrels.csv", measures="RR")
    for file in ("run.csv", "./qrels.csv"):
        before = Path(file).read_text()
        for form in ("html", "csv", "json", "latex", "figures"):
            with pytest.raises(DataError, match="is one of the files to read: write to another"):
                report.save(**{form: file})
        with pytest.raises(DataError, match="is one of the files to read"):
            byhand.report("run.csv", "qrels.csv", measures="RR", path=file)
        assert Path(file).read_text() == before
    report.save(csv="values.csv", json="all.json")
    assert {path.name for path in tmp_path.iterdir()} == {
        *("all.json", "qrels.csv", "run.csv", "values.csv"),
    }
