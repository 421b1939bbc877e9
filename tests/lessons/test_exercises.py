"""The lessons' questions: right answers are right, known slips get their own comment."""

import re
from fractions import Fraction
from itertools import permutations

import nbformat
import pytest

from byhand import average_precision, read_run
from byhand.widgets.prediction.answers import Answer, Number, Order
from helpers import check, exercises, open_answers, worked_example
from helpers.exercises import Reply, asked, boxed
from helpers.places import DATA
from helpers.questions import question_of, questions
from helpers.site import course_notebooks

LESSONS = course_notebooks()
ASKED = {name: each.answer for name, each in questions().items() if isinstance(each.answer, Answer)}
SLIPS = [(name, slip) for name, answer in ASKED.items() for slip in answer.slips]


def summed(ranks):
    """The precisions at hits, added up."""
    return sum(nth / rank for nth, rank in enumerate(ranks, start=1))


@pytest.mark.parametrize("name", [name for name, each in ASKED.items() if isinstance(each, Number)])
def test_a_number_is_right_rounded_or_not_and_any_that_is_no_slip_gets_the_hint(name):
    answer = ASKED[name]
    exact = float(answer.answer)
    for given in (answer.answer, exact, round(exact, 3)):
        assert not answer.refused(given)
        assert answer.is_right(answer.read(given))
    assert answer.comment(-17.5, n=1) == answer.hints[0]
    for given in ("a half", "1/0", [1], True, float("nan")):
        assert answer.refused(given)


@pytest.mark.parametrize(("name", "slip"), SLIPS)
def test_a_slip_can_be_made_is_wrong_and_gets_its_comment(name, slip):
    answer = ASKED[name]
    guesses = [slip]
    if isinstance(answer, Order):
        guesses = map(list, permutations(answer.answer))
    said = [
        answer.comment(read, n=1)
        for guess in guesses
        if not answer.is_right(read := answer.read(guess))
    ]
    assert any(each.endswith(answer.slips[slip]) for each in said)


TODAY, SOUPS = worked_example("cooking", "tomato soup")["today"]
# as answers.toml has one that any answer may meet, and one that is a function
ENTRIES = {
    "open": {
        "begins": "answer = None  # two lists",
        "form": "two lists",
        "must": {
            "two": "Give two lists.",
            "gap": "Let the first win: AP is {ap[0]:.2f} and {ap[1]:.2f}.",
            "x": "Keep the x.",
        },
        "why": "AP is {gap:.2f} higher.",
        "second_hint": "Begin with a.",
    },
    "task": {"begins": "def f(): ...", "second_hint": "Sum."},
}


def two_lists(answer):
    """What an open exercise may ask of an answer."""
    ap = [average_precision(list(each), ["a", "b"]) for each in answer]
    gap = ap[0] - ap[1]
    return {"two": len(answer) == 2, "gap": gap > 0, "x": "x" in answer[0]}, {"ap": ap, "gap": gap}


