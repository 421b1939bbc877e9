"""The command of a benchmark that draws samples: which of its tables, and of how many samples."""

import argparse
from collections.abc import Callable, Mapping


def print_tables(what: str, tables: Mapping[str, Callable[[int], None]]) -> None:
    """Print the tables that were asked for.

    Args:
        what: what they show, in a sentence.
        tables: by name, what prints each from a number of samples.
    """
    options = argparse.ArgumentParser(description=what)
    options.add_argument("--samples", type=int, default=2000, metavar="N")
    options.add_argument("--only", choices=tables, help="one of the tables")
    asked = options.parse_args()
    for name, show in tables.items():
        if asked.only in (None, name):
            print(f"\n== {name}: {asked.samples:,} samples a line")
            show(asked.samples)
