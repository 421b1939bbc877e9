"""Groups of queries: the comparison within each, corrected over all of them."""

import pandas as pd
import pytest
from IPython.utils.capture import capture_output
from small_runs import frame, ranked, shown, write

from byhand import Conventions, DataError
from byhand.files.texts import read_groups
from byhand.report.steps import read_own_data, results_of, show_groups
from byhand.reports.command import main
from byhand.statistics import compare_values

MINE, THEIRS = [1] * 12 + [3] * 12 + [1, 2], [2] * 12 + [1] * 12 + [2, 1]


@pytest.fixture
def results(tmp_path):
    """Results of runs in which the relevant items stand at the ranks given, with groups."""

    def make(*ranks, groups=None, without=(), **options):
        paths = []
        for name, each in zip("abc", ranks, strict=False):
            run = ranked(*each)[0]
            run = run[~run["query_id"].isin(without)] if name == "a" else run
            paths.append(write(tmp_path / f"{name}.csv", run))
        qrels = write(tmp_path / "qrels.csv", ranked(*ranks[0])[1])
        groups = groups or [(f"q{n}", "one" if n < 12 else "two") for n in range(24)]
        path = write(tmp_path / "groups.csv", pd.DataFrame(groups, columns=["query_id", "group"]))
        with capture_output():
            data = read_own_data(paths[0], qrels, paths[1:], groups=path)
        return results_of(data, ["RR"], **options)

    return make


def rows_of(found):
    lines = shown(show_groups, found)[0].splitlines()
    return [line.split("  ") for line in lines if line[:3] in ("one", "two", "(no", "((n")]


def test_each_group_is_compared_by_itself(results):
    found = results(MINE, THEIRS)
    text = shown(show_groups, found)[0]
    lines = text.splitlines()
    assert lines[1].split()[:4] == ["one", "12", "1.0000", "0.5000"]
    assert lines[1].endswith("a is higher, with a caution")
    assert lines[2].split()[:4] == ["two", "12", "0.3333", "1.0000"]
    assert lines[2].endswith("b is higher, with a caution")
    assert lines[3].startswith("(no group)        2  0.7500  0.7500      0.0000")
    assert lines[3].endswith("too few to tell")
    first = [f"q{n}" for n in range(12)]
    tables = {name: table.loc[first, ["RR"]] for name, table in found.tables.items()}
    (row,) = compare_values(tables).to_dict("records")
    assert f"{row['low']:+.4f} to {row['high']:+.4f}" in lines[1]
    # 2 of 2^12 signs, times the three groups
    assert f"{3 * 2 / 2**12:.3f}" in lines[1]


def test_a_group_that_is_called_as_the_rest_is_keeps_its_queries(results):
    groups = [(f"q{n}", "(no group)" if n < 12 else "two") for n in range(24)]
    rows = {row[0]: row for row in rows_of(results(MINE, THEIRS, groups=groups))}
    assert {name: row[-1] for name, row in rows.items()} == {
        "(no group)": "a is higher, with a caution",
        "two": "b is higher, with a caution",
        "((no group))": "too few to tell",
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "q1,en\nq2\n",
            "between commas its lines have 1 and 2 columns",
        ),
        ('qid,group\nq1,"en\nq2,ko\n', "unexpected end of data"),
        ("qid,group\nq1\n", "line 2 has 1 field"),
        ("qid,group\nq1, \n", "names no group in column 'group'"),
        (
            "qid,a,b\nq1,x,y\n",
            "has the columns 'qid', 'a', 'b'. Expected the columns 'query_id' and",
        ),
    ],
)
def test_groups_are_read_as_everything_is(tmp_path, content, message):
    (tmp_path / "groups.csv").write_text(content)
    with pytest.raises(DataError, match=message):
        read_groups(tmp_path / "groups.csv")


def test_several_systems_and_one(results):
    text = shown(show_groups, results(MINE, THEIRS, THEIRS[::-1]))[0]
    assert text.count("a minus c") == 3
    alone = shown(show_groups, results(MINE))[0].splitlines()
    assert alone[0].split() == ["group", "queries", "a", "low", "high"]
    assert alone[1].split()[:3] == ["one", "12", "1.0000"]


def test_a_group_that_was_not_answered_has_no_verdict(results):
    found = results(MINE, THEIRS, without=["q0"])
    one, two, _ = rows_of(found)
    assert one[-1].strip() == "withheld: not answered"
    assert two[-1].strip() == "b is higher, with a caution"


def test_a_group_without_values_is_left_out(results):
    skip = Conventions(missing="skip")
    found = results(MINE, THEIRS, without=[f"q{n}" for n in range(12)], conventions=skip)
    assert [row[0] for row in rows_of(found)] == ["two", "(no group)"]


def test_the_largest_groups_are_shown_and_the_others_counted(results):
    groups = [(f"q{n}", f"g{n:02d}") for n in range(26)] * 2 + [("q0", f"x{n}") for n in range(10)]
    text = shown(show_groups, results(MINE, THEIRS, groups=groups))[0]
    assert text.startswith("The 30 largest groups; 6 smaller ones are left out.")


def test_groups_of_other_queries(results):
    with pytest.raises(DataError, match="None of the groups has a query that is judged and has"):
        show_groups(results(MINE, THEIRS, groups=[("x", "one")]))


def test_no_groups_show_nothing(results):
    found = results(MINE, THEIRS)
    found.data.groups.clear()
    assert shown(show_groups, found) == ("", "", 0)


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
        ("qid,a,b\nq1,1,2\n", "Expected the columns 'query_id' and 'group': rename those"),
        ("qid,group\nq1,\n", "names no group in column 'group'"),
    ],
)
def test_files_without_groups(tmp_path, content, message):
    (tmp_path / "groups").write_text(content)
    with pytest.raises(DataError, match=message):
        read_groups(tmp_path / "groups")


def test_the_command_shows_the_section_only_with_groups(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("a.csv", ranked(*MINE)[0])
    write("qrels.csv", ranked(*MINE)[1])
    write(
        "groups.csv",
        frame(
            [(f"q{n}", "<b>") for n in range(9)],
        ).rename(columns={"doc_id": "g"}),
    )
    called = ["a.csv", "--qrels", "qrels.csv", "--measures", "RR", "-o", "r.html"]
    assert main([*called, "--groups", "groups.csv"]) == 0
    html = (tmp_path / "r.html").read_text()
    assert "Is it so in every group?" in html
    assert "<bdi>&lt;b&gt;</bdi>" in html
    assert main(called) == 0
    assert "Is it so in every group?" not in (tmp_path / "r.html").read_text()
