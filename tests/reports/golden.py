"""What whole reports say, as text that a reviewer reads in a diff.

`PYTHONPATH=.:tests python tests/reports/golden.py` writes it anew.
"""

from pathlib import Path

import numpy as np
import pandas as pd
from rare import names, rare, sections
from small_runs import NEW, OLD, QRELS, frame, ranked, report_at, report_on
from transcripts import again

from byhand import PRESETS, Conventions, report
from byhand.reports import SECTIONS
from byhand.reports.number_text import made_with

# what preflight and figures say is theirs, and stands in one text only
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
    import duckdb

    from byhand import scan
    from byhand.tables.databases import engine_of

    judged = ranked(*NEAR)[1]
    judged = pd.concat([judged, judged.assign(doc_id="x9", relevance=0)])
    paths = [folder / f"{name}.parquet" for name in ("new", "old", "qrels")]
    for path, table in zip(paths, [*(ranked(*r)[0] for r in (NEAR, FAR)), judged], strict=True):
        table.to_parquet(path)
    of_engine = engine_of(duckdb.read_parquet(str(paths[1])), memory="1KB")
    runs = scan(paths[0], memory="1KB"), of_engine
    return report_on(*runs, qrels=scan(paths[2], "qrels"), **BOTH)


def refused():
    """No verdict at all: a run that lacks much, and two that hardly differ."""
    most = [frame([(f"q{n}", "D", 1.0), (f"q{n}", "x", 0.5)], "score") for n in range(30)]
    run, qrels = ranked(*NEAR)
    return report_on(run, most[0], ranked(*NEAR[:-2], 1, 1)[0], qrels=qrels, **BOTH)


def sample():
    return report([NEW, OLD], QRELS, measures=["nDCG@10", "AP", "RR"])


REPORTS = {each.__name__: each for each in (one, two, five, groups, scanned, refused, sample)}


def text_of(name, folder):
    """The text of a report, and its table for a paper."""
    needs_files = name in ("groups", "scanned")
    found = REPORTS[name](folder) if needs_files else REPORTS[name]()
    left_out = () if name == "sample" else ELSEWHERE
    texts = [found.text(each) for each in ("summary", *SECTIONS) if each not in left_out]
    found.save(latex=folder / "means.tex")
    texts.append((folder / "means.tex").read_text(encoding="utf-8"))
    whole = "\n\n".join([found.title, *filter(None, texts)])
    return whole.replace(made_with(), "ranking-metrics-by-hand") + "\n"


GOOD, BAD, SAME = [1, 2] * 10, [3, 4] * 10, [2, 1] * 10
CLOSE, APART = [1, 2, 1, 2, 3, 1, 4, 1] * 3, [2, 1, 1, 1, 3, 2, 4, 3] * 3
THREE = {"measures": ["RR", "P@1", "P@5"]}
FIRST = {
    "higher": ([GOOD, BAD], THREE),
    "lower": ([BAD, GOOD], {"measures": ["RR", "P@1"]}),
    "the other measure tells": ([SAME, GOOD[::-1][:10] + BAD[:10]], {"measures": ["P@9", "RR"]}),
    "cannot tell": ([GOOD, SAME], {}),
    "too few": ([[1, 1], [2, 2]], {}),
    "four queries": ([[1, 1, 1, 1], [2, 3, 2, 3]], {}),
    "one query": ([[2], [1]], {}),
    "the same values": ([GOOD, GOOD], {}),
    "the same mean": ([[1, 2] * 6, [2, 1] * 6], {}),
    "not answered": ([GOOD, [3] * 12], {}),
    "not answered, and left out": ([GOOD, [3] * 19], {"conventions": "trec_eval"}),
    "of 60, two not answered": ([GOOD * 3, BAD * 2 + BAD[:18]], {}),
    "one system that lacks one": ([[1, 2] * 10, [1, 2] * 10 + [1]], {}),
    "upside down": ([[9, 8] * 10, BAD], {}),
    "three": ([GOOD, BAD, SAME], {"measures": ["RR", "P@1"]}),
    "three, all pairs": ([BAD, GOOD, SAME], {"all_pairs": True}),
    "three, of which one is gone": ([BAD, GOOD, [1] * 12], {}),
    "pairs that cannot be told apart": ([SAME, GOOD, [9] * 20], {"all_pairs": True}),
    "no pair can be told apart": ([SAME, GOOD, SAME[::-1]], {"all_pairs": True}),
    "pairs, not corrected": ([GOOD, BAD, SAME], {"all_pairs": True, "correct": "none"}),
    "corrected for each measure": ([GOOD, BAD, SAME], {**THREE, "correct": "measure"}),
    "three, of which one is better": ([GOOD, SAME, [1] * 20], {}),
    "three, of which two are better": ([BAD, GOOD, [1] * 20], {"measures": ["P@9", "RR"]}),
    "three, of which one is lower": ([GOOD, GOOD[::-1], [3] * 19], {"conventions": "trec_eval"}),
    "three, of which one is higher": ([SAME, [1] * 19, BAD], {"conventions": "trec_eval"}),
    "close": ([CLOSE, APART], {}),
    "what matters is not excluded": ([CLOSE, APART], {"matters": 0.25}),
    "what matters would show": ([CLOSE, APART], {"matters": 0.26}),
    "what matters takes more": ([CLOSE, APART], {"matters": 0.02}),
    "what matters is excluded": ([CLOSE, APART], {"matters": 0.3}),
    "higher, by over": ([GOOD, BAD], {"matters": 0.1}),
    "higher, perhaps by less": ([GOOD, BAD], {"matters": 0.45}),
    "higher, by under": ([GOOD, BAD], {"matters": 0.9}),
    "lower, by over": ([BAD, GOOD], {"matters": 0.1}),
    "lower, perhaps by less": ([BAD, GOOD], {"matters": 0.45}),
    "lower, by under": ([BAD, GOOD], {"matters": 0.9}),
    "alone": ([[9, 2, 1, 8]], {}),
    "queries that moved": ([[9, 2, 1, 8], [1] * 4, [1] * 4], {}),
    "signs of one, draws of the other": (
        [[1, *[2] * 16], [2, *[3] * 16]],
        {"measures": ["RR", "P@1"]},
    ),
}


