"""Lesson 12: what it takes, what it says in two lines of pandas, and that its edits stay in it."""

import gzip
import io
import re
import runpy
from contextlib import redirect_stdout
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest

from byhand import evaluate, read_qrels, read_run

ROOT = Path(__file__).parents[2]
LESSON = ROOT / "notebooks" / "12-your-report.ipynb"
NEW, OLD, QRELS = (
    str(ROOT / "data" / f"sample-{name}") for name in ("new.txt.gz", "old.txt.gz", "qrels.csv")
)


def cell_with(text):
    (cell,) = (cell for cell in nbformat.read(LESSON, 4).cells if text in cell.source)
    return cell.source


def test_two_lines_of_pandas_do_what_the_lesson_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = read_run(NEW)
    twice = pd.concat([run.assign(score=run["score"] - 1), run])
    twice.to_csv("parts.csv", index=False)
    blocks = re.findall(
        r"```python\n(.+?)```", cell_with("What pandas does in two lines"), re.DOTALL
    )
    names = {"run": NEW, "qrels": QRELS, "measures": ["AP", "RR"]}
    names["settings"] = {"run_columns": None, "qrels_columns": None}
    found = []
    for block in blocks:
        *lines, last = block.strip().splitlines()
        exec("\n".join(lines), names)
        exec(f"shown = {last}" if last.startswith("evaluate") else last, names)
        found.append(names.pop("shown", None))
    whole = evaluate(run, read_qrels(QRELS), ["AP", "RR"])
    answered = whole[whole.index.isin(run["query_id"])]
    assert found[1].tolist() == answered.mean().tolist()
    worst_first = evaluate(run.assign(score=-run["score"]), read_qrels(QRELS), ["AP", "RR"])
    assert found[2].tolist() == worst_first.mean().tolist()
    assert found[3].tolist() == whole.mean().tolist()


