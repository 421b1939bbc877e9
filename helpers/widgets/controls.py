"""Buttons, sliders, fields and choices that keep their keys to themselves."""

from collections.abc import Callable, Mapping

import anywidget
import traitlets

from helpers.widgets.assets import joined


class Controls(anywidget.AnyWidget):
    """A row of controls, in the order given, for the widgets of this package.

    `ipywidgets` has all of these, but a notebook takes single keys pressed on its buttons for
    commands: `d d` on a focused Reset button deletes the cell.

    Args:
        controls: dicts as `button`, `slider`, `text` and `choice` make them.
        values: control name -> value, for those that have one.
        caption: what the group is called for a screen reader.

    Attributes:
        controls: the controls now.
        values: control name -> value now.

    Example:
        >>> pressed = []
        >>> row = Controls([button("reset", "Reset")])
        >>> row.on_press(pressed.append)
        >>> row.press("reset")
        >>> pressed
        ['reset']
    """

    _esm = joined("guard.js", "controls.js")
    _css = joined("base.css", "controls.css")

    controls = traitlets.List().tag(sync=True)
    values = traitlets.Dict().tag(sync=True)
    caption = traitlets.Unicode("").tag(sync=True)

    def __init__(
        self,
        controls: list[dict],
        *,
        values: Mapping[str, object] | None = None,
        caption: str = "Controls",
    ) -> None:
        super().__init__(controls=controls, values=dict(values or {}), caption=caption)
        self._handlers: list[Callable[[str], None]] = []
        self.on_msg(self._receive)

    def _receive(self, _widget: "Controls", content: Mapping, _buffers: list) -> None:
        self.values = {**self.values, **content.get("values", {})}
        self.press(content.get("press", ""))

    def on_press(self, handler: Callable[[str], None]) -> None:
        """Call `handler` with the name of each button that is pressed."""
        self._handlers.append(handler)

    def press(self, name: str) -> None:
        """Do what pressing that button does; a disabled or unknown one does nothing."""
        able = {each["name"] for each in self.controls if not each.get("disabled")}
        for handler in self._handlers if name in able else ():
            handler(name)

    def store(self, name: str, value: object) -> None:
        """Set the value of one control."""
        self.values = {**self.values, name: value}

    def __repr__(self) -> str:
        """The labels, in order."""
        return f"Controls({', '.join(each['label'] for each in self.controls)})"


def button(name: str, label: str, *, title: str = "", primary: bool = False, **state: bool) -> dict:
    """A button; `state` may hold `disabled` and `pressed`."""
    return {
        "kind": "button",
        "name": name,
        "label": label,
        "title": title,
        "primary": primary,
        **state,
    }


def slider(name: str, label: str, *, low: int, high: int) -> dict:
    """A slider over whole numbers."""
    return {"kind": "slider", "name": name, "label": label, "min": low, "max": high}


def text(name: str, label: str, *, enter: str = "", disabled: bool = False) -> dict:
    """A field of text; Enter in it presses the button called `enter`.

    A disabled field can still be read, selected and reached with Tab.
    """
    return {"kind": "text", "name": name, "label": label, "enter": enter, "disabled": disabled}


def choice(name: str, label: str, options: list[str], *, disabled: bool = False) -> dict:
    """One of several answers."""
    given = {"kind": "choice", "name": name, "label": label, "options": options}
    return {**given, "disabled": disabled}
