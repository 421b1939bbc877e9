"""Base classes of the widgets, which run in the browser with and without Python."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING

import anywidget
import ipywidgets
import traitlets

from byhand.errors import DataError
from byhand.theme import base_style
from byhand.widgets.embed import LIVE, module, style

if TYPE_CHECKING:
    from byhand.widgets.picture import Picture
    from byhand.widgets.still import Still


class RefusedError(DataError, traitlets.TraitError):
    """A `DataError` that is also a `TraitError`, so that traitlets keeps the old value."""


def checks(*names: str) -> Callable[[Callable], traitlets.ValidateHandler]:
    """Return a decorator: the method checks new values of traits and returns them or raises."""

    def checking(check: Callable[[Live, object], object]) -> traitlets.ValidateHandler:
        @traitlets.validate(*names)
        @wraps(check)
        def checked(self: Live, proposal: Mapping) -> object:
            try:
                return check(self, proposal["value"])
            except ValueError as error:
                raise RefusedError(str(error)) from None

        return checked

    return checking


class Live(anywidget.AnyWidget):
    """A widget that a browser can run without Python, from its `page_state`.

    Its `picture` replaces it in a stored notebook and in print.

    Args:
        view: name of the browser's view.
        fixed: constant data of the view; nested widgets are under "ranks".
        traits: initial values of the traits, set before the browser gets any.
    """

    _line: str  # text of the current state, for `repr`
    also: Mapping[str, object] = {}  # more data of a stored output, by type
    _css = base_style() + style()

    view = traitlets.Unicode("", read_only=True).tag(sync=True)
    fixed = traitlets.Dict(read_only=True).tag(
        sync=True, to_json=ipywidgets.widget_serialization["to_json"]
    )

    @property
    def _esm(self) -> str:
        """The JavaScript module in the current language."""
        return module()

    def __init__(self, view: str, *, fixed: Mapping[str, object], **traits: object) -> None:
        for name, value in {"view": view, "fixed": fixed, **traits}.items():
            self.set_trait(name, value)
        super().__init__(layout=ipywidgets.Layout(width="100%"))

    def page_state(self) -> dict[str, object]:
        """Return the state for the browser, as JSON, including nested widgets."""
        of_every_widget = anywidget.AnyWidget.class_trait_names(sync=True)
        own = sorted({name for name in self.keys if name[0] != "_"} - set(of_every_widget))
        return self.get_state(key=own) | {"fixed": _on_page(self.fixed)}

    def picture(self) -> "Still | Picture | None":
        """Return a picture for places where the widget cannot run; None for no picture."""
        return None

    def __repr__(self) -> str:
        """Return one line that is the same in each run."""
        return f"{type(self).__name__}({self._line})"

    def _repr_mimebundle_(self, **kwargs: object) -> tuple:
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        data |= {LIVE: self.page_state(), **self.also}
        if picture := self.picture():
            still, of_still = picture._repr_mimebundle_()
            data, metadata = data | still, metadata | of_still
        return data, metadata


class Covering(Live):
    """A widget that can hide the following content until the reader has the answer."""

    covers = traitlets.Bool(False).tag(sync=True)
    told = traitlets.Bool(False).tag(sync=True)  # whether the reader was shown the answer


def _on_page(value: object) -> object:
    if isinstance(value, Live):
        return value.page_state()
    if isinstance(value, list | tuple):
        return [_on_page(each) for each in value]
    return {k: _on_page(v) for k, v in value.items()} if isinstance(value, Mapping) else value
