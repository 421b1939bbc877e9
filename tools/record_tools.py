"""Run other tools on small cases and record what they give: data/tool-*.csv.

    python tools/record_tools.py                          # the tools that are installed here
    python tools/record_tools.py --tools ranx --install   # each in an environment of its own
    python tools/record_tools.py --tools ranx --install --newest
    TREC_EVAL=path/to/trec_eval python tools/record_tools.py --tools "trec_eval -c"

The call in the table is the text that was run; peer_tools.py says what its names hold. Rows of
tools that were not run stay as they are. What is installed is the version that was recorded, or
with --newest the newest there is.
"""

import argparse
import csv
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from datetime import date
from importlib.metadata import version
from math import isnan
from pathlib import Path

from peer_cases import CASES
from peer_tools import TOOLS

DATA = Path(__file__).parents[1] / "data"
COLUMNS = {
    "results": ("tool", "case", "measure", "call", "value", "error"),
    "versions": ("tool", "package", "version", "beside", "run_on"),
    "cases": ("case", "query_id", "doc_id", "score", "relevance"),
}
# some errors begin with the time of day and the line of a source far away
STAMP = re.compile(r"^\[[\d:]+\] \S+:\d+: ")
Row = dict[str, str]
Key = tuple[str, str, str, str]


def every_call() -> Iterator[Key]:
    """(tool, case, measure, call) of all there is to record, in the order of the table."""
    for case_name, case in CASES.items():
        for measure in case.measures:
            for name, tool in TOOLS.items():
                if case_name not in tool.skip:
                    for call in tool.calls_for(case, measure):
                        yield name, case_name, tool.label(measure), call


def outcome(name: str, case: str, call: str) -> tuple[str, str]:
    """(value, error) of a call, as the table has them: ten digits, or the error's first line."""
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


def record(name: str) -> list[Row]:
    """The results of a tool that is installed here."""
    return [
        dict(zip(COLUMNS["results"], (*key, *outcome(name, key[1], key[3])), strict=True))
        for key in every_call()
        if key[0] == name
    ]


def version_row(name: str) -> Row:
    """The version of a tool that is installed here, and of what may matter beside it."""
    tool = TOOLS[name]
    beside = ", ".join(f"{package} {version(package)}" for package in tool.beside)
    found = (name, tool.package, str(tool.version), beside, date.today().isoformat())
    return dict(zip(COLUMNS["versions"], found, strict=True))


def case_rows() -> list[Row]:
    """The cases as a table: first what was retrieved, in input order, then what else is judged."""
    rows = []
    for name, case in CASES.items():
        for query in case.run | case.qrels:
            grades = case.qrels.get(query, {})
            shown = [row[1:3] for row in case.rows() if row[0] == query]
            missed = [(item, "") for item in grades if item not in case.run.get(query, {})]
            for item, score in (*shown, *missed):
                found = (name, query, item, score, grades.get(item, ""))
                rows.append(dict(zip(COLUMNS["cases"], map(str, found), strict=True)))
    return rows


def key_of(row: Row) -> Key:
    return row["tool"], row["case"], row["measure"], row["call"]


def read_table(name: str) -> list[Row]:
    """A table as it is recorded; no rows where there is none yet."""
    path = DATA / f"tool-{name}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_table(name: str, rows: list[Row]) -> None:
    with (DATA / f"tool-{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS[name], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def record_here(tools: list[str]) -> None:
    """Run these tools and put what they give in the place of what was recorded of them."""
    results = {key_of(row): row for row in read_table("results") if row["tool"] not in tools}
    versions = {row["tool"]: row for row in read_table("versions")}
    for name in tools:
        results |= {key_of(row): row for row in record(name)}
        versions[name] = version_row(name)
    write_table("results", [results[key] for key in every_call() if key in results])
    write_table("versions", [versions[name] for name in TOOLS if name in versions])
    write_table("cases", case_rows())


def requirements(name: str, *, newest: bool) -> list[str]:
    """What pip is given: the versions that were recorded, or what the tool asks for."""
    pins = {}
    for row in read_table("versions"):
        if row["tool"] == name and not newest:
            beside = (each.partition("+")[0].split() for each in row["beside"].split(", ") if each)
            pins = {row["package"]: row["version"], **dict(beside)}
    others = [each for each in TOOLS[name].install if re.split("[<=]", each)[0] not in pins]
    return [*others, *(f"{package}=={pin}" for package, pin in pins.items())]


def record_in_own_environment(name: str, *, newest: bool) -> None:
    """Install a tool in an environment that is thrown away, and run this script there."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        asked = requirements(name, newest=newest)
        python = Path(folder, "Scripts" if sys.platform == "win32" else "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "-q", *asked], check=True)
        subprocess.run([python, __file__, "--tools", name], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tools", nargs="+", choices=TOOLS, default=list(TOOLS))
    parser.add_argument(
        "--install", action="store_true", help="run each tool in an environment of its own"
    )
    parser.add_argument("--newest", action="store_true", help="install its newest version")
    chosen = parser.parse_args()
    if chosen.install:
        by_pip = [name for name in chosen.tools if TOOLS[name].install]
        for name in by_pip:
            record_in_own_environment(name, newest=chosen.newest)
        chosen.tools = [name for name in chosen.tools if name not in by_pip]
    here = [name for name in chosen.tools if TOOLS[name].version]
    record_here(here)
    print(f"recorded: {', '.join(here) or 'nothing'}")
    if lacking := [name for name in chosen.tools if name not in here]:
        print(f"not installed here, rows kept: {', '.join(lacking)}")


if __name__ == "__main__":
    main()
