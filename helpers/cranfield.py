"""Mistakes of lesson 9: in its own cells, their code would answer the questions below them."""

import pandas as pd

from byhand import read_run
from helpers.places import DATA


def first_attempt(run: pd.DataFrame) -> pd.DataFrame:
    """Return a run on Cranfield as lesson 9 evaluates it at first.

    The questions have the numbers that their file gives them. The judgements count the questions
    from 1, so the two do not belong together.

    Args:
        run: table with `query_id`, as in the judgements.

    Example:
        >>> first_attempt(pd.DataFrame({"query_id": ["3"], "doc_id": ["5"]}))["query_id"].tolist()
        ['4']
    """
    questions = pd.read_csv(DATA / "cranfield-queries.csv", dtype=str)
    number = dict(zip(questions["query_id"], questions["number"].str.lstrip("0"), strict=True))
    return run.assign(query_id=run["query_id"].map(number))


def colleagues_runs() -> dict[str, pd.DataFrame]:
    """Return the runs of the colleague in lesson 9, whose scores have one decimal.

    Example:
        >>> colleagues_runs()["bm25"]["score"].head(2).tolist()
        [10.6, 9.8]
    """
    return {
        name: read_run(DATA / f"cranfield-{name}.txt.gz").round({"score": 1})
        for name in ("bm25", "tfidf")
    }
