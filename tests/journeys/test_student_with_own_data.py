"""A student who makes a report in a notebook, of files whose columns are called their way.

They call `report` as its page says, read what is wrong, and call it again; in the end there is a
page to hand in, and a file of values.
"""

from collections.abc import Callable
from pathlib import Path

RUN = '{"Question": "query_id", "Page": "doc_id", "Confidence": "score"}'
QRELS = '{"Question": "query_id", "Page": "doc_id", "Stars": "relevance"}'
MEANS = f"""
from byhand import evaluate, read_qrels, read_run
qrels = read_qrels("stars.csv", columns={QRELS})
for name in ("own", "old"):
    run = read_run(f"{{name}}.csv", columns={RUN})
    print(*(f"{{mean:.3f}}" for mean in evaluate(run, qrels, ["nDCG@10", "RR"]).mean()))
"""
# what is typed between the brackets of `report`, what stops it then, or is said
NAMES = '"stars.csv", measures=["nDCG@10", "RR"]'
COLUMNS = f"run_columns={RUN}, qrels_columns={QRELS}"
BOTH = f'["own.csv", "old.csv"], {NAMES}, {COLUMNS}'
TRIED = [
    (f'"own.cvs", {NAMES}', "There is no file own.cvs."),
    (f'"own.csv", {NAMES}', "If this guess is right and the highest numbers are"),
    (f'"own.csv", {NAMES}, run_columns={RUN}', "pass qrels_columns={'Page': 'doc_id'"),
    # what the queries of somebody else say is of no use
    (f'{BOTH}, queries=pd.DataFrame({{"query_id": ["x"], "text": "?"}})', "", "No text was found"),
    (f'{BOTH}, queries="questions.csv", groups="groups.csv"', ""),
]
PARTS = ("files", "data", "summary", "means", "distributions", "worst", "moved", "comparison")
SAVED = 'print(*own.save("report.html", "values.csv", "all.json", "means.tex"))'


def test_from_the_first_mistake_to_a_page(
    shell: Callable, run_cells: Callable, own_files: str, tmp_path: Path
):
    calls = [f"own = report({typed})" for typed, *_ in TRIED]
    calls[3] += '\nown.section("worst")'
    parts = [f'own.section("{part}")' for part in (*PARTS, "methods", "groups")]
    _, *done = run_cells("import pandas as pd\nfrom byhand import report", *calls, *parts, SAVED)

    errors = [[each for each in outputs if each["output_type"] == "error"] for outputs in done]
    for (_, stops, *said), shown, found in zip(TRIED, done, errors, strict=False):
        assert all(each in str(shown) for each in said)
        assert len(found) == bool(stops), found
        for error in found:
            assert stops in error["evalue"]
            assert error["traceback"] == [f"DataError: {error['evalue']}"]  # one paragraph
    assert not any(errors[len(TRIED) :])

    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    means = shell("python", types=MEANS).out.split()
    for said in (*means, "what is 7?", "0 of 2", "own", "old"):
        assert said in page
    for file in ("values.csv", "all.json", "means.tex"):
        assert (tmp_path / file).stat().st_size
