"""The examples of README and docs, run as a reader would type them."""

import ast
import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

_BLOCK = re.compile(r"```python\n(.*?)\n```(?:\n\n```text\n(.*?)\n```)?", re.DOTALL)
_NUMBER = re.compile(r"^(\w.*?)  # (-?\d+(?:\.(\d+))?)(?![\d.])", re.MULTILINE)


def run_page(path: Path, names: dict[str, object]) -> Iterator[object]:
    """Run each Python block of a page, and yield what its last line shows.

    The text block below a Python block must be its output, and a number in a comment
    (`expression  # 0.25`) the value of the expression.
    """
    for code, output in _BLOCK.findall(path.read_text(encoding="utf-8")):
        *before, last = ast.parse(code).body
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(compile(ast.Module(before, []), path.name, "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), path.name, "eval"), names)
            else:
                value = exec(compile(ast.Module([last], []), path.name, "exec"), names)
        if output:
            assert (printed.getvalue() + str(value) * (value is not None)).rstrip() == output
        for expression, number, digits in _NUMBER.findall(code):
            assert f"{eval(expression, names):.{len(digits)}f}" == number, expression
        yield value
