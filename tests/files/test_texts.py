"""Texts of queries and items: the right ones, out of every layout, and nothing else kept."""

import gzip
import json

import pandas as pd
import pytest

from byhand import DataError
from byhand.files.texts import Wording, texts_in

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


@pytest.mark.parametrize("write", [beir, csv, parquet])
def test_layouts_say_the_same(tmp_path, write):
    path = tmp_path / "docs"
    write(path)
    found = texts_in(path, "doc").of(["d2", "d1", "3", "gone"])
    assert texts_in(path, "doc").first_id() == "d1"
    url = "https://cats.example" if write is csv else ""
    assert found == {
        "d1": Wording('Say "miau".\nOften.', "Cats", url),
        "d2": Wording("Dogs bark."),
        "3": Wording("", "Three"),
    }


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("q1\tHow?\n", Wording("How?")),
        ('q1,"How, and why?"\n', Wording("How, and why?")),
        ("q1\tA title\tThe text, with a comma\n", Wording("The text, with a comma", "A title")),
        ("q1\thttps://x\tA title\tThe text\n", Wording("The text", "A title", "https://x")),
    ],
)
def test_files_without_names(tmp_path, line, text):
    again = line.replace("?", "!").replace("text", "word")  # the first one counts
    (tmp_path / "docs.tsv").write_text(line + line.replace("q1", "q2") + again)
    assert texts_in(tmp_path / "docs.tsv", "doc").of(["q1"]) == {"q1": text}
    assert set(texts_in(tmp_path / "docs.tsv", "doc").of(["q1", "q2"])) == {"q1", "q2"}


def test_gzipped_folders_and_globs(tmp_path):
    for place, row in enumerate(BEIR):
        with gzip.open(tmp_path / f"part-{place}.jsonl.gz", "wt") as file:
            file.write(json.dumps({"title": "", **row, "text": "x"}) + "\n")
    for paths in (tmp_path, f"{tmp_path}/*.gz"):
        assert set(texts_in(paths, "doc").of(["d1", "d2", "3"])) == {"d1", "d2", "3"}


PROSE = {"7": 'A; cat, "a" dog', "007": '"Open; b | c', " 8": "d, e; f", "NA": "null"}


@pytest.mark.parametrize("head", ["", "doc_id\ttext\n"])
@pytest.mark.parametrize("mark", ["utf-8", "utf-8-sig", "utf-16"])
def test_signs_in_a_passage_separate_nothing_and_ids_stay_as_they_are(tmp_path, head, mark):
    prose = {id_: text.replace('"Open', "Open") if head else text for id_, text in PROSE.items()}
    content = head + "".join(f"{id_}\t{text}\n" for id_, text in prose.items())
    (tmp_path / "docs.tsv").write_bytes(content.encode(mark))
    expected = {id_: Wording(text) for id_, text in prose.items()}
    assert texts_in(tmp_path / "docs.tsv", "doc").of([*prose, "8", "07"]) == expected


def test_what_holds_no_texts_is_refused_when_it_is_opened(tmp_path):
    (tmp_path / "docs").write_text("doc_id,colour\nd1,red\n")
    with pytest.raises(DataError, match="has the columns 'doc_id', 'colour'"):
        texts_in(tmp_path / "docs", "doc")
