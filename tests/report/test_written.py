"""What a report is written to beside its page: numbers, a table for a paper, figures."""

import hashlib
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from small_runs import NEW, OLD, QRELS, shown

import byhand.files.scan
from byhand import DataError, compare, evaluate, unjudged_range
from byhand.files.read import read_qrels, read_run
from byhand.report.here import write_page
from byhand.report.steps import read_own_data, results_of, write_per_query, write_results
from byhand.report.steps.latex import escaped, latex_table
from byhand.report.steps.written import numbers
from byhand.reports.command import main

MEASURES = ["nDCG@10", "AP", "RR"]
NASTY = ["a_b", "50% & more", "$x$ #1", r"\input{x}", "~^<>|[1]", '"q" `w`', "line\nbreak", "*s"]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    groups = tmp_path_factory.mktemp("groups") / "groups.csv"
    queries = read_qrels(QRELS)["query_id"].unique()
    kinds = ["short" if place % 3 else "long" for place in range(len(queries))]
    pd.DataFrame({"query_id": queries, "group": kinds}).to_csv(groups, index=False)
    found = []
    shown(lambda: found.append(read_own_data(NEW, QRELS, OLD, groups=groups)))
    return results_of(found[0], MEASURES)


@pytest.fixture(scope="module")
def alone():
    found = []
    shown(lambda: found.append(read_own_data(NEW, QRELS)))
    return results_of(found[0], MEASURES)


def named(results, names):
    """The same results under other names."""
    renamed = dict(zip(results.tables, names, strict=True))
    data = type(results.data)(
        **{
            **{name: vars(results.data)[name] for name in type(results.data).__dataclass_fields__},
            "runs": {renamed[name]: run for name, run in results.data.runs.items()},
        }
    )
    return results_of(data, results.measures)


@pytest.fixture(scope="module")
def told(results):
    return json.loads(json.dumps(numbers(results), allow_nan=False))


class TestNumbers:
    def test_values_are_those_of_evaluate_and_compare(self, told):
        qrels = read_qrels(QRELS)
        runs = {"sample-new": read_run(NEW), "sample-old": read_run(OLD)}
        for name, run in runs.items():
            wanted = evaluate(run, qrels, MEASURES)
            for query, values in wanted.iterrows():
                for measure in MEASURES:
                    assert told["queries"][name][query][measure] == values[measure]
        means = {(row["system"], row["measure"]): row["mean"] for row in told["means"]}
        assert means["sample-old", "AP"] == evaluate(runs["sample-old"], qrels, "AP")["AP"].mean()
        table = compare(runs, qrels, MEASURES)
        for row, wanted in zip(told["comparison"], table.to_dict("records"), strict=True):
            assert {name: row[name] for name in wanted} == wanted

    def test_what_they_rest_on(self, told):
        assert told["measures"] == MEASURES
        assert told["preset"] == "trec_eval -c"
        assert told["conventions"]["AP"]["denominator"] == "relevant"
        assert told["test"]["permutations"] == 100_000
        assert {"python", "numpy", "pandas", "scipy"} <= set(told["versions"])
        assert told["made_with"].startswith("ranking-metrics-by-hand")
        for what, path in {"run of sample-new": NEW, "qrels": QRELS}.items():
            (file,) = told["files"][what]
            digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()
            assert file == {"file": Path(path).name, "sha256": digest}

    def test_every_part_of_the_page(self, told, results):
        assert told["summary"][0].startswith("Over 200 queries, sample-new gets a mean nDCG@10")
        assert told["data"]["sample-new"]["counts"]["judged"] == 200
        assert len(told["data"]["sample-new"]["counts"]["missing"]) == 3
        curve = told["cutoffs"]["sample-new"]
        qrels, run = read_qrels(QRELS), read_run(NEW)
        assert curve["nDCG@50"] == evaluate(run, qrels, "nDCG@50")["nDCG@50"].mean()
        (overlap,) = told["overlap"]
        assert overlap["k"] == 10
        assert 0 < np.mean(list(overlap["queries"].values())) < 1
        pair = {"a": "sample-new", "b": "sample-old"}
        assert told["verdicts_that_depend_on_ties"] == [{"measure": "RR"} | pair]

    def test_orders_of_equal_scores_and_unjudged_items(self, told, results):
        qrels, run = read_qrels(QRELS), read_run(NEW)
        orders = told["orders_of_equal_scores"]
        assert set(orders) == {"expected", "best", "worst"}
        best = results.tables["sample-new"]["RR best"].mean()
        assert orders["best"]["means"]["sample-new"]["RR"] == pytest.approx(best, abs=1e-12)
        ends = told["unjudged_items"]["sample-new"]["nDCG@10"]
        table = unjudged_range(run, qrels, "nDCG@10")
        assert ends == {kind: table[f"nDCG@10 {kind}"].mean() for kind in ("none", "all")}

    def test_groups(self, told):
        groups = told["groups"]
        assert groups["measure"] == "nDCG@10"
        assert {name: each["queries"] for name, each in groups["means"].items()} == {
            "short": 133,
            "long": 67,
        }
        assert {row["group"] for row in groups["comparison"]} == {"short", "long"}

    def test_one_system(self, alone):
        told = json.loads(json.dumps(numbers(alone), allow_nan=False))
        assert "comparison" not in told
        assert "groups" not in told
        assert told["systems"] == ["sample-new"]


