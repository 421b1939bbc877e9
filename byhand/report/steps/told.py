"""What a step of lesson 10 says when it stops: one paragraph, in the lesson's own words."""

import re
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from byhand.errors import DataError, one_line

Given = ParamSpec("Given")
Result = TypeVar("Result")

# what a reader of files says to a program, and what it is in the lesson
_WORDS = {
    r"read_(run|qrels) reads those": r"such a file goes into \1",
    r"Read it with read_(run|qrels)": r"Name it in \1",
    r": read_run for (.+?), read_qrels for (.+?)\.": r": put \1 into run, and \2 into qrels.",
    r"say relevance=1\b": "say qrels_columns = {'relevance': 1}",
}
_LEADS = {"pass, for example,": "write, for example,", "pass": "write"}


class OwnDataError(DataError):
    """What is wrong with a user's data, shown by Jupyter without the way that the code took."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def told(step: Callable[Given, Result]) -> Callable[Given, Result]:
    """A step whose complaints name the lesson's variables, and come without a traceback."""

    @wraps(step)
    def asked(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            return step(*args, **kwargs)
        except DataError as error:
            raise OwnDataError(in_lesson(error)) from None

    return asked


def in_lesson(error: DataError) -> str:
    """A complaint in the words of someone who runs the lesson.

    Example:
        >>> named = {"columns": {"sim": "score"}, "table": "run"}
        >>> in_lesson(DataError("No score. If 'sim' is it, pass", **named))
        "No score. If 'sim' is it, write run_columns = {'sim': 'score'} in the cell with the names \
of the files, and run all cells again."
    """
    message = one_line(error.message)
    for theirs, ours in _WORDS.items():
        message = re.sub(theirs, ours, message)
    if error.table:
        message = re.sub(r"\bcolumns=(?=[ ,])", f"{error.table}_columns", message)
        message = re.sub(r"\bcolumns=", f"{error.table}_columns=", message)
    if not error.ways:
        return message
    lead = next((lead for lead in _LEADS if message.endswith(f" {lead}")), "")
    message = message.removesuffix(lead) + _LEADS.get(lead, "")
    named = " or ".join(f"{error.table}_columns = {way}" for way in error.ways)
    return f"{message} {named} in the cell with the names of the files, and run all cells again."
