"""Write the Cranfield files of data/: `python tools/make_cranfield.py COLLECTION [FOLDER]`.

COLLECTION is a folder with the usual files of the 1967 collection: cran.qry, cranqrel and
cran.all.1400 or cran.all.1400.gz. The output does not contain the abstracts. data/README.md has the
origin of the files.
"""

import csv
import gzip
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

DATA = Path(__file__).parents[1] / "data"
STOP_WORDS = "english"  # scikit-learn's list, for both systems
K1, B = 0.9, 0.4
N_RETRIEVED = 100
GRADES = {"1": 4, "2": 3, "3": 2, "4": 1}  # code -> grade; code 1 means "a complete answer"
_RECORD = re.compile(r"^\.I ", re.MULTILINE)
_FIELD = re.compile(r"^\.([TABW])\n(.*?)(?=^\.[TABW]\n|\Z)", re.MULTILINE | re.DOTALL)


def records(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the number and fields (T title, W words) of each record in a file."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="ascii") as file:
        for record in _RECORD.split(file.read())[1:]:
            number, _, rest = record.partition("\n")
            fields = {name: " ".join(text.split()) for name, text in _FIELD.findall(rest)}
            yield number.strip(), fields


def bm25(texts: list[str], queries: list[str]) -> np.ndarray:
    """Compute BM25 scores with Lucene's positive idf: a row per query, a column per text."""
    counter = CountVectorizer(stop_words=STOP_WORDS)
    counts = counter.fit_transform(texts).tocoo()
    found_in = np.bincount(counts.col)
    idf = np.log1p((len(texts) - found_in + 0.5) / (found_in + 0.5))
    length = np.bincount(counts.row, counts.data, minlength=len(texts))
    norm = K1 * (1 - B + B * length / length.mean())
    counts.data = idf[counts.col] * counts.data / (counts.data + norm[counts.row])
    return (counter.transform(queries) @ counts.tocsr().T).toarray()


def tfidf(texts: list[str], queries: list[str]) -> np.ndarray:
    """Compute cosines of (1 + log(count)) * idf: a row per query, a column per text."""
    vectors = TfidfVectorizer(stop_words=STOP_WORDS, sublinear_tf=True)
    weights = vectors.fit_transform(texts)
    return (vectors.transform(queries) @ weights.T).toarray()


def write_run(path: Path, ids: list[str], scores: np.ndarray, tag: str) -> None:
    """Write the best items of each query, numbered from 1, as a gzipped TREC run."""
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        for query, row in enumerate(scores, start=1):
            best = np.argsort(-row, kind="stable")[:N_RETRIEVED]
            for rank, place in enumerate(best[row[best] > 0], start=1):
                line = f"{query} Q0 {ids[place]} {rank} {row[place]:.5f} {tag}\n"
                file.write(line.encode())


def write_table(path: Path, heading: list[str], rows: Iterator[tuple[object, ...]]) -> None:
    """Write a CSV file."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([heading, *rows])


def main(collection: Path, folder: Path = DATA) -> None:
    """Write the queries, the judgements, the titles and two runs."""
    queries = list(records(collection / "cran.qry"))
    documents = dict(records(next(collection.glob("cran.all.1400*"))))
    asked = [fields["W"] for _, fields in queries]
    texts = [fields.get("W", "") for fields in documents.values()]
    write_table(
        folder / "cranfield-queries.csv",
        ["query_id", "number", "text"],
        (
            (n, number, text)
            for n, ((number, _), text) in enumerate(zip(queries, asked, strict=True), 1)
        ),
    )
    write_table(
        folder / "cranfield-titles.csv",
        ["doc_id", "title"],
        ((number, fields.get("T", "")) for number, fields in documents.items()),
    )
    judged = (line.split() for line in (collection / "cranqrel").read_text().splitlines() if line)
    write_table(
        folder / "cranfield-qrels.csv",
        ["query_id", "doc_id", "relevance", "code"],
        ((query, item, GRADES.get(code, 0), code) for query, item, code in judged),
    )
    for tag, score in (("bm25", bm25), ("tfidf", tfidf)):
        name = folder / f"cranfield-{tag}.txt.gz"
        write_run(name, list(documents), score(texts, asked), tag)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
