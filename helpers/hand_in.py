"""What a reader answered in a notebook, as a page says it, to give it to a teacher.

`hand_in.js` makes the same of a page, `handed_in.py` reads both.
"""

import json
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from byhand.words import N_
from helpers.exercises import answered, own_asked, tries_of
from helpers.places import NOTEBOOKS
from helpers.questions import edition, questions
from helpers.translation import gettext as _

MARK = "ranking-metrics-by-hand"  # with which the line that is read again begins
FORM = 1  # of that line
HEAD = re.compile(
    r"\d+|(?:exam|tracin)-[^-]+|[^-]*"
)  # of a lesson's name, with which its questions' begin
WORDS = {
    "right": N_("right at try {n} ({tries})"),
    "wrong": N_("not right yet ({tries})"),
    "skipped": N_("skipped"),
    "none": N_("no answer"),
    "shown": N_("– saw the answer"),
    "score": N_("Right at the first try: {first} of {of}"),
}


class Sheet:
    """What is handed in: its `repr` is the text, and its last line is read again."""

    def __init__(self, lesson: str, name: str) -> None:
        ours = [each for each in questions() if _is_of(each, lesson)]
        names = [*dict.fromkeys([*ours, *own_asked()])]
        answers = [{"question": each, **tries_of(each)} for each in names]
        self._made = {
            MARK: FORM,
            "lesson": lesson,
            "edition": edition(names),
            "name": name.strip(),
            "when": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "first": sum(each["right"] == 1 for each in answers),
            "of": len(answers),
            "answers": answers,
        }

    def __repr__(self) -> str:
        said = {key: _(words) for key, words in WORDS.items()}
        head = [self._made["lesson"], self._made["name"], said["score"].format(**self._made)]
        lines = [_line(each, said) for each in self._made["answers"]]
        return "\n".join([*filter(None, head), *lines, "", self.json])

    @property
    def json(self) -> str:
        """The last line, which is a file by itself, too."""
        return json.dumps(self._made, ensure_ascii=False, separators=(",", ":"))


def answers(name: str = "", *, file: str | Path | None = None) -> Sheet | None:
    """What was answered in this notebook, as a text to copy, for a teacher who asks for it.

    It is what the running kernel has seen: it shows what to talk about, and proves nothing.

    Args:
        name: a name or number, if the teacher asks for one.
        file: where to write it as a file, too, say `"ana.json"`.

    Example:
        >>> from helpers import check
        >>> said = check("05-a", "b")
        >>> print(str(answers("Ana")).partition("Right")[0])
        05-choosing-a-metric
        Ana
        <BLANKLINE>
    """
    asked = sorted(answered(), key=questions().__contains__)  # the last one, and best one of ours
    if not asked:
        print(_("Nothing has been answered since the notebook was started."))
        return None
    sheet = Sheet(_lesson_of(asked[-1]), name)
    if file:
        Path(file).write_text(sheet.json, encoding="utf-8")
    return sheet


def _lesson_of(question: str) -> str:
    """The lesson that a question is asked in, or how its name begins where none is there."""
    if question not in questions():  # the path of the notebook, from a server of notebooks
        return Path(os.environ.get("JPY_SESSION_NAME", "")).stem or question.partition("-")[0]
    lessons = (path.stem for path in sorted(NOTEBOOKS.glob("*.ipynb")))
    return next((each for each in lessons if _is_of(question, each)), HEAD.match(question)[0])


def _is_of(question: str, lesson: str) -> bool:
    """Whether its name begins as that of the lesson: 05-a, exam-1-a."""
    return question.startswith(f"{HEAD.match(lesson)[0]}-")


def entered(given: object) -> str:
    """A try as one reads it: an order by its items."""
    return " > ".join(map(str, given)) if isinstance(given, list) else str(given)


def _line(answer: Mapping[str, object], said: Mapping[str, str]) -> str:
    tries = " | ".join(map(entered, answer["tries"]))
    right = answer["right"]
    how = "right" if right else "wrong" if tries else "none"
    ends = f" {said['shown']}" * answer["shown"]
    return f"{answer['question']}: {said[how].format(n=right, tries=tries)}{ends}"
