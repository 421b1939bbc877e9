"""The files of the set-up agree, and `make setup` says what is missing."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import byhand

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, GROUPS = PYPROJECT["project"], PYPROJECT["dependency-groups"]
# and the extras that each is for
LOCKS = {
    "locks/requirements.lock": ("notebook", "lab", "build"),
    "locks/requirements-test.lock": ("test",),
    "locks/requirements-spark.lock": ("spark",),
}
BROWSER_LOCK = "locks/requirements-lite.lock"  # of a group, without the project's own needs
TEXTS = {each: (ROOT / each).read_text(encoding="utf-8") for each in (*LOCKS, BROWSER_LOCK)}
LOCK, *LATER = TEXTS
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
MAKE = shutil.which("make")


def requirements(*extras):
    """The requirements of pyproject.toml, by name: its dependencies and these extras."""
    return named([PROJECT["dependencies"], *map(PROJECT["optional-dependencies"].get, extras)])


def named(lists):
    return {canonicalize_name(r.name): r for r in map(Requirement, chain.from_iterable(lists))}


def pins(lock):
    """The pins of each package in a lock, as a version with its hashes."""
    found = defaultdict(set)
    for entry in re.split(r"\n(?! )", TEXTS[lock]):
        if pin := re.match(r"([\w-]+)[^=]*==([^ ;]+)", entry):
            found[pin[1]].add((pin[2], *re.findall("sha256:[0-9a-f]+", entry)))
    return found


def test_the_environment_of_conda_and_binder_is_that_of_the_package():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    assert environment["channels"] == ["conda-forge", "nodefaults"]
    *lines, ours = environment["dependencies"]
    assert ours == {"pip": ["-e ."]}
    # conda's "=3.13" is "==3.13.*" elsewhere, and Binder reads only that
    found = [Requirement(re.sub(r"^(\w+)=([\d.]+)$", r"\1==\2.*", line)) for line in lines]
    conda = {each.name: each.specifier for each in found}
    wanted = requirements("notebook", "lab")
    wanted |= {name: requirements("test")[name] for name in ("nbval", "pytest")}
    (python,) = conda.pop("python")
    assert SpecifierSet(PROJECT["requires-python"]).contains(python.version.removesuffix(".*"))
    assert {name: each for name, each in conda.items() if name != "pip"} == {
        name: each.specifier for name, each in wanted.items()
    }


@pytest.mark.parametrize("lock", TEXTS)
def test_a_lock_pins_every_requirement_in_its_range(lock):
    found = pins(lock)
    wanted = requirements(*LOCKS[lock]) if lock in LOCKS else named(GROUPS.values())
    for name, requirement in wanted.items():
        assert found[name], name
        assert all(requirement.specifier.contains(version) for version, *_ in found[name]), name


@pytest.mark.parametrize("later", LATER)
def test_the_locks_agree(later):
    first, second = pins(LOCK), pins(later)
    shared = first.keys() & second.keys()
    assert shared
    assert {name: second[name] for name in shared} == {name: first[name] for name in shared}


OLD = "echo Python 3.8.10"
OLDER = "echo 'Python 3.8 is too old' >&2; exit 1"
GOOD = "case $1 in -c) echo suitable;; --version) echo Python 3.12.9;; *) exit 3;; esac"
HIDE = "import sys; sys.modules['ensurepip'] = None; exec(sys.argv[1])"
BARE = f'exec "{sys.executable}" -c "{HIDE}" "$2"'
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


class TestMake:
    """The Makefile."""

    @pytest.mark.skipif(MAKE is None or os.name == "nt", reason="needs make")
    @pytest.mark.parametrize(
        ("asked", "pythons", "printed", "said"),
        [
            ("", {}, "", "none found.*Python 3.11 or newer"),
            ("", {"python3": OLDER}, "", r"python3: Python 3\.8.*Python 3.11 or newer"),
            ("", {"python3": BARE}, "", f"python3: Python {HERE} lacks venv.*python{HERE}-venv"),
            ("", {"python3": OLD, "python3.12": GOOD}, "==> Creating .venv with Python 3.12.9", ""),
            ("PYTHON=old", {"old": OLD, "python3": GOOD}, "", r"old: Python 3\.8\.10"),
        ],
        ids=["none", "too old to tell", "without venv", "the next that will do", "named"],
    )
    def test_which_python_it_takes(self, tmp_path, asked, pythons, printed, said):
        """In a copy of the set-up, with other Pythons on the path than this one."""
        (tmp_path / "locks").mkdir()
        for name in ("Makefile", "pyproject.toml", *LOCKS):
            shutil.copy(ROOT / name, tmp_path / name)
        tools = tmp_path / "bin"
        tools.mkdir()
        for tool in ("cat", "id", "rm", "sh"):
            (tools / tool).symlink_to(shutil.which(tool))
        for name, script in pythons.items():
            python = tools / name
            python.write_text(f"#!/bin/sh\n{script}\n")
            python.chmod(0o755)
        command, path = [MAKE, "setup", *asked.split()], {"PATH": str(tools)}
        done = subprocess.run(command, cwd=tmp_path, env=path, capture_output=True, text=True)
        lines = [line for line in done.stderr.splitlines() if not line.startswith("make")]
        assert done.returncode != 0
        assert not (tmp_path / ".venv").exists()
        assert printed in ("", done.stdout.strip())
        assert len(lines) == bool(said)
        assert re.search(said, "".join(lines))

    def test_wants_the_python_that_the_package_wants(self):
        (floor,) = re.findall(r"version_info < \((\d+), (\d+)\)", MAKEFILE)
        assert SpecifierSet(f">={'.'.join(floor)}") == SpecifierSet(PROJECT["requires-python"])

    def test_workflows_and_pages_name_only_targets_that_exist(self):
        files = [*(ROOT / ".github" / "workflows").glob("*.yml")]
        jobs = [job for each in files for job in yaml.safe_load(each.read_text())["jobs"].values()]
        runs = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
        called = {word for run in runs if run.startswith("make ") for word in run.split()[1:]}
        assert called == {"lite", "docs", "dist", "ends"}
        pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
        text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
        named = called.union(re.findall(r"(?:`|^ *)make ([a-z]+)", text, re.M))
        assert named <= set(re.findall(r"^\.PHONY: (\w+)$", MAKEFILE, re.M))


def test_citation_and_changelog_are_of_this_version():
    assert CITED["cff-version"] == "1.2.0"
    assert CITED["version"] == byhand.__version__
    assert PROJECT["license"].startswith(CITED["license"])
    assert CITED["abstract"] == PROJECT["description"]

    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, day = re.search(r"^## \[(.+)\] - (.+)$", changelog, re.MULTILINE).groups()
    assert (version, day) == (byhand.__version__, str(CITED["date-released"]))
