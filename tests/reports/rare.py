"""Reports on what is seldom: names like places to fill, and sentences that few data ask for."""

import numpy as np
import pandas as pd
from small_runs import frame, ranked, report_at, report_on, write

from byhand import Conventions, report

FILLED = ("{name}", "100%", "%(n)s {0}")  # what a sentence would take for its own
BOTH = {"measures": ["RR", "P@3"]}
STILL = (  # lists that cannot be dragged: scores, grades, measures and conventions
    ([1, 1], [1], "RR", "sklearn"),
    ([2, 1], [0.5], "RR", "trec_eval"),
    ([2, 1], [1], ["Judged@2", "RR"], "trec_eval"),
    (range(70, 0, -1), [1] * 70, "RR", "trec_eval"),
)


def sections(title, found, *names):
    """The text of some sections under a title."""
    names = names or ("summary", "ties", "unjudged", "worst", "best", "means", "methods")
    return "\n\n".join([f"## {title}", *filter(None, map(found.text, names))])


def names(folder):
    """Names that look like places to fill, of systems, groups, queries and items; and texts."""
    found = filled_report(folder)
    yield sections("three", found, "summary", "groups", "moved", "worst", "data", "files")
    runs = {name: folder / f"{place}.csv" for place, name in ((1, "{}"), (2, "%"))}
    other = write(folder / "other.csv", pd.DataFrame({"query_id": ["q"], "text": ["?"]}))
    texts = {"queries": other, "docs": folder / "docs.csv"}
    yield sections("of others", report(runs, folder / "qrels.csv", **BOTH, **texts), "worst")


def filled_report(folder, language="en", plain=None):
    """A report on files in which names and texts are like places to fill; or plain ones."""
    systems = [name.translate(plain or {}) for name in FILLED]
    near = np.random.default_rng(0).integers(1, 4, 27)
    run = ranked(*near)[0]
    queries = [f"{FILLED[n % 3]}{n}" for n in range(27)]
    web, long = "https://example.org/{0}", "word {0} %s " * 90
    tables = {
        "qrels": [(query, "{D}%s", 1) for query in queries],
        "groups": [(query, FILLED[n % 2]) for n, query in enumerate(queries[:25])],
        "queries": [(query, f"{query} %s {{}}?") for query in queries[1:]],
        "docs": [
            ("{D}%s", long, "{title} %", web),
            ("{x1}%s", "{}", "", "no {address}"),
            ("{x2}%s", "{} %", "", ""),
        ],
    }
    for place, shifts in enumerate(([0], [0, 1], [1, 0, -1, 0, 0])):
        run = ranked(*np.maximum(near + np.resize(shifts, 27), 1))[0]
        rows = zip(run["query_id"], run["doc_id"], run["score"], strict=True)
        tables[place] = [(queries[int(q[1:])], f"{{{d}}}%s", score) for q, d, score in rows]
    heads = {
        "groups": "query_id group",
        "queries": "query_id text",
        "docs": "doc_id text title url",
    }
    for name, rows in tables.items():
        third = "relevance" if name == "qrels" else "score"
        table = pd.DataFrame(rows, columns=heads.get(name, f"query_id doc_id {third}").split())
        if name == 0:
            table["text"] = "{0} of the run %d"
        table = table.map(
            lambda each: each.translate(plain or {}) if isinstance(each, str) else each
        )
        write(folder / f"{name}.csv", table)
    paths = {name: folder / f"{place}.csv" for place, name in enumerate(systems)}
    texts = {name: folder / f"{name}.csv" for name in heads}
    return report(paths, folder / "qrels.csv", **texts, **BOTH, language=language)


def rare(folder):
    """What no other report says, section by section."""
    yield from _of_ties()
    yield from _of_lists()
    yield from _of_means(folder)
    both = report_at([1, 2] * 9, [3, 4] * 9, measures=["RR", "P@1"], correct="all")
    yield sections("corrected over all", both, "summary", "methods")
    for correct in ("all", "measure", "none"):
        found = report_at(
            [1, 2] * 9, [3, 4] * 9, [2, 1] * 9, all_pairs=True, correct=correct, matters=0.9
        )
        found.save(latex=folder / "means.tex")
        yield (folder / "means.tex").read_text(encoding="utf-8")


def _of_ties():
    run, qrels = ranked(*[2] * 20)
    tied = ranked(*[1] * 20)[0].assign(score=1.0)  # all but one: best or worst, as one likes
    tied.loc[0, "score"] = 2.0
    found = report_on(tied, qrels=qrels, measures="RR", short=True)
    yield sections("ties of one", found, "summary", "ties")
    found = report_on(run, tied, ranked(*[1, 2] * 10)[0], qrels=qrels, short=True, **BOTH)
    yield sections("ties of three", found, "summary", "ties")


