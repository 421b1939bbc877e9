"""What students hand in, as one table: `python -m helpers answers FOLDER`."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from byhand.command_line import CommandParser, in_its_language
from byhand.figures import table_text
from byhand.files.writing import replacing
from byhand.words import N_
from helpers.hand_in import FORM, HEAD, MARK, entered
from helpers.questions import edition
from helpers.translation import LessonError, gettext as _

_BEGINS = f'{{"{MARK}"'


@dataclass(frozen=True)
class Answered:
    """What one student did with one question."""

    tries: Sequence[object]
    right: int | None  # at which try
    shown: bool
    skipped: bool

    @property
    def word(self) -> str:
        """What stands in the table."""
        if self.shown:
            return "shown"
        if self.right:
            return str(self.right)
        return "wrong" if self.tries else "skipped" if self.skipped else ""

    @property
    def wrong(self) -> Iterator[str]:
        """The wrong tries, as they were entered."""
        yield from map(entered, self.tries[: None if self.right is None else self.right - 1])


@dataclass(frozen=True)
class HandedIn:
    """One file: what one student did with one lesson."""

    path: Path
    lesson: str
    edition: str
    name: str
    when: str
    answers: dict[str, Answered]

    @property
    def student(self) -> str:
        """Who it is from: a name as it was typed, or the file where there is none."""
        return " ".join(self.name.casefold().split()) or f"/{self.path}"


def read_handed_in(path: Path) -> HandedIn:
    """The file at `path`, or a text in which it stands.

    Raises:
        LessonError: it is damaged, of another form, or something else.
    """
    found = _object_in(_text_of(path))
    form = found.get(MARK)
    if form != FORM:
        raise LessonError(
            "it is of form {form!r}, and this kit reads form {ours}. Read it with the kit that "
            "made its page, or let the student open the lesson again, on a page of this one.",
            form=form,
            ours=FORM,
        )
    try:
        answers = {
            str(each["question"]): Answered(
                list(each["tries"]),
                None if each["right"] is None else int(each["right"]),
                bool(each["shown"]),
                bool(each["skipped"]),
            )
            for each in found["answers"]
        }
        said = [str(found[key]) for key in ("lesson", "edition", "name", "when")]
    except (KeyError, TypeError, ValueError) as error:
        raise LessonError(
            "it is damaged: {kind}: {error}. Ask for it anew.",
            kind=type(error).__name__,
            error=error,
        ) from None
    return HandedIn(path, *said, answers)


def _text_of(path: Path) -> str:
    content = path.read_bytes()
    for encoding in ("utf-8-sig", "utf-16"):
        try:
            return content.decode(encoding)
        except UnicodeError:
            continue
    raise LessonError("it is no text. Ask for what the page copies or saves.")


def _object_in(text: str) -> dict[str, object]:
    """What a page saved, or the last line of what it copied."""
    begins = text.rfind(_BEGINS)
    text = text[begins:] if begins >= 0 else text.strip()
    try:
        # a mail may have broken the line
        found, _end = json.JSONDecoder(strict=False).raw_decode(text)
    except ValueError:
        found = None
    if isinstance(found, dict) and MARK in found:
        return found
    if MARK in text:
        raise LessonError("it is damaged: its last line does not end. Ask for it anew.")
    raise LessonError(
        "no answers of a lesson stand in it. Ask for all that “Copy my answers” copies, to the "
        "last line, or for the file that the button beside it saves."
    )


def handed_in(folder: Path, lesson: str | None = None) -> tuple[list[HandedIn], list[str]]:
    """What the files of a folder hold, the latest of each student and lesson; and what is left out.

    Args:
        folder: where they are; folders in it are read, too.
        lesson: the only one to take, say `05-choosing-a-metric`, or how its name begins.
    """
    latest: dict[tuple[str, str], HandedIn] = {}
    said = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix.casefold() not in (".json", ".txt"):
            continue
        try:
            found = read_handed_in(path)
        except LessonError as error:
            told = _("{file} is left out: {why}")
            said.append(told.format(file=path.relative_to(folder), why=error.spoken()))
            continue
        if lesson and not found.lesson.startswith(lesson):
            told = _("{file} is left out: it is of lesson {lesson}.")
            said.append(told.format(file=path.relative_to(folder), lesson=found.lesson))
            continue
        key = (found.student, HEAD.match(found.lesson)[0])
        one, other = sorted([latest.get(key, found), found], key=lambda each: each.when)
        latest[key] = other
        if one is not other:
            told = _("{file} is left out: {other} is of the same student, and later.")
            files = {"file": one.path, "other": other.path}
            said.append(
                told.format(**{name: each.relative_to(folder) for name, each in files.items()})
            )
    return list(latest.values()), said


def table_of(found: Iterable[HandedIn], *, names: bool = False) -> pd.DataFrame:
    """One row a student, one column a question; who it is only with `names`."""
    rows: dict[str, dict[str, str]] = {}
    for each in found:
        name = _as_text(each.name or each.path.name)
        row = rows.setdefault(each.student, {"name": name} if names else {})
        row |= {_as_text(asked): answered.word for asked, answered in each.answers.items()}
    table = pd.DataFrame(list(rows.values())).fillna("")
    table.insert(0, "student", range(1, len(table) + 1))
    first = (table.drop(columns=["student", "name"], errors="ignore") == "1").sum(axis=1)
    table.insert(2 if names else 1, "right at first try", first)
    return table


def _as_text(said: str) -> str:
    """What a spreadsheet takes for no formula, whatever a student has typed."""
    return f"'{said}" if said.startswith(("=", "+", "-", "@", "\t", "\r")) else said


def understood(found: Iterable[HandedIn]) -> list[tuple[str, ...]]:
    """Of each question, the least understood first: how many were right, and the usual mistake."""
    by_question: dict[str, list[Answered]] = {}
    for each in found:
        for question, answered in each.answers.items():
            if answered.word:
                by_question.setdefault(question, []).append(answered)
    rows = []
    for question, answers in by_question.items():
        words = [answered.word for answered in answers]
        share = words.count("1") / len(words)
        wrong = Counter(each for answered in answers for each in answered.wrong).most_common(1)
        most = f"{wrong[0][0]} ({wrong[0][1]})" if wrong else "–"
        in_the_end = sum(map(str.isdigit, words)) / len(words)
        row = (question, str(len(words)), f"{share:.0%}", f"{in_the_end:.0%}", most)
        rows.append((share, row))
    return [row for _share, row in sorted(rows, key=lambda each: each[0])]


def _other_editions(found: Iterable[HandedIn]) -> Iterator[str]:
    for each in found:
        if edition(each.answers) != each.edition:
            said = _(
                "{file} was answered on another edition of {lesson}: its questions may have been "
                "other ones."
            )
            yield said.format(file=each.path.name, lesson=each.lesson)


_DESCRIPTION = N_("""\
Make one table of what students hand in.

