"""Widgets whose view and arithmetic live in the browser: in a notebook, and on a page without."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING

import anywidget
import ipywidgets
import traitlets

from byhand.errors import DataError
from byhand.theme import tokens
from byhand.widgets.embed import LIVE, module, style

if TYPE_CHECKING:
    from byhand.widgets.picture import Picture
    from byhand.widgets.still import Still


class RefusedError(DataError, traitlets.TraitError):
    """A `DataError` that is a `TraitError` too, so that a refused value leaves no trace."""


@contextmanager
def refusing() -> Iterator[None]:
    """What is refused here is `RefusedError`."""
    try:
        yield
    except ValueError as error:
        raise RefusedError(str(error)) from None


def checks(*names: str) -> Callable[[Callable], traitlets.ValidateHandler]:
    """Let a method check each new value of these traits, and refuse it or give it back."""

    def checking(check: Callable[[Live, object], object]) -> traitlets.ValidateHandler:
        @traitlets.validate(*names)
        @wraps(check)
        def checked(self: Live, proposal: Mapping) -> object:
            with refusing():
                return check(self, proposal["value"])

        return checked

    return checking


class Live(anywidget.AnyWidget):
    """A widget that a browser can run without Python, from the state that `page_state` gives.

    Where no widget can run, in a stored notebook or on paper, its `picture` stands for it.

    Args:
        view: which of the browser's views shows it.
        fixed: what that view has to know and nobody changes; a widget within it is under "ranks".
        traits: first values of what changes; all are there before a browser hears of any.
    """

    _line: str  # what there is now, and what is made of it
    also: Mapping[str, object] = {}  # what a stored output of it has, too, by its kind
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

    def picture(self) -> "Still | Picture | None":
        """What stands for it where it cannot run."""
        return None

    def __repr__(self) -> str:
        """One stable line."""
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
    """A widget that, if it `covers`, hides what follows until the reader has it."""

    covers = traitlets.Bool(False).tag(sync=True)
    told = traitlets.Bool(False).tag(sync=True)  # whether the reader was shown the answer


def _on_page(value: object) -> object:
    if isinstance(value, Live):
        return value.page_state()
    if isinstance(value, list | tuple):
        return [_on_page(each) for each in value]
    return {k: _on_page(v) for k, v in value.items()} if isinstance(value, Mapping) else value
