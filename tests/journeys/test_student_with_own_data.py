"""A student who makes a report in a notebook, of files whose columns are called their way.

They call `report` as its page says, read what is wrong, and call it again; in the end there is a
page to hand in, and a file of values.
"""

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = """
import pandas as pd
for name, shift in (("mine", 0), ("bm25", 2), ("old", 5)):
    pairs = [(q, p) for q in range(24) for p in range(9)]
    run = [(f"q{q}", f"p{(q + p) % 9}", 0.9 - (p + q * shift) % 9 / 10) for q, p in pairs]
    pd.DataFrame(run, columns=["Question", "Page", "Confidence"]).to_csv(f"{name}.csv", index=False)
judged = [(f"q{q}", f"p{(q + p * p) % 9}", p) for q in range(24) for p in (1, 2)]
pd.DataFrame(judged, columns=["Question", "Page", "Stars"]).to_csv("judged.csv", index=False)
for name, say in (("groups", "{0} of 2"), ("texts", "what is {1}?")):
    rows = [(f"q{q}", say.format(q % 2, q)) for q in range(24)]
    pd.DataFrame(rows, columns=["query_id", name[:-1]]).to_csv(f"{name}.csv", index=False)
pd.DataFrame({"query_id": ["x"], "text": ["of others"]}).to_csv("others.csv", index=False)
"""
RUN = '{"Question": "query_id", "Page": "doc_id", "Confidence": "score"}'
QRELS = '{"Question": "query_id", "Page": "doc_id", "Stars": "relevance"}'
MEANS = f"""
from byhand import evaluate, read_qrels, read_run
qrels = read_qrels("judged.csv", columns={QRELS})
for name in ("mine", "bm25", "old"):
    run = read_run(f"{{name}}.csv", columns={RUN})
    print(*(f"{{mean:.3f}}" for mean in evaluate(run, qrels, ["nDCG@10", "RR"]).mean()))
"""
# what is typed between the brackets of `report`, what stops it then, or is said
NAMES = '"judged.csv", measures=["nDCG@10", "RR"]'
OWN = f"run_columns={RUN}, qrels_columns={QRELS}"
TRIED = [
    (f'"mine.cvs", {NAMES}', "There is no file mine.cvs."),
    (f'"mine.csv", {NAMES}', "If this guess is right and the highest numbers are"),
    (f'"mine.csv", {NAMES}, run_columns={RUN}', "pass qrels_columns={'Page': 'doc_id'"),
    # what the queries of somebody else say is of no use
    (
        f'["mine.csv", "bm25.csv"], {NAMES}, {OWN}, queries="others.csv"',
        "",
        "No text was found for",
    ),
    (f'["mine.csv", "bm25.csv"], {NAMES}, {OWN}', ""),
    (f'["mine.csv", "bm25.csv", "old.csv"], {NAMES}, {OWN}, queries="text.csv"', "text"),
    (
        f'["mine.csv", "bm25.csv", "old.csv"], {NAMES}, {OWN}, queries="texts.csv", '
        'groups="groups.csv"',
        "",
    ),
]
SAVED = 'print(*own.save("report.html", "values.csv", "all.json", "means.tex"))'


def test_from_the_first_mistake_to_a_page(shell, execute, tmp_path: Path):
    shell("python", types=FILES)
    code = ["from byhand import report"]
    for typed, _, *said in TRIED:
        code.append(f"own = report({typed})" + '\nown.section("worst")' * bool(said))
    parts = ("files", "data", "summary", "means", "distributions", "worst", "moved", "comparison")
    code += [f'own.section("{part}")' for part in (*parts, "methods", "groups")]
    cells = [
        {"cell_type": "code", "id": f"cell-{n}", "source": source, "outputs": []}
        | {"metadata": {}, "execution_count": None}
        for n, source in enumerate([*code, SAVED])
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "mine.ipynb").write_text(json.dumps(notebook), encoding="utf-8")

    execute("mine.ipynb", "--allow-errors")

    done = json.loads((tmp_path / "mine.ipynb").read_text(encoding="utf-8"))["cells"]
    errors = {
        n: output
        for n, cell in enumerate(done)
        for output in cell["outputs"]
        if output["output_type"] == "error"
    }
    for n, (_, stops, *said) in enumerate(TRIED, start=1):
        assert all(each in str(done[n]["outputs"]) for each in said)
        assert (n in errors) == bool(stops), (n, errors)
        if stops:
            error = errors.pop(n)
            assert stops in error["evalue"]
            assert error["traceback"] == [f"DataError: {error['evalue']}"]  # one paragraph
    assert errors == {}

    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    means = shell("python", types=MEANS).out.split()
    for said in (*means, "what is 7?", "0 of 2", "mine", "bm25", "old"):
        assert said in page
    for file in ("values.csv", "all.json", "means.tex"):
        assert (tmp_path / file).stat().st_size