def first(folder):
    """The first screen, how it was tested, and the methods of small reports."""
    for name, (ranks, options) in FIRST.items():
        found = report_at(*ranks, **{"measures": "RR", **options})
        tested = found.text("comparison").partition("\nmeasure  ")[0]
        said = "\n".join(["", tested, "", *found.sentences("methods")[3:]])
        yield f"## {name}\n{found.text('summary')}\n{said}"


def whose(folder):
    """Whose numbers they are said to be, by preset, measures and the lowest relevant grade."""
    far = frame([("q", "a", 3.0), ("q", "b", 2.0), ("q", "c", 1.0)], "score")
    near = frame([("q", "a", 1.0), ("q", "b", 1.0 + 1e-12)], "score")
    qrels = frame([("q", "a", 3), ("q", "b", 5), ("q", "c", 1)], "relevance")
    asked = [(each, near, None) for each in (*PRESETS, Conventions(gain="exponential"))]
    asked.append(("pytrec_eval", far, None))  # which takes near scores for equal
    asked += [(each, far, 4) for each in ("trec_eval -c", "sklearn", "recommenders")]
    for preset, run, lowest in asked:
        options = {"relevant_from": lowest, "measures": ["RR", "RR@5", "AP", "nDCG@10"]}
        found = report_on(run, qrels=qrels, conventions=preset, **options)
        said = [found.phrase(name) for name in ("computed_as", "relevant", "conventions")]
        about = f"grades from {lowest}" if lowest else "near scores" if run is near else "all"
        yield "\n".join([f"## {preset}: {about}", *said])


def pool(folder):
    """Two runs of much the same quality, and judgements of the first ten of one of them."""
    rng = np.random.default_rng(1)
    runs, qrels = {"a": [], "b": [], "c": []}, []
    for query in range(40):
        good = rng.random(100) < 0.3
        top = {}
        for name, rows in runs.items():
            score = good + rng.normal(size=100)
            rows += [(f"q{query}", f"d{item}", score[item]) for item in range(100)]
            top[name] = np.argsort(-score)[:10]
        qrels += [(f"q{query}", f"d{item}", int(good[item])) for item in top["a"]]
    runs, qrels = [frame(rows, "score") for rows in runs.values()], frame(qrels, "relevance")
    removed = Conventions(unjudged="removed")
    for few, options in ((runs[:2], {}), (runs, {}), (runs[:2], {"conventions": removed})):
        found = report_on(*few, qrels=qrels, measures=["P@10", "AP"], **options)
        yield "\n\n".join(found.text(name) for name in ("summary", "unjudged", "methods"))