@pytest.fixture(autouse=True)
def begun(monkeypatch):
    """A kernel that has seen no answer yet, and what decides on entries to answer in Python."""
    exercises.forget()
    monkeypatch.setitem(open_answers.LOOKS, "open", two_lists)
    monkeypatch.setitem(open_answers.JUDGES, "task", open_answers.is_ap)


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("01-a", ["salad", "tart"], "Write a list with each of these 8 items once"),
        ("01-a", [*TODAY[::-1]], "Not yet. Which items can come before"),
        ("01-a", [*sorted(TODAY, key=SOUPS.__contains__)], "Right: Five items are not soups."),
        ("open", ["abx", "xab"], "Right: AP is 0.42 higher."),
        ("open", ["xab", "abx"], "Not yet. Let the first win: AP is 0.58 and 1.00."),
        (
            "open",
            ["a", "b", "x"],
            "Not yet. Give two lists. Let the first win: AP is 0.50 and 0.50. Keep",
        ),
        ("open", 7, "The answer should be two lists. Reading yours ended in TypeError: 'int'"),
        ("open", ["ab", "aa"], "DataError: "),
        ("03-b", lambda ranks, n: None, "No answer yet: my_ap([2, 3, 6], 5) returns None."),
        ("03-b", lambda ranks, n: "0.7", "It should return a number."),
        ("03-b", lambda ranks, n: ranks[0] / n, "expected 0.333333. The i-th hit"),
        ("03-b", lambda ranks, n: 1 / 0, "ZeroDivisionError"),
        ("03-b", lambda ranks, n: sum(1 / r for r in ranks) / n, "Count the hits so far"),
        ("03-b", lambda ranks, n: summed(ranks) / len(ranks), "Who is missing?"),
        ("03-b", lambda ranks, n: summed(ranks) / n, "Right: it agrees on today's tomato soup"),
        ("03-b", 0.7, "Pass the function itself"),
        *(("08-c", given, "Right: 800. Half") for given in (737, 774, 790, 800)),
        ("02-b", 0.375, "Right: 3/8 = 0.3750. 50 queries"),
        ("04-a", "7", "Right: 7. 1 / log₂(7 + 1) is 1/3"),
        ("04-b", "D", "Not yet. That gives 0.751"),
        ("04-c", ["minestrone", "gazpacho", "bisque"], "0.534"),
        ("08-c", 700, "square root"),  # what the rounded figures give is taken
    ],
)
def test_what_check_says(name, given, said, monkeypatch):
    for kind, entry in ENTRIES.items():
        monkeypatch.setitem(questions(), kind, question_of(kind, entry))
    assert said in check(name, given).text


class TestCheck:
    def test_a_wrong_answer_gets_a_hint_another_the_second_and_each_the_same_ever_after(
        self,
    ):
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

    def test_an_open_exercise_says_what_is_not_met_and_the_way_to_a_second_wrong_answer(
        self, monkeypatch
    ):
        monkeypatch.setitem(questions(), "open", question_of("open", ENTRIES["open"]))
        assert boxed("open") is None  # a page cannot check it
        assert check("open", 7).tone == ""
        assert check("open", ["ab", "x"]) == Reply("Not yet. Keep the x.", "warn")
        second = "Not yet. Keep the x. Begin with a."
        assert check("open", ["ba", "x"]) == Reply(second, "warn", exercises.THE_WAY)
        assert asked("open").endswith('# two lists\n\ncheck("open", answer)')

    @pytest.mark.missing_queries
    def test_what_makes_mrr_higher_and_ndcg_lower_has_to_do_both_and_keep_the_recipes(self):
        old = read_run(DATA / "sample-old.txt.gz")
        by_mrr, by_ndcg = "MRR goes from 0.535 to 0.535.", "Mean nDCG@10 goes from 0.289 to 0.289."
        said = check("05-open", old).text
        assert by_mrr in said
        assert by_ndcg in said
        upside_down = check("05-open", old.assign(score=-old["score"])).text
        assert "nDCG" not in upside_down
        assert "What does RR depend on?" in upside_down
        assert (
            "of the old 20,000 rows you have 50, and 50 in all" in check("05-open", old[:50]).text
        )
        assert check("05-open", old[["query_id"]]).tone == ""

    @pytest.mark.parametrize("given", [None, "a third", (0, 5), 0.254])
    def test_what_is_no_answer_is_no_try(self, given):
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
    assert "<script" not in html
    assert html.startswith("✓ 1 &lt; 2\n")  # what JupyterLab shows of it where it is folded
    dark = '[data-jp-theme-light="false"] :has(> .rm-answer) { color-scheme: dark; }'
    assert dark in html


def test_every_question_is_asked_in_its_lesson_and_an_exercise_as_it_is_committed():
    cells = [
        (path.name, cell) for path in LESSONS for cell in nbformat.read(path, as_version=4).cells
    ]
    coded = [
        cell.source
        for _, cell in cells
        if "exercise" in cell.metadata.get("tags", []) and not re.search(r"\bask\(", cell.source)
    ]
    names = [re.search(r'check\("([^"]+)"', source)[1] for source in coded]
    assert coded == [asked(name) for name in names]
    found = {
        name
        for file, cell in cells
        for name in re.findall(r'(?:ask|check|predict)\(\s*"([^"]+)"', cell.source)
        if file.startswith(name[:2])
    }
    assert found == set(questions())
