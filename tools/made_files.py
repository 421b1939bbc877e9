"""Valid files made from a seed, beside the rows that are in them."""

import csv
import gzip
import io
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.parquet as pq

NEEDS = {
    "run": ("query_id", "doc_id", "score"),
    "qrels": ("query_id", "doc_id", "relevance"),
    "judged run": ("query_id", "doc_id", "score", "relevance"),
}
NAMES = {
    "query_id": ("query_id", "qid", "Query ID", "topic", "user_id", "QUERY-ID", "Frage"),
    "doc_id": ("doc_id", "docno", "item_id", " DocNo", "Document", "문서"),
    "score": ("score", "sim", "Prediction", "score", "rank", "Punkte"),
    "relevance": ("relevance", "label", "rel", "Is Relevant", "grade", "é"),
}
OWN = {"Frage": "query_id", "문서": "doc_id", "Punkte": "score", "é": "relevance"}
OTHERS = ("title", "note", "x", "x", "", "n\n2", "Farbe", "a,b;c", "2", 'in "quotes"')
WORDS = ("q", "D", "doc-", "007", "0", "NA", "null", "nan", "true", "1e5", "+1", "=1", "é", "日本")
ODD = (
    "العربية",
    "한국",
    "𝒳",
    "e\u0301",
    "\u00a0x",
    "\u2028",
    "\x85",
    "\x1c",
    "\x0b.",
    "\ufeff",
    "'",
)
SPACED = ("a b", " lead", "trail ", "tab\there", '"', '""', 'a"b', ",", ";", "|", "2\nlines", "\r.")
ENDS = ("\n", "\r\n", "\r")

Row = tuple[str | float, ...]


@dataclass(frozen=True)
class Made:
    """A file, and what is in it.

    Attributes:
        seed: what it was made from.
        form: "TREC", "CSV", "JSON Lines", "nested JSON", "Parquet", or "bare": CSV without
            a line of names.
        table: which table it holds.
        content: its bytes before it is packed.
        packed: whether it is gzipped.
        columns: the names that the reader has to be told, if any.
        rows: the values of the columns that are read, in the reader's order.
        block: how many bytes the reader takes at a time.
        delimiter: what stands between fields.
        places: for each of our columns its position or its name.
    """

    seed: int
    form: str
    table: str
    content: bytes
    packed: bool
    columns: dict[str, str]
    rows: list[Row]
    block: int
    delimiter: str = ""
    places: dict[str, int | str] | None = None

    def written(self) -> bytes:
        """The bytes on disk."""
        return gzip.compress(self.content, 1) if self.packed else self.content


def an_id(rng: random.Random, *, spaced: bool) -> str:
    """An id, at times an odd one."""
    parts = [rng.choice(WORDS), str(rng.randrange(10 ** rng.randrange(1, 9)))]
    if rng.random() < 0.25:
        parts.insert(rng.randrange(3), rng.choice(ODD))
    if spaced and rng.random() < 0.2:
        parts.insert(rng.randrange(3), rng.choice(SPACED))
    return "".join(parts[rng.random() < 0.1 :])


def a_score(rng: random.Random, comma: bool) -> tuple[str, float]:
    """A score as it is written, and what it is."""
    number = rng.choice((rng.uniform(-50, 50), rng.random() * 1e-7, float(rng.randrange(-9, 99))))
    style = rng.choice(("{!r}", "{:.3f}", "{:.6e}", "{:+.2f}", "{:.0f}"))
    text = style.format(number)
    value = float(text)
    return (text.replace(".", ",") if comma else text), value


def a_grade(rng: random.Random, words: bool) -> tuple[str, float]:
    """A grade as it is written, and what it is."""
    if words:
        return rng.choice((("false", 0), ("False", 0), ("true", 1), ("TRUE", 1)))
    number = rng.choice((0, 0, 1, 1, 2, 3, -1))
    return str(number), number


def made(seed: int) -> Made:
    """A valid file."""
    rng = random.Random(seed)
    form = rng.choice(("TREC", "CSV", "CSV", "JSON Lines", "Parquet", "nested JSON", "bare"))
    nameless = form in ("TREC", "nested JSON", "bare")
    table = rng.choice(("run", "qrels") if nameless else tuple(NEEDS))
    n_rows = rng.choice((1, 2, 3, 5, 17, 60, 300 if rng.random() < 0.1 else 8))
    spaced = form != "TREC"
    comma = form == "CSV" and rng.random() < 0.15
    by_rank = not nameless and rng.random() < 0.15
    queries = [an_id(rng, spaced=spaced) for _ in range(rng.randrange(1, 6))]
    keys = dict.fromkeys((rng.choice(queries), an_id(rng, spaced=spaced)) for _ in range(n_rows))
    texts, rows = [], []
    words = rng.random() < 0.2 and form == "CSV"
    for place, (query, item) in enumerate(keys):
        written, values = {"query_id": query, "doc_id": item}, [query, item]
        if table != "qrels":
            written["score"], value = a_score(rng, comma)
            if by_rank:
                written["score"], value = str(place + 1), -(place + 1.0)
            values.append(value)
        if table != "run":
            written["relevance"], value = a_grade(rng, words)
            values.append(value)
        texts.append(written)
        rows.append(tuple(values))
    if comma and table != "qrels" and not by_rank:
        texts[0]["score"] = "0,25"  # with two places, no comma can be one between thousands
        rows[0] = (*rows[0][:2], 0.25, *rows[0][3:])
    block = rng.choice((1 << 24, 1 << 24, 1 << 24, rng.randrange(3, 300)))
    base = Made(seed, form, table, b"", rng.random() < 0.2, {}, rows, block)
    return FORMS[form](rng, base, texts, by_rank)


