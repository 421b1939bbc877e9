"""What whole reports say, as text that a reviewer reads in a diff.

`python tests/reports/golden.py` writes it anew.
"""

from pathlib import Path

import numpy as np
from small_runs import frame, ranked, report_at, report_on

from byhand.reports import SECTIONS
from byhand.reports.words import made_with

# what preflight and figures say is theirs
ELSEWHERE = ("data", "distributions", "cutoffs")
FOLDER = Path(__file__).parent / "golden"
RNG = np.random.default_rng(0)
NEAR, FAR = RNG.integers(1, 4, 40).tolist(), RNG.integers(2, 6, 40).tolist()
BOTH = {"measures": ["RR", "P@3"]}


def one():
    return report_at(NEAR, **BOTH)


def two():
    run = ranked(*NEAR)[0]
    judged = run.drop(columns="score").assign(relevance=0)
    judged.loc[judged["doc_id"] == "D", "relevance"] = 1
    other = ranked(*FAR)[0].replace({"doc_id": {"x9": "y9"}})
    tied = other.assign(score=other["score"].clip(upper=-2))
    gone = tied[~tied["query_id"].isin(["q3", "q8"])]
    return report_on(run, gone, qrels=judged, measures=["nDCG@10", "RR"], matters=0.02)


def five():
    shifted = ([rank + shift for rank in NEAR] for shift in (3, 0, 1, 2, 4))
    return report_at(*shifted, all_pairs=True, **BOTH)


def groups(folder):
    path = folder / "groups.csv"
    lines = (f"q{n},{'ko' if n % 3 else 'en'}\n" for n in range(36))
    path.write_text(f"query_id,group\n{''.join(lines)}")
    mixed = [f if n % 3 else m for n, (m, f) in enumerate(zip(NEAR, FAR, strict=True))]
    return report_at(mixed, NEAR, groups=path, **BOTH)


def scanned(folder):
    from byhand import scan_qrels, scan_run

    tables = [ranked(*NEAR)[0], ranked(*FAR)[0], ranked(*NEAR)[1]]
    paths = [folder / f"{name}.parquet" for name in ("new", "old", "qrels")]
    for path, table in zip(paths, tables, strict=True):
        table.to_parquet(path)
    return report_on(*map(scan_run, paths[:2]), qrels=scan_qrels(paths[2]), **BOTH)


def refused():
    """No verdict at all: a run that lacks much, and two that hardly differ."""
    most = [frame([(f"q{n}", "D", 1.0), (f"q{n}", "x", 0.5)], "score") for n in range(30)]
    run, qrels = ranked(*NEAR)
    return report_on(run, most[0], ranked(*NEAR[:-2], 1, 1)[0], qrels=qrels, **BOTH)


REPORTS = {each.__name__: each for each in (one, two, five, groups, scanned, refused)}


def text_of(name, folder):
    """The text of a report, without the version."""
    needs_files = name in ("groups", "scanned")
    found = REPORTS[name](folder) if needs_files else REPORTS[name]()
    texts = (found.text(each) for each in ("summary", *SECTIONS) if each not in ELSEWHERE)
    whole = "\n\n".join([found.title, *filter(None, texts)])
    return whole.replace(made_with(), "ranking-metrics-by-hand") + "\n"


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    FOLDER.mkdir(exist_ok=True)
    for name in REPORTS:
        with TemporaryDirectory() as folder:
            text = text_of(name, Path(folder))
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
