"""How much memory may be taken, as people write it."""

import re

from byhand.errors import DataError

MEMORY = "4GB"  # which any machine that people rank on has


def in_bytes(memory: str) -> int:
    """An amount of memory in bytes; a DataError if it is none.

    Example:
        >>> in_bytes("1.5GB"), in_bytes("1 KiB")
        (1500000000, 1024)
    """
    found = re.fullmatch(r"([0-9.]*[0-9]) *([KMGT])(i?)B", str(memory).strip())
    try:
        number, unit, binary = found.groups()
        return int(float(number) * (1024 if binary else 1000) ** (1 + "KMGT".index(unit)))
    except (AttributeError, ValueError):
        raise DataError("memory={memory!r} is no amount of memory. Try '2GB'.", [memory]) from None
