"""Update the translation catalogs: `make catalogs`.

`byhand/locale/` has the messages of the library: its Python, its templates and its widgets.
`notebooks/locale/` has those of the lessons, their answers, the audit and `helpers`. New messages
are empty, unused ones are removed, and the order is that of the sources. After a change of wording
only, `make catalogs REWORDED=yes` keeps translations: a new message gets the translation of the
message that it replaces. Check the pairs that it prints.
"""

import argparse
import csv
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from html import unescape
from pathlib import Path
from typing import NamedTuple

import nbformat
import polib
from babel.messages.extract import extract_from_file

from byhand.figures import html_tables
from byhand.widgets.phrases import FILES
from helpers import messages, questions, record
from helpers.site import lesson_map
from helpers.translation import NAME

ROOT = Path(__file__).parents[1]
KEYWORDS = {
    **dict.fromkeys(("_", "N_", "gettext", "Message"), None),
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
TEMPLATES = {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}
SAID_IN_TABLES = {"says", "label", "options", "brief", "name", "meaning"}
SAID_IN_TABLES |= {"problem", "doubt", "note"}


Key = tuple[str | None, str]  # context and text of a message


class CatalogMessage(NamedTuple):
    """A message and its place."""

    place: str
    text: str
    many: str = ""
    context: str | None = None


def in_code(folder: str) -> Iterator[CatalogMessage]:
    """Yield the messages in a package's Python, templates and data tables."""
    for path in sorted((ROOT / folder).rglob("*")):
        place = path.relative_to(ROOT).as_posix()
        if path.suffix == ".toml" and folder == "byhand":
            table = tomllib.loads(path.read_text(encoding="utf-8"))
            yield from (CatalogMessage(place, text) for text in in_table(table))
        method = {".py": "python", ".j2": "jinja2.ext:babel_extract"}.get(path.suffix)
        if method is None:
            continue
        for _, text, _, context in extract_from_file(method, path, KEYWORDS, options=TEMPLATES):
            texts = (text,) if isinstance(text, str) else text
            if all(texts):  # `_` of a constant has no text here
                yield CatalogMessage(place, *texts, context=context)


def in_table(table: dict) -> Iterator[str]:
    """Yield the messages in a data table, by key."""
    for name, value in table.items():
        if name in SAID_IN_TABLES and isinstance(value, str):
            yield value
        elif name in SAID_IN_TABLES:
            yield from value.values()
        elif name == "exceptions":
            yield from value
        else:
            for each in [value] if isinstance(value, dict) else value if name == "facts" else []:
                yield from in_table(each)


def in_widgets() -> Iterator[CatalogMessage]:
    """Yield the messages of widgets; their context is the section."""
    for path in FILES:
        for part, texts in json.loads(path.read_text(encoding="utf-8")).items():
            for text in texts.values():
                forms = (text,) if isinstance(text, str) else (text["one"], text["other"])
                yield CatalogMessage(path.relative_to(ROOT).as_posix(), *forms, context=part)


def in_frames() -> Iterator[CatalogMessage]:
    """Yield the texts of data frames that tables translate."""
    for text in dict.fromkeys((*html_tables.SHOWN, *html_tables.OPTIONS)):
        yield CatalogMessage("byhand/figures/html_tables.py", text, context=html_tables.CONTEXT)


def in_lessons() -> Iterator[CatalogMessage]:
    """Yield the messages of the lessons, in reading order."""
    for stop in lesson_map():
        notebook = nbformat.read(ROOT / "notebooks" / stop.file, as_version=4)
        found = (each for cell in notebook.cells for each in messages.messages(cell))
        for context, text in dict.fromkeys((each.context, each.text) for each in found):
            yield CatalogMessage(f"notebooks/{stop.file}", text, context=context)
    for name in sorted(messages.names()):
        yield CatalogMessage("helpers/examples.py", name, context=NAME)
    for path in sorted((ROOT / "notebooks/images").glob("*.svg")):
        for text in messages.DRAWN.findall(path.read_text(encoding="utf-8")):
            yield CatalogMessage(path.relative_to(ROOT).as_posix(), unescape(text))


def in_answers() -> Iterator[CatalogMessage]:
    """Yield the feedback on answers."""
    for entry in questions.entries().values():
        said = [entry.get(key) for key in questions.SAID]
        said += [text for key in questions.SAID_OF_EACH for text in entry.get(key, {}).values()]
        yield from (
            CatalogMessage("helpers/answers.toml", text) for text in said if text and _is_said(text)
        )


def in_data() -> Iterator[CatalogMessage]:
    """Yield the messages of the page about the data."""
    text = (ROOT / "data/README.md").read_text(encoding="utf-8")
    for each in messages.messages(nbformat.v4.new_markdown_cell(text)):
        yield CatalogMessage("data/README.md", each.text)


def in_record() -> Iterator[CatalogMessage]:
    """Yield the texts of the audit of published values."""
    path = ROOT / "data/documented-values.csv"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for text in (row[each] for each in record.IN_WORDS):
                if _is_said(text):
                    yield CatalogMessage("data/documented-values.csv", text)


def _is_said(text: str) -> bool:
    """Return whether a text contains letters."""
    return re.search(r"[^\W\d_]", text) is not None


def of_library() -> Iterator[CatalogMessage]:
    """Yield all messages of the library."""
    yield from in_code("byhand")
    yield from in_code("lite/report")  # uses the library's catalog
    yield from in_widgets()
    yield from in_frames()


def of_lessons() -> Iterator[CatalogMessage]:
    """Yield all messages of the course."""
    yield from in_lessons()
    yield from in_answers()
    yield from in_record()
    yield from in_data()
    yield from in_code("helpers")


CATALOGS = {ROOT / "byhand/locale": of_library, ROOT / "notebooks/locale": of_lessons}


def reworded(old: polib.POFile, said: Iterable[CatalogMessage]) -> dict[Key, Key]:
    """Return new message -> replaced message, if numbers and code are the same."""
    before, now = defaultdict(list), defaultdict(list)
    for entry in old:
        before[entry.occurrences[0][0] if entry.occurrences else ""].append(_key(entry))
    for key, place in {(each.context, each.text): each.place for each in reversed([*said])}.items():
        now[place].insert(0, key)
    stays = {*map(_key, old)} & {key for keys in now.values() for key in keys}
    found = {}
    for place, are in now.items():
        were = before[place]
        for _, a, b, c, d in SequenceMatcher(a=were, b=are, autojunk=False).get_opcodes():
            gone = [key for key in were[a:b] if key not in stays]
            new = [key for key in are[c:d] if key not in stays]
            if len(gone) == len(new):
                found |= dict(zip(new, gone, strict=True))
    return {
        new: gone for new, gone in found.items() if _copied_parts(new[1]) == _copied_parts(gone[1])
    }


def _key(entry: polib.POEntry) -> Key:
    return entry.msgctxt, entry.msgid


def _copied_parts(text: str) -> list[str]:
    """Return the parts that translations copy: numbers, code, links and placeholders."""
    return sorted(re.findall(r"`[^`]+`|\]\([^)]*\)|\{[^}]*\}|\$[^$]+\$|\d[\d.,/]*\d|\d", text))


def update(path: Path, said: Iterable[CatalogMessage], *, keep: bool = False) -> bool:
    """Update a catalog to these messages; return whether it changed."""
    before = path.read_text(encoding="utf-8")
    old = polib.pofile(before)
    said = [*said]
    had = {_key(each): each for each in old}
    for new, gone in (reworded(old, said) if keep else {}).items():
        had[new] = had[gone]
        print(f"- {gone[1]}\n+ {new[1]}\n  {had[gone].msgstr}\n")
    forms = int(re.search(r"nplurals=(\d+)", old.metadata["Plural-Forms"])[1])
    new = polib.POFile(wrapwidth=98)
    new.metadata, new.header = old.metadata, old.header
    entries: dict[Key, polib.POEntry] = {}
    for place, text, many, context in said:
        entry = entries.get((context, text))
        if entry is None:
            entry = entries[context, text] = polib.POEntry(msgctxt=context, msgid=text)
            known = had.get((context, text))
            entry.msgstr = known.msgstr if known else ""
            entry.flags = known.flags if known else []
            entry.tcomment = known.tcomment if known else ""
            if many:
                said = known.msgstr_plural if known else {}
                entry.msgid_plural = many
                entry.msgstr, entry.msgstr_plural = "", {n: said.get(n, "") for n in range(forms)}
            new.append(entry)
        if (place, "") not in entry.occurrences:
            entry.occurrences.append((place, ""))
    text = f"{new}".rstrip("\n") + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
    return text != before


def main() -> None:
    """Update all catalogs; print the number of missing translations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reworded", action="store_true", help="keep the translations")
    keep = parser.parse_args().reworded
    for folder, said_by in CATALOGS.items():
        said = [*said_by()]
        for path in sorted(folder.glob("*.po")):
            changed = update(path, said, keep=keep)
            done = polib.pofile(str(path), encoding="utf-8")
            print(
                f"{path.relative_to(ROOT)}: {len(done)} messages, "
                f"{len(done.untranslated_entries())} to be translated, "
                f"{len(done.fuzzy_entries())} in doubt{'' if changed else ', unchanged'}"
            )


if __name__ == "__main__":
    main()
