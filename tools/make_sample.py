"""Write the sample of the lessons: `python tools/make_sample.py [FOLDER]`.

It is a simulation of a search engine before ("old") and after ("new") a change, on 200 queries.
data/README.md describes its effects.
"""

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pandas as pd

SEED = 20261120
N_QUERIES, N_ITEMS, N_RETRIEVED = 200, 200, 100
POOL = 10  # judged items of each list, in addition to relevant ones
EMPTY = (31, 58, 96, 143, 171)  # judged queries without a relevant item
MISSING = (12, 77, 158)  # queries that the new system did not answer
DATA = Path(__file__).parents[1] / "data"


def simulate() -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Return the qrels and the two runs."""
    rng = np.random.default_rng(SEED)
    judged, found = [], {"old": [], "new": []}
    for number in range(1, N_QUERIES + 1):
        grade = _grades(rng, 0 if number in EMPTY else 3 + rng.geometric(0.12))
        items = rng.permutation(5000)[:N_ITEMS]
        name = f"q{number:03}"
        seen = grade > 0
        for system, score in _scores(rng, grade).items():
            best = np.argsort(-score, kind="stable")[:N_RETRIEVED]
            seen[best[:POOL]] = True
            if system == "new" and number in MISSING:
                continue
            found[system].append(_table(name, items[best], score=score[best]))
        judged.append(_table(name, items[seen], relevance=grade[seen]))
    return pd.concat(judged), {system: pd.concat(tables) for system, tables in found.items()}


def _grades(rng: np.random.Generator, n_relevant: int) -> np.ndarray:
    grade = np.zeros(N_ITEMS, dtype=int)
    grade[:n_relevant] = rng.choice([1, 2, 3], size=n_relevant, p=[0.6, 0.3, 0.1])
    return grade


def _scores(rng: np.random.Generator, grade: np.ndarray) -> dict[str, np.ndarray]:
    """Return scores of both systems, with mostly shared signal and noise; difficulty varies."""
    skill = rng.gamma(2, 0.4)
    gain = rng.normal(0.08, 0.35)  # effect of the change on this query
    shared = rng.normal(size=len(grade))
    mixed = {system: 0.85 * shared + 0.5 * rng.normal(size=len(grade)) for system in ("old", "new")}
    old = 10 + 2 * (skill * np.sqrt(grade) + mixed["old"])
    new = 0.5 + 0.1 * ((skill + gain) * np.sqrt(grade) + mixed["new"])
    return {"old": np.round(old, 1), "new": np.round(new, 4)}  # the old one rounds to one decimal


def _table(query: str, items: np.ndarray, **column: np.ndarray) -> pd.DataFrame:
    names = [f"d{item:04}" for item in items]
    return pd.DataFrame({"query_id": query, "doc_id": names, **column})


def as_trec(run: pd.DataFrame, system: str) -> str:
    """Return a run in TREC format: query, Q0, item, rank, score, system."""
    rank = run.groupby("query_id").cumcount() + 1
    rows = zip(run["query_id"], run["doc_id"], rank, run["score"], strict=True)
    return "".join(f"{q} Q0 {d} {r} {s:g} {system}\n" for q, d, r, s in rows)


def main(folder: Path = DATA) -> None:
    """Write the three files."""
    qrels, runs = simulate()
    qrels.sort_values(["query_id", "doc_id"]).to_csv(folder / "sample-qrels.csv", index=False)
    for system, run in runs.items():
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0, filename="") as file:
            file.write(as_trec(run, system).encode())
        (folder / f"sample-{system}.txt.gz").write_bytes(packed.getvalue())


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
