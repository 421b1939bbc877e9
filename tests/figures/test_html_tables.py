"""Tables for people: text stays text, numbers stand to the right, a screen reader finds its way."""

import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from byhand.figures import (
    Html,
    Table,
    table_html,
    table_text,
)
from byhand.words import speaking

FRAME = pd.DataFrame(
    {"rank": [1, 2], "item": ["<a>", "b"], "hit": [False, True], "share": [0.25, float("nan")]}
)


class Reader(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        if not self.tags or self.tags[-1][0] != "style":
            self.texts.append(data)

    @property
    def cells(self):
        return [(tag, attrs) for tag, attrs in self.tags if tag in ("th", "td")]


def test_cells_and_heads_are_text_unless_they_are_html():
    nasty = '<script>alert("1")</script>'
    read = Reader(table_html([nasty, nasty], [[nasty, nasty]], label=nasty, caption=nasty))
    assert read.texts == [nasty] * 5
    assert "script" not in {tag for tag, _ in read.tags}
    assert read.tags[0] == ("table", {"aria-label": nasty})
    page = table_html(["what", "n"], [[Html("<b>x</b>"), Html("<i>1</i>")]])
    assert '<td style="text-align:left"><b>x</b></td>' in page
    assert "<i>1</i>" in page


def test_words_stand_left_and_numbers_right_below_heads_with_a_scope():
    read = Reader(table_html(["a", "b", "n"], [["x", "y", "1"]], texts=2))
    sides = [attrs["style"].partition(";")[0] for _, attrs in read.cells]
    assert sides == ["text-align:left", "text-align:left", "text-align:right"] * 2
    assert [attrs.get("scope") for _, attrs in read.cells] == ["col"] * 3 + [None] * 3
    assert table_text(["q", "n"], [["ab", "1"], ["c", "20"]]) == "q    n\nab   1\nc   20"


def test_a_frame_as_a_table_aligns_its_numbers_and_shows_its_text_as_text():
    table = Table(FRAME, "A < B", digits={"share": 2})
    read = Reader(table._repr_html_())
    assert [read.texts[0].strip(), *read.texts[1:]] == [
        "A < B",
        *FRAME,
        "1",
        "<a>",
        "–",
        "0.25",
        "2",
        "b",
        "yes",
        "–",
    ]
    assert read.tags[0] == ("table", {"aria-label": "A < B"})
    sides = [re.search("left|right", attrs["style"])[0] for _, attrs in read.cells]
    assert sides == ["right", "left", "left", "right"] * 3
    lines = ["A < B", "rank  item  hit  share", "   1  <a>   –     0.25", "   2  b     yes      –"]
    assert repr(table).splitlines() == lines


@pytest.mark.parametrize(
    ("mark", "marked"),
    [
        ([False, True], ["Q2", "3", "4"]),
        ([[False, True]], ["2", "4"]),
        ([[True, False], [False, False]], ["1"]),
        (False, []),
    ],
)
def test_rows_columns_and_cells_are_marked_by_more_than_a_colour(mark, marked):
    frame = pd.DataFrame({"a": [1, 3], "b": [2, 4]}, index=["Q1", "Q2"])
    found = re.findall(r"<t[hd]\b([^>]*)>(.*?)</t[hd]>", Table(frame, mark=mark)._repr_html_())
    strong = [re.sub("<.*?>", "", text) for _, text in found if "<strong>" in text]
    shaded = [re.sub("<.*?>", "", text) for how, text in found if "background" in how]
    assert strong == shaded == marked


def test_a_folded_table_shows_its_caption_alone_and_a_group_has_one_header():
    groups = pd.MultiIndex.from_tuples([("x", "p"), ("x", "q"), ("y", "p")])
    page = Table(pd.DataFrame({"a": [1, 2, 3]}, groups), "A < B", folded=True)._repr_html_()
    assert page.startswith("<details><summary>A &lt; B</summary><table")
    heads = re.findall(r'<th scope="row"[^>]*><bdi>(.)</bdi>', page)
    assert heads == ["x", "p", "q", "y", "p"]


def test_heads_verdicts_and_numbers_are_in_the_language_and_the_frame_stays_as_it_is():
    frame = pd.DataFrame(
        {
            "mean": [0.25, 1234.5],
            "RR chance": [0.5, 0.125],
            "verdict": ["a is higher", "inconclusive"],
            "last chance": ["mean", "0.5"],  # theirs, as what it holds
        },
        index=["AP chance", "second chance"],
    )
    with speaking("pt"):
        said = repr(Table(frame, "MRR = 0.2500", digits=2))
    for text in ("média", "RR ao acaso", "veredito", "AP ao acaso", "a é maior", "inconclusivo"):
        assert text in said
    for text in ("MRR = 0,2500", "0,25 ", "1.234,50", "0,12", " mean", " 0.5", "last chance"):
        assert text in said
    assert "second chance" in said
    assert [*frame] == ["mean", "RR chance", "verdict", "last chance"]
