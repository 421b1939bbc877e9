"""What stands on paper, where nothing moves: room for each answer, lists with their names and
ranks, the solutions on a sheet of their own, and a worksheet of the questions alone."""

import re
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from html import escape

from nbformat import NotebookNode

from byhand.widgets.embed import LIVE
from byhand.widgets.phrases import say
from helpers.notebooks import solution_of, tags_of

QUESTION = {"predict", "exercise"}  # tags of a cell
_HEADING = re.compile(r"^(?=#{2,3} )", re.MULTILINE)


def question_html(name: str, fixed: Mapping[str, object] | None = None) -> str:
    """Room for the answer to a question by that name; what a browser knows of it, if it does."""
    fixed, inside = fixed or {}, ""
    if asked := fixed.get("question"):
        inside = f"<p><b>{escape(asked)}</b></p>"
    kind = fixed.get("kind")
    if ranks := fixed.get("ranks"):
        inside += f"<ul>{''.join(f'<li>{each}</li>' for each in _labels(ranks))}</ul>"
    elif kind in ("choice", "several"):
        inside += f"<p>{escape(say('prediction', 'several label'))}</p>" * (kind == "several")
        options = fixed["options"]
        rows = (
            f"<li><b>{escape(key)}</b> {'' if key == words else escape(words)}</li>"
            for key, words in zip(fixed["keys"], options, strict=True)
        )
        look = f"{kind} letters" if fixed["keys"] == options else kind
        inside += f'<ul class="{look}">{"".join(rows)}</ul>'
    else:
        inside += '<p class="room"></p>'
    return f'<div class="asked"><i>{escape(name)}</i>{inside}</div>'


def ranks_html(state: Mapping[str, object]) -> str:
    """The names on each list of a widget with their ranks: its picture is too narrow for them.

    Example:
        >>> ranks = {"fixed": {"items": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]}}
        >>> ranks_html({"fixed": {"ranks": ranks | {"order": ["b", "a"], "grades": {"a": 1}}}})
        '<p class="paper"><span>1 B</span> <span>2 <b>A</b></span></p>'
    """
    ranks = state["fixed"].get("ranks") or []
    if isinstance(ranks, Mapping):
        return _ranks_html(ranks)
    return "".join(_ranks_html(each, caption=each["fixed"]["caption"]) for each in ranks)


def _ranks_html(ranks: Mapping[str, object], *, caption: str = "") -> str:
    spans, rank = ranks["fixed"].get("spans", {}), 1
    shown = [f"<span><i>{escape(caption)}</i></span>"] if caption else []
    items = ranks["fixed"]["items"]
    places = {item["id"]: label for item, label in zip(items, _labels(ranks), strict=True)}
    for each in ranks["order"]:
        shown.append(f"<span>{rank} {places[each]}</span>")
        rank += spans.get(each, 1)
    if missing := [label for each, label in places.items() if each not in ranks["order"]]:
        shown.append(f"<span>{escape(say('list', 'dock'))}: {', '.join(missing)}</span>")
    return f'<p class="paper">{" ".join(shown)}</p>'


def _labels(ranks: Mapping[str, object]) -> list[str]:
    """What its items are called: in bold what is relevant, with its grade where there are some."""
    graded = ranks["fixed"].get("max_grade", 1) > 1

    def label(item: Mapping[str, str]) -> str:
        grade, text = ranks["grades"].get(item["id"]), escape(item["label"])
        return f"<b>{text}{f' ({grade})' if graded else ''}</b>" if grade else text

    return [*map(label, ranks["fixed"]["items"])]


def answer_html(cell: NotebookNode, box: Mapping[str, object] | None = None) -> str:
    """The answer to the box or the prediction of a cell, and why it is right; or nothing."""
    state = box or _state(cell)
    if state.get("view") != "prediction":
        return ""
    return f"<p><b>{escape(answer_to(state))}</b></p>\n<p>{escape(state['fixed']['why'])}</p>"


def answer_to(state: Mapping[str, object]) -> str:
    """The answer to a box in words, each option after its letter."""
    fixed = state["fixed"]
    if "keys" not in fixed:
        return str(fixed["shown_answer"])
    right = [fixed["answer"]] if isinstance(fixed["answer"], str) else fixed["answer"]
    options = dict(zip(fixed["keys"], fixed["options"], strict=True))
    # in brackets: the letter e is "and" in Portuguese
    return ", ".join(key if options[key] == key else f"({key}) {options[key]}" for key in right)


def questions_only(cells: Iterable[NotebookNode]) -> list[NotebookNode]:
    """What leads to each question, from its heading on, the question, and its solution.

    What comes between two questions tells the first one's answer, so that only its last paragraph
    leads to the second one. The first question has the last picture before it, if its section has
    none; a later one might have what answers the first.
    """
    kept: list[NotebookNode] = []
    lead: list[NotebookNode] = []
    seen, is_between = None, False
    for cell in _cut(cells):
        state = _state(cell)
        if cell.cell_type == "markdown" and _HEADING.match(cell.source):
            lead, is_between = [cell], False
        elif QUESTION & {*tags_of(cell)}:
            if is_between:
                lead = [*map(_end_of, lead[-1:])]
            if seen and not kept and not any(map(_is_picture, lead)):
                lead.append(seen)
            kept += [*lead, cell]
            lead, is_between = [], "predict" in tags_of(cell)
        elif solution_of(cell.source):
            kept.append(cell)
        elif state.get("covers"):  # a goal: a question that paper cannot check
            lead, is_between = [], True
        else:
            lead.append(cell)
            seen = cell if _is_picture(cell) else seen
    return kept


def _cut(cells: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """The cells, with each heading at the beginning of one."""
    for cell in cells:
        pieces = _HEADING.split(cell.source) if cell.cell_type == "markdown" else [cell.source]
        for piece in filter(str.strip, pieces):
            part = deepcopy(cell)
            part.source = piece
            yield part


def _end_of(cell: NotebookNode) -> NotebookNode:
    cell.source = cell.source.strip().rpartition("\n\n")[2]
    return cell


def _state(cell: NotebookNode) -> Mapping[str, object]:
    states = (output.get("data", {}).get(LIVE) for output in cell.get("outputs", ()))
    return next(filter(None, states), {})


def _is_picture(cell: NotebookNode) -> bool:
    outputs = (output.get("data", {}) for output in cell.get("outputs", ()))
    return any("image/png" in data or "text/html" in data for data in outputs)