The folder holds what they saved or copied from the end of a page, a file each, in folders of its
own if need be. The table has a row for each student and a column for each question: at which try
the answer was right, or `wrong`, `shown` (the reader saw the answer first), `skipped`; empty where
there is none. What was least understood is printed. All of it is what the readers' own browsers
say: it shows what to talk about, and proves nothing.
""")


@in_its_language
def main(arguments: list[str] | None = None) -> int:
    """Write the table, and say what was not understood and what is left out."""
    made = CommandParser("python -m helpers answers", _(_DESCRIPTION))
    made.add_argument("folder", type=Path, metavar="FOLDER", help=_("what students handed in"))
    made.add_argument("--lesson", metavar="LESSON", help=_("take this one only, say 05"))
    made.add_argument("--names", action="store_true", help=_("write names into the table, too"))
    made.add_argument(
        *("-o", "--output"),
        type=Path,
        default=Path("answers.csv"),
        metavar="FILE.csv",
        help=_("the table to write (default: answers.csv)"),
    )
    made.add_language()
    given = made.parse_args(arguments)
    found, said = handed_in(given.folder, given.lesson)
    for line in said:
        print(line, file=sys.stderr)
    if not found:
        none = _(
            "{folder} holds no answers: no file in it that ends in .json or .txt has any. Students "
            "get theirs at the end of a page, under “Hand in your answers”."
        )
        print(none.format(folder=given.folder), file=sys.stderr)
        return 2
    for line in _other_editions(found):
        print(line, file=sys.stderr)
    table = table_of(found, names=given.names)
    with replacing(given.output) as new:
        table.to_csv(new, index=False, encoding="utf-8-sig")  # as a spreadsheet expects it
    columns = [
        *(_("question"), _("students"), _("right at once"), _("in the end")),
        _("commonest wrong answer"),
    ]
    print(table_text(columns, understood(found)))
    wrote = _("Wrote {file}. It is what the browsers of the class say, and no proof.")
    print(f"\n{wrote.format(file=given.output)}")
    return 0