class TestLatex:
    def test_its_parts(self, results):
        table = latex_table(results)
        means = results.means.set_index(["system", "measure"])
        (body,) = re.findall(r"\\midrule\n(.*)\\bottomrule", table, re.DOTALL)
        rows = [line.removesuffix(r" \\").split(" & ") for line in body.splitlines()]
        assert [len(row) for row in rows] == [4] * 4
        for place, (name, letter) in enumerate((("sample-new", "a"), ("sample-old", "b"))):
            assert rows[2 * place][0] == rf"{name} (\textit{{{letter}}})"
            for n, measure in enumerate(MEASURES, start=1):
                value = means.loc[(name, measure)]
                assert rows[2 * place][n].startswith(f"{value['mean']:.3f}")
                assert f"{value['low']:.3f}, {value['high']:.3f}" in rows[2 * place + 1][n]

    def test_marks_follow_the_verdicts(self, results):
        verdicts = results.comparison.set_index("measure")["verdict"]
        first = next(
            line for line in latex_table(results).splitlines() if line.startswith("sample-new")
        )
        marked = [r"\mathit{b}" in cell for cell in first.split(" & ")[1:]]
        assert marked == [verdicts[measure] == "a is higher" for measure in MEASURES]
        assert True in marked
        assert "A letter above a mean: it is higher" in latex_table(results)

    def test_the_conventions_stand_below(self, results):
        foot = latex_table(results).partition(r"\parbox")[2]
        assert r"as trec\_eval -c computes them: items with equal scores" in foot
        assert "sample-new lacks 3 of 200 judged queries." in foot

    def test_one_system_has_no_marks(self, alone):
        table = latex_table(alone)
        assert "letter" not in table
        assert "mathit" not in table

    def test_three_systems(self, results, tmp_path):
        worse = read_run(OLD)
        worse.assign(score=-worse["score"]).to_csv(tmp_path / "worse.csv", index=False)
        found = []
        paths = [OLD, str(tmp_path / "worse.csv")]
        shown(lambda: found.append(read_own_data(NEW, QRELS, paths)))
        table = latex_table(results_of(found[0], ["RR"]))
        assert table.count(r"(\textit{") == 3
        assert "Compared: sample-new with sample-old and sample-new with worse." in table
        everything = latex_table(results_of(found[0], ["RR"], all_pairs=True))
        assert "Compared:" not in everything
        assert r"^{\mathit{c}}" in everything

    @pytest.mark.parametrize("name", NASTY)
    def test_names_are_no_commands(self, results, name):
        table = latex_table(named(results, [name, "old"]))
        assert table.count("{") - table.count(r"\{") == table.count("}") - table.count(r"\}")
        (row,) = [line for line in table.splitlines() if line.startswith(escaped(name))]
        cell = row.partition(r" (\textit")[0]
        left = re.sub(r"\\(text[a-z]+|char34)\{\}|\\[&%$#_{}]|\{[][*]\}|\$-\$", "", cell)
        assert not set(left) & set(r"\&%$#_{}~^*")

    def test_nothing_that_a_bare_article_lacks(self, results):
        known = {"providecommand", "hline", "begin", "end", "centering", "caption", "toprule"}
        known |= {"midrule", "bottomrule", "textit", "mathit", "footnotesize", "par", "leq"}
        known |= {"medskip", "parbox", "linewidth", "usepackage", "textless", "textgreater"}
        table = latex_table(results)
        assert set(re.findall(r"\\([a-zA-Z]+)", table)) <= known
        assert re.findall(r"\\begin\{(\w+)\}", table) == ["table", "tabular"]
        assert re.findall(r"\\end\{(\w+)\}", table) == ["tabular", "table"]
        assert table.isascii()


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """Three systems, in files that are not held in memory."""
    folder = tmp_path_factory.mktemp("scanned")
    paths = []
    for name, run in {"new": read_run(NEW), "old": read_run(OLD)}.items():
        for kind, frame in ((name, run), (f"{name}_last", run.assign(score=-run["score"]))):
            (folder / kind).mkdir()
            frame.to_parquet(folder / kind / "0.parquet")
            paths.append(str(folder / kind))
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(byhand.files.scan, "is_large", lambda *_: True)
        shown(lambda: found.append(read_own_data(paths[0], QRELS, paths[1:3])))
    return results_of(found[0], ["RR"], all_pairs=True)


