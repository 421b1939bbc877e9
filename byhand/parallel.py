"""Blocks of rows that stay in the cache, and every core at work on them."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from typing import TypeVar

BLOCK = 1 << 17  # smaller ones make threads wait for Python's lock, larger ones for memory
Piece = TypeVar("Piece")
Result = TypeVar("Result")


def blocks(n_rows: int) -> list[tuple[int, int]]:
    """(start, stop) of consecutive blocks of rows, small enough to stay in the cache."""
    return [(start, min(start + BLOCK, n_rows)) for start in range(0, n_rows, BLOCK)]


def cores() -> int:
    """How many threads work at a time: as many as pyarrow has, one a core or `OMP_NUM_THREADS`."""
    if sys.platform == "emscripten":  # a browser's Python can start none
        return 1
    try:
        import pyarrow as pa
    except ImportError:
        return os.cpu_count() or 1
    return pa.cpu_count()


def in_threads(call: Callable[[Piece], Result], pieces: Iterable[Piece]) -> Iterator[Result]:
    """What a call makes of each piece, in their order; only a few pieces are under way at a time.

    numpy and pyarrow let go of Python's lock while they work. What a call raises comes when it is
    its turn. A call changes nothing that another piece's call reads.
    """
    threads, pieces = cores(), iter(pieces)
    first = list(islice(pieces, 2))
    if threads == 1 or len(first) < 2:
        yield from map(call, chain(first, pieces))
        return
    waiting = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for piece in chain(first, pieces):
                waiting.append(pool.submit(call, piece))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)
