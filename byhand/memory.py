"""Amounts of memory as text, such as "4GB"."""

import re
from math import ceil

from byhand.errors import DataError

MEMORY = "4GB"


def in_bytes(memory: str) -> int:
    """Convert an amount of memory to bytes; raise a DataError for any other text.

    Example:
        >>> in_bytes("1.5GB"), in_bytes("1 KiB")
        (1500000000, 1024)
    """
    match = re.fullmatch(r"([0-9.]*[0-9]) *([KMGT])(i?)B", str(memory).strip())
    try:
        number, unit, binary = match.groups()
        return int(float(number) * (1024 if binary else 1000) ** (1 + "KMGT".index(unit)))
    except (AttributeError, ValueError):
        raise DataError(
            f"memory={memory!r} is not an amount of memory. Pass memory='2GB', for example."
        ) from None


def as_text(size: int) -> str:
    """Format a number of bytes, rounded up.

    Example:
        >>> as_text(1_500_000_000), as_text(2_001)
        ('1.5GB', '2.01KB')
    """
    unit = max(n for n in range(1, 4) if n == 1 or size >= 1000**n)
    return f"{ceil(size / 1000**unit * 100) / 100:g}{'KMG'[unit - 1]}B"
