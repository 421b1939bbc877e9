"""Measures by name: ir_measures' notation and what people write elsewhere, read."""

import re
from difflib import get_close_matches
from functools import partial
from types import FunctionType

from byhand.errors import with_values
from byhand.metrics.cases import Ranked, Relevant
from byhand.metrics.conventions import Conventions
from byhand.metrics.measures import MEASURES, Measure
from byhand.metrics.presets import preset_named
from byhand.words import Message, together

_NOTATION = re.compile(r"(?P<name>[\w-]+)(?:\((?P<options>.*)\))?(?:@(?P<k>[0-9]+))?")
_ELSEWHERE = re.compile(r"(?P<name>\w+?)(?P<options>)(?:_cut)?[_.](?P<k>[0-9]+)")  # P_5, map_cut.10
_PERSISTENCE = re.compile(r"rbp\.([0-9]+)(@[0-9]+)?", re.IGNORECASE)  # ranx: rbp.95 is p=0.95
_VALUES = {
    int: re.compile(r"-?[0-9]+"),
    float: re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?", re.IGNORECASE),
    str: re.compile(r"""(?P<quote>['"])(?P<text>[^'"]*)(?P=quote)"""),
}
# what is no function of where the relevant items landed
_OF_WHAT_IS_SHOWN = re.compile(
    "coverage|diversity|novelty|serendipity|popularity|personali[sz]ation|gini", re.IGNORECASE
)
_OWN = """from byhand.metrics.measures import RankWeighted, register

@register
class Mine(RankWeighted):
    name, meaning, source = "Mine", "1 / rank^2 of each hit, added up", "mine"
    highest = None  # or the most that a query can have

    def weight(self, rank):
        return 1 / rank**2
"""


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
    if isinstance(text, FunctionType | partial):
        raise _function(text)
    if isinstance(text, type) and issubclass(text, Measure):
        return text()
    text = str(text)
    known = _known_names()
    for notation in (_NOTATION, _ELSEWHERE):
        match = notation.fullmatch(_PERSISTENCE.sub(r"RBP(p=0.\1)\2", text.strip()))
        kind = match and (MEASURES.get(match["name"]) or known.get(_spelt(match["name"])))
        if kind:
            given = [each for each in (match["options"] or "").split(",") if each]
            options = dict(_option(text, kind, each) for each in given)
            if len(options) < len(given):
                raise ValueError(with_values("{text!r}: an option is there twice.", [text]))
            return kind(k=None if match["k"] is None else int(match["k"]), **options)
    if _OF_WHAT_IS_SHOWN.search(text):
        raise ValueError(
            with_values(
                "{text!r} is about what is shown to everybody, not about where the relevant items "
                "landed, and no such measure is here. Microsoft's recommenders has "
                "catalog_coverage, diversity, novelty and serendipity; RecBole has ItemCoverage "
                "and GiniIndex.",
                [text],
            )
        )
    if (own := _NOTATION.fullmatch(text)) and own["name"] in _unregistered(Measure):
        raise ValueError(
            with_values("{own} is not registered: write @register above its class.", [own["name"]])
        )
    raise ValueError(
        with_values(
            "{text!r} is not a measure; known are {known}, each also with a cutoff, such as "
            "'nDCG@10'.{nearest}",
            [text, together(map(_also, MEASURES.values()), ", "), _nearest(text)],
        )
    )


def measures_named(measures: object) -> dict[str, Measure]:
    """Several measures by their names; one name, or one ir_measures object, will do.

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
    return named.of_list(ranked, relevant, named.chosen_by(preset_named(conventions)))


def _spelt(name: str) -> str:
    """A name as they are known: R-precision is R_PRECISION."""
    return name.upper().replace("-", "_")


def _known_names() -> dict[str, type[Measure]]:
    """Every name that a measure is known by, in capitals."""
    return {name: kind for kind in MEASURES.values() for name in (kind.name.upper(), *kind.aliases)}


def _unregistered(kind: type[Measure]) -> set[str]:
    """The names of all classes of this kind that were defined and are not known by their names."""
    found = {each for own in kind.__subclasses__() for each in _unregistered(own)}
    return (found | {vars(kind).get("name", "")}) - {*MEASURES, ""}


def are_measures(held: object) -> bool:
    """Whether something is the name of a measure, of ours or of ir_measures, or a list of such.

    Example:
        >>> are_measures(["MRR@10", "AP"]), are_measures(["d1", "d2"]), are_measures("qrels.csv")
        (True, False, False)
    """
    names = held if isinstance(held, list | tuple) else [held]
    try:
        return bool(names) and all(
            (isinstance(n, str | Measure) or hasattr(n, "calc_aggregate")) and measure_named(n)
            for n in names
        )
    except ValueError:
        return False


def _also(measure: type[Measure]) -> str:
    """The name of a measure, with what else it is called."""
    also = ", ".join(measure.aliases)
    return Message("{name} (also {also})", name=measure.name, also=also) if also else measure.name


def _function(function: FunctionType | partial) -> ValueError:
    """What to say of a function where a measure belongs."""
    name = getattr(function, "__name__", Message("a function"))
    if ours := getattr(function, "measure", None):
        return ValueError(
            with_values(
                "{name} is the function of one list. Pass its name: {ours!r}.", [name, ours.name]
            )
        )
    return ValueError(
        with_values(
            "{name} is a function, and of each query evaluate knows at which ranks its relevant "
            "items landed, not the list. A measure of your own is a class, which says what a hit "
            "earns by its rank (docs/measure.md has more):\n\n{own}\nThen pass 'Mine', or "
            "'Mine@10'.",
            [name, _OWN],
        )
    )


def _nearest(text: str) -> str:
    """The name that comes closest, with its cutoff."""
    known = _known_names()
    name, k = re.match(r"(.*?)(?:(?:@|(?:_cut)?[_.])([0-9]+))?$", text.strip(), re.DOTALL).groups()
    near = get_close_matches(name.partition("(")[0].upper(), known, n=1)
    if not near:
        return ""
    name = known[near[0]].name + (f"@{k}" if k else "")
    return Message(" The nearest is {name!r}.", name=name)


def _option(text: str, kind: type[Measure], given: str) -> tuple[str, object]:
    name, _, value = map(str.strip, given.partition("="))
    if name in kind.options():
        of = kind.options()[name].kind
        match = _VALUES[of].fullmatch(value)
        if match:
            return name, match["text"] if of is str else of(value)
    raise ValueError(
        with_values(
            "{text!r}: option {option!r} is not known; {options}.",
            [text, given.strip(), kind.options_in_words()],
        )
    )
