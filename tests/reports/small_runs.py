"""Runs small enough to reckon with, and what a report shows of them."""

import re
from html import unescape
from pathlib import Path

import pandas as pd

from byhand import report

DATA = Path(__file__).parents[2] / "data"
NEW, OLD, QRELS = (DATA / f"sample-{name}" for name in ("new.txt.gz", "old.txt.gz", "qrels.csv"))


def write(path, frame):
    frame.to_csv(path, index=False)
    return path


def frame(rows, *names):
    return pd.DataFrame(rows, columns=["query_id", "doc_id", *names])


def ranked(*ranks):
    """A run and its qrels: in each query the relevant item stands at the rank given."""
    rows = [
        (f"q{n}", "D" if place == rank else f"x{place}", -place)
        for n, rank in enumerate(ranks)
        for place in range(1, 10)
    ]
    qrels = [(f"q{n}", "D", 1) for n in range(len(ranks))]
    return frame(rows, "score"), frame(qrels, "relevance")


def report_at(*ranks, measures="RR", **options):
    """A report on a, b and so on, whose relevant items stand at these ranks."""
    return report_on(
        *(ranked(*each)[0] for each in ranks),
        qrels=ranked(*max(ranks, key=len))[1],
        measures=measures,
        **options,
    )


def report_on(*runs, qrels=None, measures=("AP", "RR"), **options):
    """A report on runs, called a, b and so on."""
    named = dict(zip("abcdefgh", runs, strict=False))
    return report(named, qrels, measures=measures, **options)


def html_of(found, name):
    return found.section(name).html


def text_of(html):
    """What HTML says, in one line."""
    text = re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(text).split())


def rows_of(found, name, kind="dt"):
    """The cells of the tables of a kind in a section, row by row, without their heads."""
    tables = re.findall(rf'<table class="{kind}.*?</table>', html_of(found, name), re.DOTALL)
    inside = re.sub(r"<(thead|tfoot)>.*?</\1>", "", "".join(tables), flags=re.DOTALL)
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", inside, re.DOTALL)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]
    return [
        [text_of(each) for each in row] for row, html in zip(cells, rows, strict=True)
        if "<td" in html
    ]  # fmt: skip
