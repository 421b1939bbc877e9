"""Tables for people: text stays text, numbers stand to the right, a screen reader finds its way."""

import re
from html import escape

import pandas as pd
import pytest

from byhand.figures import Html, Table, table_html
from byhand.words import speaking

FRAME = pd.DataFrame(
    {"rank": [1, 2], "item": ["<a>", "b"], "hit": [False, True], "share": [0.25, float("nan")]}
)


def test_cells_and_heads_are_text_unless_they_are_html():
    nasty = '<script>alert("1")</script>'
    page = table_html([nasty, nasty], [[nasty, nasty]], label=nasty, caption=nasty)
    assert page.count(escape(nasty)) == 6
    assert "<script" not in page
    page = table_html(["what", "n"], [[Html("<b>x</b>"), Html("<i>1</i>")]])
    assert '<td style="text-align:left"><b>x</b></td>' in page
    assert "<i>1</i>" in page


def test_words_stand_left_and_numbers_right_below_heads_with_a_scope():
    table = Table(FRAME, "A < B", digits={"share": 2})
    page = table._repr_html_()
    assert page.startswith('A &lt; B\n<table aria-label="A &lt; B">')
    cells = re.findall(r'<(th scope="col"|td) style="text-align:(\w+).*?>(.*?)</t[hd]>', page)
    tags, sides, texts = zip(*cells, strict=True)
    assert tags == ('th scope="col"',) * 4 + ("td",) * 8
    assert sides == ("right", "left", "left", "right") * 3
    shown = [re.sub("<.*?>", "", text) for text in texts]
    assert shown == [*FRAME, "1", "&lt;a&gt;", "–", "0.25", "2", "b", "yes", "–"]
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
