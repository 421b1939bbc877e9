"""What README.md and the pages in docs/ say, run as it stands there."""

import ast
import gzip
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace

import duckdb
import ibis
import numpy as np
import pandas as pd
import pytest
import yaml
from widget_pictures import pictures

from byhand import evaluate, read_run
from byhand.reports.gate_command import main as gate
from byhand.reports.report_command import main
from helpers.site import course_notebooks

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}
BLOCK = re.compile(r"```python\n(.*?)\n```(?:\n\n```text\n(.*?)\n```)?", re.DOTALL)
NUMBER = re.compile(r"^(\w.*?)  # (-?\d+(?:\.(\d+))?)(?![\d.])", re.MULTILINE)
COMMANDS = re.findall(r"^    \S*/ranking-report (.*)", README + PAGES["report"], re.MULTILINE)
RUN = pd.DataFrame({"query_id": [*"ppq"], "doc_id": [*"aba"], "score": [0.5, 0.25, 1.0]})
QRELS = pd.DataFrame({"query_id": [*"pq"], "doc_id": [*"ba"], "relevance": [1, 1]})


def run_page(path: Path, names: dict[str, object]) -> Iterator[object]:
    """Run each Python block of a page, and yield what its last line shows.

    The text block below a Python block must be its output, and a number in a comment
    (`expression  # 0.25`) the value of the expression.
    """
    for code, output in BLOCK.findall(path.read_text(encoding="utf-8")):
        *before, last = ast.parse(code).body
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(ast.Module(before, []), path.name, "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), path.name, "eval"), names)
            else:
                value = exec(compile(ast.Module([last], []), path.name, "exec"), names)
        if output:
            assert (printed.getvalue() + str(value) * (value is not None)).rstrip() == output
        for expression, number, digits in NUMBER.findall(code):
            assert f"{eval(expression, names):.{len(digits)}f}" == number, expression
        yield value


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The simulated sample under the names that the pages use, and three runs with other seeds."""
    monkeypatch.chdir(tmp_path)
    for name in ("new", "old"):
        text = gzip.decompress((ROOT / "data" / f"sample-{name}.txt.gz").read_bytes())
        Path(f"{name}.run").write_bytes(text)
        run = read_run(f"{name}.run")
        for seed in range(3):
            noise = np.random.default_rng(seed).normal(0, run["score"].std() / 10, len(run))
            run.assign(score=run["score"] + noise).to_csv(f"{name}-seed{seed}.run", index=False)
    shutil.copy(ROOT / "data" / "sample-qrels.csv", "qrels.csv")


@pytest.mark.parametrize(
    "page", ["README", "docs/library", "docs/rag-and-recommenders", "docs/report"]
)
def test_the_examples_of_a_page_show_what_is_printed_below_them(page, files):
    assert [*run_page(ROOT / f"{page}.md", {})]


def test_a_published_example(files):
    """Each cell shows what is printed below it, and dragging the lists does what the page says."""
    *_, shown, _ = run_page(ROOT / "docs" / "walk-through.md", {})
    means = [shown.mean]
    for query, item, rank in [("query 2", "F", 1), ("query 3", "K", 4)]:
        assert re.search(f"{item}\\b.* rank {rank}\\b", PAGES["walk-through"])
        shown.lists[query].move(item, to=rank)
        means.append(shown.mean)
    assert [f"{each:.2f}" for each in means] == ["0.42", "0.75", "0.58"]
    assert re.search("rises to 0.75.*falls to 0.58", PAGES["walk-through"], re.DOTALL)


def test_each_widget_has_the_picture_that_its_call_gives():
    """Where they look otherwise: `python tools/widget_pictures.py`."""
    found = dict(pictures())
    assert len(found) == PAGES["widgets"].count("\n## ")
    assert {path: path.read_text(encoding="utf-8") for path in found} == found


@pytest.mark.parametrize("command", COMMANDS)
def test_a_report(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, run in {"new": RUN, "old": RUN[::-1], "dense": RUN[:2]}.items():
        run.to_csv(f"{name}.run", index=False)
    QRELS.to_csv("qrels.csv", index=False)
    Path("queries.jsonl").write_text('{"_id": "p", "text": "How?"}\n')
    Path("corpus.jsonl").write_text('{"_id": "a", "title": "", "text": "So."}\n')
    assert main(shlex.split(command)) == 0
    for path in re.findall(r"-o(?:utput)? (\S+)", command) or ["new-report.html"]:
        assert Path(path).stat().st_size


def test_the_examples_on_large_data_give_what_tables_in_memory_give(tmp_path, monkeypatch):
    """In a folder, and with stand-ins for a warehouse and Spark; tests/spark has the real one."""
    monkeypatch.chdir(tmp_path)
    Path("runs/new").mkdir(parents=True)
    for part in range(2):
        RUN[part::2].to_parquet(f"runs/new/{part}.parquet")
    QRELS.to_parquet("qrels.parquet")
    tables = {"run": RUN, "new": RUN, "old": RUN, "qrels": QRELS}
    warehouse = SimpleNamespace(table=lambda name: ibis.memtable(tables[name]))
    monkeypatch.setattr(ibis, "connect", lambda _: warehouse)
    session = duckdb.connect()
    read = SimpleNamespace(parquet=lambda path: session.from_df(tables[path.rpartition("/")[2]]))
    names = {"spark": SimpleNamespace(read=read)}
    of_folder, of_warehouse, of_spark = run_page(ROOT / "docs" / "memory.md", names)
    wanted = evaluate(RUN, QRELS, ["RR", "AP", "nDCG@10"])
    pd.testing.assert_frame_equal(of_folder, wanted)
    pd.testing.assert_frame_equal(of_warehouse, evaluate(RUN, QRELS))
    assert of_spark["difference"].tolist() == [0.0] * 3


# what two commits and the merge of a pull request leave behind: HEAD^1 is main without the change
REPOSITORY = """
git init -q -b main . && git config user.name a && git config user.email a@b
mkdir rank.d && echo 'zcat "$(dirname "$0")/rank.d/system"' > rank && chmod +x rank
cp {data}/sample-{old}.txt.gz rank.d/system && cp {data}/sample-qrels.csv qrels.csv
touch queries.csv && git add . && git commit -q -m before
git switch -q -c change && cp {data}/sample-{new}.txt.gz rank.d/system && git commit -q -a -m change
git switch -q main && git merge -q --no-ff -m merged change
ranking-gate() {{ {python} -m byhand gate "$@"; }}
"""


@pytest.mark.parametrize(
    ("new", "old", "status", "said"), [("new", "old", 0, "Pass"), ("old", "new", 4, "Fail")]
)
def test_the_workflow_of_the_gate(tmp_path, new, old, status, said):
    workflow, cached = re.findall(r"```yaml\n(.*?)```", PAGES["gate"], re.DOTALL)
    checkout, _, *steps = yaml.safe_load(workflow)["jobs"]["gate"]["steps"]
    assert checkout["with"] == {"fetch-depth": 2}
    base, restore = yaml.safe_load(cached)
    assert restore["with"]["key"].endswith(f"steps.{base['id']}.outputs.sha }}}}")
    made = REPOSITORY.format(new=new, old=old, data=ROOT / "data", python=sys.executable)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "GITHUB_STEP_SUMMARY": "summary.md"}
    script = "\n".join([made, *(step["run"] for step in steps)])
    done = subprocess.run(["bash", "-e", "-c", script], cwd=tmp_path, env=environment)
    assert done.returncode == status
    assert f"gate: {said}" in (tmp_path / "summary.md").read_text()
    ranked_before = gzip.decompress((ROOT / "data" / f"sample-{old}.txt.gz").read_bytes())
    assert (tmp_path / "old.run").read_bytes() == ranked_before


def test_the_line_of_the_gate_and_its_calls(files, capsys):
    command = re.search(r"/ranking-gate (.*)", PAGES["gate"])[1]
    assert gate(shlex.split(command)) == 0
    line = re.search(r"```text\nranking-gate: (.*)\n```", PAGES["gate"])[1]
    assert line in capsys.readouterr().out
    names: dict[str, object] = {}
    assert [*run_page(ROOT / "docs" / "gate.md", names)]
    names["test_new_ranking_is_not_worse"]()


def test_each_error_warning_and_exit_status_is_explained():
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "byhand").rglob("*.py"))
    classes = re.findall(r"^class (\w+)\((?:DataError|UserWarning)\b", code, re.MULTILINE)
    statuses = [f"Status {status}" for status in (0, 2, 3, 4, 5, "128 and above")]
    headings = re.findall(r"^### (.+)$", PAGES["errors"], re.MULTILINE)
    assert {"DataError", *classes, *statuses} <= {*headings}


PROSE = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LONGEST = 40  # words of a sentence
NO_PROSE = re.compile(r"```[\s\S]*?```|^(?: {4}|#|\||!\[).*|\]\([^)]*\)", re.MULTILINE)
ODD = re.compile(
    r"\b(?:whoever|mend(?:s|ed)?|anew|be it|so many|in the place of|and its kin|hangs? together"
    r"|nobody (?:judged|says?|asked))\b|(?:^|[.:;] )Of [a-z]",
    re.IGNORECASE | re.MULTILINE,
)


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.stem)
def test_prose_is_plain_and_in_short_sentences(page):
    text = page.read_text(encoding="utf-8")
    paragraphs = re.split(r"\n\n|\n(?=[-*] )", NO_PROSE.sub("", text))
    sentences = (each for part in paragraphs for each in re.split(r"(?<=[.?!:])\s+", part))
    assert [each for each in sentences if len(each.split()) > LONGEST] == []
    assert ODD.findall(text) == []


def test_links_lead_somewhere():
    texts = (page for place in ("*.md", "docs/*.md", "data/*.md") for page in ROOT.glob(place))
    for page in [*texts, *course_notebooks()]:
        links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
        inside = [link for link in links if not link.startswith(("http:", "https:"))]
        assert [link for link in inside if not (page.parent / link).exists()] == [], page
