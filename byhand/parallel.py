"""Process blocks of rows in threads."""

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
    """Return (start, stop) of consecutive blocks of rows that fit into the cache."""
    return [(start, min(start + BLOCK, n_rows)) for start in range(0, n_rows, BLOCK)]


def cores() -> int:
    """Return the number of threads: that of pyarrow, one for each core or `OMP_NUM_THREADS`."""
    if sys.platform == "emscripten":  # no threads in the browser
        return 1
    try:
        import pyarrow as pa
    except ImportError:
        return os.cpu_count() or 1
    return pa.cpu_count()


def in_threads(call: Callable[[Piece], Result], pieces: Iterable[Piece]) -> Iterator[Result]:
    """Call a function on each piece in threads, and yield the results in order.

    Only a few pieces are in progress at a time. numpy and pyarrow release the GIL while they work.
    An exception is raised at its place in the order. A call must not change what other calls read.
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
