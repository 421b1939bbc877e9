"""Run other tools on small cases and record their values: data/tool-results.csv.

    python tools/record_tools.py                          # the tools that are installed here
    uv run --no-project --with ranx==0.3.21 python tools/record_tools.py --tools ranx
    TREC_EVAL=path/to/trec_eval python tools/record_tools.py --tools "trec_eval -c"

Each row has a call; peer_tools.py defines its names. To add a call, add a row without a value; to
add a case, add rows to data/tool-cases.csv. data/tool-versions.csv has the recorded versions.
"""

import argparse
import csv
import re
import tempfile
import warnings
from datetime import date
from importlib.metadata import version
from math import isnan

from peer_tools import CASES, DATA, TOOLS

# time and source line at the start of some errors
STAMP = re.compile(r"^\[[\d:]+\] \S+:\d+: ")
Row = dict[str, str]


def outcome(name: str, case: str, call: str) -> tuple[str, str]:
    """Return (value, error) of a call: ten digits, or the first line of the error."""
    tool = TOOLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = tool.value(eval(call, tool.names(CASES[case])))
        except Exception as error:
            message = STAMP.sub("", str(error).strip().partition("\n")[0])
            message = re.sub(rf"{tempfile.gettempdir()}/\w+", "FILE", message)
            return "", f"{type(error).__name__}: {message}"
    if isnan(value):
        return "", "It gives NaN, which is no number."
    return f"{value:.10g}", ""


def read_table(name: str) -> list[Row]:
    """Read a recorded table."""
    with (DATA / f"tool-{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_table(name: str, rows: list[Row]) -> None:
    """Write a table with its columns."""
    with (DATA / f"tool-{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def record_here(tools: list[str]) -> None:
    """Run the calls of tools; record results and versions."""
    results, versions = read_table("results"), read_table("versions")
    for row in results:
        if row["tool"] in tools:
            row["value"], row["error"] = outcome(row["tool"], row["case"], row["call"])
    for row in versions:
        if row["tool"] in tools:
            tool = TOOLS[row["tool"]]
            row["version"], row["run_on"] = str(tool.version), date.today().isoformat()
            row["beside"] = ", ".join(f"{name} {version(name)}" for name in tool.beside)
    write_table("results", results)
    write_table("versions", versions)


def main() -> None:
    """Record the requested tools; print which are not installed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tools", nargs="+", choices=TOOLS, default=list(TOOLS))
    chosen = parser.parse_args().tools
    here = [name for name in chosen if TOOLS[name].version]
    record_here(here)
    print(f"recorded: {', '.join(here) or 'nothing'}")
    for name in chosen:
        if name not in here:
            packages = " ".join(f"--with '{package}'" for package in TOOLS[name].install)
            print(f"not installed, rows kept: {name} ({packages})")


if __name__ == "__main__":
    main()