def _of_lists():
    lists = {"q": {"r": 1.0, "s": 2.0, "t": 3.0}}, {"q": {"r": 3.0, "s": 2.0, "t": 1.0}}
    for preset in ("trec_eval", "sklearn"):
        options = {"measures": "AP", "conventions": preset}
        found = report_on(*lists, qrels={"q": {"r": 1, "s": 1}}, **options)
        yield sections(f"one that stays, {preset}", found, "moved")
    apart = ({query: {"x": 1, "y": high} for query in "pq"} for high in (0, 2))
    found = report_on(*apart, qrels={query: {"x": 1} for query in "pq"}, measures="RR@1")
    yield sections("nothing in common", found, "moved")
    run, qrels = ranked(*[2] * 30)
    alone = run["query_id"] == "q0"
    yield sections("most not answered", report_on(run[alone], qrels=qrels), "worst")
    for scores, grades, measures, preset in STILL:
        items = [f"d{n}" for n in range(len(scores))]
        listed = {"q": dict(zip(items, scores, strict=True)), "p": {"z": 2, "y": 1}}
        judged = {"q": dict(zip(items, grades, strict=False)), "p": {"w": 1}}
        found = report_on(listed, qrels=judged, measures=measures, conventions=preset)
        yield sections(f"{measures} of {len(scores)}", found, "worst", "best")


def _of_means(folder):
    run, qrels = ranked(*[2] * 20)
    found = report_at([1, 2, 3], measures=["RR", "AP"], reported={"RR": "0.61", "AP": "0.61"})
    yield sections("two reported", found, "reported")
    skip = Conventions(no_relevant="skip")
    ranks = write(folder / "ranks.csv", run.assign(rank=-run["score"]).drop(columns="score"))
    more = write(folder / "more.csv", qrels.assign(relevance=[1, 2] * 10))
    how = {"measures": ["RR", "RR(rel=2)"], "conventions": skip}
    found = report(ranks, more, judged_by="two cooks, {20} of each run", **how)
    yield sections("ranks for scores", found, "methods")
    runs = (run[run["query_id"] != f"q{n}"] for n in range(5))
    yield sections("many notes", report_on(*runs, qrels=qrels, measures="RR"), "data")
    short = run[run["doc_id"].isin(["D", "x1"])]
    found = report_on(run, short, ranked(*[1] * 20)[0], qrels=qrels, measures="RR", all_pairs=True)
    yield sections("lists of other lengths", found, "comparison")
    empty = qrels.assign(relevance=[0, 0, *[1] * 18])
    found = report_on(run, qrels=empty, measures="RR", conventions=skip)
    yield sections("nothing relevant", found, "summary")
    first, last = (ranked(*[rank] * 8)[0] for rank in (1, 3))
    last = last.replace({"doc_id": {f"x{n}": f"y{n}" for n in range(10)}})
    judged = {f"q{n}": {"D": 1, "x2": 0, "x3": 0} for n in range(8)}
    found = report_on(first, last, qrels=judged, measures="RR@3")
    yield sections("judged apart", found, "summary", "comparison")
    judged = [each.merge(qrels, how="left").fillna({"relevance": 0}) for each in (run, short)]
    yield sections("judged runs", report_on(*judged, measures="RR"), "data", "methods")
    found = report_on(run, qrels=judged[0].drop(columns="score"), measures="RR")
    yield sections("nothing to note", found, "data")
    lists, judged = {"q": {f"d{n}": -n for n in range(20)}}, {f"d{n}": 1 for n in range(1, 20)}
    found = report_on(lists, qrels={"q": judged | {"y": 0}}, measures="P@20")
    yield sections("one unjudged", found, "unjudged")
    yield sections("small in one measure", _small(), "summary")
    pairs = {f"q{n}": f"{{{n // 2}}} soups" for n in range(8)}
    for how in ({"clusters": pairs}, {"queries": pairs}):
        found = report_on(first, last, qrels=qrels[:8], measures="RR", **how)
        yield sections("queries in pairs", found, "summary", "comparison", "methods")
    alike = [f"{n // 2}-{n % 2}" for n in range(8)]
    runs = ({each: {"D": score, "x": 2} for each in alike} for score in (1, 3))
    found = report_on(*runs, qrels={each: {"D": 1} for each in alike}, measures="RR")
    yield sections("ids that are alike", found, "summary")


def _small():
    """Two systems that differ much in one measure, and hardly in another."""
    rng, rows = np.random.default_rng(0), {"a": [], "b": []}
    for query in range(1200):
        for name, found in rows.items():
            items = [*(f"d{n}" for n in range(4 + rng.integers(2))), "best", "last"]
            items[0] = "good" if name == "a" or query % 3 else "d0"
            found += [(f"q{query}", item, -n) for n, item in enumerate(items)]
    grades = {"good": 1, "best": 2}
    qrels = [(f"q{n}", item, grade) for n in range(1200) for item, grade in grades.items()]
    runs = [frame(each, "score") for each in rows.values()]
    return report_on(*runs, qrels=frame(qrels, "relevance"), measures=["P@3", "RR(rel=2)"])
