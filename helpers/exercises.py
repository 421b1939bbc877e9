"""What a lesson calls to check a reader's answer."""

from helpers.answers import ANSWERS

_NO_ANSWER = "No answer yet: put yours in place of None and run the cell again."
_NO_GUESS = "No guess yet: put it in place of None further up, run that cell, and then this one."


def check(name: str, given: object = None) -> None:
    """Print whether an answer is right, and if it is not, a hint.

    Args:
        name: the question, as the lesson calls it, such as `"01-b"`.
        given: the reader's answer; None if there is none yet.

    Raises:
        ValueError: a question that does not exist.

    Example:
        >>> check("01-a")
        No answer yet: put yours in place of None and run the cell again.
    """
    if name not in ANSWERS:
        raise ValueError(f"There is no question {name!r}. The questions: {', '.join(ANSWERS)}.")
    if given is None:
        print(_NO_GUESS if name.endswith("-guess") else _NO_ANSWER)
        return
    right, comment = ANSWERS[name].judge(given)
    print(f"{'Right' if right else 'Not yet'}: {comment}" if comment else "Right.")
