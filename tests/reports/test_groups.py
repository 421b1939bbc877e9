"""Groups of queries: the comparison within each, corrected over all of them."""

import re

import pandas as pd
import pytest
from small_runs import ranked, report_on, rows_of, words_in, write

from byhand.statistics import compare_values

MINE, THEIRS = [1] * 12 + [3] * 12 + [1, 2], [2] * 12 + [1] * 12 + [2, 1]
TWO = [(f"q{n}", "one" if n < 12 else "two") for n in range(24)]


@pytest.fixture
def grouped(tmp_path):
    """A report on runs whose relevant items stand at the ranks given, with groups."""

    def make(*ranks, groups=TWO, without=(), **options):
        runs = [ranked(*each)[0] for each in ranks]
        runs[0] = runs[0][~runs[0]["query_id"].isin(without)]
        path = write(tmp_path / "groups.csv", pd.DataFrame(groups, columns=["query_id", "group"]))
        qrels = ranked(*ranks[0])[1]
        return report_on(*runs, qrels=qrels, measures="RR", groups=path, **options)

    return make


GROUPS = pd.DataFrame(TWO, columns=["qid", "language"])


def test_a_report_takes_groups_and_texts_that_are_held():
    (mine, qrels), theirs = ranked(*MINE), ranked(*THEIRS)[0]
    found = report_on(
        *(mine, theirs),
        qrels=qrels,
        measures="RR",
        groups=GROUPS,
        queries={"q24": "which soup?"},
        docs=pd.DataFrame({"doc_id": ["D", "x1"], "title": [None, "Bisque"], "text": ["x", None]}),
    )
    assert [row[:2] for row in rows_of(found, "groups")][:2] == [["one", "12"], ["two", "12"]]
    assert {"which soup?", "Bisque"} <= {*re.findall(r"which soup\?|Bisque", found.html())}


def test_each_group_is_compared_by_itself(grouped):
    found = grouped(MINE, THEIRS)
    one, two, rest = rows_of(found, "groups")
    assert one[:4] == ["one", "12", "1.0000", "0.5000"]
    assert two[:4] == ["two", "12", "0.3333", "1.0000"]
    assert rest[:5] == ["(no group)", "2", "0.7500", "0.7500", "0.0000"]
    assert [row[-1] for row in (one, two, rest)] == [
        "a is higher, with a warning", "b is higher", "too few to tell"
    ]  # fmt: skip
    first = [f"q{n}" for n in range(12)]
    tables = {name: table.loc[first, ["RR"]] for name, table in found.results["queries"].items()}
    (row,) = compare_values(tables).to_dict("records")
    assert one[5] == f"{row['low']:+.4f} to {row['high']:+.4f}"
    # 2 of 2^12 signs, times the three groups
    assert one[6] == f"{3 * 2 / 2**12:.5f}"
    assert "group two: b is higher" in words_in(found, "summary")
    assert "one: " not in words_in(found, "summary")
    forest = [row[0] for row in rows_of(found, "groups", 'forest"')]
    assert forest[1] == "two 12 queries: ▼ lower"
