"""What docs/report.md does in a few lines of pandas, and the sample that it may be tried on."""

import gzip
import io
import re
import runpy
from contextlib import redirect_stdout
from pathlib import Path

import pandas as pd
import pytest

from byhand import evaluate, read_qrels, read_run

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
LINES, SHEET = (
    next(block for block in re.findall(r"```python\n(.+?)```", PAGE, re.DOTALL) if said in block)
    for said in ("answered =", "to-judge.csv")
)
SAMPLE = [ROOT / "data" / f"sample-{name}" for name in ("new.txt.gz", "old.txt.gz", "qrels.csv")]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, path in zip(("new.run", "old.run"), SAMPLE, strict=False):
        Path(name).write_bytes(gzip.decompress(path.read_bytes()))
    Path("qrels.csv").write_bytes(SAMPLE[2].read_bytes())


def test_two_lines_of_pandas_do_what_the_page_says():
    names: dict[str, pd.DataFrame] = {}
    exec(LINES, names)
    run, qrels = read_run("new.run"), read_qrels("qrels.csv")
    whole = evaluate(run, qrels)
    answered = whole[whole.index.isin(run["query_id"])]
    assert len(answered) < len(whole)
    assert names["answered"].mean().tolist() == answered.mean().tolist()
    worst_first = evaluate(run.assign(score=-run["score"]), qrels)
    assert names["nearest"].equals(worst_first)
    assert not worst_first.equals(whole)


def made(seed: int = 0) -> pd.DataFrame:
    exec(SHEET.replace("random_state=0", f"random_state={seed}"), {})
    return pd.read_csv("to-judge.csv", dtype=str)


class TestSheetToJudge:
    def test_holds_the_first_five_of_each_system_once_and_can_be_judged(self):
        sheet = made()
        assert sheet["relevance"].isna().all()
        assert sheet["query_id"].nunique() == 30
        assert sheet["query_id"].is_monotonic_increasing
        assert not sheet.duplicated(["query_id", "doc_id"]).any()
        best = pd.concat(
            read_run(each).sort_values("score", ascending=False).groupby("query_id").head(5)
            for each in ("new.run", "old.run")
        )
        best = best[best["query_id"].isin(sheet["query_id"])]
        assert set(zip(sheet["query_id"], sheet["doc_id"], strict=True)) == set(
            zip(best["query_id"], best["doc_id"], strict=True)
        )
        assert 150 <= len(sheet) <= 300
        sheet.assign(relevance=1).to_csv("judged.csv", index=False)
        assert len(evaluate("new.run", "judged.csv", ["nDCG@5"])) == 30

    def test_draws_a_query_on_which_systems_differ_no_more_often(self):
        queries = [f"{kind}{n}" for n in range(50) for kind in ("same", "differ")]
        for name in ("new", "old"):
            rows = [
                f"{query},{name if query[0] == 'd' else ''}{item},{item}\n"
                for query in queries
                for item in range(5)
            ]
            Path(f"{name}.run").write_text("query_id,doc_id,score\n" + "".join(rows))
        drawn = [made(seed)["query_id"] for seed in range(30)]
        differ = [each[each.str.startswith("differ")].nunique() for each in drawn]
        assert abs(sum(differ) / 30 - 15) < 1.5  # the mean of 30 has a standard deviation of 0.42


def test_the_library_reads_no_lesson():
    code = [path.read_text(encoding="utf-8") for path in (ROOT / "byhand").rglob("*.py")]
    assert not [text for text in code if "ipynb" in text or "nbformat" in text]


def test_the_sample_is_what_its_script_makes(tmp_path):
    with redirect_stdout(io.StringIO()):
        runpy.run_path(str(ROOT / "tools" / "make_sample.py"))["main"](tmp_path)
    *runs, qrels = SAMPLE
    for path in runs:
        kept = gzip.decompress(path.read_bytes())
        assert gzip.decompress((tmp_path / path.name).read_bytes()) == kept
    assert (tmp_path / qrels.name).read_text() == qrels.read_text()
