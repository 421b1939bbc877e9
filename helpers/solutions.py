"""A solution in a lesson: a Markdown cell that opens by a click, and runs nothing."""

import re
from dataclasses import dataclass

_FORM = re.compile(
    r"<details><summary>Solution</summary>\n\n"
    r"```python\n(?P<code>(?:(?!```).)+)\n```\n\n(?P<said>[^\n<]+)\n\n</details>",
    re.DOTALL,
)


@dataclass(frozen=True)
class Solution:
    """A solution: code that ends in `check(...)`, and what that says to it."""

    code: str
    said: str

    @property
    def markdown(self) -> str:
        """The cell that holds it."""
        code = f"```python\n{self.code}\n```"
        return f"<details><summary>Solution</summary>\n\n{code}\n\n{self.said}\n\n</details>"


def solution_of(markdown: str) -> Solution | None:
    """The solution that a Markdown cell holds, or None if it has not exactly the form of one.

    Example:
        >>> solution_of('''<details><summary>Solution</summary>
        ...
        ... ```python
        ... check("01-a", 1 / 3)
        ... ```
        ...
        ... Right: 1/3.
        ...
        ... </details>''')
        Solution(code='check("01-a", 1 / 3)', said='Right: 1/3.')
    """
    found = _FORM.fullmatch(markdown)
    return Solution(**found.groupdict()) if found else None
