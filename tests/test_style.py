"""JavaScript and sheets are in the style that biome.jsonc says."""

import subprocess

from from_npm import ROOT, from_npm

PUT_RIGHT = "build/npm/node_modules/.bin/biome check --write"


def test_of_javascript_and_sheets():
    command = [from_npm(".bin/biome"), "ci", "--error-on-warnings", "--colors=off"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nMost of it puts right: {PUT_RIGHT}"
