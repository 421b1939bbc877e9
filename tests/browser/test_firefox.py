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
from pathlib import Path

import pytest
from browser_harness import CONNECTED, HOST, Server, ended, notebook_of, once_written
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

    def __init__(self, port: int) -> None:
        self._channel = socket.create_connection((HOST, port), timeout=60)
        self._answers = self._channel.makefile("rb")
        self._read()  # its greeting
        self.command("WebDriver:NewSession", capabilities={})

    def command(self, name: str, **given: object) -> dict:
        """Have it do something, and return what it answers."""
        text = json.dumps([0, 1, name, given])
        self._channel.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self._read()
        assert not error, error
        return result

    def _read(self) -> list:
        size = b"".join(iter(lambda: self._answers.read(1), b":"))
        return json.loads(self._answers.read(int(size)))

    def value(self, script: str) -> object:
        """Return the value of an expression in the page."""
        return self.command("WebDriver:ExecuteScript", script=f"return {script};")["value"]

    def wait_for(self, script: str, *, seconds: float = 20) -> None:
        """Wait until an expression holds."""
        deadline = time.monotonic() + seconds
        while not self.value(f"Boolean({script})"):
            assert time.monotonic() < deadline, f"not within {seconds} s: {script}"
            time.sleep(0.05)

    def act(self, kind: str, actions: list[dict], **more: object) -> None:
        """Do something with the keys, or with a mouse or a finger."""
        given = [{"type": kind, "id": kind, "actions": actions, **more}]
        self.command("WebDriver:PerformActions", actions=given)


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """A headless Firefox with a profile of its own."""
    if not PATH:
        stop = pytest.fail if in_ci() else pytest.skip
        stop("There is no Firefox on this machine (Debian: apt-get install firefox-esr).")
    folder = tmp_path_factory.mktemp("firefox")
    (folder / "user.js").write_text(PREFERENCES, encoding="utf-8")
    command = [PATH, "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    homed = {**os.environ, "HOME": str(folder)}  # it does not start where it cannot write
    process = subprocess.Popen(command, env=homed, stderr=subprocess.DEVNULL)
    with ended(process):
        yield Firefox(once_written(process, folder / "MarionetteActivePort", int))


VALUE = "document.querySelector('.rm-explorer .rm-riding').textContent"
ORDER = """[...document.querySelectorAll('.rm-explorer .rm-scroll .rm-label')].map(
  (label) => label.textContent)"""
SKIP = "document.querySelector('[data-name=skip]').click()"
UP = "\ue013"
ITEMS = ("bisque", "ketchup")


@pytest.fixture
def page(tab: Firefox, lessons: dict[str, Path]) -> Firefox:
    for _ in range(2):  # a page keeps what a reader did
        tab.command("WebDriver:Navigate", url=lessons["00-start-here"].as_uri())
        tab.value("document.getElementById('forget').click()")
    tab.wait_for("document.querySelector('.rm-explorer .rm-grip')")
    tab.value("document.querySelector('.rm-explorer').scrollIntoView()")
    return tab


def grip(item: str) -> str:
    return f"document.querySelector('.rm-explorer .rm-row[data-id={item}] .rm-grip')"


@pytest.mark.parametrize("kind", ["mouse", "touch"])
def test_values_follow_a_drag_and_stay_after_the_drop(page: Firefox, kind: str):
    start, goal = (page.value(f"{grip(item)}.getBoundingClientRect()") for item in ITEMS)
    x, y = round(start["x"] + start["width"] / 2), round(start["y"] + start["height"] / 2)
    move = {"type": "pointerMove", "duration": 20, "x": x}
    held = [{**move, "y": y}, {"type": "pointerDown", "button": 0}, {**move, "y": y - 20}]
    held += [{**move, "y": round(goal["y"] + 2)}]
    page.act("pointer", held, parameters={"pointerType": kind})
    page.wait_for(f"{VALUE} === '1.000'")
    assert page.value(f"{ORDER}[0]") == "ketchup"
    page.command("WebDriver:ReleaseActions")
    page.wait_for(f"{ORDER}[0] === 'bisque'")
    assert page.value(VALUE) == "1.000"


def test_keys_move_an_item_and_a_question_covers_what_follows_until_it_is_skipped(page: Firefox):
    page.value(f"{grip('bisque')}.focus()")
    page.act("key", [{"type": kind, "value": UP} for kind in ("keyDown", "keyUp")])
    page.wait_for(f"{VALUE} === '0.200'")
    assert page.value("document.activeElement.closest('.rm-row').dataset.id") == "bisque"
    assert page.value(f"({BELOW})()") == 0
    page.value(SKIP)
    assert page.value(f"({BELOW})()") > 5  # up to the next question


def test_jupyterlab_covers_what_follows_a_question(tab: Firefox, server: Server):
    (server.folder / "fox.ipynb").write_text(json.dumps(notebook_of(COVERED)), encoding="utf-8")
    tab.command("WebDriver:Navigate", url=server.url("lab/workspaces/fox/tree/fox.ipynb"))
    tab.wait_for(f"({CONNECTED})('fox.ipynb')", seconds=120)
    tab.value("window.jupyterapp.commands.execute('notebook:run-all-cells') && 0")
    for hidden in (range(1, 11), range(5, 11)):
        seen = json.dumps([n not in hidden for n in range(len(COVERED))])
        tab.wait_for(f"String(({SEEN})()) === String({seen})", seconds=300)
        tab.value(SKIP)
