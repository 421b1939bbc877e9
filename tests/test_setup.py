"""The files of the set-up agree, and `make setup` says what is missing."""

import csv
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import from_npm
import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

import byhand
from byhand.metrics.measures import MEASURES
from helpers.site import lesson_map

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


PASSED_ON = {"SPARK", "MAKEFLAGS", "MAKEOVERRIDES", "MAKELEVEL"}


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

    def test_names_no_index_and_no_machine(self, name):
        assert not re.findall(r".*(?:://|file:|--(?:extra-)?index|--find-links| @ ).*", TEXTS[name])
        assert not re.findall(r"(?:^|\s)(?:~?/|[A-Za-z]:\\).*", TEXTS[name])


@pytest.mark.parametrize("later", LATER)
def test_the_locks_agree(later):
    first, second = {}, {}
    for versions, lock in ((first, LOCK), (second, later)):
        for pin, hashes in pins(lock):
            versions.setdefault(pin.name, set()).add((str(pin.specifier), *sorted(hashes)))
    shared = first.keys() & second.keys()
    assert "traitlets" in shared or len(shared) > 10
    assert {name: second[name] for name in shared} == {name: first[name] for name in shared}


def test_a_reader_gets_nothing_of_what_only_the_tests_need():
    only = requirements(*PROJECT["optional-dependencies"]).keys() - requirements(
        "notebook", "lab", "build"
    )
    brought = {pin.name for pin, _ in pins(LOCK)}
    # JupyterLab needs these itself
    assert only & brought <= {"babel", "jsonschema", "packaging", "pyyaml"}
    assert only - brought >= {"pyspark", "playwright", "scikit-learn", "hypothesis", "pytest", "uv"}


def copy_set_up(folder):
    (folder / "locks").mkdir()
    for name in ("Makefile", "pyproject.toml", *LOCKS):
        shutil.copy(ROOT / name, folder / name)


def set_up(folder, python_does=""):
    """The set-up files in a folder with an environment that is ready; the file that says so."""
    copy_set_up(folder)
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\n{python_does}\n")
    python.chmod(0o755)
    ready = folder / ".venv" / "ready"
    ready.write_text(f"{folder.resolve()}\n")
    return ready


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
            ("", {"python3": OLD, "python3.12": GOOD}, "==> Making .venv with Python 3.12.9", ""),
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

    def test_an_environment_that_is_only_linked_is_left_as_it_is(self, tmp_path):
        clone, other = tmp_path / "clone", tmp_path / "other"
        clone.mkdir()
        copy_set_up(clone)
        other.mkdir()
        (other / "kept").touch()
        (clone / ".venv").symlink_to(other)
        command = [MAKE, "setup", f"PYTHON={sys.executable}"]
        done = subprocess.run(command, cwd=clone, capture_output=True, text=True)
        assert done.returncode != 0
        assert done.stderr.startswith("The folder .venv is a link")
        assert "rm .venv" in done.stderr
        assert [*other.iterdir()] == [other / "kept"]

    @pytest.mark.parametrize(
        ("target", "added"),
        [
            *((name, []) for name in ("setup", "notebooks", "report")),
            *((name, ["requirements-test"]) for name in ("test", "lock")),
            ("test SPARK=yes", ["requirements-test", "requirements-spark"]),
        ],
    )
    def test_only_tests_and_locks_need_more_than_a_reader(self, tmp_path, target, added):
        set_up(tmp_path, 'case $1 in -m) echo "$@";; esac')
        java = tmp_path / "java"
        java.symlink_to(shutil.which("true"))
        # whoever runs these tests by `make test SPARK=yes` asks that of this make, too
        clean = {name: each for name, each in os.environ.items() if name not in PASSED_ON}
        clean["PATH"] = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
        command = [MAKE, "--silent", *target.split()]
        printed = subprocess.check_output(command, cwd=tmp_path, env=clean, text=True)
        assert re.findall(r"--require-hashes -r locks/(\S+)\.lock", printed) == added

    def test_what_the_tests_add_is_installed_until_it_is_there(self, tmp_path):
        ready = set_up(tmp_path, 'case "$*" in *-test.lock) exec "$PIP";; esac')

        def make_test(pip):
            command = [MAKE, "--silent", "test"]
            environment = {**os.environ, "PIP": pip}
            done = subprocess.run(
                command, cwd=tmp_path, env=environment, capture_output=True, text=True
            )
            return "requirements-test.lock" in done.stdout, done.returncode == 0

        assert make_test(pip="false") == (True, False)  # as when it is interrupted
        assert make_test(pip="true") == (True, True)
        assert make_test(pip="true") == (False, True)
        for changed in (tmp_path / "locks/requirements-test.lock", ready):
            later = changed.stat().st_mtime + 100
            os.utime(changed, (later, later))
            assert make_test(pip="false") == (True, False)

    @pytest.mark.parametrize(
        "name", ["with $x", "inj$(touch PWNED)", "a`touch PWNED`", "a'\"b", "a,(b"]
    )
    def test_the_name_of_the_folder_is_only_a_name(self, tmp_path, name):
        folder = tmp_path / name
        folder.mkdir()
        ready = set_up(folder)

        def installs():
            command = [MAKE, "--silent", "setup", "PYTHON=none"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
            return "Installing" in done.stdout

        earlier = ready.stat().st_mtime - 100
        os.utime(ready, (earlier, earlier))
        assert [installs(), installs()] == [True, False]
        assert ready.read_text() == f"{folder.resolve()}\n"
        assert not [*tmp_path.rglob("PWNED*")]

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


def test_what_ran_twice_or_not_at_all_is_said_once_whichever_process_ran_it(tmp_path):
    (tmp_path / "browser").mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    shutil.copy(ROOT / "tests" / "left_out.py", tmp_path)
    (tmp_path / "browser" / "conftest.py").write_text(
        "from pathlib import Path\n"
        "from left_out import leave_out\n"
        "def pytest_collection_modifyitems(config, items):\n"
        "    leave_out(config, items, Path(__file__).parent, 'No browser: {n} were left out')\n"
    )
    (tmp_path / "browser" / "test_seen.py").write_text("def test_a(): pass\ndef test_b(): pass\n")
    (tmp_path / "test_other.py").write_text(
        "import pytest\n"
        "def test_c(): pass\n"
        "def test_d(): pytest.skip('No Firefox')\n"
        "tries = []\n"
        "@pytest.mark.flaky(reruns=1)\n"
        "def test_e():\n"
        "    tries.append('one')\n"
        "    assert len(tries) == 2\n"
    )
    clean = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # each takes its time to load
    for processes in "0", "2":
        plugins = ["-p", "xdist.plugin", "-p", "pytest_rerunfailures"]
        command = [sys.executable, "-m", "pytest", *plugins, "-n", processes, "."]
        done = subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True)
        assert done.stdout.count("No browser: 2 were left out") == 1, done.stdout
        assert "Passed: 2 tests.\n" in done.stdout
        assert re.findall("Asked once more, .*: (.*)", done.stdout) == ["test_other.py::test_e"]
        assert "Left out (1): No Firefox" in done.stdout


