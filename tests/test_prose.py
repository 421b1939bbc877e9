"""README, CONTRIBUTING and docs keep to plain English: short sentences, no odd words."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LONGEST = 40  # words of a sentence
NO_PROSE = re.compile(r"```[\s\S]*?```|^(?: {4}|#|\||!\[).*|\]\([^)]*\)", re.MULTILINE)
ODD = re.compile(
    r"\b(?:whoever|mend(?:s|ed)?|anew|be it|so many|in the place of|and its kin|hangs? together"
    r"|nobody (?:judged|says?|asked))\b|(?:^|[.:;] )Of [a-z]",
    re.IGNORECASE | re.MULTILINE,
)


def sentences(text: str) -> list[str]:
    """The sentences of a page: no code blocks, tables, headings, pictures or addresses."""
    paragraphs = re.split(r"\n\n|\n(?=[-*] )", NO_PROSE.sub("", text))
    return [each for part in paragraphs for each in re.split(r"(?<=[.?!:])\s+", part)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_prose_is_plain(page):
    text = page.read_text(encoding="utf-8")
    assert [each for each in sentences(text) if len(each.split()) > LONGEST] == []
    assert ODD.findall(text) == []
