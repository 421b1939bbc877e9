"""Which groups queries are in: by language, by length, by tenant."""

from os import PathLike

from helpers.errors import DataError
from helpers.files.columns import listed
from helpers.files.named_rows import named_rows
from helpers.files.texts import first_of, ids_of

_NAMES = ["group", "groupid", "category", "class", "type", "segment", "cluster", "tenant"]
_NAMES += ["language", "lang", "locale"]


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
    table = named_rows(path, [*ids_of("query"), *_NAMES])
    names = table.names
    query = first_of(ids_of("query"), names) if table.header else names[0]
    rest = [name for name in names if name != query]
    group = rest[0] if len(rest) == 1 else first_of(_NAMES, rest)
    if query is None or group is None:
        raise DataError(
            f"{table.file.name} has the columns {listed(names)}. Expected the columns 'query_id' "
            "and 'group': rename those that are these."
        )
    found: dict[str, list[str]] = {}
    for name, its in table.rows([query, group]):
        if its.strip():
            found.setdefault(its, []).append(name)
    if not found:
        raise DataError(f"{table.file.name} names no group in column {group!r}.")
    return {name: list(dict.fromkeys(queries)) for name, queries in found.items()}
