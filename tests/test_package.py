"""The package as a user gets it: its face, what importing it loads, and the built wheel."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import Distribution, distributions, packages_distributions
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
PARTS = ("figures", "metrics", "reports", "statistics", "widgets")  # that have public names


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


def test_every_public_name_is_there():
    for package in ("byhand", *(f"byhand.{part}" for part in PARTS), "helpers"):
        exec(f"from {package} import *", {})


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("evalute", "byhand has no 'evalute'; the nearest is 'evaluate'."),
        ("NDCG", "byhand has no 'NDCG'; the nearest is 'ndcg'."),
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


def imports(package):
    """Each file of a package with each module that it imports."""
    for path in (ROOT / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                yield path, node.module
            elif isinstance(node, ast.Import):
                yield from ((path, each.name) for each in node.names)


EXTRAS = PROJECT["optional-dependencies"]


@pytest.mark.parametrize("package", PACKAGES)
def test_what_is_imported_is_brought_by_the_install_or_by_an_extra(package):
    extras = chain.from_iterable(EXTRAS[each] for each in ("figures", "notebook", "spark", "lab"))
    named = names([*PROJECT["dependencies"], *extras])
    here = {canonicalize_name(each.name): each.requires or () for each in distributions()}
    brought = named | names(chain.from_iterable(here.get(each, ()) for each in named))
    made_by = packages_distributions()
    for path, module in imports(package):
        library = module.partition(".")[0]
        if library not in {*sys.stdlib_module_names, *PACKAGES}:
            makers = {canonicalize_name(each) for each in made_by.get(library, [library])}
            assert brought & makers, (library, path)


TOWER = "words errors public command_line manual naming duplicates hashes memory parallel whole "
TOWER += "files tables metrics checks conventions statistics theme figures widgets reports __main__"


def test_no_import_runs_back_up():
    """The rooms of the library stand in the order in which data flows; the lessons are on top."""
    rooms = TOWER.split()
    for path, module in imports("byhand"):
        room = path.relative_to(ROOT / "byhand").parts[0].removesuffix(".py")
        package, *inside = module.split(".")
        if room != "__init__" and package in PACKAGES:  # that imports a name once it is asked for
            below = rooms[: rooms.index(room) + 1]
            assert package == "byhand", (path, module)
            assert not inside or inside[0] in below, (path, module)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel that the sdist builds, unpacked."""
    folder = tmp_path_factory.mktemp("dist")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        sdist = build.build_sdist(str(folder))
        shutil.unpack_archive(folder / sdist, folder, filter="data")
        patch.chdir(folder / sdist.removesuffix(".tar.gz"))
        made = build.build_wheel(str(folder))
    shutil.unpack_archive(folder / made, folder / "wheel", "zip")
    return folder / "wheel"


ALONE = """
import sys
class Missing:
    def find_spec(name, *_):
        if name.partition(".")[0] in {missing}:
            raise ModuleNotFoundError(name=name)
sys.meta_path.insert(0, Missing)
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
    missing = [name for name, made_by in packages_distributions().items() if extras & {*made_by}]
    missing += ["ibis", "duckdb", "IPython"]
    before = ALONE.format(missing=missing, wheel=str(wheel))

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
        assert "data-live=" in (tmp_path / "report.html").read_text(encoding="utf-8")

    def test_has_its_pages(self, run_installed):
        page = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
        read = "from byhand.manual import main; main({})"
        assert run_installed(read.format(["gate"])) == page.split()
        listed = run_installed(read.format([]))
        assert {path.stem for path in (ROOT / "docs").glob("*.md")} <= {*listed}

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
from byhand import average_precision, nothing
from byhand.statistics import Verdict

value: float = average_precision(["a", "b"], {"b"}, k=5)
text: str = average_precision(["a", "b"], {"b"})
average_precision(["a"], {"a"}, cut=5)
reveal_type(Verdict.A_HIGHER)
"""


def test_a_type_checker_sees_the_public_names(wheel, tmp_path):
    (tmp_path / "user.py").write_text(CHECKED)
    # what numpy and pandas are takes many seconds
    options = ["--follow-imports=silent", "--ignore-missing-imports", "--no-site-packages"]
    command = [sys.executable, "-m", "mypy", *options, "user.py"]
    environment = {**os.environ, "MYPYPATH": str(wheel)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    errors = re.findall(r"^user.py:(\d+): error: .*\[(.+)\]$", done.stdout, re.MULTILINE)
    assert errors == [("2", "attr-defined"), ("6", "assignment"), ("7", "call-arg")]
    assert "Literal[byhand.statistics.verdicts.Verdict.A_HIGHER]" in done.stdout
