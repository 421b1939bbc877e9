"""Parsing of the names of measures, in ir_measures' notation or as other tools write them."""

import re
from difflib import get_close_matches
from functools import partial
from types import FunctionType

from byhand.errors import DataError, shown
from byhand.metrics.cases import Ranked, Relevant
from byhand.metrics.conventions import Conventions
from byhand.metrics.measures import MEASURES, Measure
from byhand.metrics.presets import preset_named

_NOTATION = re.compile(r"(?P<name>[\w-]+)(?:\((?P<options>.*)\))?(?:(?:@|_at_)(?P<k>[0-9]+))?")
# P_5, map_cut.10, ndcg_at_10
_ELSEWHERE = re.compile(r"(?P<name>\w+?)(?P<options>)(?:_cut|_at)?[_.](?P<k>[0-9]+)")
# pattern of a name with an option, as other tools write it -> our notation
_OPTIONS_ELSEWHERE = {
    r"rbp\.([0-9]+)(?=@|$)": r"RBP(p=0.\1)",  # ranx: rbp.95 is p=0.95
    r"(n?dcg)_burges(?=@|$)": r"\1(dcg='exp-log2')",  # ranx, after Burges et al. 2005
    r"(?:r|recall)_cap(?:ped)?(?=@|_at_|$)": "R(denominator='capped')",  # BEIR: R_cap@10
}
_VALUES = {
    int: re.compile(r"-?[0-9]+"),
    float: re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?", re.IGNORECASE),
    str: re.compile(r"""(?P<quote>['"])(?P<text>[^'"]*)(?P=quote)"""),
}
_F1 = re.compile(r"^f_?(1|beta|score|measure)(?![a-z])", re.IGNORECASE)


def measure_named(text: object) -> Measure:
    """Return the measure for a name in the notation of ir_measures or other tools.

    Args:
        text: a name in any case, such as `"nDCG@10"`, `"MRR"`, `"Recall@100"`, trec_eval's
            `"ndcg_cut_10"`, MTEB's `"ndcg_at_10"` or `"mean_average_precision"`; an object of
            ir_measures; or a `Measure`, which is returned unchanged.

    Raises:
        ValueError: If no measure has that name, or the measure does not have that option.

    Example:
        >>> measure_named("nDCG(dcg='exp-log2')@10")
        nDCG(k=10, dcg='exp-log2')
        >>> print(measure_named("MRR@5"), measure_named("hr@10"), measure_named("ndcg_at_10"))
        RR@5 Success@10 nDCG@10
    """
    if isinstance(text, Measure):
        return text
    if isinstance(text, FunctionType | partial):
        raise _function(text)
    if isinstance(text, type) and issubclass(text, Measure):
        return text()
    if isinstance(text, tuple | dict):
        raise DataError(
            f"measures contains rows of a table, such as {shown(text)}. Pass the measures last: "
            "evaluate(run, qrels, measures)."
        )
    text = str(text)
    if measure := _parsed(text):
        return measure
    if _F1.match(text):
        p, r = (f"{name}@{_parted(text)[1] or 10}" for name in "PR")
        raise ValueError(
            f"{text!r} is not a measure here. Pass {p!r} and {r!r} instead: with v = evaluate(run, "
            f"qrels, [{p!r}, {r!r}]), F1 is 2 / (1 / v[{p!r}] + 1 / v[{r!r}])."
        )
    if (own := _NOTATION.fullmatch(text)) and own["name"] in _unregistered(Measure):
        raise ValueError(f"{own['name']} is not registered: write @register above its class.")
    raise ValueError(
        f"{text!r} is not a measure. Expected one of {', '.join(MEASURES)}, optionally with a "
        f"cutoff, such as 'nDCG@10'.{_nearest(text)}"
    )


