"""A student in lesson 12 with files of their own beside it, whose columns are called their way.

They set the cell of paths, run the cells, read what is wrong, and run them again; in the end there
is a page to hand in, and a file of values.
"""

import json
import re
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
# what is typed over the cell of paths and into the cell of settings, what stops it then, or is said
NAMES = 'run, qrels, measures = "mine.csv", "judged.csv", ["nDCG@10", "RR"]'
NO_TEXTS = f"{NAMES}\nqueries = docs = None"
OWN = {"run_columns": RUN, "qrels_columns": QRELS}
TRIED = [
    ('run = "mine.cvs"', {}, "There is no file mine.cvs."),
    (f"{NO_TEXTS}\nagainst = None", {}, "If this guess is right and the highest numbers are"),
    (f"{NO_TEXTS}\nagainst = None", {"run_columns": RUN}, "pass qrels_columns={'Page': 'doc_id'"),
    # what the queries and items of Cranfield say is still named, and of no use
    (f'{NAMES}\nagainst = "bm25.csv"', OWN, "", "No text was found for 16 of the 16 queries"),
    (f'{NO_TEXTS}\nagainst = "bm25.csv"', OWN, ""),
    (f'{NAMES}\nqueries, docs = "text.csv", None\nagainst = ["bm25.csv", "old.csv"]', OWN, "text"),
    (
        f'{NAMES}\nqueries, docs = "texts.csv", None\nagainst = ["bm25.csv", "old.csv"]',
        OWN | {"groups": '"groups.csv"'},
        "",
    ),
]


def test_from_the_first_mistake_to_a_page(shell, tmp_path: Path):
    shell("python", types=FILES)
    lesson = json.loads((ROOT / "notebooks" / "12-your-report.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in lesson["cells"] if cell["cell_type"] == "code"]
    sources = ["".join(cell["source"]) for cell in code]
    paths, report = (
        next(n for n, source in enumerate(sources) if said in source)
        for said in ("measures = [", "own = report(")
    )
    cells = sources[:paths]
    for typed, settings, _, *said in TRIED:
        cells += [f"{sources[paths]}\n{typed}", *sources[paths + 1 : report]]
        cells.append(sources[report])
        for name, value in settings.items():
            cells[-1] = re.sub(rf'("{name}"): None', rf"\1: {value}", cells[-1])
        cells[-1] += '\nown.section("worst")' * bool(said)
    made = [n for n, cell in enumerate(cells) if "own = report(" in cell]
    cells += [*sources[report + 1 :], 'own.section("groups")']
    saved = next(n for n, cell in enumerate(cells) if cell.startswith("page = None"))
    cells[saved] = cells[saved].replace("= None", "=")  # the names of files stand in the comments
    cells[saved] = cells[saved].replace("=  # ", "= ")
    lesson["cells"] = [
        code[0] | {"id": f"cell-{n}", "source": cell, "outputs": []} for n, cell in enumerate(cells)
    ]
    (tmp_path / "mine.ipynb").write_text(json.dumps(lesson), encoding="utf-8")

    shell("jupyter execute --allow-errors --inplace mine.ipynb")

    done = json.loads((tmp_path / "mine.ipynb").read_text(encoding="utf-8"))["cells"]
    errors = {
        n: output
        for n, cell in enumerate(done)
        for output in cell["outputs"]
        if output["output_type"] == "error"
    }
    for n, (_, _, stops, *said) in zip(made, TRIED, strict=True):
        assert all(each in str(done[n]["outputs"]) for each in said)
        assert (n in errors) == bool(stops), (n, errors)
        if stops:
            error = errors.pop(n)
            assert stops in error["evalue"]
            assert error["traceback"] == [error["evalue"]]  # one paragraph
    assert errors == {}

    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    means = shell("python", types=MEANS).out.split()
    for said in (*means, "what is 7?", "0 of 2", "mine", "bm25", "old"):
        assert said in page
    for file in ("values.csv", "all.json", "means.tex", "figures/forest.svg"):
        assert (tmp_path / file).stat().st_size
