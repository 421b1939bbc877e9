"""How much of a file is taken at a time, and what no table goes beyond."""

from dataclasses import dataclass


@dataclass
class Limits:
    """Numbers of bytes, but of `rows`."""

    head: int = 1 << 16  # what is looked at first
    block: int = 1 << 23  # what is parsed at a time
    thread: int = 1 << 22  # … by one of pyarrow's threads
    rows: int = 100_000  # what Python's own parsers hand over at a time
    line: int = 1 << 26  # the longest


LIMITS = Limits()
