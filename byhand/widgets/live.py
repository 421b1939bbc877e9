"""Widgets whose view and arithmetic live in the browser: in a notebook, and on a page without."""

import json
import re
from functools import cache
from pathlib import Path

import anywidget
import ipywidgets
import traitlets

from byhand.widgets.words import words

LIVE = "application/vnd.ranking-metrics.live+json"  # an output that a page can bring to life
PASSING = "passing"  # in the metadata of an output that is of use only while a notebook runs
_FOLDER = Path(__file__).parent / "browser"
_PARTS = ("dom", "engine", "panel", "steps", "controls", "drag", "list", "stage", "model")
_VIEWS = ("explorer", "challenge", "duel", "own", "prediction", "tosses", "main")


@cache
def module() -> str:
    """The code of every widget as one ES module, with the words it says.

    One piece, because a notebook server does not serve this folder, and a page has no server.
    """
    said = f"const WORDS = {json.dumps(words(), ensure_ascii=False)};"
    return "\n".join([said, *(_code(name) for name in (*_PARTS, *_VIEWS))])


@cache
def page_module() -> str:
    """The same, and what finds the widgets of a page and starts them."""
    return f"{module()}\n{_code('page')}"


@cache
def style() -> str:
    """The look of every widget, in the colours of the notebook's theme or the page's."""
    return _sheet("live") + _sheet("cover")


def cover() -> str:
    """HTML that covers the cells after its own, until a prediction there is loaded and does so."""
    return f'<style>{_sheet("cover")}</style><div class="rm-asks"></div>'


def rules(*selectors: str) -> str:
    """Those rules of the style sheet that have these selectors, for HTML that is no widget.

    Example:
        >>> rules(".rm-said")[:28]
        '.rm-said{position: absolute;'
    """
    found = dict(re.findall(r"^([^\s@}/][^{}]*) \{([^{}]*)\}", style(), re.MULTILINE))
    return "".join(f"{name}{{{' '.join(found[name].split())}}}" for name in selectors)


def _sheet(name: str) -> str:
    return (_FOLDER / f"{name}.css").read_text(encoding="utf-8")


def _code(name: str) -> str:
    return (_FOLDER / f"{name}.js").read_text(encoding="utf-8")


class Live(anywidget.AnyWidget):
    """A widget that a browser can run without Python, from the state that `page_state` gives.

    A subclass sets its traits before it calls `__init__`, which tells the browser of them: what
    came later could be later than the drawing.

    Attributes:
        view: which of the browser's views shows it.
    """

    _esm = module()
    _css = style()

    view = traitlets.Unicode("", read_only=True).tag(sync=True)

    def __init__(self, view: str, **traits: object) -> None:
        for name, value in {"view": view, **traits}.items():
            self.set_trait(name, value)
        super().__init__(layout=ipywidgets.Layout(width="100%"))

    def page_state(self) -> dict[str, object]:
        """The traits that the browser's view needs, as JSON; a widget within it likewise."""
        of_every_widget = anywidget.AnyWidget.class_trait_names(sync=True)
        own = {name for name in self.keys if name[0] != "_"} - set(of_every_widget)
        state = self.get_state(key=own)
        return {name: _nested(getattr(self, name), state[name]) for name in sorted(own)}

    def _repr_mimebundle_(self, **kwargs: object) -> tuple:
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return data | {LIVE: self.page_state()}, metadata


def _nested(value: object, sent: object) -> object:
    if isinstance(value, Live):
        return value.page_state()
    if isinstance(value, list | tuple) and any(isinstance(each, Live) for each in value):
        return [each.page_state() for each in value]
    return sent
