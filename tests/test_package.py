"""The package as a user gets it: its face, what importing it loads, and the built wheel."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import Distribution, packages_distributions, requires
from itertools import chain
from operator import attrgetter
from pathlib import Path

import pytest
from hatchling import build
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import byhand

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGES = ("byhand", "helpers")


def run_python(code, *arguments, **options):
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_what_is_not_asked_for_loads_no_heavy_library():
    code = """
import sys, pandas  # pandas itself loads pyarrow where it finds it
before = set(sys.modules)
def heavy(*names):
    return {*names} & (set(sys.modules) - before)
from byhand import compare, evaluate
print(*heavy("scipy", "matplotlib", "pyarrow", "ipywidgets", "anywidget", "IPython"))
run = {"q": {"a": 2, "b": 1}}
evaluate(run, run, ["RR", "AP", "nDCG@10"])
print(*heavy("scipy"))
compare({"new": run, "old": run}, run)
print(*heavy("matplotlib"))
"""
    assert run_python(code) == []


STUBS = [".".join(stub.parent.relative_to(ROOT).parts) for stub in ROOT.glob("byhand/**/*.pyi")]


@pytest.mark.parametrize("name", [*sorted(STUBS), "helpers"])
def test_every_public_name_is_there_and_says_what_it_is(name):
    package = import_module(name)
    for each in package.__all__:
        thing = getattr(package, each)
        assert name not in ("byhand", "helpers") or each == "PRESETS" or thing.__doc__, each


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("evalute", "byhand has no 'evalute'; the nearest is 'evaluate'."),
        ("NDCG", "byhand has no 'NDCG'; the nearest is 'ndcg'."),
        ("qqqqqq", "byhand has no 'qqqqqq'."),
        ("widgets.Rankedlist", "byhand.widgets has no 'Rankedlist'; the nearest is 'RankedList'."),
    ],
)
def test_a_name_that_is_not_there_is_answered_with_the_nearest(name, said):
    with pytest.raises(AttributeError, match=re.escape(said)):
        attrgetter(name)(byhand)


def names(requirements):
    """The distributions that these requirements name, those of extras left out."""
    found = map(Requirement, requirements)
    return {canonicalize_name(r.name) for r in found if "extra" not in str(r.marker)}


EXTRAS = PROJECT["optional-dependencies"]


@pytest.mark.parametrize("folder", ["byhand", "helpers"])
def test_what_is_imported_is_brought_by_the_install_or_by_an_extra(folder):
    extras = chain.from_iterable(EXTRAS[each] for each in ("figures", "notebook", "spark", "lab"))
    named = names([*PROJECT["dependencies"], *extras])
    made_by = packages_distributions()
    here = named & {canonicalize_name(each) for each in chain(*made_by.values())}
    brought = named.union(*(names(requires(name) or ()) for name in here))
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for library in {name.partition(".")[0] for name in imported(node)}:
                if library not in {*sys.stdlib_module_names, *PACKAGES}:
                    makers = {canonicalize_name(each) for each in made_by.get(library, [library])}
                    assert brought & makers, (library, path)


_BELOW = "words errors public command_line manual naming duplicates hashes"
_BELOW += " memory parallel whole"
_ROOMS = "files tables metrics checks conventions statistics theme figures widgets reports"
TOWER = [*_BELOW.split(), *_ROOMS.split(), "__main__"]


def test_no_import_runs_back_up():
    """The rooms of the library stand in the order in which data flows; the lessons are on top."""
    for path in (ROOT / "byhand").rglob("*.py"):
        room = path.relative_to(ROOT / "byhand").parts[0].removesuffix(".py")
        if room == "__init__":  # imports a name once it is asked for
            continue
        below = {"byhand", *(f"byhand.{each}" for each in TOWER[: TOWER.index(room) + 1])}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for name in imported(node):
                first, _, rest = name.partition(".")
                ours = f"{first}.{rest.partition('.')[0]}".rstrip(".")
                assert first not in PACKAGES or ours in below, (path, name)


def imported(node):
    """The modules that a statement imports."""
    if isinstance(node, ast.ImportFrom):
        return {node.module}
    return {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()


def build_in(folder, hook, into):
    """What one of the build backend's hooks makes of the project in `folder`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return into / hook(str(into))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that the sdist builds, unpacked."""
    folder = tmp_path_factory.mktemp("dist")
    sdist = build_in(ROOT, build.build_sdist, folder)
    shutil.unpack_archive(sdist, folder, filter="data")
    source = folder / sdist.name.removesuffix(".tar.gz")
    shutil.unpack_archive(build_in(source, build.build_wheel, folder), folder / "wheel", "zip")
    return folder / "wheel"


ALONE = """
import sys
from importlib.machinery import PathFinder
class Rest(PathFinder):
    @classmethod
    def find_spec(cls, name, *more):
        return None if name.partition(".")[0] in {missing} else super().find_spec(name, *more)
sys.meta_path[:] = [Rest if each is PathFinder else each for each in sys.meta_path]
import byhand
assert byhand.__file__.startswith({wheel!r}), byhand.__file__
"""


