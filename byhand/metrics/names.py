"""Measures by name: ir_measures' notation and what people write elsewhere, read."""

import re
from difflib import get_close_matches

from byhand.metrics.conventions import Conventions
from byhand.metrics.measures import MEASURES, Measure
from byhand.metrics.presets import preset_named
from byhand.metrics.ranked import Ranked, Relevant

_NOTATION = re.compile(r"(?P<name>\w+)(?:\((?P<options>.*)\))?(?:@(?P<k>[0-9]+))?")
_ELSEWHERE = re.compile(r"(?P<name>\w+?)(?P<options>)(?:_cut)?[_.](?P<k>[0-9]+)")  # P_5, map_cut.10
_PERSISTENCE = re.compile(r"rbp\.([0-9]+)(@[0-9]+)?", re.IGNORECASE)  # ranx: rbp.95 is p=0.95
_VALUES = {
    int: re.compile(r"-?[0-9]+"),
    float: re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?", re.IGNORECASE),
    str: re.compile(r"""(?P<quote>['"])(?P<text>[^'"]*)(?P=quote)"""),
}


def measure_named(text: object) -> Measure:
    """The measure of a name in ir_measures' notation; an ir_measures object works, by its text.

    What people write elsewhere is understood, too, in any case: MRR and MAP, which are the means
    of RR and AP, Precision, Recall, Hit and HR, and trec_eval's recip_rank, P_5, ndcg_cut_10. Of
    what is not known, a ValueError says what is. A `Measure` is returned as it is.

    Example:
        >>> measure_named("nDCG(dcg='exp-log2')@10")
        nDCG(k=10, dcg='exp-log2')
        >>> print(measure_named("MRR@5"), measure_named("hr@10"), measure_named("ndcg_cut_10"))
        RR@5 Success@10 nDCG@10
    """
    if isinstance(text, Measure):
        return text
    text = str(text)
    known = _known_names()
    for notation in (_NOTATION, _ELSEWHERE):
        match = notation.fullmatch(_PERSISTENCE.sub(r"RBP(p=0.\1)\2", text.strip()))
        kind = match and (MEASURES.get(match["name"]) or known.get(match["name"].upper()))
        if kind:
            given = [each for each in (match["options"] or "").split(",") if each]
            options = dict(_option(text, kind, each) for each in given)
            if len(options) < len(given):
                raise ValueError(f"{text!r}: an option is there twice.")
            return kind(k=None if match["k"] is None else int(match["k"]), **options)
    raise ValueError(
        f"{text!r} is not a measure; known are {', '.join(MEASURES)}, each also with a cutoff, "
        f"such as 'nDCG@10'.{_nearest(text)}"
    )


def measures_named(measures: object) -> dict[str, Measure]:
    """Several measures by their names; one name, or one ir_measures object, will do.

    Example:
        >>> measures_named(["RR", "P@5"])["P@5"].k, list(measures_named("AP"))
        (5, ['AP'])
    """
    if isinstance(measures, str) or not hasattr(measures, "__iter__"):
        measures = [measures]
    return {str(measure): measure_named(measure) for measure in measures}


def measure_list(
    measure: object,
    ranked: Ranked,
    relevant: Relevant,
    *,
    conventions: str | Conventions = "trec_eval -c",
) -> float:
    """The measure of that name for one list.

    Args:
        measure: a name in ir_measures' notation, such as `"nDCG@10"`.
        ranked, relevant: as in `reciprocal_rank`.
        conventions: as in `evaluate`.

    Example:
        >>> measure_list("P@2", ["D1", "D4", "D2"], {"D4"})
        0.5
    """
    named = measure_named(measure)
    return named.of_list(ranked, relevant, named.named_by(preset_named(conventions)))


def _known_names() -> dict[str, type[Measure]]:
    """Every name that a measure is known by, in capitals."""
    return {name: kind for kind in MEASURES.values() for name in (kind.name.upper(), *kind.aliases)}


def _nearest(text: str) -> str:
    """The name that comes closest, with its cutoff."""
    known = _known_names()
    name, k = re.match(r"(.*?)(?:(?:@|(?:_cut)?[_.])([0-9]+))?$", text.strip(), re.DOTALL).groups()
    near = get_close_matches(name.partition("(")[0].upper(), known, n=1)
    return f" The nearest is {known[near[0]].name + (f'@{k}' if k else '')!r}." if near else ""


def _option(text: str, kind: type[Measure], given: str) -> tuple[str, object]:
    name, _, value = map(str.strip, given.partition("="))
    if name in kind.options():
        of = kind.options()[name].kind
        match = _VALUES[of].fullmatch(value)
        if match:
            return name, match["text"] if of is str else of(value)
    raise ValueError(f"{text!r}: option {given.strip()!r} is not known; {kind.has()}.")
