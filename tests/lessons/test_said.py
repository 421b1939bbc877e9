"""What the notebooks say in numbers comes out: of dragged lists, in hints, of documents."""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import log2
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import ndcg_score

from byhand import chance, evaluate, ndcg, read_qrels, read_run
from byhand.statistics import paired_t_p
from byhand.widgets import Queries
from helpers import check, questions, tool_case, tool_results, worked_example
from helpers.measuring import exact, measured, of, placements
from helpers.places import DATA, NOTEBOOKS
from helpers.site import course_notebooks

SOUP = "cooking/tomato soup"


def mean(*values: object) -> Fraction:
    return sum(map(Fraction, values)) / len(values)


def graded(**grades: int) -> float:
    """The nDCG of today's page for tomato soup, with some grades changed."""
    ranked, soups = worked_example("cooking", "tomato soup")["today"]
    return ndcg(ranked, soups | grades)


def added_up(*hits: int, worth: Callable[[int], float]) -> float:
    """What today's minestrone, gazpacho and bisque add up to at these ranks."""
    return sum(grade * worth(rank) for grade, rank in zip((1, 2, 3), hits, strict=True))


def discount(rank: int) -> float:
    return 1 / log2(rank + 1)


def supper(**options: str) -> float:
    """The nDCG@6 of the page for supper."""
    return ndcg(*worked_example("cooking", "supper")["supper"], k=6, **options)


def supper_by(worth: Callable[[int], float]) -> float:
    """The same with another discount, by its grades and those of the best page."""
    found, best = (3, 2, 3, 0, 1, 2), (3, 3, 3, 2, 2, 2)
    mine, ideal = (sum(g * worth(r) for r, g in enumerate(each, 1)) for each in (found, best))
    return mine / ideal


def nearest_p(n: int) -> float:
    """The p of RBP whose weights of n ranks come nearest to the discounts of nDCG."""
    ranks = range(1, n + 1)
    return min(
        (each / 200 for each in range(1, 200)),
        key=lambda p: sum((p ** (rank - 1) - discount(rank)) ** 2 for rank in ranks),
    )


def dragged(document: str, query: str = "", item: str = "", to: int = 0, measure: str = "RR"):
    """The mean over the lists of a document, an item of one moved to a rank, or taken off at 0."""
    lists = Queries(worked_example(document, "mrr"), measure=measure)
    if to:
        lists.lists[query].move(item, to=to)
    elif query:
        lists.lists[query].order = [each for each in lists.lists[query].order if each != item]
    return exact(lists.mean)