class TestSeveralThatAreScanned:
    def test_numbers(self, three):
        told = json.loads(json.dumps(numbers(three), allow_nan=False))
        assert told["systems"] == ["new", "new_last", "old"]
        assert [(row["a"], row["b"]) for row in told["comparison"]] == [
            ("new", "new_last"),
            ("new", "old"),
            ("new_last", "old"),
        ]
        assert told["unjudged_items"] is told["overlap"] is None
        assert told["files"]["run of old"][0]["file"] == "0.parquet"
        mean = evaluate(read_run(NEW), read_qrels(QRELS), "RR")["RR"].mean()
        assert told["means"][0]["mean"] == pytest.approx(mean, abs=1e-15)

    def test_figures_and_table(self, three, tmp_path):
        write_results(three, {"figures": tmp_path, "latex": tmp_path / "means.tex"})
        assert "new_last" in (tmp_path / "differences.svg").read_text(encoding="utf-8")
        assert r"new\_last (\textit{b})" in (tmp_path / "means.tex").read_text(encoding="utf-8")


class TestFigures:
    def test_every_figure_in_both_formats(self, results, tmp_path):
        write_results(results, {"figures": tmp_path / "new" / "figures"})
        found = sorted(path.name for path in (tmp_path / "new" / "figures").iterdir())
        names = [*(f"distribution-{name}" for name in ("nDCG-10", "AP", "RR"))]
        names += ["cutoffs", "differences"]
        assert found == sorted(f"{name}.{kind}" for name in names for kind in ("svg", "pdf"))
        for name in names:
            svg = tmp_path / "new" / "figures" / f"{name}.svg"
            drawn = ElementTree.parse(svg).getroot()
            assert drawn.tag.endswith("svg")
            assert "sample-new" in svg.read_text(encoding="utf-8")
            assert svg.with_suffix(".pdf").read_bytes().startswith(b"%PDF")

    def test_the_same_data_give_the_same_files(self, alone, tmp_path):
        for folder in ("a", "b"):
            write_results(alone, {"figures": tmp_path / folder})
        for path in (tmp_path / "a").iterdir():
            assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_what_is_no_form(alone):
    with pytest.raises(ValueError, match="'xls' is not a form to save"):
        write_results(alone, {"xls": "x"})
    write_results(alone, None)


class TestCommand:
    @pytest.fixture(autouse=True)
    def small(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("run.csv").write_text("query_id,doc_id,score\nq1,d1,1\nq2,d1,1\n")
        Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,d1,1\nq2,d1,0\n")

    def test_everything_at_once(self, capsys):
        further = ["--json", "all.json", "--latex", "means.tex", "--figures", "figures"]
        assert main(["run.csv", "--qrels", "qrels.csv", "--measures", "RR", *further]) == 0
        written = [line.split()[1].strip(",") for line in capsys.readouterr().out.splitlines()]
        assert written == ["run-report.html", "all.json", "means.tex", "the"]
        told = json.loads(Path("all.json").read_text())
        assert told["queries"]["run"]["q2"]["RR"] == 0
        assert told["files"]["qrels"][0]["file"] == "qrels.csv"
        assert Path("means.tex").read_text().count(r"\begin{tabular}") == 1
        assert len([*Path("figures").glob("*.svg")]) == 2
        assert str(Path.cwd()) not in Path("all.json").read_text()

    def test_where_nothing_can_be_written(self, capsys):
        Path("full").write_text("")
        for option, place, says in (
            ("--figures", "full", "is a file: name a folder"),
            ("--figures", "no/figures", "There is no folder 'no'"),
            ("--json", "run.csv", "one of the files to read"),
        ):
            with pytest.raises(SystemExit) as end:
                main(["run.csv", "--qrels", "qrels.csv", option, place])
            assert end.value.code == 2
            assert says in capsys.readouterr().err
        with pytest.raises(SystemExit):
            main(["run.csv", "--qrels", "qrels.csv", "--json", "a", "--latex", "a"])
        assert "--json and --latex name the same file" in capsys.readouterr().err


class TestWhatIsRead:
    @pytest.fixture
    def here(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        Path("run.csv").write_text("query_id,doc_id,score\nq1,a,1\n")
        Path("qrels.csv").write_text("query_id,doc_id,relevance\nq1,a,1\n")
        found = []
        shown(lambda: found.append(read_own_data("run.csv", "qrels.csv", measures=["RR"])))
        return results_of(found[0], ["RR"])

    @pytest.mark.parametrize("file", ["run.csv", "./qrels.csv"])
    def test_is_never_replaced(self, here, file):
        before = Path(file).read_text()
        for write in (
            lambda: write_per_query(here, file),
            lambda: write_results(here, {"json": file}),
            lambda: write_results(here, {"latex": file}),
            lambda: write_results(here, {"figures": file}),
            lambda: write_page({"run": "run.csv", "qrels": "qrels.csv"}, file),
        ):
            with pytest.raises(DataError, match="is one of the files to read: write to another"):
                write()
        assert Path(file).read_text() == before
        write_per_query(here, "values.csv")
        write_results(here, {"json": "all.json"})
        assert sorted(path.name for path in Path().iterdir()) == [
            "all.json",
            "qrels.csv",
            "run.csv",
            "values.csv",
        ]
