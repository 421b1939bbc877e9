"""A sample of the changes that `make mutants` can make, and how many of them tests notice.

`make mutants SAMPLE=200` makes all, runs the tests on a sample of so many, and says what came out.
"""

import argparse
import json
import random
from pathlib import Path

from scipy.stats import binomtest

MADE = Path("mutants/byhand")
UNNOTICED = {0: "survived", 33: "no test reaches it"}  # mutmut's own codes


def codes() -> dict[str, int | None]:
    """How the tests ended on each change; None if they were not run."""
    found: dict[str, int | None] = {}
    for file in MADE.rglob("*.meta"):
        found |= json.loads(file.read_text())["exit_code_by_key"]
    return found


def main() -> None:
    """Print the names of a sample, or what came out for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", type=int)
    parser.add_argument("--seed", type=int, default=24)
    parser.add_argument("--result", action="store_true", help="say how the tests ended on each")
    options = parser.parse_args()
    ended = codes()
    sample = random.Random(options.seed).sample(sorted(ended), min(options.size, len(ended)))
    if not options.result:
        print(*sample)
        return
    run = [name for name in sample if ended[name] is not None]
    missed = [name for name in run if ended[name] in UNNOTICED]
    for name in missed:
        print(f"{name}: {UNNOTICED[ended[name]]}")
    seen = len(run) - len(missed)
    print(f"Of {len(ended):,} changes, {len(run)} were tried, and tests noticed {seen}", end="")
    if run:
        low, high = binomtest(seen, len(run)).proportion_ci(method="wilson")
        print(f": {seen / len(run):.1%} (95% interval: {low:.0%} to {high:.0%})", end="")
    print(".")


if __name__ == "__main__":
    main()
