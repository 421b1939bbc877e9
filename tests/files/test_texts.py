"""Texts of queries and items: the right ones, out of every layout, and nothing else kept."""

import gzip
import json

import pandas as pd
import pytest

from byhand.files.texts import Wording, texts_in

BEIR = [
    {"_id": "d1", "title": "Cats", "text": 'Say "miau".\nOften.', "metadata": {"_id": "d2"}},
    {"text": "Dogs bark.", "_id": "d2", "title": "", "metadata": {"url": "x"}},
    {"_id": 3, "text": None, "title": "Three"},
]
LAYOUTS = {
    "BEIR": "".join(json.dumps(row) + "\n" for row in BEIR).encode(),
    "CSV": b'title,Doc ID,contents\nCats,d1,"Say ""miau"".\nOften."\n,d2,Dogs bark.\n\nThree,3,\n',
    "Parquet": pd.DataFrame(
        {"docno": ["d1", "d2", "3"], "title": ["Cats", None, "Three"]}
        | {"passage": ['Say "miau".\nOften.', "Dogs bark.", None], "vector": [[0.5]] * 3}
    ).to_parquet(row_group_size=2),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("packed", [bytes, gzip.compress])
def test_layouts_say_the_same(tmp_path, layout, packed):
    (tmp_path / "docs").write_bytes(packed(LAYOUTS[layout]))
    assert texts_in(tmp_path / "docs", "doc").first_id() == "d1"
    (tmp_path / "more").write_text("doc_id,text\nd4,Birds sing.\n")
    for paths in (tmp_path, f"{tmp_path}/*"):
        assert texts_in(paths, "doc").of(["d2", "d1", "3", "d4", "gone"]) == {
            "d1": Wording('Say "miau".\nOften.', "Cats"),
            "d2": Wording("Dogs bark."),
            "3": Wording("", "Three"),
            "d4": Wording("Birds sing."),
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
    assert texts_in(tmp_path / "docs.tsv", "doc").of(["q1", "q2"]) == {"q1": text, "q2": text}


PROSE = {"7": 'A; cat, "a" dog', "007": '"Open; b | c', " 8": "d, e; f", "NA": "null"}


@pytest.mark.parametrize("head", ["", "doc_id\ttext\n"])
@pytest.mark.parametrize("mark", ["utf-8", "utf-8-sig", "utf-16"])
def test_signs_in_a_passage_separate_nothing_and_ids_stay_as_they_are(tmp_path, head, mark):
    prose = {id_: text.replace('"Open', "Open") if head else text for id_, text in PROSE.items()}
    content = head + "".join(f"{id_}\t{text}\n" for id_, text in prose.items())
    (tmp_path / "docs.tsv").write_bytes(content.encode(mark))
    expected = {id_: Wording(text) for id_, text in prose.items()}
    assert texts_in(tmp_path / "docs.tsv", "doc").of([*prose, "8", "07"]) == expected
