"""No answer can be read between its question and the next heading before it is given.

Read is what a notebook shows before it is run: text outside a closed `<details>`, outputs, and of a
folded output the line that JupyterLab shows of it. After Run All what is below an
open question is covered, up to the exercises (cover.js).
"""

import re
from fractions import Fraction

import nbformat
import pytest

from helpers.notebooks import live_state
from helpers.site import course_notebooks

HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)
DETAILS = re.compile(r"<details>.*?</details>", re.DOTALL)
UNSEEN = re.compile(r"<style.*?</style>|<details.*?</details>|<[^>]+>", re.DOTALL)
FOLDED = ("text/html", "image/svg+xml", "application/pdf", "text/markdown", "text/plain")
SENTENCE = re.compile(r"(?<=[.!?]) |\n|\|")
FILLERS = {"what", "which", "that", "this", "than", "with", "from", "have", "does", "many", "among"}


def answers(asked):
    """Patterns of the answer in all its spellings, and whether it is too short to stand alone.

    A name and a small whole number come up for many reasons: they tell in a sentence about what was
    asked, and elsewhere they are a rank, a grade, one system of several.
    """
    if asked["kind"] == "number":
        value = asked["answer"]
        exact, whole = Fraction(value).limit_denominator(1000), float(value).is_integer()
        spelled = {f"{int(value):,}"} if whole else {str(exact), f"{100 * value:.4g}%"}
        spelled |= {f"{value:g}", *(f"{value:.{n}f}" for n in (2, 3, 4))}
        pattern = "|".join(map(re.escape, sorted(spelled)))
        return [rf"(?<![\w./,@−-])({pattern})(?![\w/%]|[.,]\d)"], whole
    if asked["kind"] == "order":
        return [r"\W+(?:\w+\W+){0,2}?".join(map(re.escape, asked["answer"]))], False
    options = dict(zip(asked["keys"], asked["options"], strict=True))
    words = [options[key].removesuffix(".") for key in asked["answer"]]
    patterns = [rf"(?<![\w.@-]){re.escape(each)}(?![\w%@-])" for each in words]
    return patterns, all(len(each.split()) < 3 for each in words)


def content(text):
    """The words of a text that say what it is about."""
    words = re.findall(r"\w[\w@.]*\w", text.lower())
    return {word for word in words if len(word) > 3 or word[-1].isdigit()} - FILLERS


def below(cells):
    """What is seen up to the next heading while the question above is open."""
    for cell in cells:
        prose = DETAILS.sub("", cell.source) if cell.cell_type == "markdown" else ""
        above, *heading = HEADING.split(prose, maxsplit=1)
        yield re.sub(r"[*_`]", "", above)
        if heading:
            return
        if "predict" in cell.metadata.get("tags", ()):  # a question of its own
            continue
        folded = cell.metadata.get("jupyter", {}).get("outputs_hidden")
        for output in cell.get("outputs", ())[: 1 if folded else None]:
            data = output.get("data", {"text/plain": output.get("text", "")})
            text = data[next(kind for kind in FOLDED if kind in data)]
            lines = filter(str.strip, text.splitlines())
            yield next(lines, "") if folded else UNSEEN.sub(" ", text)


@pytest.mark.parametrize("path", course_notebooks(), ids=lambda path: path.stem)
def test_no_answer_stands_under_its_question(path):
    cells = nbformat.read(path, as_version=4).cells
    for place, cell in enumerate(cells):
        state = live_state(cell) or {}
        if state.get("view") != "prediction" or not state["covers"]:
            continue
        asked = state["fixed"]
        if asked.get("opinion"):  # no answer is wrong
            continue
        patterns, short = answers(asked)
        about = content(asked["question"]) - content(" ".join(asked.get("options", ())))
        for sentence in SENTENCE.split("\n".join(below(cells[place + 1 :]))):
            if not short or (sentence[-1:] != "?" and content(sentence) & about):
                told = [each for each in patterns if re.search(each, sentence, re.IGNORECASE)]
                assert not told, f"{asked['question']} … {sentence}"