def _ends(rng: random.Random) -> Callable[[], str]:
    """How each line ends: mostly alike, at times with blank lines."""
    kinds = [rng.choice(ENDS)] if rng.random() < 0.8 else list(ENDS)
    blank = rng.random() < 0.15
    return lambda: rng.choice(kinds) * (1 + (blank and rng.random() < 0.3))


def _text(rng: random.Random, lines: list[str]) -> bytes:
    end = _ends(rng)
    lead = end() if rng.random() < 0.05 else ""
    text = lead + "".join(line + end() for line in lines)
    if rng.random() < 0.15:
        text = text.rstrip("\r\n")
    return (b"\xef\xbb\xbf" if rng.random() < 0.15 else b"") + text.encode()


def _trec(rng: random.Random, base: Made, texts: list[dict[str, str]], _: bool) -> Made:
    gap = rng.choice((" ", " ", "\t", "  ", " \t"))
    lines = []
    for place, text in enumerate(texts, start=1):
        fields = [text["query_id"], "Q0", text["doc_id"], str(place), text.get("score"), "tag"]
        if base.table == "qrels":
            fields = [text["query_id"], "0", text["doc_id"], text["relevance"]]
        elif rng.random() < 0.02:
            fields += ["of", "2", "words"]
        lines += ["# a comment"] * (rng.random() < 0.02)
        lines.append(gap.join(fields))
    if texts[0]["query_id"].startswith("\ufeff"):
        lines.insert(0, "")  # at the very start it would be a byte order mark
    places = {"query_id": 0, "doc_id": 2, "score": 4}
    if base.table == "qrels":
        places = {"query_id": 0, "doc_id": 2, "relevance": 3}
    return replace(base, content=_text(rng, lines), places=places)


def _named(
    rng: random.Random, base: Made, by_rank: bool
) -> tuple[list[tuple[str | None, str]], dict[str, str]]:
    """The columns in any order, each ours or None with its name; and what the reader is told."""
    columns = [(ours, rng.choice(NAMES[ours])) for ours in NEEDS[base.table]]
    if all(name in OWN for _, name in columns):  # none would tell a table from a TREC file
        columns[1] = ("doc_id", "docno")
    for place, (ours, name) in enumerate(columns):
        if ours == "score":
            name = "Rank" if by_rank else "score" if name == "rank" else name
            columns[place] = (ours, name)
    others = rng.sample(OTHERS, rng.choice((0, 0, 1, 2, 4)))
    columns += [(None, name) for name in others]
    rng.shuffle(columns)
    return columns, {name: OWN[name] for ours, name in columns if ours and name in OWN}


def _csv(rng: random.Random, base: Made, texts: list[dict[str, str]], by_rank: bool) -> Made:
    columns, told = _named(rng, base, by_rank)
    delimiter = rng.choice((",", ",", ";", "\t", "|"))
    style = rng.choice(("needed", "all", "text"))

    def field(text: str, name: bool = False) -> str:
        need = any(sign in text for sign in f'{delimiter}"\r\n') or text != text.strip() or not text
        number = text.replace(",", "").replace(".", "").lstrip("+-").isascii() and not name
        if need or style == "all" or (style == "text" and not number):
            return '"' + text.replace('"', '""') + '"'
        return text

    def other() -> str:
        return rng.choice(("", "x", "5", "-1.5", "a b", *SPACED, *ODD))

    lines = [delimiter.join(field(name, name=True) for _, name in columns)]
    for text in texts:
        lines.append(delimiter.join(field(text[ours] if ours else other()) for ours, _ in columns))
    places = {ours: place for place, (ours, _) in enumerate(columns) if ours}
    content = _text(rng, lines)
    return replace(base, content=content, columns=told, delimiter=delimiter, places=places)