def moves(folder):
    """Which queries moved, of ten items so many more are relevant in one list than in the other."""
    for moved in ([0], [0, 3], [2, -1, -2], [1, 2, 3, 4, 5, 6, -1], [-n for n in range(1, 7)],
                  [5, *[1] * 9]):  # fmt: skip
        new, old = (
            {
                f"q{n}": {
                    f"{'d' if m < move * sign else 'x'}{m}" if m < 9 else "d9": -m
                    for m in range(10)
                }
                for n, move in enumerate(moved)
            }
            for sign in (1, -1)
        )
        grades = {q: {f"d{m}": 1 for m in range(10)} for q in new}
        found = report({"new": new, "old": old}, grades, measures="P@10")
        yield f"## {moved}\n{found.text('moved')}\n"


def odd(folder):
    """What is seldom so, section by section."""
    run, qrels = ranked(*[2] * 20)
    tied = ranked(*[1] * 20)[0].assign(score=1.0)  # all but one: best or worst, as one likes
    tied.loc[0, "score"] = 2.0
    yield sections("ties", report_on(run, tied, qrels=qrels, measures="RR"))
    two = frame([("1", "a", 1.0), ("1", "b", 0.5)], "score")
    none, skip = frame([("1", "b", 0), ("2", "c", 1)], "relevance"), {"missing": "skip"}
    conventions = Conventions(no_relevant="skip", **skip)
    yield sections("no value", report_on(two, qrels=none, conventions=conventions))
    judged = frame(
        [("1", "a", 0.5, 3), ("1", "b", 0.7, 0), ("1", "c", 0.6, 1)], "score", "relevance"
    )
    options = {"conventions": Conventions(gain="exponential"), "relevant_from": 2}
    yield sections("judged run", report_on(judged, measures="nDCG", **options))
    graded = ranked(*[1, 2] * 6)[1].assign(relevance=[1, 4] * 6)
    lists = [ranked(*ranks)[0] for ranks in ([1, 2] * 6, [2, 1] * 6, [1] * 12)]
    for preset in ("trec_eval -c", "trec_eval -c -l", "sklearn"):
        options = {"relevant_from": 4, "measures": ["nDCG", "AP"], "conventions": preset}
        yield sections(f"grades, {preset}", report_on(*lists, qrels=graded, **options))
    low = report_on(lists[0], qrels=graded, measures="nDCG", relevant_from=1)  # no grade is lower
    yield low.phrase("computed_as")
    run, qrels = ranked(1, 1)
    alone = run["query_id"] == "q0"
    yield sections("nothing in common", report_on(run[alone], run[~alone], qrels=qrels))
    skip = Conventions(**skip)
    yield sections("left out", report_on(run, run[alone], qrels=qrels, conventions=skip))
    yield sections("one of two", report_on(run[alone], qrels=qrels))
    pairs = {"all_pairs": True, "matters": 0.2}
    yield sections("none told apart", report_at(SAME, GOOD, SAME[::-1], measures="RR", **pairs))
    for number in ("0.6111", "0.1234"):
        found = report_at([1, 2, 3], [2, 2, 4], measures="RR", reported={"RR": number})
        yield found.text("reported")
    path = folder / "groups.csv"
    names = [f"q{n},{'one' if n < 2 else f'g{n % 33}'}" for n in range(40)]
    path.write_text("\n".join(["query_id,group", *names, ""]))
    options = {"groups": path, "measures": "RR", "correct": "none"}
    yield sections("many groups", report_at(GOOD * 2, BAD * 2, **options), "groups", "comparison")
    yield sections("groups of one", report_at(GOOD * 2, **options), "groups")


TEXTS = {each.__name__: each for each in (first, whose, pool, moves, odd, names, rare)}


def texts_of(name, folder):
    """Every golden text by its name."""
    if name.startswith("ranking-"):
        return again((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    if name in REPORTS:
        return text_of(name, folder)
    parts = (part.replace(made_with(), "ranking-metrics-by-hand") for part in TEXTS[name](folder))
    return "\n\n".join(parts) + "\n"


NAMES = [*REPORTS, *TEXTS, "ranking-gate", "ranking-report"]

if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    for name in NAMES:
        with TemporaryDirectory() as folder:
            text = texts_of(name, Path(folder))
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
