"""Groups of queries: the comparison within each, corrected over all of them."""

import re

import pandas as pd
import pyarrow as pa
import pytest
from small_runs import ranked, report_on, rows_of, words_in, write

from byhand import DataError
from byhand.files import read_groups
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


@pytest.mark.parametrize(
    "held",
    [
        dict(TWO),
        GROUPS,
        GROUPS.set_index("qid"),
        GROUPS.set_index("qid")["language"],
        GROUPS.astype("category"),
        pa.table(GROUPS),
        GROUPS.to_dict("records"),
        GROUPS.to_dict("list"),
    ],
    ids=["dict", "frame", "indexed", "series", "category", "arrow", "rows", "columns"],
)
def test_groups_may_be_held(held):
    queries = [query for query, _ in TWO]
    assert read_groups(held) == {"one": queries[:12], "two": queries[12:]}


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


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        (3, "groups is a int that holds no such table (…). Expected a file, a frame with the "),
        ({"q1": ["en", "ko"]}, "groups, column 'group' holds list<item: string> values, such as "),
        ({"q1": None}, "groups names no group in column 'group'."),
        ([], "groups has the columns none. Expected the columns 'query_id' and 'group': rename"),
        (GROUPS[:0], "groups names no group in column 'language'."),
        (
            pd.DataFrame({"query_id": ["q1", None], "group": "en"}),
            "groups, row 1 (counted from 0), column 'query_id': there is no id. Every row needs",
        ),
        ("", "A path is empty."),
    ],
)
def test_groups_that_are_none_are_refused(held, expected):
    with pytest.raises(DataError) as caught:
        read_groups(held)
    start, _, end = expected.partition("…")
    assert str(caught.value).startswith(start)
    assert end in str(caught.value)


def verdicts(found):
    return {row[0]: row[-1] for row in rows_of(found, "groups")}


def test_each_group_is_compared_by_itself(grouped):
    found = grouped(MINE, THEIRS)
    one, two, rest = rows_of(found, "groups")
    assert one[:4] == ["one", "12", "1.0000", "0.5000"]
    assert two[:4] == ["two", "12", "0.3333", "1.0000"]
    assert rest[:5] == ["(no group)", "2", "0.7500", "0.7500", "0.0000"]
    assert [row[-1] for row in (one, two, rest)] == [
        "a is higher, with a caution", "b is higher", "too few to tell"
    ]  # fmt: skip
    first = [f"q{n}" for n in range(12)]
    tables = {name: table.loc[first, ["RR"]] for name, table in found.results.tables.items()}
    (row,) = compare_values(tables).to_dict("records")
    assert one[5] == f"{row['low']:+.4f} to {row['high']:+.4f}"
    # 2 of 2^12 signs, times the three groups
    assert one[6] == f"{3 * 2 / 2**12:.5f}"
    assert "group two: b is higher" in words_in(found, "summary")
    assert "one: " not in words_in(found, "summary")
    forest = [row[0] for row in rows_of(found, "groups", 'forest"')]
    assert forest[1] == "two 12 queries: ▼ lower"


def test_a_group_that_is_called_as_the_rest_is_keeps_its_queries(grouped):
    groups = [(f"q{n}", "(no group)" if n < 12 else "two") for n in range(24)]
    assert verdicts(grouped(MINE, THEIRS, groups=groups)) == {
        "(no group)": "a is higher, with a caution",
        "two": "b is higher",
        "((no group))": "too few to tell",
    }


def test_a_group_that_was_not_answered_has_no_verdict(grouped):
    found = verdicts(grouped(MINE, THEIRS, without=["q0"]))
    assert found["one"] == "withheld: not answered"
    assert found["two"] == "b is higher"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("q1\ten\nq2\tko\n", {"en": ["q1"], "ko": ["q2"]}),
        ("qid,colour\nq1,red\nq2,\n", {"red": ["q1"]}),
        ("tenant,words,topic\nx,3,q1\nx,4,q1\ny,5,q1\n", {"x": ["q1"], "y": ["q1"]}),
        ('{"_id": "q1", "language": "한국어"}\n', {"한국어": ["q1"]}),
    ],
)
def test_files_of_groups(tmp_path, content, expected):
    (tmp_path / "groups").write_text(content)
    assert read_groups(tmp_path / "groups") == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("q1,en\nq2\n", "between commas its lines have 1 and 2 columns"),
        ('qid,group\nq1,"en\nq2,ko\n', "unexpected end of data"),
        ("qid,group\nq1\n", "line 2 has 1 field"),
        ("qid,group\nq1, \n", "names no group in column 'group'"),
        ("qid,a,b\nq1,x,y\n", "Expected the columns 'query_id' and"),
    ],
)
def test_groups_are_read_as_everything_is(tmp_path, content, message):
    (tmp_path / "groups.csv").write_text(content)
    with pytest.raises(DataError, match=message):
        read_groups(tmp_path / "groups.csv")
