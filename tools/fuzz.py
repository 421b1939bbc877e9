"""Thousands of files made from seeds, valid and damaged, and what the readers make of them.

    python tools/fuzz.py
    python tools/fuzz.py --seed 5000 --count 100000 --minutes 10
    python tools/fuzz.py --seed 1234 --count 1 --keep folder

Each seed makes one valid file, which has to come back row for row, and the same one damaged, which
has to come back whole or be refused by a DataError, in time. They are read in processes of their
own, so that one that dies is found as well. What was found is printed by class; then the exit
status is 1. `--keep` writes the files of what was found into a folder.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
SHOWN = 5
AT_ONCE = 500  # seeds that one process takes


def attack(first: int, count: int, keep: Path | None) -> None:
    """Try seeds in this process: a line for each seed that begins, and for what was found."""
    from made_files import made
    from tried_files import damaged, finding

    with TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            print("begin", seed, sep="\t", flush=True)
            valid = made(seed)
            for state, file in (("valid", valid), ("damaged", damaged(valid))):
                if found := finding(file, Path(folder)):
                    what = f"{state} {file.form} {file.table}: {found[1]!a}"
                    print("found", seed, found[0], what, sep="\t", flush=True)
                    if keep:
                        (keep / f"{seed}-{state}").write_bytes(file.written())


def in_process(first: int, count: int, keep: Path | None, found: dict[str, list[str]]) -> int:
    """Try seeds in a process of its own, and say how many it began."""
    task = [sys.executable, __file__, "--task", "--seed", str(first), "--count", str(count)]
    done = subprocess.run(
        task + (["--keep", str(keep)] if keep else []),
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        text=True,
    )
    begun = 0
    for line in done.stdout.splitlines():
        kind, seed, *what = line.split("\t")
        begun += kind == "begin"
        if kind == "found":
            found[what[0]].append(f"seed {seed}, {what[1]}")
    if done.returncode:
        found["a process dies"].append(f"seed {first + begun - 1}, status {done.returncode}")
    return begun


def main() -> int:
    """Attack, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1_000, help="the first one (default: 1000)")
    parser.add_argument("--count", type=int, default=20_000, help="of seeds (default: 20000)")
    parser.add_argument("--minutes", type=float, default=5, help="at most (default: 5)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to keep what was found")
    parser.add_argument("--task", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.keep:
        options.keep.mkdir(exist_ok=True)
    if options.task:
        attack(options.seed, options.count, options.keep)
        return 0
    found: dict[str, list[str]] = defaultdict(list)
    end, done = time.monotonic() + 60 * options.minutes, 0
    while done < options.count and time.monotonic() < end:
        count = min(AT_ONCE, options.count - done)
        done += max(in_process(options.seed + done, count, options.keep, found), 1)
    print(f"{done:,} seeds from {options.seed:,} on, a valid and a damaged file each.")
    for kind, cases in sorted(found.items()):
        print(f"\n{kind}: {len(cases)}")
        print("\n".join(f"  {case}" for case in cases[:SHOWN]))
    print("" if found else "Nothing was found.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
