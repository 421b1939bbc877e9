"""Update the pictures of docs/widgets.md from its calls: `python tools/widget_pictures.py`."""

import base64
import re
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
_CALL = re.compile(r"```python\n(.*?)```(?:\n\n!\[[^]]+\]\((\S+)\))?", re.DOTALL)


def pictures() -> Iterator[tuple[Path, str]]:
    """Yield the path and content of each picture; run the calls in order."""
    names: dict[str, object] = {}
    for code, place in _CALL.findall((DOCS / "widgets.md").read_text(encoding="utf-8")):
        exec(code, names)
        if place:
            widget = eval(code.splitlines()[-1], names)
            image = re.search("base64,([^\"']+)", widget.picture().image())
            yield DOCS / place, base64.b64decode(image[1]).decode()


if __name__ == "__main__":
    for path, svg in pictures():
        path.parent.mkdir(exist_ok=True)
        path.write_text(svg, encoding="utf-8")
