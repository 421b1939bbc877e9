"""Is `by_chance` of `which_conventions` right? Unrelated numbers, and how many are explained.

`python tests/tools/by_chance.py [NUMBERS]` draws numbers near the default of a measure on three
runs, and prints how many explanations were expected of each, and how many there were; then how
often a number that a departure made is explained by it first.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from byhand import read_qrels, read_run
from byhand.metrics.hits import Tables
from byhand.metrics.names import measures_named
from byhand.statistics.explanations import Tried
from byhand.statistics.explanations import printed as as_printed
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
    """All ways at once; the numbers are exchanged below."""
    case = Case(Tables(run, qrels), measures_named(measure), "trec_eval -c")
    wanted = {measure: (None, [as_printed(measure, "0.5", case.measures[measure])])}
    return Tried(case, case.ways(departures), wanted)


def main(numbers: int = 200) -> None:
    rng, rows = np.random.default_rng(0), []
    for name, tables in samples().items():
        for measure in MEASURES:
            ways = tried(*tables, measure, 2)
            default = ways.values[measure].iloc[0]
            for digits in (3, 4, 5):
                expected, found = [], []
                for number in default + rng.uniform(-AROUND, AROUND, numbers):
                    printed = as_printed(
                        measure, f"{number:.{digits}f}", ways.case.measures[measure]
                    )
                    ways.wanted = {measure: (None, [printed])}
                    every = int(ways.simple.argmax())  # as complicated as any
                    expected.append(ways.by_chance(every))
                    found.append(len(ways.matching()))
                rows.append((name, measure, digits, np.mean(expected), np.mean(found)))
    table = pd.DataFrame(rows, columns=["data", "measure", "digits", "expected", "found"])
    print(table.round(3).to_string(index=False))
    print(table.groupby("digits")[["expected", "found"]].mean().round(3))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
