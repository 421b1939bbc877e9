"""Is `by_chance` of `which_conventions` right? Unrelated numbers, and how many are explained.

`python tests/tools/by_chance.py [NUMBERS]` draws numbers near the default of a measure on three
runs, and prints how many explanations were expected of each, and how many there were; then how
often a number that one departure made is explained by it first, and among the first three.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from byhand import read_qrels, read_run
from byhand.metrics.hits import Tables
from byhand.metrics.names import measures_named
from byhand.statistics.explanations import Tried, printed as as_printed
from byhand.statistics.ways import Case

DATA = Path(__file__).parents[2] / "data"
MEASURES = ("nDCG@10", "AP", "RR@10", "P@10")
AROUND = 0.05  # how far from the default the numbers are drawn


def samples() -> dict[str, tuple[pd.DataFrame, pd.DataFrame]]:
    codes = pd.read_csv(DATA / "cranfield-qrels.csv", dtype=str)
    grades = {"1": 4, "2": 3, "3": 2, "4": 1, "-1": 0}
    cranfield = codes.assign(relevance=codes["code"].map(grades))
    judged = read_qrels(DATA / "sample-qrels.csv")
    return {
        "Cranfield, BM25": (read_run(DATA / "cranfield-bm25.txt.gz"), cranfield),
        "sample, old": (read_run(DATA / "sample-old.txt.gz"), judged),
        "sample, new": (read_run(DATA / "sample-new.txt.gz"), judged),
    }


def tried(run: pd.DataFrame, qrels: pd.DataFrame, measure: str, departures: int) -> Tried:
    """All ways at once."""
    case = Case(Tables(run, qrels), measures_named(measure), "trec_eval -c")
    return Tried(case, case.ways(departures))


def coincidences(ways: Tried, measure: str, digits: int, numbers: int) -> tuple[float, float]:
    """Of numbers near the default: how many explanations were expected, and how many there are."""
    rng, expected, found = np.random.default_rng(0), [], []
    every = int(ways.simple.argmax())  # as complicated as any
    for number in ways.values[measure].iloc[0] + rng.uniform(-AROUND, AROUND, numbers):
        wanted = reported(ways, measure, number, digits)
        expected.append(ways.by_chance(every, wanted))
        found.append(len(ways.matching(wanted)))
    return np.mean(expected), np.mean(found)


def planted(ways: Tried, measure: str, digits: int) -> tuple[float, float]:
    """Of numbers that one departure made: how often it is told first, and among the first three."""
    places = []
    for at in range(len(ways.ways)):
        if ways.simple[at] == 1 and not ways.cut[at]:
            wanted = reported(ways, measure, ways.values[measure].iloc[at], digits)
            told = [*ways.explaining(wanted)]
            places.append(told.index(at) if at in told else np.inf)
    return np.mean(np.array(places) == 0), np.mean(np.array(places) < 3)


def reported(ways: Tried, measure: str, number: float, digits: int) -> list:
    """A number as which_conventions takes it."""
    text = f"{number:.{digits}f}"
    return [(measure, None, as_printed(measure, text, ways.case.measures[measure]))]


def main(numbers: int = 200) -> None:
    rows = []
    for name, tables in samples().items():
        for measure in MEASURES:
            ways = tried(*tables, measure, 2)
            for digits in (3, 4, 5):
                found = coincidences(ways, measure, digits, numbers)
                rows.append((name, measure, digits, *found, *planted(ways, measure, digits)))
    columns = ["data", "measure", "digits", "expected", "found", "first", "of three"]
    table = pd.DataFrame(rows, columns=columns)
    print(table.round(3).to_string(index=False))
    print(table.groupby("digits")[columns[3:]].mean().round(3))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
