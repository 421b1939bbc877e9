"""Explanation of reported numbers: the conventions, or mistakes, that give them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np
import pandas as pd

from byhand.conventions.candidates import Candidates
from byhand.conventions.recomputer import Recomputer
from byhand.conventions.reported import Reported, read_reported
from byhand.conventions.variants import every_variant, names_together
from byhand.duplicates import Reading
from byhand.errors import both
from byhand.metrics.conventions import Conventions
from byhand.metrics.measure_names import measures_named
from byhand.metrics.presets import PRESETS
from byhand.metrics.run_with_qrels import RunWithQrels
from byhand.tables.frames import run_of
from byhand.whole import WholeFrame
from byhand.words import N_, Message, spoken

_MOST_WITH_COPIES = 10.0  # a repeated item may cause means above 1


def which_conventions(
    run: object,
    qrels: object,
    reported: Mapping[object, str],
    *,
    conventions: str | Conventions = "trec_eval -c",
    departures: int = 2,
    relevant_from: float | None = None,
    **reading: Unpack[Reading],
) -> pd.DataFrame:
    """Find the conventions, or the mistakes, that reproduce reported numbers.

    Args:
        run, qrels: as in `evaluate`, in memory.
        reported: measure -> its mean as text: `{"nDCG@10": "0.3654"}`. A number with %, or
            above 1 for a measure up to 1, is a percentage (if the run repeats items, above 10).
        conventions: the starting point, a preset or `Conventions`; trec_eval -c by default.
        departures: the maximum number of departures from it, from 0 to 2; 2 by default.
        relevant_from, reading: as in `evaluate`.

    Returns:
        One row per explanation, the simplest first: the `explanation` in words; the number of
        `departures`; the names of all matching presets, `preset`; a `Conventions` value, `choices`,
        or None with mistakes; the number of `mistakes`; `seen_in`, the tools that make them; the
        value of each measure; `equal`, the number of other ways with the same values on this data;
        `ask_for`, the query that best distinguishes the rows, and `predicts`, its value in each.
        `.attrs` contains the values without a departure (`default`), the number of ways `tried`
        and of distinct `classes`, the `nearest` ways, and the conclusions in sentences (`says`).

    Raises:
        DataError: If `evaluate` would raise one, or a table is in a database.
        ValueError: If a number is not text, `reported` is empty, a measure or preset is unknown,
            or an option is out of range.

    References:
        What tools do is recorded in data/tool-results.csv.

    Example:
        >>> run, qrels = {"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"b": 1, "c": 2, "z": 3}}
        >>> answer = which_conventions(run, qrels, {"nDCG": "0.2269"}, departures=1)
        >>> answer["explanation"].tolist()
        ['the gain of an item is 2^grade - 1']
    """
    how = {"conventions": conventions, "departures": departures, "relevant_from": relevant_from}
    answer = explained(run, qrels, reported, **how, **reading)
    attrs, words = answer.attrs, [*map(spoken, answer["explanation"])]
    nearest = [(spoken(each), means) for each, means in attrs["nearest"]]
    shown = WholeFrame(answer.assign(explanation=words))
    shown.attrs = attrs | {"nearest": nearest, "says": [*map(spoken, attrs["says"])]}
    return shown


def explained(
    run: object,
    qrels: object,
    reported: Mapping[object, str],
    *,
    conventions: str | Conventions,
    departures: int = 2,
    relevant_from: float | None,
    **reading: Unpack[Reading],
) -> pd.DataFrame:
    """Return the answer of `which_conventions`, with texts that are translated when shown."""
    measures = measures_named([*reported])
    tables = RunWithQrels(run, qrels, relevant_from=relevant_from, **reading)
    if not (tables.run.lazy or tables.run.ordered):
        tables.hits()  # refuse repeated items first; then row order may explain the numbers
        tables.run = replace(tables.run, ordered=True)
    every = None  # the run with all rows of repeated items, if some were removed
    if not tables.run.lazy and tables.run.repeated:
        whole = run_of(run, columns=reading.get("run_columns"))
        every = whole if len(whole) > len(tables.run) else None
    numbers = read_reported(reported, measures, most=1.0 if every is None else _MOST_WITH_COPIES)
    if departures not in range(3):
        raise ValueError(f"departures={departures!r}: expected a whole number from 0 to 2.")
    recomputer = Recomputer(tables, measures, conventions, every)
    return _explained(Candidates(recomputer, every_variant(recomputer, departures)), numbers)


def _explained(candidates: Candidates, reported: Sequence[Reported]) -> pd.DataFrame:
    tools = candidates.explaining(reported)
    rows = [_row(candidates, at, named) for at, named in tools.items()]
    head = ["explanation", "departures", "preset", "choices", "mistakes", "seen_in"]
    answer = pd.DataFrame(rows, columns=[*head, *candidates.means, "equal"])
    # objects keep the messages translatable
    answer["explanation"] = pd.Series([row["explanation"] for row in rows], dtype=object)
    answer = _with_question(answer, candidates, [*tools])
    answer.attrs |= {
        "default": candidates.usual,
        "tried": candidates.tried,
        "classes": len(candidates.variants),
        "nearest": candidates.nearest(reported),
    }
    by_preset = [tool for tool in PRESETS if any(tool in named for named in tools.values())]
    answer.attrs["says"] = [*_says(answer, reported, by_preset)]
    return answer


def _row(candidates: Candidates, at: int, tools: Sequence[str]) -> dict[str, object]:
    variant = candidates.variants[at]
    chosen = {candidates.recomputer.chosen(variant, name)[1] for name in candidates.means}
    return {
        "explanation": variant.words,
        "departures": int(candidates.departures[at]),
        "preset": both(sorted(tools, key=[*PRESETS].index)),
        "choices": chosen.pop() if not variant.mistakes and len(chosen) == 1 else None,
        "mistakes": variant.mistakes,
        "seen_in": both(variant.seen_in),
        **candidates.means.loc[at],
        "equal": int(candidates.equal[at]),
    }


def _with_question(
    answer: pd.DataFrame, candidates: Candidates, rows: Sequence[int]
) -> pd.DataFrame:
    """Add the query whose value best distinguishes the rows, and its value in each."""
    best, question = (1, 0.0), None
    for name in candidates.means if len(rows) > 1 else ():
        values = np.array([candidates.per_query(at, name) for at in rows])
        known = values[~np.isnan(values).all(axis=1)]
        if len(known) < 2:
            continue
        table = np.nan_to_num(known, nan=-1).round(4)
        distinct = (np.diff(np.sort(table, axis=0), axis=0) > 0).sum(axis=0) + 1
        at = np.lexsort((-np.ptp(table, axis=0), -distinct))[0]
        score = int(distinct[at]), float(np.ptp(table[:, at]))
        if score > best:
            best, question = score, (name, at, values[:, at])
    if question is None:
        return answer.assign(ask_for=None, predicts=np.nan)
    name, at, predicts = question
    query = candidates.recomputer.query_ids[at]
    answer = answer.assign(ask_for=query, predicts=predicts)
    answer.attrs["ask_for"] = query, name
    return answer


def _says(
    answer: pd.DataFrame, reported: Sequence[Reported], tools: Sequence[str]
) -> Iterator[Message]:
    if answer.empty:
        message = N_(
            "None of {tried:,} ways gives these numbers. They may come from another run or other "
            "judgements, or from more departures; but a match with so many would prove little."
        )
        yield Message(message, tried=answer.attrs["tried"])
        return
    if len(reported) == 1 and reported[0].unit > 10.0**-2.5:
        message = N_(
            "Two digits or fewer fit almost anything. Ask for more digits, for a second "
            "number, or for the value of one query."
        )
        yield Message(message)
    message = N_(
        "{tried:,} ways were tried, which give {classes:,} different values: by chance, some of "
        "them may fit even a number that has nothing to do with this data."
    )
    yield Message(message, **{name: answer.attrs[name] for name in ("tried", "classes")})
    if tools:
        message = N_("Presets of tools that give these numbers: {tools}.")
        yield Message(message, tools=names_together(tools))
    if "ask_for" in answer.attrs:
        query, name = answer.attrs["ask_for"]
        message = N_("To tell the explanations apart, ask for {measure} of query {query}.")
        yield Message(message, measure=name, query=query)
