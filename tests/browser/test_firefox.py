"""A lesson's page in Firefox: what a reader drags there counts as in Chromium.

Firefox is driven by the protocol that it speaks itself (Marionette), as Debian packages it.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from browser_harness import CONNECTED, Server, ended, notebook_of
from explorer_page import COVERED, SEEN
from left_out import in_ci
from page_checks import BELOW

PREFERENCES = """user_pref("marionette.port", 0);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("ui.prefersReducedMotion", 1);
"""  # any port that is free; and a proxy that is not there: no host is reached
PATH = shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A tab."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel, self._next = channel, 0
        self._read()  # its greeting
        self.command("WebDriver:NewSession", capabilities={})

    def command(self, name: str, **given: object) -> object:
        """Have it do something, and return what it answers."""
        self._next += 1
        text = json.dumps([0, self._next, name, given])
        self._channel.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(f"{name}: {error['message']}")
        return result.get("value", result) if isinstance(result, dict) else result

    def run(self, script: str, *arguments: object) -> object:
        """Run a function body in the page, and return its value."""
        return self.command("WebDriver:ExecuteScript", script=script, args=list(arguments))

    def wait_for(self, script: str, *, seconds: float = 20) -> None:
        """Wait until an expression holds."""
        deadline = time.monotonic() + seconds
        while not self.run(f"return Boolean({script});"):
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {seconds} s: {script}")
            time.sleep(0.05)

    def press_and_move(self, kind: str, points: list[tuple[float, float]], *, drop: bool) -> None:
        """Take hold at the first point, go to the others, and let go if told to."""
        (x, y), *others = ((round(x), round(y)) for x, y in points)
        move = {"type": "pointerMove", "duration": 20}
        actions = [
            {**move, "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            *({**move, "x": x, "y": y} for x, y in others),
            *([{"type": "pointerUp", "button": 0}] if drop else []),
        ]
        pointer = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}}
        self.command("WebDriver:PerformActions", actions=[{**pointer, "actions": actions}])

    def let_go(self) -> None:
        """Let go of all that is held."""
        self.command("WebDriver:ReleaseActions")

    def type(self, key: str) -> None:
        """Press a key where the focus is, by its code point."""
        actions = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        given = [{"type": "key", "id": "keys", "actions": actions}]
        self.command("WebDriver:PerformActions", actions=given)

    def _read(self) -> object:
        size = b""
        while not size.endswith(b":"):
            size += self._channel.recv(1)
        wanted, data = int(size[:-1]), b""
        while len(data) < wanted:
            data += self._channel.recv(wanted - len(data))
        return json.loads(data)


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """A headless Firefox with a profile of its own."""
    folder.mkdir()
    (folder / "user.js").write_text(PREFERENCES, encoding="utf-8")
    options = ["--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    command = [PATH, *options]
    homed = {**os.environ, "HOME": str(folder)}  # it does not start where it cannot write
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, env=homed, **silent)
    with ended(process), _connected(process, folder / "MarionetteActivePort") as channel:
        yield Firefox(channel)


def _connected(process: subprocess.Popen, says: Path) -> socket.socket:
    """A connection to it, once it has written down where it listens."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError, ValueError):  # not yet there, or not yet whole
            return socket.create_connection(("127.0.0.1", int(says.read_text())), timeout=60)
        time.sleep(0.2)
    raise RuntimeError("Firefox did not start.")


UP = "\ue013"
VALUE = "document.querySelector('.rm-explorer .rm-riding').textContent"
LABELS = "document.querySelectorAll('.rm-explorer .rm-scroll .rm-label')"
ORDER = f"[...{LABELS}].map((each) => each.textContent)"
MIDDLE = """const box = document.querySelector(arguments[0]).getBoundingClientRect();
return [box.x + box.width / 2, box.y + box.height / 2];"""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    if not PATH:
        stop = pytest.fail if in_ci() else pytest.skip
        stop("There is no Firefox on this machine (Debian: apt-get install firefox-esr).")
    with firefox(tmp_path_factory.mktemp("firefox") / "profile") as tab:
        yield tab


@pytest.fixture
def page(tab: Firefox, lessons: dict[str, Path]) -> Firefox:
    for _ in range(2):  # a page keeps what a reader did
        tab.command("WebDriver:Navigate", url=lessons["00-start-here"].as_uri())
        tab.run("document.getElementById('forget').click();")
    tab.wait_for("document.querySelector('.rm-explorer .rm-grip')")
    tab.run("document.querySelector('.rm-explorer').scrollIntoView();")
    return tab


def grip(item: str) -> str:
    return f".rm-explorer .rm-row[data-id={item}] .rm-grip"


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_values_follow_a_drag_and_stay_after_the_drop(page: Firefox, kind: str):
    start, goal = (page.run(MIDDLE, grip(item)) for item in ("bisque", "ketchup"))
    goal = (goal[0] + 5, goal[1] - 8)
    page.press_and_move(kind, [start, (start[0], start[1] - 20), goal], drop=False)
    page.wait_for(f"{VALUE} === '1.000'")
    assert page.run(f"return {ORDER};")[0] == "ketchup"
    page.let_go()
    page.wait_for(f"{ORDER}[0] === 'bisque'")
    assert page.run(f"return {VALUE};") == "1.000"


def test_keys_move_an_item_and_leave_the_focus_on_it(page: Firefox):
    page.run(f"document.querySelector('{grip('bisque')}').focus();")
    page.type(UP)
    page.wait_for(f"{VALUE} === '0.200'")
    focused = "document.activeElement.closest('.rm-row').dataset.id"
    assert page.run(f"return {focused};") == "bisque"


def test_what_follows_a_prediction_is_covered_until_it_is_skipped(
    tab: Firefox, lessons: dict[str, Path]
):
    tab.command("WebDriver:Navigate", url=lessons["01-reciprocal-rank"].as_uri())
    tab.wait_for("document.querySelector('.rm-asking')")
    assert tab.run(f"return ({BELOW})();") == 0
    tab.run("document.querySelector('[data-name=skip]').click();")
    assert tab.run(f"return ({BELOW})();") > 5  # up to the next question


def test_jupyterlab_covers_what_follows_a_question(tab: Firefox, server: Server):
    (server.folder / "fox.ipynb").write_text(json.dumps(notebook_of(COVERED)), encoding="utf-8")
    tab.command("WebDriver:Navigate", url=server.url("lab/workspaces/fox/tree/fox.ipynb"))
    tab.wait_for(f"({CONNECTED})('fox.ipynb')", seconds=120)
    tab.run("window.jupyterapp.commands.execute('notebook:run-all-cells');")
    for hidden in (range(1, 11), range(5, 11)):
        seen = json.dumps([n not in hidden for n in range(len(COVERED))])
        tab.wait_for(f"String(({SEEN})()) === String({seen})", seconds=300)
        tab.run("document.querySelector('[data-name=skip]').click();")
