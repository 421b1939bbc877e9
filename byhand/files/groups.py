"""Which groups queries are in: by language, by length, by tenant."""

from os import PathLike

from byhand.columns import Wanted
from byhand.errors import DataError, shown
from byhand.files.texts import WordsFile, names_of_ids

_NAMES = "group groupid category class type segment cluster tenant language lang locale"
GROUPS = Wanted(
    "file of groups",
    "groups",
    ("query_id", "group"),
    {"query_id": names_of_ids("query_id"), "group": _NAMES},
    {2: ("query_id", "group")},
)


def read_groups(path: str | PathLike[str]) -> dict[str, list[str]]:
    """Group -> its queries, in the order of the file.

    Args:
        path: a table with `query_id` and `group`: CSV, TSV, JSON Lines or Parquet; without names,
            two columns. A query may be in several groups, one a row; a row with an empty group
            says nothing.

    Raises:
        DataError: no such file, no such columns, or no row.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "groups.csv")
        ...     _ = path.write_text("qid,language\\nq1,en\\nq2,ko\\nq3,en\\n")
        ...     read_groups(path)
        {'en': ['q1', 'q3'], 'ko': ['q2']}
    """
    table = WordsFile.at(path, GROUPS)
    found: dict[str, dict[str, None]] = {}
    for batch in table.rows():
        for query, group in zip(*(batch[ours].to_pylist() for ours in GROUPS.needs), strict=True):
            if group.strip():
                found.setdefault(group, {})[query] = None
    if not found:
        name = table.layout.columns.theirs["group"]
        raise DataError(f"{table.file.name} names no group in column {shown(name)}.")
    return {name: [*queries] for name, queries in found.items()}