@pytest.fixture
def run_installed(wheel, tmp_path):
    """Call it to run code with nothing but the wheel and what a plain install brings.

    The folder has a package `helpers` of its own, as many have.
    """
    (tmp_path / "helpers").mkdir()
    (tmp_path / "helpers" / "__init__.py").write_text("raise SystemExit('not these')")
    extras = names(chain.from_iterable(EXTRAS[each] for each in ("notebook", "lab")))
    missing = {name for name, made_by in packages_distributions().items() if extras & {*made_by}}
    before = ALONE.format(missing=missing | {"ibis", "duckdb", "IPython"}, wheel=str(wheel))

    def run(code):
        environment = {**os.environ, "PYTHONPATH": str(wheel)}
        return run_python(before + code, cwd=tmp_path, env=environment)

    return run


def files(folder):
    """All files in a folder, but for what Python writes as it imports from there."""
    return [
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ]


class TestWheel:
    def test_has_the_library_and_nothing_else(self, wheel):
        wanted = {path.relative_to(ROOT): path.read_bytes() for path in files(ROOT / "byhand")}
        pages = (ROOT / "docs").glob("*.md")
        wanted |= {Path("byhand/docs", path.name): path.read_bytes() for path in pages}
        ours = [path for path in files(wheel) if ".dist-info/" not in path.as_posix()]
        assert {path.relative_to(wheel): path.read_bytes() for path in ours} == wanted

    def test_says_what_it_is(self, wheel):
        (folder,) = wheel.glob("*.dist-info")
        told = Distribution.at(folder).metadata
        assert (told["Name"], told["Version"]) == (PROJECT["name"], byhand.__version__)
        assert told["License-Expression"] == "MIT AND OFL-1.1"
        for name in told.get_all("License-File"):
            assert (folder / "licenses" / name).read_bytes() == (ROOT / name).read_bytes()

    def test_its_commands_need_neither_jupyter_nor_matplotlib(self, run_installed, tmp_path):
        for name in ("new.txt.gz", "old.txt.gz", "qrels.csv"):
            shutil.copy(ROOT / "data" / f"sample-{name}", tmp_path / name)
        assert PROJECT["scripts"] == {
            "ranking-report": "byhand.__main__:ranking_report",
            "ranking-gate": "byhand.__main__:ranking_gate",
        }
        said = run_installed("""
import contextlib
from byhand.__main__ import ranking_gate, ranking_report
line = "it new.txt.gz --qrels qrels.csv --against old.txt.gz -o report.html "
sys.argv = (line + "-o a.csv -o a.json -o a.tex").split()
with contextlib.suppress(SystemExit):
    ranking_report()
sys.argv = "it new.txt.gz old.txt.gz --qrels qrels.csv --json".split()
with contextlib.suppress(SystemExit):
    ranking_gate()
""")
        assert '"pass",' in said
        page = (tmp_path / "report.html").read_text(encoding="utf-8")
        assert "data-live=" in page

    def test_has_its_pages_and_says_how_to_read_them(self, run_installed):
        page = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
        read = "from byhand.manual import main; main({}); main(['gaet'])"
        assert run_installed(read.format(["gate"])) == page.split()
        listed = " ".join(run_installed(read.format([])))
        assert all(f" {path.stem} " in f" {listed} " for path in (ROOT / "docs").glob("*.md"))
        for module in ("report", "gate"):
            code = "import contextlib, byhand.__main__ as it; it.choose('byhand', it.COMMANDS)"
            said = run_installed(f"sys.argv = ['it', '{module}', '--help']; {code}")
            assert said[-5:] == ["python", "-m", "byhand", "docs", module]

    @pytest.mark.parametrize(
        ("call", "extra"), [("widgets.RankedList", "notebook"), ("figures.draw_bars", "figures")]
    )
    def test_says_what_an_extra_brings(self, run_installed, call, extra):
        said = run_installed(f"""
try:
    byhand.{call}
except ImportError as error:
    print(error)
""")
        assert said[-3:] == ["pip", "install", f'"ranking-metrics-by-hand[{extra}]"']


CHECKED = """
from byhand import average_precision, compare, nothing
from byhand.statistics import Verdict

value: float = average_precision(["a", "b"], {"b"}, k=5)
text: str = average_precision(["a", "b"], {"b"})
average_precision(["a"], {"a"}, cut=5)
reveal_type(Verdict.A_HIGHER)
"""


def test_a_type_checker_sees_the_public_names(wheel, tmp_path):
    (tmp_path / "user.py").write_text(CHECKED)
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "--ignore-missing-imports"]
    command.append("--no-site-packages")  # what numpy and pandas are takes many seconds
    environment = {**os.environ, "MYPYPATH": str(wheel)}
    found = subprocess.run(
        [*command, "user.py"], cwd=tmp_path, env=environment, capture_output=True, text=True
    ).stdout
    assert re.findall(r"^user.py:(\d+): error: .*\[(.+)\]$", found, re.MULTILINE) == [
        ("2", "attr-defined"),
        ("6", "assignment"),
        ("7", "call-arg"),
    ]
    assert "Literal[byhand.statistics.verdicts.Verdict.A_HIGHER]" in found
