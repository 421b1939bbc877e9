"""The pages of the library's public names, as `make docs` builds them."""

import builtins
import re
import subprocess
import sys
from pathlib import Path

import pytest

import byhand

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Of each module, its page."""
    folder = tmp_path_factory.mktemp("api")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.search(r"^DOCUMENTED := (.+)$", makefile, re.MULTILINE)[1].split()
    options = re.search(r"-m pdoc (.+) --output-directory", makefile)[1].split()
    command = [sys.executable, "-m", "pdoc", *options, "--output-directory", folder, *named]
    subprocess.run(command, check=True, cwd=ROOT)
    return {name: (folder / f"{name.replace('.', '/')}.html").read_text() for name in named}


def test_each_public_name_has_a_place(pages):
    assert set(byhand.__all__) - set(re.findall(r'id="(\w+)"', pages["byhand"])) == set()


def test_each_error_and_exit_status_has_a_place(pages):
    """Those of the errors and warnings that a user may meet, and catch by their names."""
    named = "|".join(["DataError", "UserWarning"])
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "byhand").rglob("*.py"))
    classes = re.findall(rf"^class (\w+)\((?:{named})\b", code, re.MULTILINE)
    wanted = {"DataError", *classes} - {"SeveralError"}
    wanted |= {f"Status {status}" for status in (0, 2, 3, 4)} | {"Status 128 and above"}
    found = re.findall(r'<h3 id="([\w-]+)">(.*)</h3>', pages["byhand.errors"])
    texts = {text for _, text in found}
    assert texts >= wanted
    others = {text for text in texts - wanted if re.search("(Error|Warning)$", text)}
    assert others - {"RefusedError"} <= vars(builtins).keys()
    assert all(each == text.lower().replace(" ", "-") for each, text in found)


def test_nothing_loads_from_another_host(pages):
    loads = re.compile(
        r"<(?:script|img|link|iframe)[^>]*(?:src|href)=\"(?:https?:)?//|@import|url\(h"
    )
    assert not [name for name, html in pages.items() if loads.search(html)]
