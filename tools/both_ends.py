"""The unit tests with the oldest and with the newest libraries that pyproject.toml allows.

`python tools/both_ends.py [--python 3.13] [oldest|newest]`. Each end gets an environment of
its own, and what the ranges promise is what ran: versions and the outcome are printed.
"""

import argparse
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
ENDS = {"oldest": "lowest-direct", "newest": "highest"}
# what needs no browser, no notebook and no engine
ROOMS = ("files", "tables", "metrics", "checks", "conventions", "statistics")
TESTS = [f"tests/{room}" for room in ROOMS]
TESTS += ["tests/figures", "tests/reports", "tests/test_commands.py", "tests/test_schema.py"]
# old libraries use each other by names of yesterday; of what is new the locks have not heard yet
OF_OTHERS = ["-Wdefault::DeprecationWarning", "-Wdefault::FutureWarning"]
TOOLS = ["pytest", "pytest-xdist", "nbval", "hypothesis", "duckdb", "ibis-framework[duckdb]"]


def main() -> int:
    """Run the ends that were asked for; how many of them failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ends", nargs="*", choices=[*ENDS, []], help="both if none is named")
    parser.add_argument("--python", default=sys.executable, help="a version, or where one is")
    parser.add_argument("--processes", default="logical", help="how many run the tests")
    options = parser.parse_args()
    wanted = {"python": options.python, "processes": options.processes}
    return sum(not _passes(end, **wanted) for end in options.ends or ENDS)


def _passes(end: str, *, python: str, processes: str) -> bool:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    ours = [*project["dependencies"], *extras["notebook"], *extras["lab"]]
    tools = [each for each in extras["test"] if _name(each) in map(_name, TOOLS)]
    with TemporaryDirectory() as folder:
        uv = [sys.executable, "-m", "uv"]
        own = f"{folder}/bin/python"
        subprocess.run([*uv, "venv", "--quiet", "--python", python, folder], check=True)
        install = [*uv, "pip", "install", "--quiet", "--only-binary", ":all:", "--python", own]
        subprocess.run([*install, "--resolution", ENDS[end], *ours, *tools], check=True)
        freeze = [*uv, "pip", "freeze", "--quiet", "--python", own]
        found = subprocess.run(freeze, check=True, capture_output=True, text=True).stdout.split()
        names = {_name(each) for each in project["dependencies"] + extras["figures"]}
        print(f"==> {end}:", *(each for each in found if _name(each) in names), flush=True)
        command = [own, "-m", "pytest", "-q", f"--numprocesses={processes}", *OF_OTHERS, *TESTS]
        return subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}).returncode == 0


def _name(requirement: str) -> str:
    """The distribution that a requirement or a pin names."""
    for mark in "[<>=;! ":
        requirement = requirement.partition(mark)[0]
    return requirement.lower().replace("_", "-")


if __name__ == "__main__":
    sys.exit(main())
