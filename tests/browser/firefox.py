"""Firefox, driven by the protocol that it speaks itself (Marionette), as Debian packages it."""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from browser_harness import ended

PREFERENCES = """user_pref("marionette.port", 0);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("ui.prefersReducedMotion", 1);
"""  # any port that is free; and a proxy that is not there: no host is reached


def firefox_path() -> str | None:
    """Where a Firefox is, or None."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


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
    command = [firefox_path(), *options]
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
