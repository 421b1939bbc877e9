"""Measures by name: ir_measures' notation, read."""

import ast
import re
from collections.abc import Hashable, Sequence

from helpers.metrics.conventions import Conventions, preset_named
from helpers.metrics.lists import Relevant
from helpers.metrics.measures import MEASURES, Measure

_NOTATION = re.compile(r"(?P<name>\w+)(?:\((?P<options>.*)\))?(?:@(?P<k>\d+))?")


def measure_named(text: object) -> Measure:
    """The measure of a name in ir_measures' notation; an ir_measures object works, by its text.

    Args:
        text: such as `"AP(rel=2)@10"`; a `Measure` is returned as it is.

    Raises:
        ValueError: a name, option or cutoff that is not known; the message says which are.

    Example:
        >>> measure_named("nDCG(dcg='exp-log2')@10")
        nDCG(k=10, rel=None, dcg='exp-log2')
    """
    if isinstance(text, Measure):
        return text
    text = str(text)
    match = _NOTATION.fullmatch(text.strip())
    kind = MEASURES.get(match["name"]) if match else None
    if kind is None:
        raise ValueError(
            f"{text!r} is not a measure; known are {', '.join(MEASURES)}, each also with a "
            f"cutoff, such as 'nDCG@10'.{_hint(match['name'] if match else text)}"
        )
    options = dict(
        _option(text, kind, given) for given in (match["options"] or "").split(",") if given
    )
    return kind(k=None if match["k"] is None else int(match["k"]), **options)


def measures_named(measures: object) -> dict[str, Measure]:
    """Several measures by their names; one name, or one ir_measures object, will do.

    Raises:
        ValueError: a name, option or cutoff that is not known.

    Example:
        >>> measures_named(["RR", "P@5"])["P@5"].k, list(measures_named("AP"))
        (5, ['AP'])
    """
    if isinstance(measures, str) or not hasattr(measures, "__iter__"):
        measures = [measures]
    return {str(measure): measure_named(measure) for measure in measures}


def measure_list(
    measure: object,
    ranked: Sequence[Hashable],
    relevant: Relevant,
    *,
    conventions: str | Conventions = "trec_eval -c",
) -> float:
    """The measure of that name for one list.

    Args:
        measure: a name in ir_measures' notation, such as `"nDCG@10"`.
        ranked: the items, best first.
        relevant: a set or list of items (grade 1), or a mapping item -> grade.
        conventions: the name of a preset, or a `Conventions` value.

    Raises:
        DataError: a repeated item in `ranked`.
        ValueError: an unknown measure or preset.

    Example:
        >>> measure_list("P@2", ["D1", "D4", "D2"], {"D4"})
        0.5
    """
    named = measure_named(measure)
    return named.of_list(ranked, relevant, named.named_by(preset_named(conventions)))


def _hint(name: str) -> str:
    """What may have been meant by a name that is not known."""
    for known, kind in MEASURES.items():
        if name.upper() in (known.upper(), *kind.aliases):
            mean = ", then take .mean() over the queries" * name.upper().startswith("M")
            return f" For {name} ask for {known!r}{mean}."
    return ""


def _option(text: str, kind: type[Measure], given: str) -> tuple[str, object]:
    name, _, value = map(str.strip, given.partition("="))
    try:
        if name in kind.options:
            return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        pass  # a name of which the value is none of Python's is as unknown as any other
    known = ", ".join(kind.options.values())
    raise ValueError(f"{text!r}: option {given.strip()!r} is not known; {kind.name} has {known}.")
