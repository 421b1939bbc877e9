"""Is `by_chance` of `which_conventions` right? Unrelated numbers, and how many are explained.

`python tools/by_chance.py [NUMBERS]` makes up systems that answer, at each query, as one of
two runs does at a query drawn at random. Of those near the default of one measure or of two, it
prints how many explanations were expected, and how many there were, and at the end their `ratio`
over all data; and how often a number that one departure made is explained by it first, and among
the first three.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from byhand import evaluate, read_qrels, read_run
from byhand.conventions.candidates import Candidates
from byhand.conventions.coincidences import Coincidences
from byhand.conventions.recomputer import Recomputer
from byhand.conventions.reported import Reported, read_reported
from byhand.conventions.variants import every_variant
from byhand.metrics.measure_names import measures_named
from byhand.metrics.run_with_qrels import RunWithQrels

DATA = Path(__file__).parents[1] / "data"
MEASURES = (
    *(("nDCG@10",), ("AP",), ("RR",), ("P@10",), ("P@5",), ("P@1",), ("Success@1",)),
    *(("nDCG@10", "AP"), ("AP", "RR"), ("RR", "RR@100"), ("P@1", "Success@1"), ("P@5", "P@10")),
)
AROUND = 0.05  # how far from the default the numbers are drawn


def samples() -> dict[str, tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]]:
    """Some data: a run, another one, and qrels."""
    codes = pd.read_csv(DATA / "cranfield-qrels.csv", dtype=str)
    grades = {"1": 4, "2": 3, "3": 2, "4": 1, "-1": 0}
    cranfield = codes.assign(relevance=codes["code"].map(grades))
    bm25, tfidf = (read_run(DATA / f"cranfield-{name}.txt.gz") for name in ("bm25", "tfidf"))
    old, new = (read_run(DATA / f"sample-{name}.txt.gz") for name in ("old", "new"))
    judged = read_qrels(DATA / "sample-qrels.csv")
    few = judged[judged["query_id"].isin(judged["query_id"].unique()[:30])]
    return {
        "Cranfield": (bm25, tfidf, cranfield),
        "sample": (old, new, judged),
        "30 queries": (old, new, few),
    }


def searched(run: pd.DataFrame, qrels: pd.DataFrame, names: tuple[str, ...]) -> Candidates:
    """What is there to explain numbers by."""
    recomputer = Recomputer(RunWithQrels(run, qrels), measures_named(names), "trec_eval -c")
    return Candidates(recomputer, every_variant(recomputer, 2))


def unrelated(values: list[pd.DataFrame], numbers: int) -> Iterator[pd.Series]:
    """The means of made-up systems that are near those of the first run."""
    rng, n, default = np.random.default_rng(0), len(values[0]), values[0].mean()
    both = np.array([each.to_numpy() for each in values])
    while numbers:
        means = both[rng.integers(2, size=n), rng.integers(n, size=n)].mean(axis=0)
        means = pd.Series(means, index=default.index)
        if (abs(means - default) <= AROUND).all():
            numbers -= 1
            yield means


def expected_and_found(
    candidates: Candidates, means: list[pd.Series], digits: int
) -> tuple[float, float]:
    """Of unrelated numbers: how many explanations were expected, and how many there are."""
    expected, found, coincidences = [], [], Coincidences(candidates)
    # as complicated as any, and of means on the same points as the default
    steps = [coincidences.steps(name) for name in candidates.means]
    alike = np.all([each == each[0] for each in steps], axis=0)
    every = np.flatnonzero(alike & (candidates.departures == candidates.departures.max()))
    for numbers in means:
        asked = reported(candidates, numbers.to_dict(), digits)
        apart = abs(candidates.means.iloc[every] - numbers).max(axis=1).to_numpy()
        expected.append(coincidences.expected(every[apart.argmin()], asked))
        found.append(len(candidates.matching(asked)))
    return np.mean(expected), np.mean(found)


def planted(candidates: Candidates, digits: int) -> tuple[float, float]:
    """Of numbers that one departure made: how often it is told first, and among the first three."""
    places = []
    for at in range(len(candidates.variants)):
        if candidates.departures[at] == 1 and not candidates.cut[at]:
            asked = reported(candidates, candidates.means.iloc[at].to_dict(), digits)
            told = [*candidates.explaining(asked)]
            places.append(told.index(at) if at in told else np.inf)
    return np.mean(np.array(places) == 0), np.mean(np.array(places) < 3)


def reported(candidates: Candidates, numbers: dict[str, float], digits: int) -> list[Reported]:
    """Numbers as which_conventions takes them."""
    texts = {name: f"{number:.{digits}f}" for name, number in numbers.items()}
    return read_reported(texts, candidates.recomputer.measures, ())


def main(numbers: int = 200) -> None:
    rows = []
    for data, (run, other, qrels) in samples().items():
        for names in MEASURES:
            values = [evaluate(each, qrels, names) for each in (run, other)]
            candidates, means = searched(run, qrels, names), [*unrelated(values, numbers)]
            for digits in (3, 4, 5):
                found = (
                    expected_and_found(candidates, means, digits),
                    planted(candidates, digits),
                )
                rows.append((data, " and ".join(names), digits, *found[0], *found[1]))
    columns = ["data", "numbers", "digits", "expected", "found", "first", "of three"]
    table = pd.DataFrame(rows, columns=columns)
    print(table.round(4).to_string(index=False))
    means = table.groupby(["numbers", "digits"], sort=False)[columns[3:]].mean()
    print(means.assign(ratio=means["expected"] / means["found"]).round(4).to_string())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
