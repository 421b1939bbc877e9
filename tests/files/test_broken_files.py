"""Files that cannot be read: each message says what, where, what was expected, what to do.

`broken_files.txt` has a case on each line that is not indented: its name, and the call that is made
with a file of these bytes; the message follows, … for what a library says in words of its own.
"""

import gzip
import re
from pathlib import Path

import pytest
from cases import CSV, TREC, called
from refused import alike, cases_of, message_of

from byhand import DataError, evaluate, read_judged_run, read_run, scan
from byhand.files.opening import LIMITS

CASES = cases_of(Path(__file__).with_name("broken_files.txt"))


@pytest.mark.parametrize("how", ["plain", "in small blocks"])
@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_read_is_explained(write, in_blocks, name, how):
    reader, content, columns = called(CASES[name][0])
    if how != "plain":
        in_blocks(9)
    file = "absent" if content is None else write(content)
    assert alike(message_of(reader, file, columns=columns), " ".join(CASES[name][1]))


OFFERING = [name for name, (_, said) in CASES.items() if "columns={" in " ".join(said)]


@pytest.mark.parametrize("name", OFFERING)
def test_what_is_offered_lacks_no_column(write, name):
    reader, content, columns = called(CASES[name][0])
    with pytest.raises(DataError) as caught:
        reader(write(content), columns=columns)
    for way in caught.value.ways:
        if any(str(theirs).startswith("NAME") for theirs in way):
            continue  # for the user to fill in
        said = ""
        try:
            reader("file", columns=way)
        except DataError as error:
            said = str(error)
        assert not said or re.search(r"not a finite number|line \d+ has", said)


def evaluated(path):
    """What `evaluate` says of a file."""
    return evaluate(path, {"q1": {"a": 1}}, ["RR"])


NO_FILES = {
    "runs": "The folder runs contains no files. Expected the files of a table.",
    "run-bm52.csv": "There is no file … Did you mean 'run-bm25.csv'?",
    "*.pq": "*.pq matches no file. Looked in …",
    "nowhere/run.csv": "… Nor is there a folder nowhere: check the path.",
    "run.csv": "… It is a link to gone.csv, which is not there: fix the link.",
    "a\0b": "'a\\x00b' contains a zero byte, which a path cannot contain. Remove it.",
    "/dev/zero": "/dev/zero is a device, not a file. Save the data as a file first.",
    "": "A path is empty. Pass a file, a folder or a glob.",
    "https://x.org/a.run": "https://x.org/a.run is a URL, but only files on this machine can "
    "be read. Download it, or mount its storage as a folder, and pass the path there.",
    "loop/*": "There is no file loop/b.csv. It is a link to gone.csv, which is not there: fix the "
    "link.",
    "loop": "There is no file loop/b.csv. It is a link to gone.csv, …",
    "x" * 300: "x… cannot be read: File name too long.",
}


@pytest.mark.parametrize("reader", [read_run, scan, evaluated])
@pytest.mark.parametrize("path", NO_FILES, ids=lambda path: path[:9].replace("\0", " 0 "))
def test_what_no_file_is_at_is_explained(write, path, reader):
    write(CSV, "run-bm25.csv")
    Path("runs").mkdir()
    Path("loop").mkdir()
    for link in ("run.csv", "loop/b.csv"):
        Path(link).symlink_to("gone.csv")
    assert alike(message_of(reader, path), NO_FILES[path])


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzipped"])
def test_a_line_that_does_not_end_is_refused_at_once(write, monkeypatch, in_blocks, packed):
    monkeypatch.setattr(LIMITS, "line", 10_000)
    in_blocks(5_000)
    content = TREC + b"x" * 40_000
    expected = (
        "file has a line of more than 10,000 bytes, which begins at byte 48. Expected each row on "
        "a line of its own: add line breaks."
    )
    assert message_of(read_run, write(gzip.compress(content) if packed else content)) == expected


def test_an_error_carries_what_is_missing_and_what_to_name(write):
    with pytest.raises(DataError) as caught:
        read_judged_run(write(b"Edge;Punkte;ok\na;0,5;1\n"))
    error = caught.value
    named = {"Edge": "doc_id", "Punkte": "score", "ok": "relevance"}
    assert (error.table, error.missing) == ("run", ("doc_id", "score", "relevance"))
    assert error.ways[0] == named
    assert f"{error.message} pass columns={named}." == str(error)
