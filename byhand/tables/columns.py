"""What to say of a table that lacks columns, or has one twice: what its owner can paste."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from byhand.columns import OURS, Type, advice, guess, listed, names_of, plain
from byhand.errors import DataError, both


@dataclass(frozen=True)
class Change:
    """How the owner of a table changes it.

    Attributes:
        renamed: the call that gives columns our names, from the table's name and {theirs: ours}.
        negated: the call that makes a score of a rank, from the table's name and the rank's.
    """

    renamed: Callable[[str, Mapping[str, str]], str]
    negated: Callable[[str, str], str]


IN_PANDAS = Change(
    lambda name, columns: f"{name}.rename(columns={dict(columns)})",
    lambda name, rank: f"{name}.assign(score=-{name}[{rank!r}])",
)
IN_ARROW = Change(
    lambda name, columns: f"pa.table({name}).rename_columns({dict(columns)})",
    lambda name, rank: (
        f"pa.table({name}).append_column('score', pc.negate(pa.table({name})[{rank!r}]))"
    ),
)


def is_ranked(names: Sequence[object]) -> bool:
    """Whether a run of these columns has ranks and no scores."""
    return "rank" in names and "score" not in names


def require_columns(
    names: Sequence[object],
    name: str,
    columns: tuple[str, ...],
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
    if missing := [ours for ours in columns if ours not in names]:
        what = f"column{'s' * (len(missing) > 1)} {both([repr(ours) for ours in missing])}"
        mend = _mend(names, index, name, missing, columns, types, change)
        found = f"{name}: no {what}. Columns found: {listed(names)}. {mend}"
        raise DataError(found, table=name, missing=missing)


def _mend(
    names: Sequence[object],
    index: Sequence[str],
    name: str,
    missing: Sequence[str],
    columns: Sequence[str],
    types: Mapping[str, Type] | None,
    change: Change,
) -> str:
    """What may be all that a table with missing columns takes, to paste."""
    one = len(missing) == 1
    expected = f"Expected the columns {', '.join(columns)}."
    absent = [ours for ours in missing if ours not in index]
    if not absent:
        return f"{'It is' if one else 'They are'} in the index: pass {name}.reset_index()."
    others = [theirs for theirs in (*names, *index) if isinstance(theirs, str)]
    found = guess(absent, [theirs for theirs in others if theirs not in OURS], types)
    rank = next((theirs for theirs in others if plain(theirs) in names_of("rank")), None)
    if missing == ["score"] and rank and not (found and found.basis == "name"):
        return f"Its score is minus the rank: {change.negated(name, rank)}."
    if not found:
        hits = "If every row is a hit, as in a log of clicks: qrels.assign(relevance=1)."
        return f"{expected} {hits}" if absent == ["relevance"] and change is IN_PANDAS else expected
    calls = " or ".join(_call(name, way, [*index], missing, change) for way in found.ways)
    return f"{advice(missing, columns, found, then=':')} {calls}."


def _call(
    name: str, way: Mapping[str, str], index: Sequence[str], missing: Sequence[str], change: Change
) -> str:
    """What gives a table's columns our names, and makes scores of ranks."""
    table = name + ".reset_index()" * (not {*index}.isdisjoint([*way, *missing]))
    rank = next((theirs for theirs, ours in way.items() if ours == "rank"), None)
    table = table if rank is None else change.negated(table, rank)
    named = {theirs: ours for theirs, ours in way.items() if ours != "rank"}
    return change.renamed(table, named) if named else table
