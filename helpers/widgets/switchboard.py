"""A switch for each convention, and what the measures become."""

from collections.abc import Sequence
from dataclasses import fields
from html import escape
from typing import get_args

import ipywidgets
import pandas as pd

from helpers.errors import DataError
from helpers.figures.tables import table_html
from helpers.metrics.conventions import PRESETS, Conventions
from helpers.metrics.evaluate import evaluate

_NONE = "choose …"
_NAMES = {
    "ties": "equal scores",
    "denominator": "AP divides by",
    "ideal": "nDCG ideal",
    "gain": "gain",
    "no_relevant": "nothing relevant",
    "missing": "query missing",
    "unjudged": "item unjudged",
}


class Switchboard(ipywidgets.VBox):
    """The means of a run under conventions that a reader chooses.

    Args:
        run: one row a retrieved item, as `evaluate` takes it.
        qrels: one row a judgement.
        measures: names in ir_measures' notation.

    Attributes:
        conventions: the choices now.
        values: the mean of each measure under them; None where they refuse the data.

    Example:
        >>> from helpers.lessons.tools import tool_case
        >>> board = Switchboard(*tool_case("deep"), measures=["AP@10"])
        >>> board
        Switchboard(AP@10 = 0.0500 as trec_eval -c, ir_measures)
        >>> board.switches["denominator"].value = "retrieved"
        >>> board.values
        {'AP@10': 1.0}
    """

    def __init__(
        self, run: pd.DataFrame, qrels: pd.DataFrame, *, measures: Sequence[str] = ("RR", "AP")
    ) -> None:
        self._tables, self._measures = (run, qrels), tuple(measures)
        self._turning = False
        wide = ipywidgets.Layout(width="250px")
        style = {"description_width": "110px"}
        self.switches = {
            field.name: ipywidgets.Dropdown(
                options=get_args(field.type),
                value=field.default,
                description=_NAMES[field.name],
                layout=wide,
                style=style,
            )
            for field in fields(Conventions)
        }
        self.preset = ipywidgets.Dropdown(
            options=[_NONE, *PRESETS], description="all as", layout=wide, style=style
        )
        self._result = ipywidgets.HTML()
        flow = ipywidgets.Layout(display="flex", flex_flow="row wrap")
        super().__init__(
            [
                ipywidgets.Box([self.preset], layout=flow),
                ipywidgets.Box(list(self.switches.values()), layout=flow),
                self._result,
            ]
        )
        for switch in self.switches.values():
            switch.observe(self._show, names="value")
        self.preset.observe(self._take_preset, names="value")
        self._show()

    @property
    def conventions(self) -> Conventions:
        """The choices now."""
        return Conventions(**{name: switch.value for name, switch in self.switches.items()})

    def _take_preset(self, _: object) -> None:
        if self.preset.value in (_NONE, *self._alike()):
            return
        self._turning = True  # what the switches say on the way is no choice of the reader
        for name, choice in PRESETS[self.preset.value].choices.as_dict().items():
            self.switches[name].value = choice
        self._turning = False
        self._show()

    def _show(self, _: object = None) -> None:
        if self._turning:
            return
        try:
            frame = evaluate(*self._tables, self._measures, conventions=self.conventions)
            self.values = {name: float(frame[name].mean()) for name in self._measures}
            row = [f"{value:.4f}" for value in self.values.values()]
            text = table_html([*self.values], [row], texts=0, label="Means under these choices")
        except DataError as error:
            self.values = None
            text = f"<p>refused: {escape(str(error).partition('.')[0])}.</p>"
        alike = self._alike()
        if self.preset.value not in alike:
            self.preset.value = alike[0] if alike else _NONE
        whose = ", ".join(alike) or "none of the presets"
        self._result.value = f'<div role="status">{text}<p>the choices of: {whose}</p></div>'

    def _alike(self) -> list[str]:
        return [name for name, preset in PRESETS.items() if preset.choices == self.conventions]

    def __repr__(self) -> str:
        """The values, and whose choices they are."""
        values = "refused"
        if self.values is not None:
            values = ", ".join(f"{name} = {value:.4f}" for name, value in self.values.items())
        return f"Switchboard({values} as {', '.join(self._alike()) or 'no preset'})"
