"""Commands as they are typed, and what they say, as text that a reviewer reads in a diff.

Each part of such a text begins in an empty folder: `> name: text` writes a file, `$ command` runs
one, and behind it stand its exit status, what it says and the files that are new.
"""

import re
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

import commands
from small_runs import DATA

from byhand.reports.number_text import made_with

RUN = {"ranking-report": commands.report, "ranking-gate": commands.gate}


def said_by(typed):
    """The exit status of a command, and all that it says."""
    name, *arguments = shlex.split(typed)
    stream = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(stream), redirect_stderr(stream):
        try:
            status = RUN[name](arguments)
        except SystemExit as end:
            status = end.code
    text = stream.buffer.getvalue().decode().replace(made_with(), "ranking-metrics-by-hand")
    text = text.replace(str(Path.cwd()), "this folder")
    return status, re.sub(r"(Wrote [^\s,]+), [\d.]+ .B", r"\1", text)


def again(transcript):
    """The same transcript, of commands that are run anew."""
    return "".join(map(_part, re.split(r"^(?=## )", transcript, flags=re.MULTILINE)))


def _part(part):
    lines = [line for line in part.splitlines() if line.startswith(("# ", "## ", "> ", "$ "))]
    found = []
    with TemporaryDirectory() as folder, chdir(folder):
        for line in lines:
            found.append(line)
            if line.startswith("> "):
                name, _, text = line[2:].partition(": ")
                Path(name).parent.mkdir(exist_ok=True, parents=True)
                Path(name).write_bytes(text.encode().decode("unicode_escape").encode())
            elif line.startswith("$ "):
                for sample in DATA.glob("sample-*") if "sample-" in line else ():
                    copyfile(sample, sample.name)
                before = {*Path().rglob("*")}
                status, text = said_by(line[2:])
                new = sorted(str(path) for path in {*Path().rglob("*")} - before)
                found += [f"[{status}]", *text.splitlines(), *(f"+ {path}" for path in new)]
    return "\n".join([*found, "", ""]) if lines else ""
