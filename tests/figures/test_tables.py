"""The one table: text stays text, numbers stand to the right, a screen reader finds its way."""

from html.parser import HTMLParser

from helpers.figures.tables import Html, name_html, table_html, table_text


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
