"""Widgets whose view and arithmetic live in the browser: in a notebook, and on a page without."""

from collections.abc import Mapping
from typing import NoReturn

import anywidget
import ipywidgets
import traitlets
from IPython.display import display

from byhand.widgets.embed import LIVE, PASSING, cover, module, style, tokens
from byhand.widgets.picture import Picture


class Live(anywidget.AnyWidget):
    """A widget that a browser can run without Python, from the state that `page_state` gives.

    Where no widget can run, in a stored notebook or on paper, its `picture` stands for it.

    Args:
        view: which of the browser's views shows it.
        fixed: what that view has to know and nobody changes; a widget within it is under "ranks".
        traits: first values of what changes; all are there before a browser hears of any.
    """

    _css = tokens(face=True) + style()

    view = traitlets.Unicode("", read_only=True).tag(sync=True)
    fixed = traitlets.Dict(read_only=True).tag(
        sync=True, to_json=ipywidgets.widget_serialization["to_json"]
    )

    @property
    def _esm(self) -> str:
        """The module in the language in which the widget was made."""
        return module()

    def __init__(self, view: str, *, fixed: Mapping[str, object], **traits: object) -> None:
        for name, value in {"view": view, "fixed": fixed, **traits}.items():
            self.set_trait(name, value)
        super().__init__(layout=ipywidgets.Layout(width="100%"))

    def page_state(self) -> dict[str, object]:
        """What the browser's view needs, as JSON; a widget within it likewise."""
        of_every_widget = anywidget.AnyWidget.class_trait_names(sync=True)
        own = sorted({name for name in self.keys if name[0] != "_"} - set(of_every_widget))
        return self.get_state(key=own) | {"fixed": _on_page(self.fixed)}

    def picture(self) -> Picture | None:
        """What stands for it where it cannot run."""
        return None

    def _repr_mimebundle_(self, **kwargs: object) -> tuple:
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        data |= {LIVE: self.page_state()}
        if picture := self.picture():
            image, of_image = picture._repr_mimebundle_()
            data, metadata = data | {"image/png": image["image/png"]}, metadata | of_image
        return data, metadata


def cover_below(is_open: bool) -> NoReturn:
    """Cover what follows in a notebook at once, as a browser takes a while to load the widget.

    Raises:
        NotImplementedError: always; IPython then shows the widget as any other.
    """
    if is_open:
        display({"text/html": cover()}, raw=True, metadata={PASSING: True})
    raise NotImplementedError


def _on_page(value: object) -> object:
    """A value of `fixed` with the states of the widgets in it."""
    if isinstance(value, Live):
        return value.page_state()
    if isinstance(value, list | tuple):
        return [_on_page(each) for each in value]
    return {k: _on_page(v) for k, v in value.items()} if isinstance(value, Mapping) else value