def _parsed(text: str) -> Measure | None:
    name, known = text.strip(), _known_names()
    for pattern, ours in _OPTIONS_ELSEWHERE.items():
        name = re.sub(f"^{pattern}", ours, name, flags=re.IGNORECASE)
    for notation in (_NOTATION, _ELSEWHERE):
        match = notation.fullmatch(name)
        kind = match and (MEASURES.get(match["name"]) or known.get(_spelt(match["name"])))
        if kind:
            given = [each for each in (match["options"] or "").split(",") if each]
            options = dict(_option(text, kind, each) for each in given)
            if len(options) < len(given):
                raise ValueError(f"{text!r} has an option twice. Remove one of them.")
            return kind(k=None if match["k"] is None else int(match["k"]), **options)
    return None


def measures_named(measures: object) -> dict[str, Measure]:
    """Return several measures by their names; a single name or ir_measures object is also accepted.

    Example:
        >>> measures_named(["RR", "P@5"])["P@5"].k, list(measures_named("AP"))
        (5, ['AP'])
    """
    if isinstance(measures, str) or not hasattr(measures, "__iter__"):
        measures = [measures]
    named = [(measure, measure_named(measure)) for measure in measures]
    return {str(each if isinstance(name, type) else name): each for name, each in named}


def measure_list(
    measure: object,
    ranked: Ranked,
    relevant: Relevant,
    *,
    conventions: str | Conventions = "trec_eval -c",
) -> float:
    """Compute a measure, given by its name, for one list.

    Args:
        measure: a name in ir_measures' notation, such as `"nDCG@10"`.
        ranked, relevant: as in `reciprocal_rank`.
        conventions: the conventions, as in `evaluate`; those of trec_eval -c by default.

    Raises:
        DataError: If an item is repeated, or a grade is not a finite number.
        ValueError: If the measure or preset is unknown.

    Example:
        >>> measure_list("P@2", ["D1", "D4", "D2"], {"D4"})
        0.5
    """
    named = measure_named(measure)
    return named.of_list(ranked, relevant, named.chosen_by(preset_named(conventions)))


def _spelt(name: str) -> str:
    """Return a name as in `_known_names`: R-precision is R_PRECISION."""
    return name.upper().replace("-", "_")


def _known_names() -> dict[str, type[Measure]]:
    return {name: kind for kind in MEASURES.values() for name in (kind.name.upper(), *kind.aliases)}


def _unregistered(kind: type[Measure]) -> set[str]:
    """Return the names of all subclasses that are not registered."""
    names = {name for own in kind.__subclasses__() for name in _unregistered(own)}
    return (names | {vars(kind).get("name", "")}) - {*MEASURES, ""}


def _function(function: FunctionType | partial) -> ValueError:
    """Return the error for a function instead of a measure."""
    name = getattr(function, "__name__", "a function")
    if getattr(function, "__module__", "") == "byhand.metrics.functions":
        ours = measure_named(name)
        return ValueError(f"{name} is the function for one list. Pass the name '{ours}'.")
    return ValueError(
        f"{name} is a function. evaluate needs a class that computes a measure from the ranks of "
        "the relevant items: python -m byhand docs measure."
    )


def _parted(text: str) -> tuple[str, str]:
    """Split a possibly misspelt name into the name without options, and its cutoff's digits."""
    ends = r"(.*?)(?:(?:@|_at_|(?:_cut)?[_.])([0-9]*)k?)?\W*$"
    name, k = re.match(ends, text.strip(), re.DOTALL).groups()
    return name.partition("(")[0], k or ""


def _nearest(text: str) -> str:
    (name, k), known = _parted(text), _known_names()
    near = get_close_matches(_spelt(name), known, n=1)
    return f" The nearest is {known[near[0]].name + (k and f'@{k}')!r}." if near else ""


def _option(text: str, kind: type[Measure], given: str) -> tuple[str, object]:
    name, _, value = map(str.strip, given.partition("="))
    if name in kind.options():
        of = kind.options()[name].kind
        match = _VALUES[of].fullmatch(value)
        if match:
            return name, match["text"] if of is str else of(value)
    raise ValueError(f"{text!r}: option {given.strip()!r} is not known; {kind.options_in_words()}.")
