"""Every command, when it is told to stop, says so in one line, from its first moment on."""

import os
import signal
import subprocess
import sys

import pytest

from helpers.__main__ import _COMMANDS as COMMANDS
from helpers.__main__ import _STOPS as STOPS

WITH_A_SIGNAL = """
import os, sys
class Stop:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), {number})
sys.meta_path.insert(0, Stop())
import helpers.__main__
helpers.__main__.run({command!r}, called="it")
"""


def ended(command, module, number, **options):
    """How a command ends that gets a signal just before it imports a module: status, output."""
    code = WITH_A_SIGNAL.format(module=module, number=int(number), command=command)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, **options)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("number", STOPS)
def test_a_signal_while_it_starts(command, number):
    assert ended(command, "argparse", number) == (
        128 + number,
        "it: interrupted; no file was left half written\n",
    )


@pytest.mark.skipif(os.name == "nt", reason="needs SIGHUP")
def test_what_it_was_told_to_ignore_it_ignores():
    def ignore():
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    status, printed = ended("report", "argparse", signal.SIGHUP, preexec_fn=ignore)
    assert (status, "required: RUN" in printed) == (2, True)


def test_a_command_that_there_is_not():
    command = [sys.executable, "-m", "helpers", "judge"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    expected = f"Usage: python -m helpers NAME …, where NAME is one of {', '.join(COMMANDS)}\n"
    assert done.stderr == expected