CODES = pd.read_csv(DATA / "cranfield-qrels.csv")["code"].value_counts().div(225).to_dict()
DCG = added_up(2, 3, 6, worth=discount)
IDEAL = sum(grade * discount(rank) for rank, grade in enumerate((3, 2, 2, 1, 1), start=1))
# the fractions and whole numbers of lists that a reader drags
SAID = {
    "01-reciprocal-rank": {
        "From rank 7 to rank 8 it loses only {}.": Fraction(1, 7) - Fraction(1, 8),
    },
    "02-mean-reciprocal-rank": {
        "from 3/8 to {}.": mean("1/2"),
        "goes down, here from {}": mean("1/2", "1/4", 0),
        "At the top, the dumplings would give {}.": mean("1/2", "1/4", 1),
        "and their mean rank is {}.": mean(4, 1, 4),
    },
    "03-average-precision": {"The most it can be is {},": of("AP@3", SOUP, "perfect")},
    "04-ndcg": {
        "1, 2 and 3 add up to {} in any order.": added_up(2, 3, 6, worth=lambda rank: 1),
        "All see rank 1, {:.0f} see rank 2,": 100 * discount(2),
        "50 see rank 3, and {:.0f} are still there at rank 7.": 100 * discount(7),
        "but {:.0f} of 100 from rank 7 to rank 8:": 100 * discount(8) / discount(7),
        "For the third user that would be {}.": mean(1, "1/2", "1/3", "2/4"),
        "We get an nDCG@6 of {:.3f}.": supper(),
        "Another program gets {:.3f}.": supper(ideal="retrieved"),
    },
    "05-choosing-a-metric": {"Change p to {:.1f}, which comes closest": nearest_p(8)},
    "09-cranfields-traps": {
        "the file, if 1 is best | {0[3]:.1f} (code 3) | {0[4]:.1f} (code 4) |": CODES,
        "the file, if 4 is best | {0[2]:.1f} (code 2) | {0[1]:.1f} (code 1) |": CODES,
    },
    "korean-list": {
        "Only RR, from 1/2 to {}.": measured("RR", [*"ALYUFBCZ"], [*"BCKZ"]),
        "The first two cost more, 1/2 and {}.": Fraction(1, 2) - measured("RR", [*"ACB"], ["B"]),
        "with k = 5, RR@5 falls from {} to 0": measured("RR@5", [*"ACLYBUFZ"], ["B"]),
        "so MRR gains {}. With K": dragged("ko", "case 2", "E", 1) - dragged("ko"),
        "case 1 rises from 1/2 to 1, and MRR gains {}.": dragged("ko", "case 1", "K", 1)
        - dragged("ko"),
        "its RR falls to 0 and MRR to {}.": dragged("ko", "case 2", "B"),
        "RR has {} values for them,": len({*placements("RR", 3, 8)}),
        "AP has {} |": len({*placements("AP", 3, 8)}),
    },
    "d4-queries": {
        "and then only to {}.": dragged("d4", "Q2", "D4", 3),
        "MRR rises from 1/2 to {}.": dragged("d4", "Q3", "D4", 3),
        "it suits recommenders when *only* the top matters | Success@1 is {}, MRR 1/2": dragged(
            "d4", measure="Success@1"
        ),
        "RR falls from 1/2 to {}: it also": measured("RR", ["D1", "D2", "D4"], ["D4"]),
    },
}
# decimals that no output of their lesson has: worked out here, or what a question begins with
ELSEWHERE = {
    "03-average-precision": [
        *(of("AP@3", SOUP, "today"), mean(1, 1, "3/5"), mean("1/2", "5/6", 1)),
        mean(1, "1/2", "1/3", "1/4", "1/5"),
        *(1 - mean(1, 1, "3/5"), mean(1, 1, "3/5") - mean(1, "2/4", "3/5")),
    ],
    "tracin-real-data": [2 * 17.37 - 1],
    "04-ndcg": [
        *(log2(3), discount(6), discount(4), 3 * discount(4), IDEAL),
        *(supper(), supper(ideal="retrieved")),
    ],
    "05-choosing-a-metric": [
        *(nearest_p(20), float(mean(1, "1/20")), (discount(1) + discount(20)) / 2)
    ],
    "06-why-tools-disagree": [0.756, 0.975, 0.90001, 0.90008, 0.8999, 0.31],
    "07-what-would-chance-get": [0.101, 0.02, chance(1000, 17), 0.504, 3.46],
    "08-is-the-difference-real": [0.061, 0.95, 1.96],
    "09-cranfields-traps": [0.21],
}
HINTED = {
    "each step: {}, and": mean("1/3", "3/4", "1/4", 1) - mean("1/3", "3/4", "1/4", 0),
    "1/4, and {}.": mean(1, "3/4", "1/4", 0) - mean("1/3", "3/4", "1/4", 0),
    "1/2 + 2/3 + 3/6, which is {:.3f}.": added_up(2, 3, 6, worth=lambda rank: 1 / rank),
    "today's page wins, {:.3f} to 2.": DCG,
    "DCG rises by {:.3f}.": added_up(1, 3, 6, worth=discount) - DCG,
    "that adds only {:.3f}.": added_up(3, 2, 6, worth=discount) - DCG,
    "it adds only {:.3f}.": added_up(2, 3, 5, worth=discount) - DCG,
    "AP falls to 3/4, and nDCG only to {:.3f},": (1 + discount(4)) / (1 + discount(2)),
    "That gives {:.3f}. What does the soup": graded(gazpacho=3, bisque=2),
    "That gives {:.3f}. Compare": graded(minestrone=3, gazpacho=1, bisque=2),
    "That gives {:.3f}. Which of": graded(minestrone=2, gazpacho=3, bisque=1),
    "That gives {:.3f}. The bisque": graded(minestrone=2, gazpacho=1),
    "first cook's grades: {:.3f}.": graded(),
    "nDCG is {:.3f}: the best grade": graded(minestrone=3, bisque=1),
    "That gives {:.3f}: lower than ours": supper(gain="exponential"),
    "That gives {:.3f}. Theirs is": supper_by(lambda rank: 1 / rank),
}


LESSONS = [path.stem for path in course_notebooks() if not path.stem.startswith("exam")]
# a sum and what it comes to: (1/2 + 1/4) / 2 = 3/8
SUM = re.compile(
    r"(?<![\w.,/^@(])([\d(][\d./ ()+×*−-]*[+×*/−-][\d./ ()+×*−-]*?[\d)])"
    r" (?:=|is) (\d+(?:/\d+|\.\d+)?)(?![\w/%]|[.,]\d)"
)
DECIMAL = re.compile(r"(?<![\w.,/])\d+\.\d{2,}(?!\w|[.,]\d)")
# code, formulas, and what `check` says to a solution, which is run
NO_PROSE = re.compile(r"^Right: [^\n]*$|```.*?```|`[^`]*`|\$\$.*?\$\$", re.DOTALL | re.MULTILINE)


def source(name: str) -> str:
    cells = nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def shown(cell: nbformat.NotebookNode) -> str:
    """What a cell shows, and what a page may show of it."""
    outputs = cell.get("outputs", [])
    return "".join(each.get("text") or json.dumps(each.get("data", {})) for each in outputs)


