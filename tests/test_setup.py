"""The files of the set-up agree, and `make setup` says what is missing."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import byhand

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
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


def pins(name):
    """The pins of a lock: (requirement, hashes)."""
    lines = [line for line in TEXTS[name].splitlines() if not line.lstrip().startswith("#")]
    for entry in "\n".join(lines).replace("\\\n", " ").splitlines():
        pin, *hashes = entry.split(" --hash=")
        yield Requirement(pin), [value.strip() for value in hashes]


class TestEnvironment:
    """environment.yml, for conda, mamba and Binder."""

    @pytest.fixture
    def environment(self):
        return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))

    @pytest.fixture
    def conda(self, environment):
        lines = [line for line in environment["dependencies"] if isinstance(line, str)]
        # conda's "=3.13" is "==3.13.*" elsewhere
        found = [Requirement(re.sub(r"^(\w+)=([\d.]+)$", r"\1==\2.*", line)) for line in lines]
        assert len({r.name for r in found}) == len(found)
        return {r.name: r.specifier for r in found}

    def test_name_channels_and_the_package_itself(self, environment):
        assert set(environment) == {"name", "channels", "dependencies"}
        assert environment["name"] == PROJECT["name"]
        assert environment["channels"] == ["conda-forge", "nodefaults"]
        assert environment["dependencies"][-1] == {"pip": ["-e ."]}

    def test_has_what_lessons_and_their_checks_need_with_equal_ranges(self, conda):
        wanted = requirements("notebook", "lab")
        wanted |= {name: requirements("test")[name] for name in ("nbval", "pytest")}
        assert {name: conda.get(name) for name in wanted} == {
            name: each.specifier for name, each in wanted.items()
        }
        assert set(conda) - set(requirements("notebook", "lab", "test")) == {"python", "pip"}

    def test_python_is_one_version_that_the_package_takes(self, conda):
        (one,) = conda["python"]  # Binder reads only "=3.13"; a range would give it an older one
        assert one.operator == "=="
        assert SpecifierSet(PROJECT["requires-python"]).contains(one.version.removesuffix(".*"))


@pytest.mark.parametrize("name", TEXTS)
class TestLock:
    """What readers install, what the tests and Spark add, and what builds for the browser."""

    @pytest.mark.parametrize("python", ["3.11.0", "3.12.0", "3.13.0", "3.14.0"])
    @pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
    def test_pins_every_requirement_once_and_in_its_range(self, name, python, platform):
        here = {
            "python_version": python.rpartition(".")[0],
            "python_full_version": python,
            "sys_platform": platform,
            "platform_machine": "x86_64",
        }

        def applies(marker: Marker | None) -> bool:
            return marker is None or marker.evaluate(here)

        lite = name == BROWSER_LOCK
        wanted = named(PYPROJECT["dependency-groups"].values()) if lite else None
        wanted = wanted or requirements(*LOCKS[name])
        found = {each: [] for each in wanted}
        for pin, _ in pins(name):
            if pin.name in wanted and applies(pin.marker):
                (version,) = pin.specifier
                assert version.operator == "=="
                assert wanted[pin.name].specifier.contains(version.version), pin
                found[pin.name].append(version.version)
        assert [each for each in wanted if len(found[each]) != 1] == []

    def test_every_pin_has_hashes(self, name):
        assert (len(list(pins(name))) > 12) == (name != BROWSER_LOCK)
        for pin, hashes in pins(name):
            assert hashes, pin
            assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", value) for value in hashes), pin


@pytest.mark.parametrize("later", LATER)
def test_the_locks_agree(later):
    first, second = {}, {}
    for versions, lock in ((first, LOCK), (second, later)):
        for pin, hashes in pins(lock):
            versions.setdefault(pin.name, set()).add((str(pin.specifier), *sorted(hashes)))
    shared = first.keys() & second.keys()
    assert "traitlets" in shared or len(shared) > 10
    assert {name: second[name] for name in shared} == {name: first[name] for name in shared}


def copy_set_up(folder):
    (folder / "locks").mkdir()
    for name in ("Makefile", "pyproject.toml", *LOCKS):
        shutil.copy(ROOT / name, folder / name)


OLD = "echo Python 3.8.10"
OLDER = "echo 'Python 3.8 is too old' >&2; exit 1"
GOOD = "case $1 in -c) echo suitable;; --version) echo Python 3.12.9;; *) exit 3;; esac"
HIDE = "import sys; sys.modules['ensurepip'] = None; exec(sys.argv[1])"
BARE = f'exec "{sys.executable}" -c "{HIDE}" "$2"'
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


class TestMake:
    """The Makefile, with other Pythons on the path than this one."""

    pytestmark = pytest.mark.skipif(MAKE is None or os.name == "nt", reason="needs make")

    @pytest.mark.parametrize(
        ("asked", "pythons", "printed", "said"),
        [
            ("", {}, "", "none found.*Python 3.11 or newer"),
            ("", {"python3": OLD}, "", r"python3: Python 3\.8.*Python 3.11 or newer"),
            ("", {"python3": OLDER}, "", r"python3: Python 3\.8.*Python 3.11 or newer"),
            ("", {"python3": BARE}, "", f"python3: Python {HERE} lacks venv.*python{HERE}-venv"),
            ("", {"python3": OLD, "python3.12": GOOD}, "==> Creating .venv with Python 3.12.9", ""),
            ("PYTHON=old", {"old": OLD, "python3": GOOD}, "", r"old: Python 3\.8\.10"),
        ],
        ids=["none", "old", "too old to tell", "without venv", "the next that will do", "named"],
    )
    def test_which_python_it_takes(self, tmp_path, asked, pythons, printed, said):
        """In a copy of the set-up whose only Pythons are shell scripts."""
        copy_set_up(tmp_path)
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


def test_the_citation_is_of_this_version():
    assert CITED["cff-version"] == "1.2.0"
    assert CITED["version"] == byhand.__version__
    assert PROJECT["license"].startswith(CITED["license"])
    assert CITED["abstract"] == PROJECT["description"]
    assert {"message", "title", "authors"} <= set(CITED)


def test_the_changelog_is_of_this_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, day = re.search(r"^## \[(.+)\] - (.+)$", changelog, re.MULTILINE).groups()
    assert (version, day) == (byhand.__version__, str(CITED["date-released"]))
