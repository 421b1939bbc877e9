"""How files hold their tables, by their beginnings: what can be said before anything is read.

pandas is not imported here: a complaint about a column does not wait for it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike

from byhand.columns import Wanted
from byhand.errors import DataError
from byhand.files import delimited, json_lines, nested, parquet, trec
from byhand.files.file import File
from byhand.files.folders import Paths, listed, refuse_odd
from byhand.files.format import Format, Layout
from byhand.files.header import Given, check_mapping

# asked in this order; the last takes any text
FORMATS: tuple[Format, ...] = (parquet, nested, json_lines, trec, delimited)


def layout_of(path: str | PathLike[str], wanted: Wanted, *, columns: Given | None = None) -> Layout:
    """How a file holds the wanted table, by its beginning: all that can be said before reading.

    Args:
        path: the file.
        wanted: `RUN`, `QRELS` or `JUDGED_RUN`.
        columns: as for the reader of that table.

    Raises:
        MemoryError: a file that is too big.
        DataError: a file of no format that is read, or columns that are missing.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from byhand.columns import RUN
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "run.csv")
        ...     _ = path.write_text("qid,docno,rank\\n007,NA,2\\n")
        ...     layout = layout_of(path, RUN)
        >>> layout.kind, layout.columns.theirs
        ('CSV, separated by commas', {'query_id': 'qid', 'doc_id': 'docno', 'rank': 'rank'})
    """
    with about(wanted, path):
        return laid_out(path, wanted, columns)[2]


@contextmanager
def about(wanted: Wanted, path: object) -> Iterator[None]:
    """Let errors know which table they are about, and which file needs too much memory."""
    try:
        yield
    except DataError as error:
        error.table = wanted.table
        raise
    except MemoryError:
        raise MemoryError(f"There is not enough memory for {path}.") from None


def laid_out(
    path: str | PathLike[str], wanted: Wanted, given: Given | None
) -> tuple[File, Format, Layout]:
    """A file that was looked at, what reads it, and how it holds the wanted table.

    Raises:
        DataError: as `layout_of`.
    """
    mapping = check_mapping(given)
    file = File.at(path)
    form = next((form for form in FORMATS if form.recognises(file)), None)
    if form is None:
        raise file.refusal()
    return file, form, form.find(file, wanted, mapping)


def layouts_of(paths: Paths, wanted: Wanted, columns: Given | None) -> dict[str, Layout]:
    """What a look at its beginning tells of each file that paths stand for.

    Args:
        paths: a file, a folder, a glob, or a list of them.
        columns: the files' names for our columns.
        wanted: `RUN`, `QRELS` or `JUDGED_RUN`.

    Raises:
        DataError: nothing that matches, a file that is none of these, files that differ.
    """
    layouts = {file: layout_of(file, wanted, columns=columns) for file in listed(paths)}
    refuse_odd(layouts)
    return layouts