def test_the_tests_pass_also_where_they_are_run_in_the_background(inherited):
    """Of those that stop what they start, as `nohup make test &` runs them."""
    inherited(signal.SIG_IGN)
    some = "tests/test_commands.py::test_a_signal_while_it_starts"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", some]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_tests_pass_where_nothing_can_be_kept_of_them(tmp_path):
    """As in a checkout that is read-only: pytest would keep there what failed."""
    (tmp_path / "file").touch()
    some, kept = "tests/test_style.py", f"cache_dir={tmp_path / 'file' / 'cache'}"
    command = [sys.executable, "-m", "pytest", "-q", "-o", kept, some]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("ci", "ends"), [("", pytest.skip.Exception), ("1", pytest.fail.Exception)]
)
def test_what_npm_cannot_bring_is_left_out_but_in_ci(tmp_path, monkeypatch, ci, ends):
    monkeypatch.setattr(from_npm, "ROOT", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))  # no npm, which ends as one without a network
    monkeypatch.setenv("CI", ci)
    with pytest.raises(ends, match="It needs npm"):
        from_npm.from_npm("axe-core/axe.min.js")
    assert not [*(tmp_path / "build").iterdir()]


def test_the_citation_is_of_this_version():
    assert CITED["cff-version"] == "1.2.0"
    assert CITED["version"] == byhand.__version__
    assert PROJECT["license"].startswith(CITED["license"])
    assert CITED["abstract"] == PROJECT["description"]
    assert {"message", "title", "authors"} <= set(CITED)


def test_the_changelog_is_of_this_version_and_counts_right():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, day = re.search(r"^## \[(.+)\] - (.+)$", changelog, re.MULTILINE).groups()
    assert (version, day) == (byhand.__version__, str(CITED["date-released"]))
    with (ROOT / "data" / "tool-versions.csv").open(encoding="utf-8") as file:
        package = {row["tool"]: row["package"] for row in csv.DictReader(file)}
    tools = len({package[name] for name in byhand.PRESETS})
    lessons = [stop for stop in lesson_map() if stop.number is not None]
    for counted in (
        f"{', '.join([*MEASURES][:-1])} and {[*MEASURES][-1]}",  # where they were last added to
        f"{len(byhand.PRESETS)} presets are the conventions of {tools} tools",
        f"recorded runs of {len({*package.values()})} tools",
        f"{len(lessons)} lessons",
    ):
        assert counted in changelog
