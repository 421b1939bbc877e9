"""What students hand in, from a notebook, and what a folder of it says."""

import json

import pytest

from byhand.errors import DataError
from helpers import answers, check, exercises, predict
from helpers.handed_in import handed_in, main, read_handed_in, table_of, understood

OPTIONS = {"a": "1", "b": "2", "c": "3", "d": "4"}


@pytest.fixture
def fresh():
    """A kernel in which nothing has been answered."""
    exercises.forget()
    yield
    exercises.forget()


def made(**changes):
    answered = {"question": "05-a", "tries": ["a"], "right": 1, "shown": False, "skipped": False}
    whole = {
        "ranking-metrics-by-hand": 1,
        "lesson": "05-choosing-a-metric",
        "edition": "0",
        "name": "Ana",
        "when": "2026-01-02",
        "answers": [answered | changes.pop("answer", {})],
    }
    return json.dumps(whole | changes)


def test_of_a_notebook(fresh, tmp_path, capsys):
    assert answers() is None
    assert "Nothing has been answered" in capsys.readouterr().out
    prediction = predict("05-guess", "Which?", options=OPTIONS)
    prediction.commit("a")
    prediction.commit("c")
    check("05-a", "a")
    check("05-a", "a")
    check("05-a", "no letter of it")
    check("05-a", "b")
    check("05-a", "c")
    check("05-order-guess", None)
    sheet = answers("Ana", file=tmp_path / "ana.json")
    assert "\n05-guess: right at try 2 (a | c)\n05-a: right at try 2 (a | b)\n" in repr(sheet)
    assert "\n05-order-guess: no answer\n" in repr(sheet)
    (tmp_path / "mail.txt").write_text(f"Here:\n{sheet!r}\nAna", encoding="utf-8")
    for name in ("ana.json", "mail.txt"):
        found = read_handed_in(tmp_path / name)
        assert (found.lesson, found.name) == ("05-choosing-a-metric", "Ana")
        assert {each: answered.word for each, answered in found.answers.items()} == {
            "05-guess": "2",
            "05-a": "2",
            "05-order-guess": "",
            "05-fewer-guess": "",
            "05-open": "",
        }


def test_of_an_exam_and_of_a_question_that_is_open(fresh):
    check("exam-1-a", 17)
    asked = [each["question"] for each in json.loads(answers().json)["answers"]]
    assert len(asked) == 12
    assert all(each.startswith("exam-1-") for each in asked)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (made(**{"ranking-metrics-by-hand": 2}), "it is of form 2, and this kit reads form 1"),
        (made()[:-9], "it is damaged"),
        (made(answers=[{"question": "05-a"}]), "it is damaged: KeyError: 'tries'"),
        (made(answers=None), "it is damaged: TypeError"),
        (made(answer={"right": "soon"}), "it is damaged: ValueError"),
        ("a, b, b", "no answers of a lesson stand in it"),
        ("", "no answers of a lesson stand in it"),
        ("[1]", "no answers of a lesson stand in it"),
    ],
)
def test_what_cannot_be_read_says_so(text, said, tmp_path):
    path = tmp_path / "ana.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="(?s)" + said.replace("(", r"\(")):
        read_handed_in(path)


def test_bytes_and_marks_of_an_editor(tmp_path):
    for encoding in ("utf-8-sig", "utf-16"):
        (tmp_path / "ana.txt").write_text(made(name="Ana Sá"), encoding=encoding)
        assert read_handed_in(tmp_path / "ana.txt").name == "Ana Sá"
    (tmp_path / "ana.txt").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\xd8\x00\xdc\x01")
    with pytest.raises(DataError, match=r"no text|no answers"):
        read_handed_in(tmp_path / "ana.txt")


def test_the_latest_of_a_student_and_lesson_stays(tmp_path):
    for name, changes in {
        "1.json": {"when": "2026-01-03"},
        "2.json": {"name": " ana ", "lesson": "05", "answer": {"tries": ["b", "a"], "right": 2}},
        "3.json": {"lesson": "06-why-tools-disagree", "answer": {"question": "06-a"}},
        "4.json": {"name": "=1+1", "answer": {"tries": ["b"], "right": None}},
        "5.json": {"name": "", "answer": {"tries": [], "right": None, "skipped": True}},
        "6.json": {"name": "", "answer": {"tries": ["b", "a"], "right": 2, "shown": True}},
    }.items():
        (tmp_path / name).write_text(made(**changes), encoding="utf-8")
    found, said = handed_in(tmp_path)
    assert said == ["2.json is left out: 1.json is of the same student, and later."]
    table = table_of(found)
    assert [*table["05-a"]] == ["1", "wrong", "skipped", "shown"]
    assert [*table["06-a"]] == ["1", "", "", ""]
    assert [*table["right at first try"]] == [2, 0, 0, 0]
    assert [*table_of(found, names=True)["name"]] == ["Ana", "'=1+1", "5.json", "6.json"]
    assert understood(found) == [
        ("05-a", "4", "25%", "25%", "b (2)"),
        ("06-a", "1", "100%", "100%", "–"),
    ]
    assert len(handed_in(tmp_path, "05-choosing-a-metric")[0]) == 4
    found, said = handed_in(tmp_path, "06")
    assert [each.lesson for each in found] == ["06-why-tools-disagree"]
    assert "1.json is left out: it is of lesson 05-choosing-a-metric." in said


def test_another_edition_is_said(tmp_path, capsys):
    (tmp_path / "1.json").write_text(made(), encoding="utf-8")
    assert main([str(tmp_path), "-o", str(tmp_path / "answers.csv")]) == 0
    said = capsys.readouterr()
    assert "1.json was answered on another edition of 05-choosing-a-metric" in said.err
    assert "05-a 1 100% 100% –" in " ".join(said.out.split())