def _bare(rng: random.Random, base: Made, texts: list[dict[str, str]], _: bool) -> Made:
    delimiter = rng.choice((",", ";", "\t", "|"))
    ours = [*NEEDS[base.table]]
    texts = [dict(text) for text in texts]
    for place, text in enumerate(texts[:2]):  # ids that are all numbers may be taken for scores
        text["doc_id"] = f"x{place}"
    rows = base.rows
    if base.table == "run":
        texts[0]["score"] = "0.25"
    number = [0.25 if base.table == "run" else rows[0][2], *(row[2] for row in rows[1:])]
    end = _ends(rng)
    for text in texts:
        text["query_id"] = "q" + text["query_id"]
    lines = io.StringIO()
    # csv quotes no line end but its own
    odd = any({*"\r\n"} & {*text[each]} for text in texts for each in ours)
    quoting = csv.QUOTE_ALL if odd else rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(lines, delimiter=delimiter, lineterminator=end(), quoting=quoting)
    writer.writerows([text[each] for each in ours] for text in texts)
    rows = [
        (text["query_id"], text["doc_id"], value) for text, value in zip(texts, number, strict=True)
    ]
    content, told = lines.getvalue().encode(), dict(enumerate(ours))
    return replace(base, content=content, rows=rows, delimiter=delimiter, columns=told)


def _json(rng: random.Random, base: Made, texts: list[dict[str, str]], by_rank: bool) -> Made:
    columns, told = _named(rng, base, by_rank)
    columns = list({name.strip(): (ours, name.strip()) for ours, name in columns}.values())
    escaped, mixed = rng.random() < 0.3, rng.random() < 0.2

    def value(ours: str | None, text: str) -> object:
        if ours in ("score", "relevance"):
            number = float(text)
            return int(number) if number == int(number) and rng.random() < 0.5 else number
        whole = text.isascii() and text.isdigit() and str(int(text)) == text
        return int(text) if whole and (mixed or ours is None) else text

    def other() -> object:
        return rng.choice((None, 1, "x", [1, {"y": 2}], 10**30, True, {"query_id": 7}, '"'))

    lines = []
    for text in texts:
        row = {name: value(ours, text[ours]) if ours else other() for ours, name in columns}
        lines.append(json.dumps(row, ensure_ascii=escaped))
    places = {ours: name for ours, name in columns if ours}
    return replace(base, content=_text(rng, lines), columns=told, places=places)


def _nested(rng: random.Random, base: Made, texts: list[dict[str, str]], _: bool) -> Made:
    ours = "relevance" if base.table == "qrels" else "score"
    held: dict[str, dict[str, object]] = {}
    for text in texts:
        number = float(text[ours])
        whole = number == int(number) and (ours == "relevance" or rng.random() < 0.5)
        held.setdefault(text["query_id"], {})[text["doc_id"]] = int(number) if whole else number
    if rng.random() < 0.15:  # lists of items, the best first
        rows = [
            (query, item, 1.0 if base.table == "qrels" else -float(place))
            for query, items in held.items()
            for place, item in enumerate(items, 1)
        ]
        listed = json.dumps({query: [*items] for query, items in held.items()})
        return replace(base, content=_text(rng, [listed]), rows=rows)
    if base.table == "run" and rng.random() < 0.1:
        held["nothing found"] = {}
    options = {"ensure_ascii": rng.random() < 0.3, "indent": rng.choice((None, None, 0, 2))}
    parts = [held] if rng.random() < 0.8 else [{query: items} for query, items in held.items()]
    lines = [line for part in parts for line in json.dumps(part, **options).split("\n")]
    rows = [(query, item, float(value)) for query in held for item, value in held[query].items()]
    return replace(base, content=_text(rng, lines), rows=rows)


def _parquet(rng: random.Random, base: Made, texts: list[dict[str, str]], by_rank: bool) -> Made:
    columns, told = _named(rng, base, by_rank)
    arrays, n_rows = [], len(texts)
    for ours, _ in columns:
        if ours in ("score", "relevance"):
            array = pa.array([float(text[ours]) for text in texts])
            if ours == "relevance":
                array = array.cast(rng.choice((pa.int64(), pa.int8(), pa.float32())))
        elif ours:
            array = pa.array([text[ours] for text in texts])
            if rng.random() < 0.3:
                array = array.dictionary_encode()
        else:
            array = rng.choice(
                (pa.nulls(n_rows), pa.array([[1]] * n_rows), pa.array(["x"] * n_rows))
            )
        arrays.append(array)
    file = io.BytesIO()
    table = pa.Table.from_arrays(arrays, [name for _, name in columns])
    size, packing = rng.choice((1, 7, 1000)), rng.choice(("snappy", "none", "zstd"))
    checked = rng.random() < 0.3
    pq.write_table(
        table, file, row_group_size=size, compression=packing, write_page_checksum=checked
    )
    return replace(base, content=file.getvalue(), columns=told)


FORMS = {"TREC": _trec, "CSV": _csv, "JSON Lines": _json, "Parquet": _parquet}
FORMS |= {"nested JSON": _nested, "bare": _bare}
