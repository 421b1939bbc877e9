"""Made files after accidents, and what a reader does with a made file: a parser beside it tells."""

import json
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pandas as pd
from made_files import Made

from byhand import DataError, read_judged_run, read_qrels, read_run
from byhand.files.limits import LIMITS

READERS = {"run": read_run, "qrels": read_qrels, "judged run": read_judged_run}
SECONDS = 20
SIGNS = (b"\r", b"\n", b"\r\n\r\n", b"\0", b'"', b'""', b",", b";", b" ", b"\t", b"{", b"-", b"nan")
SIGNS += (b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\\ud800", b"1e999", b"9" * 50, b"PAR1", b"\x1f\x8b")


def damaged(valid: Made) -> Made:
    """The same file after one to four accidents; its rows are not known any more."""
    rng = random.Random(-valid.seed - 1)
    content = bytearray(valid.content)
    packed_after = valid.packed and rng.random() < 0.5
    if valid.packed and not packed_after:
        content = bytearray(valid.written())
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randrange(len(content) + 1)
        to = min(at + rng.choice((1, 1, 3, 20, 200)), len(content))
        accident = rng.randrange(6)
        if accident == 0 and at < len(content):
            content[at] ^= 1 << rng.randrange(8)
        elif accident == 1:
            del content[at:to]
        elif accident == 2:
            content[at:at] = rng.choice(SIGNS)
        elif accident == 3:
            content[at:at] = content[at:to]
        elif accident == 4 and rng.random() < 0.5:
            del content[at:]
        else:
            content[at:to] = rng.choice(SIGNS)
    packed = valid.packed and packed_after
    return replace(valid, content=bytes(content), packed=packed, rows=[])


def records(text: str, delimiter: str) -> list[list[str]]:
    """The records of CSV, sign by sign: a parser that shares nothing with the reader's two."""
    found: list[list[str]] = [[""]]
    quoted = closed = False
    place = 0
    while place < len(text):
        sign = text[place]
        if quoted:
            if sign == '"' and text[place + 1 : place + 2] == '"':
                found[-1][-1] += '"'
                place += 1
            elif sign == '"':
                quoted, closed = False, True
            else:
                found[-1][-1] += sign
        elif sign == '"' and found[-1][-1] == "" and not closed:
            quoted = True
        elif sign == delimiter:
            found[-1].append("")
            closed = False
        elif sign in "\r\n":
            found.append([""])
            closed = False
        else:
            found[-1][-1] += sign
        place += 1
    return [fields for fields in found if len(fields) > 1 or fields[0].strip()]


def parsed(file: Made, form: str) -> list[dict[str, str]] | None:
    """The ids that a text file holds, read anew; the other values only where they are numbers."""
    text = file.content.decode(errors="replace").removeprefix("\ufeff")
    if form in ("nested JSON", "JSON lists"):
        pairs = [(q, item) for q, held in pairs_of(text) for item in held]
        items = [item[0] if isinstance(item, tuple) else str(item) for _, item in pairs]
        return [{"query_id": q, "doc_id": d} for (q, _), d in zip(pairs, items, strict=True)]
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [line for line in lines if line.strip(" \t\v\f")]
    if form.startswith("TREC"):
        lines = [line for line in lines if line.lstrip()[:1] != "#"]
        rows = [line.replace("\t", " ").split(" ") for line in lines]
        rows = [[field for field in row if field] for row in rows]
        return [{ours: row[place] for ours, place in file.places.items()} for row in rows]
    if form.startswith("JSON"):
        rows = [json.loads(line) for line in lines]
        return [{ours: row.get(name) for ours, name in file.places.items()} for row in rows]
    signs = {"commas": ",", "semicolons": ";", "tabs": "\t", "bars": "|", "blanks": ""}
    delimiter = signs[form.split()[-1]]
    if form.startswith("text without"):  # an accident took the names, or made data of them
        return [{} for _ in (records(text, delimiter) if delimiter else lines)]
    head, *rows = records(text, delimiter)
    if delimiter != file.delimiter or any(len(row) != len(head) for row in rows):
        return [{} for _ in rows]
    return [{ours: row[place] for ours, place in file.places.items()} for row in rows]


def pairs_of(text: str) -> list[tuple[str, list[tuple[str, object]]]]:
    """The pairs of every object that stands in a text, one after the other."""
    decoder, found, place = json.JSONDecoder(object_pairs_hook=list), [], 0
    while rest := text[place:].lstrip(" \t\r\n"):
        pairs, end = decoder.raw_decode(rest)
        found += pairs
        place = len(text) - len(rest) + end
    return found


class HangError(BaseException):
    """A reader took too long; no `except Exception` may keep it."""


@contextmanager
def _in_time() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise HangError

    if not hasattr(signal, "alarm"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def finding(file: Made, folder: Path) -> tuple[str, str] | None:
    """What is wrong with how a file is read, as a class and what was seen; None if nothing is."""
    path = folder / "file"
    path.write_bytes(file.written())
    block = LIMITS.block
    LIMITS.block = file.block
    try:
        with _in_time():
            frame = READERS[file.table](path, columns=file.columns or None)
    except DataError as error:
        if file.rows:
            return "a valid file is refused", str(error)
        return ("a message is long", str(error)[:200]) if len(str(error)) > 2000 else None
    except HangError:
        return "a file hangs", ""
    except Exception as error:
        return "an exception is raw", f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        LIMITS.block = block
    if file.rows:
        found = list(frame.itertuples(index=False, name=None))
        unlike = [pair for pair in zip(found, file.rows, strict=False) if pair[0] != pair[1]]
        if len(found) != len(file.rows) or unlike:
            counts = f"{len(found)} of {len(file.rows)} rows"
            return "a valid file is read otherwise", f"{counts}, {unlike[:2]!r}"
        return None
    return None if file.form == "Parquet" or file.content[:2] == b"\x1f\x8b" else _lost(file, frame)


def _lost(file: Made, frame: pd.DataFrame) -> tuple[str, str] | None:
    """What a reader lost of a damaged text that it took."""
    try:
        expected = parsed(file, frame.attrs["format"].removesuffix(", gzipped"))
    except (ValueError, KeyError, IndexError, RecursionError, AttributeError) as error:
        return "a damaged file is taken", f"{type(error).__name__}: {error}"
    if len(expected) != len(frame):
        return "a row is lost in silence", f"{len(frame)} of {len(expected)} rows"
    alone = any("one query" in note for note in frame.attrs["notes"])
    for ours in ("doc_id",) if alone else ("query_id", "doc_id"):
        wanted = [row[ours] for row in expected if row.get(ours) is not None]
        found = frame[ours].tolist()
        if len(wanted) < len(found):
            continue  # an accident turned a name into another one that is known
        if list(map(str, wanted)) != found:
            pairs = [pair for pair in zip(found, wanted, strict=True) if pair[0] != str(pair[1])]
            return "an id is read otherwise", f"{pairs[:2]!r}"
    return None
