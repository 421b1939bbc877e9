"""Somebody copies the template for their own data, changes two paths, and keeps a report.

So do others, with files of every kind; what cannot be read says what to write instead.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

TEMPLATE = Path(__file__).parents[2] / "notebooks" / "your-own-data.ipynb"
# the files that somebody has, in other forms
FORMS = """
trec = ["query_id", "Q0", "doc_id", "rank", "score", "tag"]
plain = {"sep": " ", "header": False, "index": False}
run.assign(Q0=0, rank=1, tag="x")[trec].to_csv("mine.run", **plain)
old.assign(Q0=0, rank=1, tag="x")[trec].to_csv("old.run", **plain)
judged.assign(Q0=0)[["query_id", "Q0", "doc_id", "relevance"]].to_csv("qrels.txt", **plain)
run.to_json("run.jsonl", orient="records", lines=True)
judged.to_json("qrels.jsonl", orient="records", lines=True)
run.merge(judged, how="left").fillna({"relevance": 0}).to_csv("both.csv", index=False)
excel = {"sep": ";", "decimal": ",", "encoding": "utf-8-sig", "index": False}
run.round(1).to_csv("excel.csv", **excel)
for name, frame in (("numbers", run), ("judged-numbers", judged)):
    ids = {each: [int(text[1:]) for text in frame[each]] for each in ("query_id", "doc_id")}
    frame.assign(**ids).to_csv(f"{name}.csv", index=False)
missed = judged["doc_id"].where(judged.index > 20, "x" + judged["doc_id"])
judged.assign(doc_id=missed).to_csv("no-hits.csv", index=False)
"""
RUN_COLUMNS = '"run_columns": {"Question": "query_id", "Page": "doc_id", "Confidence": "score"}'
STARS = '"qrels_columns": {"Question": "query_id", "Page": "doc_id", "Stars": "relevance"}'
OPTIONS = f"{{{RUN_COLUMNS}, {STARS}}}"
TEXTS = '{"query_texts": "questions.csv", "doc_texts": "pages.csv"}'
# the lines that are changed
KINDS = {
    "csv": {"run": '"run.csv"', "qrels": '"qrels.csv"', "texts": TEXTS},
    "trec": {"run": '"mine.run"', "qrels": '"qrels.txt"', "other": '"old.run"'},
    "json-lines": {"run": '"run.jsonl"', "qrels": '"qrels.jsonl"'},
    "judged": {"run": '"both.csv"', "qrels": "run"},
    "excel": {"run": '"excel.csv"', "qrels": '"qrels.csv"'},
    "numbers": {"run": '"numbers.csv"', "qrels": '"judged-numbers.csv"'},
    "no-hits": {"run": '"run.csv"', "qrels": '"no-hits.csv"'},
    "frames": {"run": "read_csv('run.csv')", "qrels": "read_csv('qrels.csv')", "other": "run"},
    "own-names": {"run": '"own.csv"', "qrels": '"stars.csv"', "options": OPTIONS},
}
SWAPPED = {"run": '"qrels.csv"', "qrels": '"run.csv"'}
MEAN = """
from byhand import evaluate
print(f"{evaluate('run.csv', 'qrels.csv', 'nDCG@10')['nDCG@10'].mean():.3f}")
"""


def changed(source: str, kind: str, lines: dict[str, str]) -> str:
    """A cell of the template with the lines that somebody changed."""
    for name, value in ({"other": "None"} | lines).items():
        source = re.sub(rf"^{name} = .+", lambda _, to=f"{name} = {value}": to, source, flags=re.M)
    return source.replace("report.html", f"{kind}.html")


def test_from_two_paths_to_a_report_of_files_of_every_kind(
    shell: Callable, run_cells: Callable, own_files: str, tmp_path: Path
):
    shell("python", types=own_files + FORMS)
    cells = json.loads(TEMPLATE.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    typed = [changed(source, kind, lines) for kind, lines in KINDS.items() for source in code]

    _, *done, swapped = run_cells(
        "from pandas import read_csv", *typed, changed(code[0], "", SWAPPED)
    )

    for source, outputs in zip(typed, done, strict=True):
        assert not [each for each in outputs if each["output_type"] == "error"], source
    assert "run has the columns of qrels" in swapped[-1]["evalue"]
    pages = {kind: (tmp_path / f"{kind}.html").read_text(encoding="utf-8") for kind in KINDS}
    assert all("<h1 " in page for page in pages.values())
    first = str(done[: len(code)])
    for said in ("There is no second run", "Saved as csv.html", "what is ", "Page of "):
        assert said in first
    assert shell("python", types=MEAN).out.strip() in pages["csv"]
