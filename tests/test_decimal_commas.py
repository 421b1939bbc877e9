"""Pages and reports write numbers as their language does: 0,5 and 1.240; and −0.02, 17,716."""

import csv
import json
import re
from html.parser import HTMLParser

import pytest

from helpers.places import DATA

NUMBER = re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)+(?![.,]?\w|-rc)")
THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")  # or a number with three decimals
QUOTED = re.compile(r"“[^”]*”")
NAME = re.compile(r"\b\w+\(\w+=[\d.]+\)")  # of a measure, as one types it
SECTION = re.compile(r"\b(?:seção|section) \d+\.\d+")  # of a book
CODE = {"code", "annotation", "script", "style", "textarea"}
HEARD = ("alt", "aria-label", "title")
ASKED = ("question", "options", "hints", "why", "comments")  # of a question in a page
EMPTY = {"br", "img", "meta", "link", "input", "hr", "wbr", "source"}


class Read(HTMLParser):
    """What a page says outside code: a list of texts, each a cell or what stands between tags."""

    def __init__(self, html):
        super().__init__()
        self.open, self.texts, self.cells = [], [], []
        self.place = 0  # of a cell in its row
        self.feed(html.replace("\N{WORD JOINER}", ""))

    def handle_starttag(self, tag, attrs):
        of = dict(attrs)
        self.texts += [of[name] for name in HEARD if of.get(name)]
        if state := of.get("data-live"):
            fixed = json.loads(state).get("fixed", {})
            self.texts += [*strings([fixed.get(name) for name in ASKED])]
        if tag in EMPTY:
            return
        self.open.append((tag, (of.get("class") or "").split()))
        self.place = 0 if tag == "tr" else self.place + (tag in ("td", "th"))
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, text):
        tags = {tag for tag, _ in self.open}
        if tags & CODE or any("code" in classes for _, classes in self.open):
            return
        if tags & {"td", "th"}:
            of_record = any("record" in classes for _, classes in self.open)
            # the second cell has what a document prints
            self.cells[-1] += "" if of_record and self.place == 2 else text
        else:
            self.texts.append(text)


def strings(held):
    if isinstance(held, str):
        yield held
    elif isinstance(held, list | dict):
        for each in held.values() if isinstance(held, dict) else held:
            yield from strings(each)


@pytest.fixture(scope="module")
def foreign():
    """What is English wherever it is shown: titles of papers, and questions about them."""
    said = set()
    for name, column in (("titles", "title"), ("queries", "text")):
        with (DATA / f"cranfield-{name}.csv").open(encoding="utf-8", newline="") as file:
            said |= {row[column] for row in csv.DictReader(file)}
    return sorted(filter(NUMBER.search, said), key=len, reverse=True)


def numbers(html, foreign=()):
    """The numbers with a mark that a page says, and how many cells it has."""
    read = Read(html)
    found = []
    for text in read.texts + read.cells:
        for title in foreign:
            text = text.replace(title, " ")
        text = SECTION.sub(" ", NAME.sub(" ", QUOTED.sub(" ", text)))
        found += [(number, text.strip()[:90]) for number in NUMBER.findall(text)]
    return found, len(read.cells)


def as_python_has_it(ours, theirs):
    """Those of our numbers that are written as in English."""
    english = {number for number, _ in theirs}
    turned = str.maketrans(".,", ",.")
    for number, where in ours:
        if THOUSANDS.fullmatch(number):  # either kind: that of the same number in English
            if number.translate(turned) not in english:
                yield number, where
        elif "." in number.partition(",")[2] or re.fullmatch(r"\d+\.\d+", number):
            yield number, where


def test_no_number_of_a_page_is_written_as_in_english(editions, foreign):
    n_cells = 0
    for path in sorted((editions / "pt").glob("*.html")):
        theirs, _ = numbers((editions / path.name).read_text(encoding="utf-8"), foreign)
        ours, cells = numbers(path.read_text(encoding="utf-8"), foreign)
        assert [*as_python_has_it(ours, theirs)] == [], path.name
        n_cells += cells
    assert n_cells > 4000


def test_what_a_lesson_prints_and_draws_is_there_in_portuguese(editions):
    """A mean that is printed, a table, an option and what stands above a figure."""
    for name, said in {
        "06-why-tools-disagree": ("= 0,2889", "= 0,333", "0,9675"),
        "07-what-would-chance-get": ("1.240", "0,2001"),
        "tracin-real-data": ("30.000 e 10.000", "17,37<"),
        "02-mean-reciprocal-rank": ("MRR = 0,2500", "250,75"),
        "tourist-spots": ("média 0,7076", "0,6667: "),
        "documented-values": ("1/2 = 0,5000", "0,3854", "43.000/529 = 81,29"),
    }.items():
        html = (editions / "pt" / f"{name}.html").read_text(encoding="utf-8")
        assert [each for each in said if each not in html] == [], name
