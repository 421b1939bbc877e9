"""A switch for each convention, and what the measures become."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape

import ipywidgets

from byhand.figures import table_html
from byhand.metrics.conventions import CHOICES, PRESETS, Conventions, Preset
from byhand.metrics.evaluate import evaluate
from byhand.metrics.names import measures_named

_NONE = "choose …"


class Switchboard(ipywidgets.VBox):
    """The means of a run under conventions that a reader chooses.

    Args:
        run, qrels: as `evaluate` takes them.
        measures: names in ir_measures' notation, or just one.

    Attributes:
        conventions: what the switches say. A preset may choose otherwise for one measure, which is
            then said below the values; a switch that is turned counts for all of them.
        values: the mean of each measure under them; None where they refuse the data.

    Example:
        >>> board = Switchboard({"q": {"a": 2, "b": 1}}, {"q": {"a": 1, "c": 1}}, measures="AP")
        >>> board
        Switchboard(AP = 0.5000 as trec_eval -c, ir_measures)
        >>> board.switches["denominator"].value = "retrieved"
        >>> board.values
        {'AP': 1.0}
    """

    def __init__(
        self, run: object, qrels: object, *, measures: Iterable[object] = ("RR", "AP")
    ) -> None:
        self._tables, self._measures = (run, qrels), measures_named(measures)
        self._chosen = dict.fromkeys(self._measures, Conventions())
        self._turning = False
        wide = ipywidgets.Layout(width="250px")
        style = {"description_width": "110px"}
        self.switches = {
            choice.name: ipywidgets.Dropdown(
                options=[*choice.options],
                value=choice.default,
                description=choice.label,
                layout=wide,
                style=style,
            )
            for choice in CHOICES.values()
            if not choice.of_low_grades  # none is said to be low here
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
            switch.observe(self._turn, names="value")
        self.preset.observe(self._take_preset, names="value")
        self._show()

    @property
    def conventions(self) -> Conventions:
        """What the switches say."""
        return Conventions(**{name: switch.value for name, switch in self.switches.items()})

    def _take_preset(self, _: object) -> None:
        if self.preset.value in (_NONE, *self._alike()):
            return
        self._chosen = self._under(PRESETS[self.preset.value])
        self._turning = True  # what the switches say on the way is no choice of the reader
        for name, switch in self.switches.items():
            choices = {getattr(chosen, name) for chosen in self._chosen.values()}
            common = getattr(PRESETS[self.preset.value].choices, name)
            switch.value = choices.pop() if len(choices) == 1 else common
        self._turning = False
        self._show()

    def _under(self, preset: Preset) -> dict[str, Conventions]:
        return {name: measure.named_by(preset) for name, measure in self._measures.items()}

    def _turn(self, change: Mapping) -> None:
        if self._turning:
            return
        turned = next(name for name, each in self.switches.items() if each is change["owner"])
        self._chosen = {
            name: chosen.but(**{turned: change["new"]}) for name, chosen in self._chosen.items()
        }
        self._show()

    def _evaluated(self) -> dict[str, float]:
        """The means, the measures with the same conventions together."""
        found = {}
        for chosen in dict.fromkeys(self._chosen.values()):
            names = [name for name, each in self._chosen.items() if each == chosen]
            found |= evaluate(*self._tables, names, conventions=chosen).mean().to_dict()
        return {name: float(found[name]) for name in self._measures}

    def _show(self) -> None:
        try:
            self.values = self._evaluated()
            row = [f"{value:.4f}" for value in self.values.values()]
            text = table_html([*self.values], [row], texts=0, label="Means under these choices")
        except ValueError as error:
            self.values = None
            text = f"<p>refused: {escape(str(error).partition('.')[0])}.</p>"
        alike = self._alike()
        if self.preset.value not in alike:
            self.preset.value = alike[0] if alike else _NONE
        whose = ", ".join(alike) or "none of the presets"
        said = "".join(f"<p>{escape(line)}</p>" for line in self._otherwise())
        self._result.value = f'<div role="status">{text}<p>the choices of: {whose}</p>{said}</div>'

    def _otherwise(self) -> Iterator[str]:
        """For each measure the choices that are not those of the switches."""
        for name, chosen in self._chosen.items():
            own = [
                f"{CHOICES[choice].label} = {getattr(chosen, choice)}"
                for choice, switch in self.switches.items()
                if getattr(chosen, choice) != switch.value
            ]
            if own:
                yield f"{name} differs: {', '.join(own)}"

    def _alike(self) -> list[str]:
        return [name for name, each in PRESETS.items() if self._under(each) == self._chosen]

    def __repr__(self) -> str:
        """The values, and whose choices they are."""
        values = "refused"
        if self.values is not None:
            values = ", ".join(f"{name} = {value:.4f}" for name, value in self.values.items())
        return f"Switchboard({values} as {', '.join(self._alike()) or 'no preset'})"
