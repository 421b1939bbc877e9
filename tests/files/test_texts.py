"""Texts of queries and items: the right ones, out of every layout, and nothing else kept."""

import gzip
import json
import subprocess
import sys

import pandas as pd
import pytest

from byhand import DataError
from byhand.columns import JUDGED_RUN, RUN
from byhand.files.texts import Text, texts_beside, texts_in

BEIR = [
    {"_id": "d1", "title": "Cats", "text": 'Say "miau".\nOften.', "metadata": {"_id": "d2"}},
    {"text": "Dogs bark.", "_id": "d2", "title": "", "metadata": {"url": "x"}},
    {"_id": 3, "text": None, "title": "Three"},
]


def beir(path):
    path.write_text("".join(json.dumps(row) + "\n" for row in BEIR))


def csv(path):
    path.write_text(
        "title,Doc ID,contents,url\n"
        'Cats,d1,"Say ""miau"".\nOften.",https://cats.example\n'
        ",d2,Dogs bark.,\n\nThree,3,,\n"
    )


def parquet(path):
    pd.DataFrame(
        {"docno": ["d1", "d2", "3"], "title": ["Cats", None, "Three"]}
        | {"passage": ['Say "miau".\nOften.', "Dogs bark.", None], "vector": [[0.5]] * 3}
    ).to_parquet(path, row_group_size=2)


def parquet_with_numbers(path):
    pd.DataFrame({"id": [3, 4], "text": ["three", "four"]}).to_parquet(path)


@pytest.mark.parametrize("write", [beir, csv, parquet])
def test_layouts_say_the_same(tmp_path, write):
    path = tmp_path / "docs"
    write(path)
    found = texts_in(path, "doc").of(["d2", "d1", "3", "gone"])
    url = "https://cats.example" if write is csv else ""
    assert found == {
        "d1": Text('Say "miau".\nOften.', "Cats", url),
        "d2": Text("Dogs bark."),
        "3": Text("", "Three"),
    }


def test_ids_that_are_numbers(tmp_path):
    parquet_with_numbers(tmp_path / "docs")
    assert texts_in(tmp_path / "docs", "doc").of(["3"]) == {"3": Text("three")}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("q1\tHow?\n", Text("How?")),
        ("q1\tA title\tThe text, with a comma\n", Text("The text, with a comma", "A title")),
        ("q1\thttps://x\tA title\tThe text\n", Text("The text", "A title", "https://x")),
    ],
)
def test_files_without_names(tmp_path, line, text):
    (tmp_path / "docs.tsv").write_text(line + line.replace("q1", "q2"))
    assert texts_in(tmp_path / "docs.tsv", "doc").of(["q1"]) == {"q1": text}
    assert set(texts_in(tmp_path / "docs.tsv", "doc").of(["q1", "q2"])) == {"q1", "q2"}


TOPICS = """<top>
<num> Number: 301
<title> International Organized
 Crime
<desc> Description:
Identify organizations.
</top>
<top><num>302</num><title>Polio</title></top>
"""
XML = '<topics><topic number="301"><query>crime &amp; order</query></topic></topics>'


def test_topics_of_trec(tmp_path):
    (tmp_path / "old").write_text(TOPICS)
    (tmp_path / "new").write_text(XML)
    old, new = (texts_in(tmp_path / name, "query").of(["301", "302"]) for name in ("old", "new"))
    assert old == {"301": Text("International Organized Crime"), "302": Text("Polio")}
    assert new == {"301": Text("crime & order")}


def test_gzipped_folders_and_globs(tmp_path):
    for place, row in enumerate(BEIR):
        with gzip.open(tmp_path / f"part-{place}.jsonl.gz", "wt") as file:
            file.write(json.dumps({"title": "", **row, "text": "x"}) + "\n")
    for paths in (tmp_path, f"{tmp_path}/*.gz"):
        assert set(texts_in(paths, "doc").of(["d1", "d2", "3"])) == {"d1", "d2", "3"}


def test_the_run_itself_may_hold_them(tmp_path):
    frame = pd.DataFrame({"qid": ["q1"], "docid": ["d1"], "score": [1.0], "query": ["How?"]})
    path = tmp_path / "run.csv"
    frame.assign(text="So.", rel=1).to_csv(path, index=False)
    assert texts_beside(path, RUN, None, "query").of(["q1"]) == {"q1": Text("How?")}
    assert texts_beside(path, JUDGED_RUN, None, "doc").of(["d1"]) == {"d1": Text("So.")}
    frame.drop(columns="query").to_csv(path, index=False)
    assert texts_beside(path, RUN, None, "query").of(["q1"]) == {}


PROSE = {"7": 'A; cat, "a" dog', "007": '"Open; b | c', " 8": "d, e; f", "NA": "null"}
LATIN = "é".encode("latin-1")


@pytest.mark.parametrize("head", ["", "doc_id\ttext\n"])
@pytest.mark.parametrize("mark", ["utf-8", "utf-8-sig", "utf-16"])
def test_signs_in_a_passage_separate_nothing_and_ids_stay_as_they_are(tmp_path, head, mark):
    prose = {id_: text.replace('"Open', "Open") if head else text for id_, text in PROSE.items()}
    content = head + "".join(f"{id_}\t{text}\n" for id_, text in prose.items())
    (tmp_path / "docs.tsv").write_bytes(content.encode(mark))
    expected = {id_: Text(text) for id_, text in prose.items()}
    assert texts_in(tmp_path / "docs.tsv", "doc").of([*prose, "8", "07"]) == expected


