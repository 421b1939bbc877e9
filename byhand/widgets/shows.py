"""What can stand beside a list, and which measures each of it is of."""

from collections.abc import Iterable, Mapping
from typing import Literal

from byhand.metrics.measures import Measure

Shows = Literal["bars", "number", "curve", "area", "discount", "ideal"]
DEFAULTS = {
    "bars": ("RR", "AP", "nDCG"),
    "number": ("RR",),
    "curve": ("RR",),
    "area": ("AP",),
    "discount": ("DCG",),
    "ideal": ("nDCG",),
}
_ANY = {"bars", "number"}  # of any measure; each of the others is a picture of one formula


def default_measures(shows: str, measures: Iterable[object] | None) -> Iterable[object]:
    """The measures that were asked for, or those of what is shown.

    Raises:
        ValueError: there is no such thing to show.
    """
    if shows not in DEFAULTS:
        known = ", ".join(map(repr, DEFAULTS))
        raise ValueError(f"shows is {shows!r}. It is one of {known}.")
    return DEFAULTS[shows] if measures is None else measures


def check_shows(shows: str, measures: Mapping[str, Measure], *, trace: bool) -> None:
    """Raise a `ValueError` for measures that what is shown cannot be of."""
    kinds = [measure.name for measure in measures.values()]
    if shows != "bars" and len(kinds) != 1:
        raise ValueError(
            f"shows={shows!r} is of one measure, and there are {len(kinds)}: {', '.join(kinds)}. "
            "Give one, or leave shows out to see several."
        )
    if shows not in _ANY and kinds[0] not in DEFAULTS[shows]:
        raise ValueError(
            f"shows={shows!r} is a picture of {DEFAULTS[shows][0]}, not of {kinds[0]}. "
            "Leave measures out, or leave shows out."
        )
    if trace and shows != "number":
        raise ValueError(f"A trace belongs to shows='number', not to shows={shows!r}.")
