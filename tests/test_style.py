"""JavaScript and sheets are in the style that biome.jsonc says."""

import shutil
import subprocess

import pytest
from from_npm import ROOT, from_npm

PUT_RIGHT = "build/npm/node_modules/.bin/biome check --write"


def test_of_javascript_and_sheets():
    if not shutil.which("node"):
        pytest.skip("Biome needs Node (Debian, Ubuntu: apt-get install npm).")
    command = [from_npm(".bin/biome"), "ci", "--error-on-warnings", "--colors=off"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nMost of it puts right: {PUT_RIGHT}"
