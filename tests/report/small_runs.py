"""Runs small enough to reckon with, and what a step of lesson 10 displays of them."""

from pathlib import Path

import pandas as pd
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

DATA = Path(__file__).parents[2] / "data"
NEW, OLD, QRELS = (DATA / f"sample-{name}" for name in ("new.txt.gz", "old.txt.gz", "qrels.csv"))


def shown(function, *arguments, **options):
    """What a call displays: its text, its HTML, how many pictures."""
    InteractiveShell.instance()
    with capture_output() as captured:
        function(*arguments, **options)
    bundles = [output.data for output in captured.outputs]
    texts = "\n".join(bundle.get("text/plain", "") for bundle in bundles)
    html = "\n".join(bundle.get("text/html", "") for bundle in bundles)
    return texts, html, sum("image/png" in bundle for bundle in bundles)


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
