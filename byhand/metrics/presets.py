"""Presets: the conventions of each evaluation tool, as far as they were observed."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from byhand.errors import both
from byhand.metrics.conventions import Conventions
from byhand.words import spoken


@dataclass(frozen=True, kw_only=True)
class Preset:
    """The observed behaviour of a tool.

    Attributes:
        choices: its conventions.
        says, source, of_measures: as in `presets.toml`.
        except_that: behaviour that no convention expresses, one clause each. If there is any, the
            preset reproduces the numbers of the tool only approximately.
    """

    choices: Conventions
    says: str = ""
    source: str = ""
    of_measures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    except_that: tuple[str, ...] = ()

    def of(self, name: str, k: int | None) -> Conventions:
        """Return the conventions for a measure at a cutoff.

        Example:
            >>> PRESETS["ir_measures"].of("RR", 10).ties
            'doc_id_ascending'
        """
        special = self.of_measures.get(name if k is None else f"{name}@", {})
        return self.choices.but(**{**self.of_measures.get(name, {}), **special})

    @property
    def exception(self) -> str:
        """Return, in clauses, the behaviour that no convention expresses; empty if none."""
        return "; ".join(map(spoken, self.except_that))


_SEEN = tomllib.loads(Path(__file__).with_name("presets.toml").read_text(encoding="utf-8"))
(FLOAT32,) = (clause for clause in _SEEN["exceptions"] if "float32" in clause)
PRESETS: dict[str, Preset] = {
    name: Preset(
        choices=Conventions(**seen.get("choices", {})),
        says=seen["says"],
        source=f"{seen['source']}; recorded in data/tool-results.csv",
        of_measures=seen.get("of_measures", {}),
        except_that=tuple(does for does, tools in _SEEN["exceptions"].items() if name in tools),
    )
    for name, seen in _SEEN["tools"].items()
}
_OPTIONS = _SEEN["written"]


def preset_named(conventions: "str | Conventions") -> Preset:
    """Return the preset with this name, or a preset with your own conventions.

    The name "trec_eval" may be followed by several of its options: `"trec_eval -c -J"`.

    Raises:
        ValueError: If the name is unknown; the message lists those that are known.

    Example:
        >>> preset_named("trec_eval -c -l").choices.low_grades
        'gain'
    """
    if isinstance(conventions, Conventions):
        return Preset(choices=conventions)
    if conventions in PRESETS:
        return PRESETS[conventions]
    tool, *given = conventions.split() if isinstance(conventions, str) else [None]
    if tool == "trec_eval" and {*given} <= {*_OPTIONS}:
        choices = {name: choice for each in given for name, choice in _OPTIONS[each].items()}
        return replace(PRESETS["trec_eval"], choices=PRESETS["trec_eval"].choices.but(**choices))
    known = ", ".join(PRESETS)
    raise ValueError(
        f"conventions={conventions!r} is not a preset; the presets are: {known}. The options "
        f"{both([*_OPTIONS])} of trec_eval can be combined, as in 'trec_eval -c -l'. For your own "
        "conventions, pass a value such as Conventions(gain='exponential')."
    )
