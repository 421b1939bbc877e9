"""The one table: text stays text, numbers stand to the right, a screen reader finds its way."""

import re
from html.parser import HTMLParser

import pandas as pd
import pytest

from byhand.figures import Html, Table, lists_table, name_html, table_html, table_text


class Reader(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)


def test_cells_and_heads_are_text():
    nasty = '<script>alert("1")</script>'
    read = Reader(table_html([nasty, nasty], [[nasty, nasty]], texts=1, label=nasty))
    assert read.texts == [nasty] * 4
    assert "script" not in {tag for tag, _ in read.tags}
    assert read.tags[0] == ("table", {"aria-label": nasty})


def test_what_is_marked_as_html_is_html():
    page = table_html(["what", "n"], [[Html("<b>x</b>"), Html("<i>1</i>")]])
    assert '<td style="text-align:left"><b>x</b></td>' in page
    assert "<i>1</i>" in page
    assert isinstance(name_html("x"), Html)


def test_words_stand_left_and_numbers_right_below_heads_with_a_scope():
    read = Reader(table_html(["a", "b", "n"], [["x", "y", "1"]], texts=2))
    sides = [attrs["style"].partition(";")[0] for tag, attrs in read.tags if tag in ("th", "td")]
    assert sides == ["text-align:left", "text-align:left", "text-align:right"] * 2
    assert [attrs["scope"] for tag, attrs in read.tags if tag == "th"] == ["col"] * 3


def test_a_table_with_a_look_has_no_other_style_than_its_widths():
    read = Reader(table_html(["a", "b"], [["x", "y"]], look="record", widths=(30, 70)))
    assert read.tags[0] == ("table", {"class": "record"})
    assert [attrs.get("style") for tag, attrs in read.tags if tag in ("th", "td")] == [
        "width:30%",
        "width:70%",
        None,
        None,
    ]


def test_the_same_table_in_characters():
    assert table_text(["q", "n"], [["ab", "1"], ["c", "20"]]) == "q    n\nab   1\nc   20"


FRAME = pd.DataFrame(
    {"rank": [1, 2], "item": ["<a>", "b"], "hit": [False, True], "share": [0.25, float("nan")]}
)


def cells(table):
    """Tag, attributes and text of each cell of a table."""
    return re.findall(r"<(t[hd])\b([^>]*)>(.*?)</t[hd]>", table._repr_html_())


def test_a_frame_as_a_table_aligns_its_numbers_and_shows_its_text_as_text():
    table = Table(FRAME, "A < B", digits={"share": 2})
    read = Reader(table._repr_html_())
    assert read.texts == ["A < B", *FRAME, "1", "<a>", "–", "0.25", "2", "b", "yes", "–"]
    assert [tag for tag, _ in read.tags[:2]] == ["table", "caption"]
    sides = [re.search("left|right", attributes)[0] for _, attributes, _ in cells(table)]
    assert sides == ["right", "left", "left", "right"] * 3
    assert repr(table).splitlines() == [
        "A < B",
        "rank  item  hit  share",
        "   1  <a>   –     0.25",
        "   2  b     yes      –",
    ]


def test_names_of_rows_are_heads_of_rows():
    frame = pd.DataFrame({"RR": [0.5, 1.0]}, index=pd.Index(["Q1", "Q2"], name="query"))
    tags = [(tag, re.findall('scope="(.*?)"', how)) for tag, how, _ in cells(Table(frame))]
    row = [("th", ["row"]), ("td", [])]
    assert tags == [("th", ["col"])] * 2 + row * 2
    assert repr(Table(frame)) == "query      RR\nQ1     0.5000\nQ2     1.0000"
    levels = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")])
    tags = [tag for tag, _, _ in cells(Table(frame.set_axis(levels)))]
    assert tags == ["td", "td", "th"] + ["th", "th", "td"] * 2  # an empty head heads nothing


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
    found = cells(Table(frame, mark=mark))
    strong = [re.sub("<.*?>", "", text) for _, _, text in found if "<strong>" in text]
    shaded = [re.sub("<.*?>", "", text) for _, how, text in found if "background" in how]
    assert strong == shaded == marked


def test_lists_under_measures_are_rows_and_columns():
    cases = {"one": (["a", "x"], {"a"}), "two": (["x", "a"], {"a": 2})}
    table = lists_table(cases, ["RR", "P@1", "nDCG"], "Two lists", digits=2, mark=["two"])
    assert repr(table).splitlines() == [
        "Two lists",
        "       RR   P@1  nDCG",
        "one  1.00  1.00  1.00",
        "two  0.50  0.00  0.63",
    ]
    assert "<strong>0.63</strong>" in table._repr_html_()
    assert "<strong>1.00</strong>" not in table._repr_html_()


def test_lists_under_other_conventions():
    cases = {"one": (["a"], {"a", "b"})}
    assert "0.5" in repr(lists_table(cases, ["AP@1"], digits=1))
    assert "1.0" in repr(lists_table(cases, ["AP@1"], digits=1, conventions="torchmetrics"))
