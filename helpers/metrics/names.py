"""Measures by name: ir_measures' notation, read and computed."""

import re
from dataclasses import dataclass

import numpy as np

from helpers.metrics.conventions import Conventions, Gain
from helpers.metrics.expected import EXPECTED
from helpers.metrics.formulas import FORMULAS
from helpers.metrics.hits import Hits

TREC_EVAL = Conventions()

_MEANT = {"MRR": "RR", "MAP": "AP", "NDCG": "nDCG", "RECALL": "R", "PRECISION": "P"} | {
    name.upper(): name for name in FORMULAS
}
_NOTATION = re.compile(r"(?P<name>\w+)(?:\((?P<options>.*)\))?(?:@(?P<k>\d+))?")
_OPTION = re.compile(r"\s*(?:rel=(?P<rel>\d+)|dcg='(?P<dcg>log2|exp-log2)')\s*")


@dataclass(frozen=True)
class Measure:
    """A measure by its name: what `"AP(rel=2)@10"` says.

    Attributes:
        name: RR, AP, nDCG, DCG, P, R or Success.
        k: the cutoff: only the first k ranks count; None for the whole list.
        rel: the lowest grade that counts as relevant.
        gain: the gain that the name asks for; None leaves it to the conventions.

    Example:
        >>> Measure.named("nDCG(dcg='exp-log2')@10")
        Measure(name='nDCG', k=10, rel=1, gain='exponential')
    """

    name: str
    k: int | None = None
    rel: int = 1
    gain: Gain | None = None

    @classmethod
    def named(cls, text: object) -> "Measure":
        """Read a name in ir_measures' notation; an ir_measures object works through its str.

        Raises:
            ValueError: a name, option or cutoff that is not known; the message says which are.
        """
        text = str(text)
        match = _NOTATION.fullmatch(text.strip())
        name = match["name"] if match else text
        if not match or name not in FORMULAS:
            meant = _MEANT.get(name.upper())
            hint = ""
            if meant:
                of_mean = name.upper() in ("MRR", "MAP")
                hint = f" For {name} ask for {meant!r}" + (
                    ", then take .mean() over the queries." if of_mean else "."
                )
            raise ValueError(
                f"{text!r} is not a measure; known are {', '.join(FORMULAS)}, each also with a "
                f"cutoff, such as 'nDCG@10'.{hint}"
            )
        k = None if match["k"] is None else cutoff(int(match["k"]))
        return cls(name, k, **_options(text, name, match["options"]))

    def values(self, hits: Hits, conventions: Conventions = TREC_EVAL) -> np.ndarray:
        """(Q,) the measure of each query."""
        if self.rel > 1:
            hits = hits.at_least(self.rel)
        if self.gain:
            conventions = conventions.but(gain=self.gain)
        formulas = EXPECTED if conventions.ties == "expected" else FORMULAS
        return formulas[self.name](hits, self.k, conventions)


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
    return {str(measure): Measure.named(measure) for measure in measures}


def _options(text: str, name: str, options: str | None) -> dict[str, object]:
    read: dict[str, object] = {}
    for option in options.split(",") if options else ():
        match = _OPTION.fullmatch(option)
        discounted = name in ("nDCG", "DCG")
        if match and match["rel"] and int(match["rel"]) > 0 and not discounted:
            read["rel"] = int(match["rel"])
        elif match and match["dcg"] and discounted:
            read["gain"] = "exponential" if match["dcg"] == "exp-log2" else "linear"
        else:
            known = "dcg='log2' and dcg='exp-log2'" if discounted else "rel=1, rel=2 and so on"
            raise ValueError(
                f"{text!r}: option {option.strip()!r} is not known; {name} has {known}."
            )
    return read


def cutoff(k: int | None) -> int | None:
    """The cutoff, checked: a whole number from 1, or None for the whole list."""
    if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
        raise ValueError(f"k={k!r} is not a cutoff; expected a whole number from 1, or None.")
    return k
