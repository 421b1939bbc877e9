"""What to say of a table that lacks columns, or has one twice: what its owner can paste."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from byhand.columns import OURS, Type, advice, guess, listed, names_of, plain
from byhand.errors import DataError, both


class Change(NamedTuple):
    """How the owner of a table changes it, in calls to be filled in.

    Attributes:
        renamed: gives columns our names: `name` is the table's, `columns` are {theirs: ours}, and
            `ours` the same as keywords.
        negated: makes a score of a `rank`.
    """

    renamed: str
    negated: str


IN_PANDAS = Change("{name}.rename(columns={columns})", "{name}.assign(score=-{name}[{rank!r}])")
IN_ARROW = Change(
    "pa.table({name}).rename_columns({columns})",
    "pa.table({name}).append_column('score', pc.negate(pa.table({name})[{rank!r}]))",
)
# frames and relations have the same under other names
IN_IBIS = Change("{name}.rename({ours})", "{name}.mutate(score=-{name}[{rank!r}])")


def is_ranked(names: Sequence[object]) -> bool:
    """Whether a run of these columns has ranks and no scores."""
    return "rank" in names and "score" not in names


def require_columns(
    names: Sequence[object],
    name: str,
    columns: Sequence[str],
    *,
    index: Sequence[str] = (),
    types: Mapping[str, Type] | None = None,
    change: Change = IN_PANDAS,
) -> None:
    """Complain about columns that a table lacks, or has twice.

    Args:
        names: its columns.
        name: what the table is called.
        columns: those that it has to have.
        index: the names in its index.
        types: what type of values the columns hold, where that is known.
        change: how its owner changes a table.

    Raises:
        DataError: what is missing, and what may be all it takes.
    """
    names = list(names)
    for ours in columns:
        if (many := names.count(ours)) > 1:
            raise DataError(f"{name}: {many} columns are called {ours!r}; keep one.", table=name)
    missing = [ours for ours in columns if ours not in names]
    if not missing:
        return
    absent = [ours for ours in missing if ours not in index]
    others = [theirs for theirs in (*names, *index) if isinstance(theirs, str)]
    found = guess(absent, [theirs for theirs in others if theirs not in OURS], types)
    rank = next((theirs for theirs in others if plain(theirs) in names_of("rank")), None)
    if not absent:
        those = "It is" if len(missing) == 1 else "They are"
        mend = f"{those} in the index: pass {name}.reset_index()."
    elif missing == ["score"] and rank and not (found and found.basis == "name"):
        mend = f"Its score is minus the rank: {change.negated.format(name=name, rank=rank)}."
    elif found:
        calls = " or ".join(_call(name, way, [*index], missing, change) for way in found.ways)
        mend = f"{advice(missing, columns, found, then=':')} {calls}."
    else:
        mend = f"Expected the columns {', '.join(columns)}."
        if absent == ["relevance"] and change is IN_PANDAS:
            mend += " If every row is a hit, as in a log of clicks: qrels.assign(relevance=1)."
    what = f"column{'s' * (len(missing) > 1)} {both([repr(ours) for ours in missing])}"
    message = f"{name}: no {what}. Columns found: {listed(names)}. {mend}"
    raise DataError(message, table=name, missing=missing)


def _call(
    name: str, way: Mapping[str, str], index: Sequence[str], missing: Sequence[str], change: Change
) -> str:
    """What gives a table's columns our names, and makes scores of ranks."""
    table = name + ".reset_index()" * (not {*index}.isdisjoint([*way, *missing]))
    for rank in (theirs for theirs, ours in way.items() if ours == "rank"):
        table = change.negated.format(name=table, rank=rank)
    named = {theirs: ours for theirs, ours in way.items() if ours != "rank"}
    ours = ", ".join(f"{ours}={theirs!r}" for theirs, ours in named.items())
    return change.renamed.format(name=table, columns=named, ours=ours) if named else table
