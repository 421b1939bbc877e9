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

from byhand import DataError, evaluate, read_qrels, read_run, scan
from byhand.files.opening import LIMITS

CASES = cases_of(Path(__file__).with_name("broken_files.txt"))


@pytest.mark.parametrize("how", ["plain", "in small blocks"])
@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_read_is_explained(write, in_blocks, name, how):
    reader, content, options = called(CASES[name][0])
    if how != "plain":
        in_blocks(9 if len(content or b"") < 20_000 else 5_000)
    file = "absent" if content is None else write(content)
    assert alike(message_of(reader, file, **options), " ".join(CASES[name][1]))


OFFERING = [name for name, (_, said) in CASES.items() if "columns={" in " ".join(said)]


@pytest.mark.parametrize("name", OFFERING)
def test_what_is_offered_lacks_no_column(write, name):
    reader, content, options = called(CASES[name][0])
    with pytest.raises(DataError) as caught:
        reader(write(content), **options)
    assert caught.value.table == ("qrels" if reader is read_qrels else "run")
    assert bool(caught.value.missing) == (" has no " in str(caught.value))
    for way in caught.value.ways:
        if "NAME" in str([*way]):
            continue  # for the user to fill in
        said = ""
        try:
            reader("file", columns=way)
        except DataError as error:
            said = str(error)
        assert not said or re.search(r"not a finite number|line \d+ has", said)


NO_FILES = {
    "runs": "The folder runs contains no files. Expected the files of a table.",
    "run-bm52.csv": "There is no file … Did you mean 'run-bm25.csv'?",
    "*.pq": "*.pq matches no file. Looked in …",
    "nowhere/run.csv": "… Nor is there a folder nowhere: check the path.",
    "a\0b": "'a\\x00b' contains a zero byte, which a path cannot contain. Remove it.",
    "/dev/zero": "/dev/zero is a device, not a file. Save the data as a file first.",
    "": "A path is empty. Pass a file, a folder or a glob.",
    "https://x.org/a.run": "https://x.org/a.run is a URL, but only files on this machine can "
    "be read. Download it, or mount its storage as a folder, and pass the path there.",
    **dict.fromkeys(
        ("loop", "loop/*", "loop/b.csv"),
        "There is no file loop/b.csv. It is a link to gone.csv, which is not there: fix the link.",
    ),
    "x" * 300: "x… cannot be read: File name too long.",
}


@pytest.mark.parametrize("reader", [read_run, scan, lambda path: evaluate(path, {})])
@pytest.mark.parametrize("path", NO_FILES, ids=lambda path: path[:9].replace("\0", " 0 "))
def test_what_no_file_is_at_is_explained(write, path, reader):
    write(CSV, "run-bm25.csv")
    Path("runs").mkdir()
    Path("loop").mkdir()
    Path("loop/b.csv").symlink_to("gone.csv")
    assert alike(message_of(reader, path), NO_FILES[path])


@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_a_line_that_does_not_end_is_refused_at_once(write, monkeypatch, in_blocks, packed):
    monkeypatch.setattr(LIMITS, "line", 10_000)
    in_blocks(5_000)
    assert message_of(read_run, write(packed(TREC + b"x" * 40_000))) == (
        "file has a line of more than 10,000 bytes, which begins at byte 48. Expected each row on "
        "a line of its own: add line breaks."
    )
