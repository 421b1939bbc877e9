"""How often `compare` is wrong where queries hang together, with `clusters=` and without.

    python tools/cluster_errors.py --samples 500

Each row: so many topics with so many variants each, of two systems that do not differ; how much of
the variance of a difference is its topic's; in how many samples a verdict names one as higher, and
in how many of all it does so without a caution. One to five variants: as many as the topic's number
asks for, 1, 2, 3, 4, 5, 1 … "5 of 40": five topics have 40 variants, the others one. About a
quarter of an hour.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
from drawn_tables import print_tables

from byhand.statistics import compare_values

SIZES = {
    "5 each": lambda topics: np.full(topics, 5),
    "1 to 5": lambda topics: 1 + np.arange(topics) % 5,
    "5 of 40": lambda topics: np.where(np.arange(topics) < 5, 40, 1),
}
PERMUTATIONS = 1000


def normal(rng: np.random.Generator, n: int) -> np.ndarray:
    """What is the same for all variants of a topic, or a variant's own."""
    return rng.normal(0, 1, n)


def rare(rng: np.random.Generator, n: int) -> np.ndarray:
    """A fifth of them differ, by as much to either side."""
    return rng.choice([-1, 0, 0, 0, 0, 0, 0, 0, 0, 1], n) * np.sqrt(5)


def wrong(draw: Callable, sizes: np.ndarray, share: float, samples: int) -> list[str]:
    """The share of samples with a verdict, and with one without a caution, of both ways."""
    number, rng = np.repeat(np.arange(len(sizes)), sizes), np.random.default_rng(0)
    index = [f"{topic}-{place}" for place, topic in enumerate(number)]
    clusters, cells = {query: query.split("-")[0] for query in index}, []
    found = {"queries": [0, 0], "clusters": [0, 0]}
    for _ in range(samples):
        shared, own = draw(rng, len(sizes))[number], draw(rng, len(number))
        difference = (np.sqrt(share) * shared + np.sqrt(1 - share) * own) / 10
        halves = {"a": 0.5 + difference / 2, "b": 0.5 - difference / 2}
        values = {name: pd.DataFrame({"RR": half}, index) for name, half in halves.items()}
        for name, of in (("queries", None), ("clusters", clusters)):
            row = compare_values(values, permutations=PERMUTATIONS, clusters=of).iloc[0]
            higher = row["verdict"].endswith("higher")
            found[name][0] += higher
            found[name][1] += higher and not row["caution"]
    for of_all, silent in found.values():
        cells.append(f"{of_all / samples:6.1%} ({silent / samples:.1%})")
    return cells


def show(draw: Callable) -> Callable[[int], None]:
    """Print a table for one kind of difference."""

    def printed(samples: int) -> None:
        print(f"\n{draw.__doc__}\n topics variants topic's share | each query | by clusters")
        for topics in (20, 40, 100):
            for name, sizes in SIZES.items():
                for share in (0, 0.5, 0.9):
                    cells = " | ".join(wrong(draw, sizes(topics), share, samples))
                    print(f"{topics:>7} {name:>8} {share:>13} | {cells}", flush=True)

    return printed


if __name__ == "__main__":
    print_tables(__doc__.splitlines()[0], {"normal": show(normal), "rare": show(rare)})
