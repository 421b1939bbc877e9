"""The lessons for publication: without a reader's answers, in each language.

A catalog translates the English lessons; translations are not committed.
`python -m helpers lessons LANGUAGE FOLDER` writes them with their data.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_notebook

from byhand import words as library
from byhand.command_line import CommandParser
from helpers import translation
from helpers.exercises import NO_ANSWER, asked
from helpers.html import CHECKED, OWN
from helpers.messages import picture, translated
from helpers.notebooks import (
    FOUND_OUT,
    clean,
    kernel,
    read,
    run_with_solutions,
    solution_of,
    tags_of,
    write,
)
from helpers.places import DATA, NOTEBOOKS
from helpers.questions import ASKED, questions
from helpers.translation import LessonError

_ROOT = DATA.parent
_KEPT = _ROOT / "build" / "lessons"  # cache of executed lessons by language
_ABOUT = "README.md"  # description of the data
_SPOKEN = re.compile(r"from byhand import use_language\n+use_language\(.*\)\n+")  # in a translation
_MADE = ".made.json"  # hashes of written files: name -> hash


def published(path: Path) -> NotebookNode:
    """Return the lesson at `path`, clean and without a reader's answers."""
    notebook = read(path)
    clean(notebook)
    has_own = any(OWN.search(cell.source) for cell in notebook.cells)
    for index, cell in enumerate(notebook.cells):
        if "exercise" not in tags_of(cell) or re.search(r"\bask\(", cell.source):
            continue
        if has_own and _is_own(cell):
            continue
        # the reader may have changed the call, but the solution below repeats it
        sources = [cell.source, *(other.source for other in notebook.cells[index + 1 :])]
        names = (name for source in sources for name in CHECKED.findall(source))
        name = next((name for name in names if name in questions()), None)
        spoken = _SPOKEN.match(cell.source)
        cell.source = f"{spoken[0] if spoken else ''}{asked(name)}" if name else ""
        if not any(NO_ANSWER.partition(":")[0] in str(output) for output in cell.outputs):
            cell.outputs, cell.execution_count = [*_asked(cell)], None
    return notebook


def _asked(cell: NotebookNode) -> Iterator[NotebookNode]:
    """Yield the question in an exercise's outputs, without feedback."""
    for output in cell.outputs:
        if ASKED in output.get("data", {}):
            yield NotebookNode(output | {"data": {ASKED: output.data[ASKED]}})


def _is_own(cell: NotebookNode) -> bool:
    """Return whether an exercise is not ours; pages omit its answer."""
    called = re.search(r"\bcheck\(\s*([\"'][\w-]+|[^\W\d])", cell.source)
    name = called and called[1][1:]
    return bool(called) and name not in questions()


def lesson_in(language: str, path: Path) -> NotebookNode:
    """Return the lesson at `path` in another language, not yet run."""
    with library.speaking(library.ENGLISH):
        notebook = published(path)
    with library.speaking(language):
        lesson = translated(notebook, translation.catalog())
        for cell in lesson.cells:
            if solution := solution_of(cell.source):
                name = CHECKED.search(solution.code)
                if not name or name[1] not in questions():
                    continue  # a question of somebody else has no translation
                said = questions()[name[1]].praise(cell.metadata.get(FOUND_OUT, {}))
                cell.source = solution._replace(said=said).markdown
    code = [cell for cell in lesson.cells if cell.cell_type == "code"]
    begins = f'from byhand import use_language\n\nuse_language("{language}")\n\n'
    code[0].source = begins + code[0].source
    for cell in code:
        cell.outputs, cell.execution_count = [], None
    return lesson


def about_data() -> str:
    """Return the description of the data as Markdown in the current language."""
    text = (DATA / _ABOUT).read_text(encoding="utf-8")
    notebook = new_notebook(cells=[new_markdown_cell(text)])
    return translated(notebook, translation.catalog()).cells[0].source


