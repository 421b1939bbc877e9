"""The widgets' JavaScript and CSS, put together from the files beside this one."""

from pathlib import Path

_HERE = Path(__file__).parent


def joined(*names: str) -> str:
    """The text of several files as one, as a notebook loads a widget's code in one piece.

    The keyboard guard and the colours are written once and every widget needs them; a browser
    cannot import them from a second file, because a notebook server does not serve this folder.
    """
    return "\n".join((_HERE / name).read_text(encoding="utf-8") for name in names)
