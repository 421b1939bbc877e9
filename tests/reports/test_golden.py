"""What the pages of reports say, in each language, as a reviewer reads it in a diff.

`PYTHONPATH=.:tests:tests/reports python tests/reports/test_golden.py` writes the texts again.
"""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from small_runs import ranked, report_at, report_on

from byhand.reports.number_text import made_with
from byhand.words import languages

FOLDER = Path(__file__).parent / "golden"
RNG = np.random.default_rng(0)
NEAR, FAR = RNG.integers(1, 4, 40).tolist(), RNG.integers(2, 6, 40).tolist()
BOTH = {"measures": ["RR", "P@3"]}
BLOCKS = re.compile(
    r"</?(p|div|h1|h2|h3|li|tr|summary|details|caption|figcaption|dt|section)\b[^>]*>"
)
# a row of a table and a ranking are a line each
LINES = re.compile(r"<(tr|ol)\b.*?</\1>", re.DOTALL)


def one(language):
    return report_at(NEAR, **BOTH, language=language)


def two(language):
    """Ties, queries without an answer, unjudged items, groups, and a difference that matters."""
    run = ranked(*NEAR)[0]
    judged = run.drop(columns="score").assign(relevance=0)
    judged.loc[judged["doc_id"] == "D", "relevance"] = 1
    other = ranked(*FAR)[0].replace({"doc_id": {"x9": "y9"}})
    tied = other.assign(score=other["score"].clip(upper=-2))
    gone = tied[~tied["query_id"].isin(["q3", "q8"])]
    options = {"measures": ["nDCG@10", "RR"], "matters": 0.02, "language": language}
    options["groups"] = {f"q{n}": "ko" if n % 3 else "en" for n in range(36)}
    return report_on(run, gone, qrels=judged, **options)


def five(language):
    shifted = ([rank + shift for rank in NEAR] for shift in (3, 0, 1, 2, 4))
    return report_at(*shifted, **BOTH, language=language)


REPORTS = {each.__name__: each for each in (one, two, five)}


def text_of(found):
    """The words of a page, a line a block."""
    html = re.sub(r"<(style|script|footer)\b.*?</\1>", "", found.html(), flags=re.DOTALL)
    html = LINES.sub(lambda line: "\n" + " ".join(BLOCKS.sub(" ", line[0]).split()) + "\n", html)
    html = BLOCKS.sub("\n", re.sub(r"</t[dh]>", " | ", html))
    lines = (" ".join(re.sub(r"<[^>]*>", "", line).split()) for line in html.splitlines())
    text = "\n".join(filter(None, lines))
    return unescape(text).replace(made_with(), "ranking-metrics-by-hand") + "\n"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", REPORTS)
def test_a_page_says_what_it_said(name, language):
    wanted = (FOLDER / f"{name}.{language}.txt").read_text(encoding="utf-8")
    assert text_of(REPORTS[name](language)) == wanted


if __name__ == "__main__":
    for name, made in REPORTS.items():
        for language in languages():
            path = FOLDER / f"{name}.{language}.txt"
            path.write_text(text_of(made(language)), encoding="utf-8")
