"""Somebody copies the template for their own data, changes two paths, and keeps a report.

So do others, with files of every kind; what cannot be read says what to write instead.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = """
import pandas as pd
pairs = [(q, p) for q in range(24) for p in range(9)]
names = ["query_id", "doc_id", "score"]
run, old = (
    pd.DataFrame([(f"q{q}", f"p{(q + p) % 9}", 0.9 - (p + q * by) % 9 / 10) for q, p in pairs])
    .set_axis(names, axis=1) for by in (0, 2)
)
judged = pd.DataFrame([(f"q{q}", f"p{(q + p * p) % 9}", p) for q in range(24) for p in (1, 2)])
judged = judged.set_axis(["query_id", "doc_id", "relevance"], axis=1)
as_run, as_qrels = run.assign(Q0=0, rank=1, tag="x"), judged.assign(Q0=0)
as_run = as_run[["query_id", "Q0", "doc_id", "rank", "score", "tag"]]
as_run.to_csv("mine.run", sep=" ", header=False, index=False)
as_run.assign(score=old["score"]).to_csv("old.run", sep=" ", header=False, index=False)
as_qrels = as_qrels[["query_id", "Q0", "doc_id", "relevance"]]
as_qrels.to_csv("qrels.txt", sep=" ", header=False, index=False)
run.to_csv("run.csv", index=False)
judged.to_csv("qrels.csv", index=False)
run.set_axis(["Question", "Page", "Confidence"], axis=1).to_csv("own.csv", index=False)
judged.set_axis(["Question", "Page", "Stars"], axis=1).to_csv("stars.csv", index=False)
run.to_json("run.jsonl", orient="records", lines=True)
judged.to_json("qrels.jsonl", orient="records", lines=True)
run.merge(judged, how="left").fillna({"relevance": 0}).to_csv("both.csv", index=False)
excel = run.assign(score=[f"{each:.1f}".replace(".", ",") for each in run["score"]])
excel.to_csv("excel.csv", sep=";", index=False, encoding="utf-8-sig")
for name, frame in (("numbers", run), ("judged-numbers", judged)):
    ids = {each: [int(text[1:]) for text in frame[each]] for each in ("query_id", "doc_id")}
    frame.assign(**ids).to_csv(f"{name}.csv", index=False)
missed = judged["doc_id"].where(judged.index > 20, "x" + judged["doc_id"])
judged.assign(doc_id=missed).to_csv("no-hits.csv", index=False)
said = pd.DataFrame({"query_id": [f"q{q}" for q in range(24)]})
said.assign(text=[f"what is {q}?" for q in range(24)]).to_csv("questions.csv", index=False)
said = pd.DataFrame({"doc_id": [f"p{p}" for p in range(9)]})
said.assign(title=[f"Page of {p}" for p in range(9)]).to_csv("pages.csv", index=False)
"""
IN_MEMORY = "pd.read_csv({!r})"
RUN_COLUMNS = '"run_columns": {"Question": "query_id", "Page": "doc_id", "Confidence": "score"}'
STARS = '"qrels_columns": {"Question": "query_id", "Page": "doc_id", "Stars": "relevance"}'
# the lines that are changed: run, qrels, options, other; then what stops it, if anything does
KINDS = {
    "trec": ('"mine.run"', '"qrels.txt"', "{}", '"old.run"', ""),
    "json-lines": ('"run.jsonl"', '"qrels.jsonl"', "{}", "None", ""),
    "judged": ('"both.csv"', "run", "{}", "None", ""),
    "excel": ('"excel.csv"', '"qrels.csv"', "{}", "None", ""),
    "numbers": ('"numbers.csv"', '"judged-numbers.csv"', "{}", "None", ""),
    "no-hits": ('"run.csv"', '"no-hits.csv"', "{}", "None", ""),
    "frames": (IN_MEMORY.format("run.csv"), IN_MEMORY.format("qrels.csv"), "{}", "run", ""),
    "own-names": ('"own.csv"', '"stars.csv"', f"{{{RUN_COLUMNS}, {STARS}}}", "None", ""),
    "guessed": (
        *('"own.csv"', '"stars.csv"', "{}", "None"),
        "pass run_columns={'Page': 'doc_id', 'Confidence': 'score'}",
    ),
    "mistyped": ('"run.cvs"', '"qrels.csv"', "{}", "None", "There is no file run.cvs."),
    "swapped": ('"qrels.csv"', '"run.csv"', "{}", "None", "run has the columns of qrels"),
}


def changed(source: str, kind: str, run: str, qrels: str, options: str, other: str) -> str:
    """A cell of the template with the lines that somebody changed."""
    lines = {"run": run, "qrels": qrels, "options": options, "other": other}
    for name, value in lines.items():
        source = re.sub(rf"^{name} = .+", lambda _, to=f"{name} = {value}": to, source, flags=re.M)
    return source.replace("report.html", f"{kind}.html")


def test_from_two_paths_to_a_report(shell, execute, tmp_path: Path):
    shell("python", types=FILES)
    shell(f"cp {ROOT}/notebooks/your-own-data.ipynb mine.ipynb")
    shell(r"""sed -i 's/^\( *"run = \).*  #/\1\\"run.csv\\"  #/' mine.ipynb""")
    shell(r"""sed -i 's/^\( *"qrels = \).*  #/\1\\"qrels.csv\\"  #/' mine.ipynb""")
    shell(r"""sed -i 's/^\( *"other = \).*  #/\1None  #/' mine.ipynb""")
    texts = r'{\\"query_texts\\": \\"questions.csv\\", \\"doc_texts\\": \\"pages.csv\\"}'
    shell(rf"""sed -i 's/^\( *"texts = \).*  #/\1{texts}  #/' mine.ipynb""")

    execute("mine.ipynb")

    mine = (tmp_path / "mine.ipynb").read_text(encoding="utf-8")
    for said in ("There is no second run", "Saved as report.html", "what is ", "Page of "):
        assert said in mine
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    (mean,) = shell(
        "python",
        types="from byhand import evaluate\n"
        "print(f\"{evaluate('run.csv', 'qrels.csv', 'nDCG@10')['nDCG@10'].mean():.3f}\")",
    ).out.split()
    assert mean in page


def test_files_of_every_kind(shell, execute, tmp_path: Path):
    shell("python", types=FILES)
    template = json.loads((ROOT / "notebooks/your-own-data.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in template["cells"] if cell["cell_type"] == "code"]
    cells = [("import pandas as pd", "")]
    for kind, (*lines, stops) in KINDS.items():
        run = code[:1] if stops else code
        cells += [(changed("".join(cell["source"]), kind, *lines), kind) for cell in run]
    template["cells"] = [
        code[0] | {"id": f"cell-{n}", "source": source, "outputs": []}
        for n, (source, _) in enumerate(cells)
    ]
    (tmp_path / "all.ipynb").write_text(json.dumps(template), encoding="utf-8")

    execute("all.ipynb", "--allow-errors")

    done = json.loads((tmp_path / "all.ipynb").read_text(encoding="utf-8"))["cells"]
    first = {}
    for (_, kind), cell in zip(cells, done, strict=True):
        for output in cell["outputs"]:
            if output["output_type"] == "error":
                first.setdefault(kind, output["evalue"])
    for kind, (*_, stops) in KINDS.items():
        assert (kind in first) == bool(stops), first.get(kind)
        assert stops in first.get(kind, "")
        if not stops:
            assert "<h1 " in (tmp_path / f"{kind}.html").read_text(encoding="utf-8")