class TestSheetToJudge:
    def made(self, folder, monkeypatch, seed=0, **names):
        monkeypatch.chdir(folder)
        (block,) = re.findall(r"```python\n(.+?)```", cell_with("## No judgements yet?"), re.DOTALL)
        given = {"queries": None, "docs": None, **names}
        exec(block.replace("random_state=0", f"random_state={seed}"), given)
        return pd.read_csv("to-judge.csv", dtype=str)

    def test_holds_the_first_five_of_each_system_once_and_can_be_judged(
        self, tmp_path, monkeypatch
    ):
        sheet = self.made(tmp_path, monkeypatch, run=NEW, against=[OLD])
        assert sheet["relevance"].isna().all()
        assert sheet["query_id"].nunique() == 30
        assert sheet["query_id"].is_monotonic_increasing
        assert not sheet.duplicated(["query_id", "doc_id"]).any()
        best = pd.concat(
            read_run(each).sort_values("score", ascending=False).groupby("query_id").head(5)
            for each in (NEW, OLD)
        )
        best = best[best["query_id"].isin(sheet["query_id"])]
        assert set(zip(sheet["query_id"], sheet["doc_id"], strict=True)) == set(
            zip(best["query_id"], best["doc_id"], strict=True)
        )
        assert 150 <= len(sheet) <= 300
        sheet.assign(relevance=1).to_csv("judged.csv", index=False)
        assert len(evaluate(NEW, "judged.csv", ["nDCG@5"])) == 30

    def test_two_judges_are_held_against_each_other(self, tmp_path, monkeypatch):
        sheet = self.made(tmp_path, monkeypatch, run=NEW, against=[OLD])
        grades = np.arange(len(sheet)) % 3
        for name, given in (("to-judge", grades), ("second-judge", grades.clip(0, 1))):
            sheet.assign(relevance=given).to_csv(f"{name}.csv", index=False)
        text = cell_with("Give the same sheet to somebody else")
        agree, verdict = re.findall(r"```python\n(.+?)```", text, re.DOTALL)
        names = {"pd": pd, "run": str(NEW), "against": [str(OLD)]}
        for block in (agree, verdict):
            *lines, last = block.strip().splitlines()
            exec("\n".join([*lines, f"shown = {last}"]), names)
            names[block] = names["shown"]
        assert names[agree].n == len(sheet)
        assert 0 < names[agree].kappa < 1
        assert [*names[verdict].index.get_level_values(0)] == names["judges"]

    @pytest.mark.parametrize(
        "queries",
        ["query_id,text\nq,soup?\n", "qid\tquery\nq\tsoup?\n", '{"_id": "q", "text": "soup?"}'],
    )
    def test_says_what_a_judge_reads_and_the_grade_comes_last(self, tmp_path, monkeypatch, queries):
        texts = {"queries": queries, "docs": "doc_id,title,text\na,A,of a\n"}
        for name, text in texts.items():
            (tmp_path / name).write_text(text)
        (tmp_path / "run.csv").write_text("qid,docno,score\nq,a,1\n")
        sheet = self.made(tmp_path, monkeypatch, run="run.csv", against=[], **{n: n for n in texts})
        ids, said = ["query_id", "doc_id"], ["text of query_id", "text of doc_id"]
        assert [*sheet] == [*ids, *said, "relevance"]
        assert sheet.loc[0, said].tolist() == ["soup?", "A of a"]
        (tmp_path / "judged.csv").write_text(sheet.assign(relevance=1).to_csv(index=False))
        assert evaluate("run.csv", "judged.csv", "RR")["RR"].tolist() == [1]

    def test_draws_a_query_on_which_systems_differ_no_more_often(self, tmp_path, monkeypatch):
        queries = [f"{kind}{n}" for n in range(50) for kind in ("same", "differ")]
        for name in ("one", "two"):
            rows = [
                f"{query},{name if query[0] == 'd' else ''}{item},{item}\n"
                for query in queries
                for item in range(5)
            ]
            (tmp_path / name).write_text("query_id,doc_id,score\n" + "".join(rows))
        drawn = [
            self.made(tmp_path, monkeypatch, seed=seed, run="one", against=["two"])["query_id"]
            for seed in range(30)
        ]
        differ = [each[each.str.startswith("differ")].nunique() for each in drawn]
        assert abs(sum(differ) / 30 - 15) < 1.5  # the mean of 30 has a standard deviation of 0.42


def test_an_edited_lesson_breaks_no_report():
    """The command reads no lesson: nothing of the library knows where they are."""
    imported = re.search(r"from byhand import (.+)", cell_with("own = report("))[1]
    assert {"Conventions", "report"} <= set(imported.split(", "))  # which a reader may write there
    code = [path.read_text(encoding="utf-8") for path in (ROOT / "byhand").rglob("*.py")]
    assert not [text for text in code if "ipynb" in text or "nbformat" in text]


def test_the_sample_is_what_its_script_makes(tmp_path):
    with redirect_stdout(io.StringIO()):
        runpy.run_path(str(ROOT / "tools" / "make_sample.py"))["main"](tmp_path)
    for name in (NEW, OLD):
        paths = tmp_path / Path(name).name, Path(name)
        made, kept = (gzip.decompress(path.read_bytes()) for path in paths)
        assert made == kept
    assert (tmp_path / Path(QRELS).name).read_text() == Path(QRELS).read_text()


def test_one_decimal_leaves_bm25_more_scores_than_tf_idf():
    said = cell_with("The program wrote one decimal.")
    left = {}
    for name in ("bm25", "tfidf"):
        run = read_run(ROOT / "data" / f"cranfield-{name}.txt.gz").round({"score": 1})
        lists = run.groupby("query_id")["score"]
        assert round(lists.size().mean()) == 100
        left[name] = round(lists.nunique().mean())
    assert f"still has {left['bm25']} different ones" in said
    assert f"below 1, and {left['tfidf']} are left" in said
