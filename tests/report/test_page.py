"""What a reader sees first on the page that the command writes, whatever the data are like."""

import json
import re
from html import unescape

import numpy as np
import pytest
from small_runs import frame, write

from byhand.reports.command import main

RNG = np.random.default_rng(0)


def text_of(html):
    return unescape(re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL))


def at_ranks(ranks, n=9):
    """A run of n items in which the one relevant item of each query, D, is at the rank given."""
    rows = [
        (f"q{query:02}", "D" if place == rank else f"x{place}", -place)
        for query, rank in enumerate(ranks)
        for place in range(1, n + 1)
    ]
    return frame(rows, "score")


def judged(n, relevant=None, *, zeros=True):
    """Qrels of n queries, of which so many have a relevant item; the others, and x1, are judged."""
    relevant = n if relevant is None else relevant
    rows = [(f"q{q:02}", "D", int(q < relevant)) for q in range(n)]
    rows += [(f"q{q:02}", f"x{place}", 0) for q in range(n) for place in range(1, 12) if zeros]
    return frame(rows, "relevance")


def two(mine, theirs, n=9, **qrels):
    return [at_ranks(mine, n), at_ranks(theirs, n)], judged(len(mine), **qrels)


NEAR, FAR = RNG.integers(1, 4, 60), RNG.integers(4, 8, 60)
DEEP = RNG.integers(90, 190, 60)
CASES = {
    "two": (two(NEAR, FAR), []),
    "turned": (two(FAR, NEAR), []),
    "tracin": (
        two(DEEP, DEEP + RNG.integers(-20, 20, 60), 500),
        ["--measures", "RR", "--matters", "0.02"],
    ),
    "one query": (two([2], [1]), []),
    "positive only": (two(NEAR, FAR, zeros=False), ["--measures", "P@3", "RR"]),
    "nothing relevant": (two(NEAR, FAR, relevant=45), []),
    "five": (
        ([at_ranks(NEAR + shift) for shift in (3, 0, 1, 2, 4)], judged(60)),
        ["--all-pairs", "--measures", "RR", "AP"],
    ),
}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page on a case: its HTML, the text of its first screen, and the JSON beside it."""
    made = {}

    def make(case):
        if case not in made:
            (runs, qrels), options = CASES[case]
            folder = tmp_path_factory.mktemp("page")
            named = dict(zip("abcde", runs, strict=False))
            files = [write(folder / f"{name}.csv", run) for name, run in named.items()]
            target, numbers = folder / "report.html", folder / "all.json"
            typed = [files[0], "--qrels", write(folder / "qrels.csv", qrels), "--against"]
            typed += [*files[1:], "-o", target, "--json", numbers, "-q", *options]
            assert main([str(each) for each in typed]) == 0
            html = target.read_text(encoding="utf-8")
            head = text_of(html.partition("<header>")[2].partition("</header>")[0])
            made[case] = html, " ".join(head.split()), json.loads(numbers.read_text())
        return made[case]

    return make


@pytest.mark.parametrize(
    ("case", "mark", "verb"), [("two", "▲ +", "higher"), ("turned", "▼ −", "lower")]
)
def test_a_difference_stands_in_the_row_of_the_system_that_it_is_about(page, case, mark, verb):
    html, head, _ = page(case)
    assert f"a is {verb} than b in nDCG@10." in head
    rows = re.findall(r'<tr><th scope="row".*?</tr>', html.partition("</header>")[0])
    a, b = (text_of(row) for row in rows)
    assert a.count(mark) == 3
    assert not re.search("[▲▼?+−]", b)


def test_digits_follow_the_size_of_what_they_say(page):
    _, head, numbers = page("tracin")
    mean = numbers["means"][0]
    assert mean["mean"] < 0.01
    assert f"{mean['mean']:.4f}" in head
    row = numbers["comparison"][0]
    assert 0 < abs(row["difference"]) < 0.001
    assert f"{row['difference']:+.5f}".replace("-", "−") in head
    # a number other than 0 shows a digit other than 0
    for found in re.findall(r"[+−]0\.0+\b", text_of(page("tracin")[0])):
        pytest.fail(f"{found} says nothing")


def test_what_would_matter_is_set_against_what_was_found(page):
    _, head, numbers = page("tracin")
    assert "The interval excludes the 0.02 that would matter, either way." in head
    assert numbers["matters"] == 0.02


def test_one_query_is_one(page):
    html, head, _ = page("one query")
    assert "Over 1 query, a gets" in head
    assert "1 queries" not in text_of(html)


def test_all_pairs_have_a_headline_about_the_highest(page):
    html, head, _ = page("five")
    assert "b is higher than a, c, d and e in RR." in head
    first = text_of(re.search(r'<tr><th scope="row".*?</tr>', html).group())
    assert "▼ −" in first  # a stands against b


def test_relevant_items_only_forbid_no_verdict(page):
    html, head, _ = page("positive only")
    assert "higher than b in P@3." in head
    assert "these judgements" not in head
    assert "Judged@" not in head
    assert "The qrels hold relevant items only." in text_of(html)


def test_many_queries_without_anything_relevant_are_said_at_once(page):
    assert (
        "15 of 60 judged queries have no relevant item; each of these counts 0"
        in (page("nothing relevant")[1])
    )
    assert "no relevant item" not in page("two")[1]


def test_a_list_to_drag_says_what_nobody_judged(page):
    def grades(case):
        found = re.findall(r"data-live='(.*?)'", page(case)[0])
        lists = [json.loads(unescape(each))["fixed"]["ranks"]["grades"] for each in found]
        return {grade for each in lists for grade in each.items()}

    rows = [f"x{place}" for place in range(1, 10)]
    assert grades("positive only") == {("D", 1), *((row, None) for row in rows)}
    assert grades("two") == {("D", 1), *((row, 0) for row in rows)}


def test_no_code_stands_before_the_first_heading(page):
    html = page("two")[0]
    assert "<summary>Code" not in html.partition("<h2")[0]
    assert "qrels = 'qrels.csv'" in " ".join(text_of(html).split())  # but the code is whole
