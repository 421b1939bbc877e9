"""Somebody whose team reads one page a week: three systems, by group, with texts, in its language.

The page is for the team, the table for the paper, and the numbers for a notebook that looks at
them again.
"""

import json
from html import escape

import pandas as pd
from jsonschema import Draft202012Validator

GROUPS = """
import pandas as pd
topics = pd.read_csv("topics.csv")
length = topics["text"].str.split().str.len()
topics["group"] = length.gt(15).map({True: "long", False: "short"}).where(length < 38, "longest")
topics[["query_id", "group"]].to_csv("groups.csv", index=False)
"""
REPORT = (
    "ranking-report bm25.run.gz --qrels cranfield.csv --against tfidf.run.gz 'first ten=short.run' "
    "--queries topics.csv --docs titles.csv --groups groups.csv -o week.html "
    "-o values.csv -o week.json -o means.tex"
)
AGAIN = """
import json
from byhand import evaluate
for run in ("bm25.run.gz", "tfidf.run.gz", "short.run"):
    values = evaluate(run, "cranfield.csv", ["nDCG@10", "AP", "RR"])
    print(json.dumps(values.to_dict()))
"""
TITLES = {"en": "Ranking report: ", "pt": "Relatório de ranking: ", "ko": "랭킹 보고서: "}


def test_a_page_for_the_team(shell, samples):
    shell("zcat bm25.run.gz | awk '$4 <= 10' > short.run")
    shell("python", types=GROUPS)
    texts = [pd.read_csv(samples / file).iloc[:, -1] for file in ("topics.csv", "titles.csv")]
    for_programs = set()
    for language, title in TITLES.items():
        said = shell(f"{REPORT} --language {language}")
        assert len(said.out.splitlines()) == 4
        page = (samples / "week.html").read_text(encoding="utf-8")
        assert f'<html lang="{language}">' in page
        assert f"<title>{title}" in page
        assert page.rstrip().endswith("</html>")
        assert str(samples) not in page  # it is handed on
        assert all(any(escape(text) in page for text in each) for each in texts)
        assert all(name in page for name in ("first ten", "longest"))
        for_programs.add(tuple((samples / f).read_text() for f in ("week.json", "values.csv")))
        shell("rm week.html")
    assert len(for_programs) == 1

    numbers = json.loads((samples / "week.json").read_text(encoding="utf-8"))
    keys = json.loads(shell("python -m byhand.reports.schema").out)
    Draft202012Validator(keys).validate(numbers)
    assert numbers["systems"] == ["bm25", "tfidf", "first ten"]
    assert {*numbers["groups"]["means"]} == {"long", "short", "longest"}

    values = pd.read_csv(samples / "values.csv", dtype={"query_id": str})
    table = (samples / "means.tex").read_text(encoding="utf-8")
    expected = map(json.loads, shell("python", types=AGAIN).out.splitlines())
    for system, of_each in zip(numbers["systems"], expected, strict=True):
        in_json = pd.DataFrame.from_dict(numbers["queries"][system], orient="index")
        in_csv = values[values["system"] == system].set_index("query_id")
        for name, column in of_each.items():
            assert in_json[name].to_dict() == in_csv[name].to_dict() == column
            assert f"{sum(column.values()) / len(column):.3f}" in table