def lessons_run(
    languages: Iterable[str], paths: Iterable[Path]
) -> dict[str, dict[str, NotebookNode]]:
    """Return lessons in other languages, run again only after a change.

    Args:
        languages: codes of the languages.
        paths: the English lessons.

    Returns:
        The lessons by language and name.

    Raises:
        LessonError: If a lesson fails or has a wrong solution.
    """
    code, paths, stale = _code(), [*paths], []
    lessons: dict[str, dict[str, NotebookNode]] = {each: {} for each in languages}
    for language, path in product(lessons, paths):
        lesson = lesson_in(language, path)
        key = hashlib.sha256(code + nbformat.writes(lesson).encode()).hexdigest()
        kept = _KEPT / language / f"{path.stem}.{key}.ipynb"
        if kept.is_file():
            lesson = nbformat.read(kept, as_version=4)
        else:
            stale.append((language, lesson, kept))
        lessons[language][path.name] = lesson
    if stale:
        # lessons may write files, but the lessons' folder may be read-only
        with TemporaryDirectory() as room, kernel(Path(room)) as run:
            for language, lesson, kept in stale:
                with library.speaking(language):
                    run_with_solutions(lesson, run)
                clean(lesson)
                with suppress(OSError):  # without a writable cache, lessons run again next time
                    for old in kept.parent.glob(f"{kept.name.partition('.')[0]}.*"):
                        old.unlink(missing_ok=True)
                    write(kept, nbformat.writes(lesson))
    return lessons


def _code() -> bytes:
    """Return a hash of all code and data that a lesson uses."""
    digest = hashlib.sha256()
    for folder in ("byhand", "helpers", "data", "notebooks/locale"):
        for path in sorted((_ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.name.encode() + path.read_bytes())
    return digest.digest()


def write_lessons(language: str, folder: Path) -> list[str]:
    """Write every lesson in another language into a reader's folder, with its outputs.

    Data and docs are put beside the folder, as in the project. Lessons that the reader has changed
    are not overwritten.

    Returns:
        The names of the lessons that were not overwritten.
    """
    (folder / "images").mkdir(parents=True, exist_ok=True)
    paths = sorted(NOTEBOOKS.glob("*.ipynb"))
    try:
        lessons = lessons_run([language], paths)[language]
    except LessonError:
        lessons = {path.name: _run_alone(language, path) for path in paths}
    texts = {name: nbformat.writes(lesson) + "\n" for name, lesson in lessons.items()}
    texts = with_data_page(language, texts)
    with library.speaking(language):
        for path in (NOTEBOOKS / "images").glob("*.svg"):
            texts[f"images/{path.name}"] = picture(path.read_text(encoding="utf-8"))
    for path in (DATA, _ROOT / "docs", _ROOT / "README.md"):
        _beside(path, folder.parent / path.name)
    return _write_unchanged(folder, texts)


def _run_alone(language: str, path: Path) -> NotebookNode:
    """Return a lesson in another language, without outputs if it fails."""
    try:
        return lessons_run([language], [path])[language][path.name]
    except LessonError:  # one of the reader's own may fail, and says why when it is run
        return lesson_in(language, path)


def with_data_page(language: str, lessons: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of an edition's lessons, with the description of the data."""
    texts = {
        name: text.replace(f"](../data/{_ABOUT}", "](data.md") for name, text in lessons.items()
    }
    with library.speaking(language):
        return texts | {"data.md": about_data()}


def _write_unchanged(folder: Path, texts: Mapping[str, str]) -> list[str]:
    """Write texts into files, except files that were changed since they were written."""
    about = folder / _MADE
    written = json.loads(about.read_text(encoding="utf-8")) if about.is_file() else {}
    kept = []
    for name, text in texts.items():
        path = folder / name
        if path.is_file() and crc32(path.read_bytes()) != written.get(name):
            kept.append(name)
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
            written[name] = crc32(text.encode())
    about.write_text(json.dumps(written), encoding="utf-8")
    return kept


def _beside(path: Path, link: Path) -> None:
    """Link `path` from `link`, or copy it."""
    if link.exists():
        return
    with suppress(FileExistsError):
        try:
            link.symlink_to(os.path.relpath(path, link.parent.resolve()), path.is_dir())
        except OSError:  # Windows, without permission to create links
            (shutil.copytree if path.is_dir() else shutil.copy)(path, link)


_DESCRIPTION = """\
Run the lessons in another language and write them into a folder, beside their data.

A lesson in another language is made from the one in English and a catalog. One that you have
changed in that folder stays as it is.
"""


def main(arguments: list[str] | None = None) -> int:
    """Write the lessons and print which were not overwritten."""
    parser = CommandParser("python -m helpers lessons", _DESCRIPTION)
    parser.add_argument(
        "code", choices=[*library.languages()], metavar="LANGUAGE", help="its code, such as ko"
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where they are written")
    options = parser.parse_args(arguments)
    name = library.languages()[options.code]
    print(f"Running the lessons in {name} (up to a minute the first time)", flush=True)
    stay = write_lessons(options.code, options.folder)
    print(f"{options.folder}: the lessons in {name}")
    if stay:
        print(f"As you left them: {', '.join(stay)}. Delete a lesson to get a new one.")
    return 0
