"""The lessons' questions: right answers are right, known slips get their own comment."""

import re
from fractions import Fraction
from itertools import permutations

import nbformat
import pytest

from byhand import read_qrels, read_run
from byhand.widgets.prediction.answers import Answer, Number, Order
from helpers import check, exercises, worked_example
from helpers.exercises import Reply, asked, boxed
from helpers.places import DATA
from helpers.questions import questions
from helpers.site import course_notebooks

ASKED = {name: each.answer for name, each in questions().items() if isinstance(each.answer, Answer)}
NUMBERS = {name: answer for name, answer in ASKED.items() if isinstance(answer, Number)}
SLIPS = [(name, slip) for name, answer in ASKED.items() for slip in answer.slips]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_right_rounded_or_not_and_any_that_is_no_slip_gets_the_hint(name):
    answer = NUMBERS[name]
    for given in (answer.answer, float(answer.answer), round(float(answer.answer), 3)):
        assert not answer.refused(given)
        assert answer.is_right(answer.read(given))
    assert answer.comment(-17.5, n=1) == answer.hints[0]
    for given in ("a half", "1/0", [1], True, float("nan")):
        assert answer.refused(given)


@pytest.mark.parametrize(("name", "slip"), SLIPS)
def test_a_slip_can_be_made_is_wrong_and_gets_its_comment(name, slip):
    answer = ASKED[name]
    guesses = permutations(answer.answer) if isinstance(answer, Order) else [slip]
    wrong = [read for each in guesses if not answer.is_right(read := answer.read(each))]
    assert any(answer.comment(each, n=1).endswith(answer.slips[slip]) for each in wrong)


def summed(ranks):
    """The precisions at hits, added up."""
    return sum(nth / rank for nth, rank in enumerate(ranks, start=1))


TODAY, SOUPS = worked_example("cooking", "tomato soup")["today"]
JUDGED = read_qrels(DATA / "cranfield-qrels.csv")
HITS = JUDGED[JUDGED["relevance"] > 0]


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("01-a", ["salad", "tart"], "Write a list with each of these 8 items once"),
        ("01-a", [*TODAY[::-1]], "Not yet. Which items can come before"),
        ("01-a", [*sorted(TODAY, key=SOUPS.__contains__)], "Right: Five items are not soups."),
        ("02-b", 0.375, "Right: 3/8 = 0.3750. 50 queries"),
        ("03-b", lambda ranks, n: None, "No answer yet: my_ap([2, 3, 6], 5) returns None."),
        ("03-b", lambda ranks, n: "0.7", "It should return a number."),
        ("03-b", lambda ranks, n: ranks[0] / n, "expected 0.333333. The i-th hit"),
        ("03-b", lambda ranks, n: 1 / 0, "ZeroDivisionError"),
        ("03-b", lambda ranks, n: sum(1 / r for r in ranks) / n, "Count the hits so far"),
        ("03-b", lambda ranks, n: summed(ranks) / len(ranks), "Who is missing?"),
        ("03-b", lambda ranks, n: summed(ranks) / n, "Right: it agrees on today's tomato soup"),
        ("03-b", 0.7, "Pass the function itself"),
        ("04-a", "7", "Right: 7. 1 / log₂(7 + 1) is 1/3"),
        ("04-b", "D", "Not yet. That gives 0.751"),
        ("04-c", ["minestrone", "gazpacho", "bisque"], "0.534"),
        # what the rounded figures give is taken
        *(("08-c", given, "Right: 800. Half") for given in (737, 774, 790, 800)),
        ("08-c", 700, "square root"),
        ("09-open", HITS.head(61), "Not yet. These are 61 judgements. You may lose at most 60."),
        ("09-open", JUDGED[JUDGED["relevance"] == 0].head(1), "Only 0 of these 1 judge"),
        ("09-open", 7, "The answer should be a table with the columns query_id and doc_id"),
    ],
)
def test_what_check_says(name, given, said):
    assert said in check(name, given).text


