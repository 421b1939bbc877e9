"""A look at a run and qrels before they are evaluated: what is there, and what it means."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple, Unpack

import pandas as pd

from byhand.checks.counts import Counts, count
from byhand.checks.findings import findings
from byhand.errors import DataError
from byhand.metrics.calls import answering
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import INSTEAD, MEASURES
from byhand.metrics.measure_names import measures_named
from byhand.metrics.presets import preset_named
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.tables.runs_and_qrels import Reading, tables_of
from byhand.words import gettext as _, padded, spoken, text_width, together

# values stand to the right and words to the left, also before a notebook is trusted with styles
_ROW = (
    '<tr><th scope="row" style="text-align:left">{}</th>'
    '<td style="text-align:right">{}</td><td style="text-align:left">{}</td></tr>'
)


class Fact(NamedTuple):
    """One thing that was counted: its name, its value as text, and what it means for a mean."""

    name: str
    value: str
    meaning: str = ""


@dataclass(frozen=True)
class Preflight:
    """What a run and qrels hold, what stops an evaluation, and what to know before one.

    Attributes:
        facts: what was counted.
        problems: what makes the numbers wrong or impossible, as sentences.
        notes: what changes how the numbers read, as sentences.
        counts: the same as numbers; None if the data cannot be counted.
        doubt: that note which says that every list may stand on its head; empty if none does.
        turning: the other notes that may turn a verdict on a mean.
        tables: run and qrels, checked, for what is asked of them next; None with a problem.
    """

    facts: tuple[Fact, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    counts: Counts | None = field(default=None, compare=False)
    doubt: str = ""
    turning: tuple[str, ...] = ()
    tables: RunWithQrels | None = field(default=None, compare=False, repr=False)

    def raise_if_problems(self) -> None:
        """Stop here with a DataError of all problems, if there is any."""
        if self.problems:
            raise DataError(together(self.problems, "\n"))

    def first_rows(self, n: int = 5) -> pd.DataFrame:
        """Return how a list was understood: the best items of one of the first judged queries.

        It is the first of twenty that has a hit among these items, or else the first of all.

        Args:
            n: how many items, 5 by default.

        Returns:
            Columns `query_id`, `doc_id`, `score` and `relevance`, a dash where nobody judged.

        Raises:
            DataError: If there is a problem.

        Example:
            >>> found = preflight({"q1": {"D1": 0.9, "D4": 0.4}}, {"q1": {"D4": 1}})
            >>> found.first_rows().values.tolist()
            [['q1', 'D1', 0.9, '–'], ['q1', 'D4', 0.4, 1]]
        """
        self.raise_if_problems()
        run, qrels = self.tables.run, self.tables.qrels
        judged = {*qrels.row_counts.index}
        queries = [each for each in run.row_counts.index if each in judged][:20]
        best = run.rows_of(queries).sort_values(["score", "doc_id"], ascending=False)
        top = best.groupby("query_id").head(n)
        rows = top.merge(qrels.rows_of(queries), how="left", on=["query_id", "doc_id"])
        hit = {*rows["query_id"][rows["relevance"] > 0]}
        query = next((each for each in queries if each in hit), queries[0])
        rows = rows[rows["query_id"] == query].reset_index(drop=True)
        rows["query_id"] = self.tables.as_given(rows["query_id"])
        grades = rows["relevance"].convert_dtypes()
        return rows.assign(relevance=["–" if pd.isna(each) else each for each in grades.tolist()])

    def __repr__(self) -> str:
        facts = [tuple(map(spoken, fact)) for fact in self.facts]
        names, values = (max((text_width(fact[at]) for fact in facts), default=0) for at in (0, 1))
        rows = [
            f"{padded(name, names)}  {padded(value, values)}  {meaning}".rstrip()
            for name, value, meaning in facts
        ]
        return "\n".join(
            [*rows, *(f"{kind}: {said}" if kind else said for kind, said in self._said)]
        )

    @property
    def _said(self) -> list[tuple[str, str]]:
        """Problems and notes, each with what it is; that there is no problem is said by itself."""
        problems = [(_("Problem"), spoken(each)) for each in self.problems]
        notes = [(_("Note"), spoken(each)) for each in self.notes]
        return [*(problems or [("", _("No problems."))]), *notes]

    def _repr_html_(self) -> str:
        facts = (map(escape, map(spoken, fact)) for fact in self.facts)
        rows = "".join(_ROW.format(*fact) for fact in facts)
        items = "".join(
            f"<li><strong>{kind}:</strong> {escape(said)}</li>" for kind, said in self._said if kind
        )
        none = "".join(f"<p>{said}</p>" for kind, said in self._said if not kind)
        table = f'<table class="dataframe"><tbody>{rows}</tbody></table>'
        return f"{table}{none}<ul>{items}</ul>"


@answering(INSTEAD)
def preflight(
    run: object,
    qrels: object,
    *,
    measures: Iterable[object] = MEASURES,
    conventions: str | Conventions = "trec_eval -c",
    relevant_from: float | None = None,
    clusters: object = None,
    **reading: Unpack[Reading],
) -> Preflight:
    """Count what a run and qrels hold, and say what that means for the numbers.

    Args:
        run, qrels, conventions, relevant_from: as in `evaluate`.
        measures: names of those of which it says what equal scores leave open.
        clusters: which queries hang together, as in `compare`; without, it asks of ids that look
            like variants of one query.
        reading: further options of `evaluate`: `duplicates`, `run_columns` and so on.

    Raises:
        ValueError: an unknown measure or preset.

    Returns:
        Facts, problems and notes. Data that `evaluate` would refuse is a problem here and is
        not raised, so that all of it can be shown at once.

    Example:
        >>> preflight({"q1": {"D1": 0.9, "D4": 0.4}}, {"q1": {"D4": 1}}).problems
        ()
    """
    preset_named(conventions)
    measures = measures_named(measures)
    same, refused = run is qrels, []
    checked = tables_of(run, qrels, refused=refused, **reading)
    noted = checked if not refused else (run, qrels)
    of_tables = tuple(dict.fromkeys(note for table in noted for note in _notes_of(table)))
    run, qrels = checked
    if refused:
        return Preflight((), tuple(refused), of_tables)
    try:
        tables = RunWithQrels(run, qrels, relevant_from=relevant_from)
        counts = count(
            tables,
            measures=measures,
            conventions=conventions,
            judged_run=same,
            clustered=clusters is not None,
        )
    except DataError as error:
        return Preflight((), (str(error),), of_tables)
    facts, said = findings(counts)
    doubt = together(said["doubt"])
    return Preflight(
        facts=tuple(Fact(*fact) for fact in facts),
        problems=tuple(said["problem"]),
        notes=(*filter(None, [doubt]), *said["note"], *of_tables),
        counts=counts,
        doubt=doubt,
        turning=tuple(said["turning"]),
        tables=None if said["problem"] else tables,
    )


def _notes_of(table: object) -> list[str]:
    """What was decided when a table was read, or its columns were found."""
    attrs = getattr(table, "attrs", {})
    name = attrs.get("file", getattr(table, "name", "table"))
    return [together([name, note], ": ") for note in attrs.get("notes", [])]