@pytest.mark.parametrize(
    "content", ["d1;A, b\nd2;C, d\n", "d1,A; b\nd2,C; d\n", "d1|A; b\nd2|C; d\n"]
)
def test_of_two_delimiters_the_first_one_ends_the_id(tmp_path, content):
    (tmp_path / "docs").write_text(content)
    assert [*texts_in(tmp_path / "docs", "doc").of(["d1", "d2"])] == ["d1", "d2"]


def written(path, content):
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        content.to_parquet(path)
    return path


# what no reader may pass over in silence, and what is said of it
LOST = {
    "an open quote": (b'doc_id,text\nd1,"open\nd2,b\n', "line 2 to 3: unexpected end of data"),
    "an open quote that another closes": (
        b'doc_id\ttext\nd1\t"open\nd2\t"b" c\n',
        r"line 2 to 3: '\t' expected after",
    ),
    "a short row": (b"doc_id,text\nd1,a\nd2\n", "line 3 has 1 field: 'd2'. Expected 2, as in its"),
    "a long row": (b"d1;a\n" * 60 + b"d2;b; c\n", "line 61 has 3 fields: 'd2;b; c'. Expected 2"),
    "no id": (b"doc_id,text\n,a\n", r"line 2, column 'doc_id': there is no id"),
    "fractions as ids": (
        pd.DataFrame({"id": [1.0, 2.0], "text": ["a", "b"]}),
        r"column 'id' \(doc_id\) holds double values, such as 1.0. Ids are text or whole",
    ),
    "a fraction as an id": (
        b'{"_id": 1.0, "text": "a"}\n',
        "column '_id' .doc_id. holds .*, such as 1.0. Ids",
    ),
    "lists": (pd.DataFrame({"id": ["a"], "text": [["b"]]}), "holds list<.*Expected text"),
    "Latin-1": (
        b"doc_id,text\nd1," + LATIN + b"\n",
        "line 2 holds the byte 0xe9, which is not UTF",
    ),
}


@pytest.mark.parametrize("case", LOST)
def test_nothing_is_lost_or_changed_in_silence(tmp_path, case):
    content, message = LOST[case]
    with pytest.raises(DataError, match=message):
        texts_in(written(tmp_path / "docs", content), "doc").of(["gone"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            TOPICS.encode() + b"<top><num>303<title>" + LATIN + b"</top>",
            "line 9 holds the byte 0xe9",
        ),
        (
            TOPICS.encode() + b"<top><num>303<title>Cut",
            "begins 3 topics and ends 2. Expected </top>",
        ),
        (b"<top><title>Polio</top>", "topic 1, column 'num' .query_id.: there is no id"),
    ],
)
def test_topics_that_are_not_whole_are_refused(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        texts_in(written(tmp_path / "topics", content), "query").of(["303"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("doc_id,colour\nd1,red\n", "has the columns 'doc_id', 'colour'. Expected the columns 'd"),
        (TOPICS, "holds topics of TREC, which are queries. Expected the columns 'doc_id' and"),
        ("d1 A cat\n", "has 1 column without names. Expected the columns 'doc_id' and 'text'"),
        (
            "1,a\n2,b, c\n",
            "no line of names, and between commas its lines have 2 and 3 columns. Put",
        ),
        ("a,b,c,d,e\n1,2,3,4,5\n", "has 5 columns without names. Expected the columns 'doc_id' a"),
        ('{"_id": "d1"\n', "is no whole JSON value"),
        ("%PDF-1.7", "is a PDF"),
    ],
)
def test_what_holds_no_texts_is_refused_when_it_is_opened(tmp_path, content, message):
    (tmp_path / "docs").write_text(content)
    with pytest.raises(DataError, match=message):
        texts_in(tmp_path / "docs", "doc")


def test_a_torn_line_is_named(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_text("".join(json.dumps(BEIR[1]) + "\n" for _ in range(30)) + '{"_id": "d9", \n')
    with pytest.raises(DataError, match=r"docs\.jsonl, line 31 is no whole JSON value"):
        texts_in(path, "doc").of(["d9"])


MEASURE = """
import resource, sys
from byhand.files.texts import texts_in
texts = texts_in(sys.argv[1], "doc")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert len(texts.of(["d7", "none"])) == 1
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss counts other units there")
@pytest.mark.parametrize("form", ["jsonl", "csv", "quoted.csv", "parquet"])
def test_a_large_file_is_not_held_in_memory(tmp_path, form):
    path, n, text = tmp_path / f"docs.{form}", 60_000, "word " * 400
    if form == "parquet":
        words = [f"{place} {text}" for place in range(n)]
        frame = pd.DataFrame({"doc_id": [f"d{place}" for place in range(n)], "text": words})
        frame.to_parquet(path, row_group_size=n, compression=None)
    else:
        text = f'"{text}\n"' if form == "quoted.csv" else text
        with open(path, "w") as file:
            file.write("" if form == "jsonl" else "doc_id,text\n")
            for place in range(n):
                row = {"doc_id": f"d{place}", "text": text}
                file.write((json.dumps(row) if form == "jsonl" else f"d{place},{text}") + "\n")
    size = path.stat().st_size / 1e6
    assert size > 100
    called = [sys.executable, "-c", MEASURE, str(path)]
    grown = float(subprocess.run(called, capture_output=True, text=True, check=True).stdout)
    assert grown < size / 3