def test_a_wrong_answer_gets_a_hint_another_the_second_and_each_the_same_ever_after():
    answer, way = ASKED["08-a"], exercises.THE_WAY
    first, second = answer.hints
    replies = {
        7: Reply(f"Not yet. {first}", "warn"),
        8: Reply(f"Not yet. {second}", "warn", way),
        "1/8": Reply(f"Not yet. {answer.slips['1/8']} {second}", "warn", way),
        "1/4": Reply(f"Right: 1/4 = 0.2500. {answer.why}", "good"),
    }
    for given, reply in [*replies.items()] * 2:
        assert check("08-a", given) == reply
    with pytest.raises(ValueError, match="There is no question '99-z'"):
        check("99-z", 1)


@pytest.mark.missing_queries
def test_what_makes_mrr_higher_and_ndcg_lower_has_to_do_both_and_keep_the_recipes():
    assert boxed("05-open") is None  # a page cannot check it
    old = read_run(DATA / "sample-old.txt.gz")
    assert check("05-open", old[["query_id"]]).tone == ""
    said = check("05-open", old)
    assert "MRR goes from 0.535 to 0.535." in said.text
    assert "Mean nDCG@10 goes from 0.289 to 0.289." in said.text
    assert said.more == ""
    upside_down = check("05-open", old.assign(score=-old["score"]))
    assert "nDCG" not in upside_down.text
    assert "What does RR depend on? Merge old_run with judged" in upside_down.text
    assert upside_down.more == exercises.THE_WAY
    few = check("05-open", old[:50]).text
    assert "of the old 20,000 rows you have 50, and 50 in all" in few


@pytest.mark.parametrize("given", [None, "a third", (0, 5), 0.254])
def test_what_is_no_answer_is_no_try(given):
    assert check("08-a", given).tone == ("" if given is None else "bad")
    assert check("08-a", 7).more == ""
    assert check("exam-2-4", 7).more == ""  # one question does not count for another


@pytest.mark.parametrize("name", [name for name in questions() if not name.endswith("-guess")])
def test_every_exercise_has_a_second_hint_that_does_not_give_the_answer(name):
    question = questions()[name]
    assert question.hints
    if isinstance(question.answer, Number):
        assert len(question.hints) == 2
        answer, hints = question.answer.answer, " ".join(question.hints)
        given = {f"{float(answer):.{digits}f}" for digits in (3, 4)} | {f"{float(answer):g}"}
        if isinstance(answer, Fraction) and answer.denominator > 1:
            given.add(str(answer))
        said = "|".join(map(re.escape, given))
        sums = r"(?:=|is|gives|get) " if float(answer).is_integer() else ""  # 1 is in any sum
        assert not re.search(rf"{sums}(?<![\d/.])(?:{said})(?![\d/]|\.\d)", hints)


def test_a_verdict_is_a_card_of_text_in_the_colours_of_the_widgets():
    html = Reply("1 < 2", "good", "a & b")._repr_mimebundle_()[0]["text/html"]
    assert re.sub(r"(?s)<style>.*</style>|<[^>]*>", "", html) == "✓ 1 &lt; 2\na &amp; b"
    assert html.startswith("✓ 1 &lt; 2\n")  # what JupyterLab shows of it where it is folded
    dark = '[data-jp-theme-light="false"] :has(> .rm-answer) { color-scheme: dark; }'
    assert dark in html


def test_every_question_is_asked_in_its_lesson_and_an_exercise_as_it_is_committed():
    found = set()
    for path in course_notebooks():
        for cell in nbformat.read(path, as_version=4).cells:
            names = re.findall(r'(?:ask|check|predict)\(\s*"([^"]+)"', cell.source)
            found |= {name for name in names if path.name.startswith(name[:2])}
            is_exercise = "exercise" in cell.metadata.get("tags", [])
            if is_exercise and not re.search(r"\bask\(", cell.source):
                assert cell.source == asked(names[0])
    assert found == set(questions())