@pytest.mark.parametrize("name", LESSONS)
def test_each_decimal_in_the_prose_is_a_documented_or_a_computed_one(name: str):
    cells = nbformat.read(NOTEBOOKS / f"{name}.ipynb", 4).cells
    text = SUM.sub("", NO_PROSE.sub("", source(name)))
    documented = (DATA / "documented-values.csv").read_text(encoding="utf-8")
    known = {float(each) for each in re.findall(r"\d+\.\d+", "".join(map(shown, cells)))}
    known.update(map(float, ELSEWHERE.get(name, ())))
    for said in DECIMAL.findall(text):
        digits = len(said.partition(".")[2])
        assert said in documented or said in {f"{each:.{digits}f}" for each in known}, said


@pytest.mark.parametrize(
    ("name", "said", "value"), [(name, *each) for name, of in SAID.items() for each in of.items()]
)
def test_what_is_said_comes_out(name: str, said: str, value: Fraction | float):
    assert said.format(value) in source(name)


@pytest.mark.parametrize(("said", "value"), HINTED.items())
def test_what_the_hints_of_lessons_3_and_4_and_of_their_exam_say_comes_out(said: str, value: float):
    assert said.format(value) in Path(questions.__file__).with_name("answers.toml").read_text()


def test_one_d4_makes_mrr_two_thirds_in_two_ways():
    moves = [
        (query, to)
        for query, (ranked, _) in worked_example("d4", "mrr").items()
        for to in range(len(ranked) + 1)
    ]
    ways = [move for move in moves if dragged("d4", move[0], "D4", move[1]) == Fraction(2, 3)]
    assert ways == [("Q1", 1), ("Q3", 2)]


def test_an_mrr_of_one_half_has_two_mean_ranks():
    triples = worked_example("tracin", "mrr").values()
    possible = [range(1, len(case.ranked) - len(case.relevant) + 2) for case in triples]
    of_half = [ranks for ranks in product(*possible) if sum(1 / n for n in ranks) == 3 / 2]
    assert of_half == [(2, 2, 2), (4, 1, 4)]


def test_three_moves_by_one_rank_raise_map_the_most():
    gains = {}
    for ranked, relevant in worked_example("tracin", "map").values():
        for at in range(1, len(ranked)):
            order = [*ranked[: at - 1], ranked[at], ranked[at - 1], *ranked[at + 1 :]]
            values = (measured("AP", each, relevant) for each in (order, ranked))
            gains["".join(order)] = next(values) - next(values)
    most = {order for order, gain in gains.items() if gain == max(gains.values())}
    assert (most, max(gains.values())) == ({"BACDEFG", "HJIK", "LNM"}, Fraction(1, 6))


def test_each_sum_in_the_prose_comes_out():
    sums = [found for name in LESSONS for found in SUM.findall(source(name))]
    assert len(sums) > 30
    for sum_, printed in sums:
        code = re.sub(r"\d+(\.\d+)?", r"Fraction('\g<0>')", sum_.replace("×", "*"))
        digits = len(printed.partition(".")[2])
        within = 0 if "/" in printed else Fraction(1, 2 * 10**digits)
        assert abs(eval(code.replace("−", "-")) - Fraction(printed)) <= within, (sum_, printed)


def test_scikit_learn_gives_trec_evals_value_once_the_missed_items_are_appended():
    run, judged = tool_case("graded")
    rows = judged.merge(run, how="left", on=["query_id", "doc_id"])
    assert rows["score"].isna().sum() == 2
    rows["score"] = rows["score"].fillna(run["score"].min() - 1)
    value = ndcg_score([rows["relevance"].astype(int)], [rows["score"]], k=6)
    trec_eval = tool_results("graded", "nDCG@6").set_index("tool").at["trec_eval", "value"]
    assert f"{value:.4f}" == f"{trec_eval:.4f}" == "0.7850"


def test_what_lesson_8_says_of_the_t_test_comes_out():
    judged = read_qrels(DATA / "sample-qrels.csv")
    new, old = (
        evaluate(read_run(DATA / f"sample-{name}.txt.gz"), judged, ["nDCG@10"])["nDCG@10"]
        for name in ("new", "old")
    )
    few, all_of_them = paired_t_p((new - old).head(16)), paired_t_p(new - old)
    said = f"gives {few:.3f} for the 16 queries, and {all_of_them:.4f} for all 200."
    assert said in source("08-is-the-difference-real")


def test_twenty_lost_judgements_are_enough_to_make_bm25_win_in_lesson_9():
    judged = read_qrels(DATA / "cranfield-qrels.csv")
    hits = judged[judged["relevance"] > 0]
    for name in ("bm25", "tfidf"):
        run = read_run(DATA / f"cranfield-{name}.txt.gz")
        rank = run.groupby("query_id").cumcount() + 1
        run[name] = (1 / np.log2(rank + 1)).where(rank <= 10)
        hits = hits.merge(run.drop(columns="score"), how="left").fillna({name: 0})
    values = evaluate(run, judged, ["DCG@10", "nDCG@10"])
    ideal = hits["query_id"].map(values["DCG@10"] / values["nDCG@10"])
    hits["tips"] = (hits["tfidf"] - hits["bm25"]) * hits["relevance"] / ideal
    most = hits.sort_values("tips", ascending=False).head(20)
    assert check("09-open", most).text.startswith("Right: 20 of 1,612 are gone")
