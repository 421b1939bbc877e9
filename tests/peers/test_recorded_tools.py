"""What data/tool-*.csv says of other tools: complete, and true of those that are installed."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
import record_tools
from packaging.requirements import Requirement
from peer_tools import CASES, TOOLS

ROOT = Path(__file__).parents[2]
RESULTS = record_tools.read_table("results")
VERSIONS = {row["tool"]: row for row in record_tools.read_table("versions")}
LOCKED = [name for name in ("pytrec_eval", "ir_measures", "sklearn") if TOOLS[name].version]
# what pip cannot install is another version on another machine
COMMANDS = [
    name
    for name, tool in TOOLS.items()
    if not tool.install and tool.version == VERSIONS[name]["version"]
]


def is_reproducible(row):
    """Not where numpy leaves equal scores to the processor, or ir_measures lacks another tool."""
    if "ignore_ties=True" in row["call"] and CASES[row["case"]].has_ties:
        return False
    if row["tool"] == "ir_measures" and ("exp-log2" in row["call"] or "ERR" in row["call"]):
        return shutil.which("perl")
    return row["tool"] != "ir_measures" or "RBP" not in row["call"] or find_spec("cwl")


def test_every_call_is_recorded_once():
    calls = [tuple(row[name] for name in ("tool", "case", "measure", "call")) for row in RESULTS]
    assert len(set(calls)) == len(calls) == 2342
    assert {row["tool"] for row in RESULTS} == {*TOOLS}
    assert {row["case"] for row in RESULTS} == {*CASES}


def test_a_call_gave_a_number_or_an_error():
    for row in RESULTS:
        assert bool(row["value"]) != bool(row["error"]), row
        if row["value"]:
            assert f"{float(row['value']):.10g}" == row["value"]
    # what its tool calls a recall is not recorded as AP
    measures = {row["measure"] for row in RESULTS if "mark(" in row["call"]}
    assert measures == {"average recall" + cutoff for cutoff in ("", "@3", "@5", "@10")}


def test_each_recorded_tool_has_its_version():
    assert list(VERSIONS) == list(dict.fromkeys(TOOLS))
    for name, row in VERSIONS.items():
        assert row["package"] == (TOOLS[name].install or ["trec_eval"])[0]
        assert row["version"]


def test_versions_are_those_of_the_lock():
    lock = (ROOT / "locks/requirements-test.lock").read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line.rstrip(" \\")) for line in lock if line[:1].isalnum()]
    pinned = {pin.name: str(pin.specifier).removeprefix("==") for pin in pins}
    locked = [row for row in VERSIONS.values() if row["package"] in pinned]
    assert {row["tool"] for row in locked} >= set(LOCKED)
    assert locked
    for row in locked:
        assert row["version"] == pinned[row["package"]], "run tools/record_tools.py anew"


@pytest.mark.parametrize("name", LOCKED + COMMANDS)
def test_the_record_is_what_the_tool_gives(name):
    for row in RESULTS:
        if row["tool"] == name and is_reproducible(row):
            value, error = record_tools.outcome(name, row["case"], row["call"])
            assert error.partition(":")[0] == row["error"].partition(":")[0], row
            if value:
                assert float(value) == pytest.approx(float(row["value"]), abs=1e-9), row
