"""The check of a run and qrels before they are evaluated."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import NamedTuple, Unpack

import pandas as pd

from byhand.checks.counts import Counts, count
from byhand.checks.findings import findings
from byhand.duplicates import Reading
from byhand.errors import DataError
from byhand.metrics.calls import answering
from byhand.metrics.conventions import Conventions
from byhand.metrics.evaluate import INSTEAD, MEASURES
from byhand.metrics.measure_names import measures_named
from byhand.metrics.presets import preset_named
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.tables.runs_and_qrels import tables_of
from byhand.words import gettext as _, padded, spoken, text_width, together

# inline styles also work in a notebook that is not trusted
_ROW = (
    '<tr><th scope="row" style="text-align:left">{}</th>'
    '<td style="text-align:right">{}</td><td style="text-align:left">{}</td></tr>'
)


class Fact(NamedTuple):
    """A count: its name, its value as text, and its meaning for a mean."""

    name: str
    value: str
    meaning: str = ""


@dataclass(frozen=True)
class Preflight:
    """The result of `preflight`: counts, problems and notes.

    Attributes:
        facts: the counts.
        problems: sentences on what makes the numbers wrong or impossible.
        notes: sentences on what affects the interpretation of the numbers.
        counts: the counts as numbers; None if the data cannot be counted.
        doubt: the note that every list may be in reverse order; empty if there is no sign of it.
        turning: the other notes that may change a verdict on a mean.
        tables: the checked run and qrels, for further use; None with a problem.
    """

    facts: tuple[Fact, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    counts: Counts | None = field(default=None, compare=False)
    doubt: str = ""
    turning: tuple[str, ...] = ()
    tables: RunWithQrels | None = field(default=None, compare=False, repr=False)

    def raise_if_problems(self) -> None:
        """Raise a DataError with all problems, if there are any."""
        if self.problems:
            raise DataError(together(self.problems, "\n"))

    def first_rows(self, n: int = 5) -> pd.DataFrame:
        """Return the best items of one of the first judged queries, to check how a list was read.

        It tries twenty queries and takes the first with a hit among these items, or else the first.

        Args:
            n: the number of items; 5 by default.

        Returns:
            A frame with `query_id`, `doc_id`, `score` and `relevance`, a dash for unjudged items.

        Raises:
            DataError: If there is a problem.

        Example:
            >>> checked = preflight({"q1": {"D1": 0.9, "D4": 0.4}}, {"q1": {"D4": 1}})
            >>> checked.first_rows().values.tolist()
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
            [*rows, *(f"{kind}: {text}" if kind else text for kind, text in self._messages)]
        )

    @property
    def _messages(self) -> list[tuple[str, str]]:
        """Return problems and notes with their labels; no label if there are no problems."""
        problems = [(_("Problem"), spoken(each)) for each in self.problems]
        notes = [(_("Note"), spoken(each)) for each in self.notes]
        return [*(problems or [("", _("No problems."))]), *notes]

    def _repr_html_(self) -> str:
        facts = (map(escape, map(spoken, fact)) for fact in self.facts)
        rows = "".join(_ROW.format(*fact) for fact in facts)
        items = "".join(
            f"<li><strong>{kind}:</strong> {escape(text)}</li>"
            for kind, text in self._messages
            if kind
        )
        none = "".join(f"<p>{text}</p>" for kind, text in self._messages if not kind)
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
    """Count the contents of a run and qrels, and explain what they mean for the numbers.

    Args:
        run, qrels, conventions, relevant_from: as in `evaluate`.
        measures: the measures whose range over ties is checked; RR, AP and nDCG by default.
        clusters: the clusters of dependent queries, as in `compare`. With None, the default, a note
            lists ids that look like variants of one query.
        reading: further options of `evaluate`: `duplicates`, `run_columns` and so on.

    Returns:
        Facts, problems and notes. Data for which `evaluate` would raise an error is listed
        as a problem here, so that you see all problems at once.

    Raises:
        ValueError: If a measure, preset or option is unknown, or `relevant_from` is not above 0.

    Example:
        >>> preflight({"q1": {"D1": 0.9, "D4": 0.4}}, {"q1": {"D4": 1}}).problems
        ()
    """
    preset_named(conventions)
    measures = measures_named(measures)
    refused: list[str] = []
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
            clustered=clusters is not None,
        )
    except DataError as error:
        return Preflight((), (str(error),), of_tables)
    facts, messages = findings(counts)
    doubt = together(messages["doubt"])
    return Preflight(
        facts=tuple(Fact(*fact) for fact in facts),
        problems=tuple(messages["problem"]),
        notes=(*filter(None, [doubt]), *messages["note"], *of_tables),
        counts=counts,
        doubt=doubt,
        turning=tuple(messages["turning"]),
        tables=None if messages["problem"] else tables,
    )


def _notes_of(table: object) -> list[str]:
    attrs = getattr(table, "attrs", {})
    name = attrs.get("file", getattr(table, "name", "table"))
    return [together([name, note], ": ") for note in attrs.get("notes", [])]
