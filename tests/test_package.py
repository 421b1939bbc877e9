"""The package as a user gets it: its face, what importing it loads, and the built wheel."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions, requires
from itertools import chain
from pathlib import Path

import pytest
from hatchling import build
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import byhand
import helpers

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SHIPPED = Path("helpers/shipped")
PACKAGES = ("byhand", "helpers")


def run_python(code, *arguments, **options):
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_it_loads_no_heavy_library():
    heavy = {"scipy", "matplotlib", "pyarrow", "ipywidgets", "anywidget", "IPython"}
    code = f"""
import sys, pandas  # pandas itself loads pyarrow where it finds it
before = set(sys.modules)
import byhand
print(*sorted({heavy} & (set(sys.modules) - before)))
"""
    assert run_python(code) == []


def test_it_works_without_pyarrow():
    code = """
import sys
sys.modules["pyarrow"] = None
import pandas as pd
from byhand import evaluate
run = pd.DataFrame({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [1, 1]})
qrels = pd.DataFrame({"query_id": ["q"], "doc_id": ["a"], "relevance": [1]})
print(run["doc_id"].dtype, *evaluate(run, qrels, "RR")["RR"])
"""
    dtype, value = run_python(code)
    assert dtype in ("str", "object")
    assert float(value) == 1 / 2


@pytest.mark.parametrize(
    ("package", "name"), [(each, name) for each in (byhand, helpers) for name in each.__all__]
)
def test_every_public_name_is_there_and_says_what_it_is(package, name):
    thing = getattr(package, name)
    assert name == "PRESETS" or thing.__doc__


def names(requirements):
    """The distributions that these requirements name, those of extras left out."""
    found = map(Requirement, requirements)
    return {canonicalize_name(r.name) for r in found if "extra" not in str(r.marker)}


def test_a_plain_install_brings_every_library_that_it_imports():
    named = names(PROJECT["dependencies"])
    brought = named.union(*(names(requires(name) or ()) for name in named))
    extras = PROJECT["optional-dependencies"]
    asked_for = brought | names(extras["engines"]) | names(extras["spark"])
    makers = packages_distributions()
    for path in chain.from_iterable((ROOT / each).rglob("*.py") for each in PACKAGES):
        module = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(module):
            for library in imported(node) - sys.stdlib_module_names - {*PACKAGES}:
                found = {canonicalize_name(name) for name in makers.get(library, [library])}
                # what an extra brings is imported by those functions only that need it
                assert found & (brought if node in module.body else asked_for), (library, path)


def imported(node):
    """The top-level names of the modules that a statement imports."""
    if isinstance(node, ast.ImportFrom):
        return {node.module.partition(".")[0]}
    names = node.names if isinstance(node, ast.Import) else ()
    return {alias.name.partition(".")[0] for alias in names}


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


@pytest.fixture
def run_installed(wheel, tmp_path):
    """Call it to run code in an empty folder, with nothing of the project but the wheel."""

    def run(code):
        here = f"import byhand; assert byhand.__file__.startswith({str(wheel)!r})\n"
        environment = {**os.environ, "PYTHONPATH": str(wheel)}
        return run_python(here + code, cwd=tmp_path, env=environment)

    return run


class TestWheel:
    def test_has_the_package_the_data_and_the_lessons(self, wheel):
        code = chain.from_iterable((ROOT / each).rglob("*") for each in PACKAGES)
        code = (path for path in code if "__pycache__" not in path.parts)
        lessons = ("*.ipynb", "images/*.svg")
        shipped = [*(ROOT / "data").iterdir()]
        shipped += (path for part in lessons for path in (ROOT / "notebooks").glob(part))
        wanted = {path.relative_to(ROOT): path.read_bytes() for path in code if path.is_file()}
        for path in filter(Path.is_file, shipped):
            wanted[SHIPPED / path.relative_to(ROOT)] = path.read_bytes()
        found = chain.from_iterable((wheel / each).rglob("*") for each in PACKAGES)
        found = filter(Path.is_file, found)
        assert {path.relative_to(wheel): path.read_bytes() for path in found} == wanted

    def test_finds_its_data(self, run_installed):
        code = """
from helpers.tools import tool_case
from helpers.worked_examples import worked_example
from helpers import documented_values
print(len(documented_values()), len(tool_case("deep")[0]), *worked_example("d4", "mrr"))
"""
        assert run_installed(code) == [
            str(len(helpers.documented_values())),
            "10",
            "Q1",
            "Q2",
            "Q3",
        ]

    def test_makes_a_report(self, run_installed, tmp_path):
        for name in ("new.txt.gz", "qrels.csv"):
            shutil.copy(ROOT / "data" / f"sample-{name}", tmp_path / name)
        assert PROJECT["scripts"] == {
            "ranking-report": "byhand.__main__:ranking_report",
            "ranking-gate": "byhand.__main__:ranking_gate",
        }
        run_installed(
            "from byhand.report.command import main\n"
            "main(['new.txt.gz', '--qrels', 'qrels.csv', '-o', 'report.html', '--measures', 'RR'])"
        )
        assert "Over 200 queries" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_an_editable_install_brings_no_data_of_its_own(tmp_path):
    with zipfile.ZipFile(build_in(ROOT, build.build_editable, tmp_path)) as archive:
        files = [name for name in archive.namelist() if ".dist-info/" not in name]
        assert [archive.read(name).decode() for name in files] == [str(ROOT)]
