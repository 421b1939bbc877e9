"""Hash texts to 64 bits: equal texts have equal hashes."""

import secrets
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow

# random in each process, so that no file can contain ids that collide on purpose
SEED = np.uint64(secrets.randbits(64))
_MIX = np.uint64(0xBF58476D1CE4E5B9)


def mix(keys: np.ndarray) -> np.ndarray:
    """Spread uint64 keys evenly over all 64 bits (a bijection: no two keys collide)."""
    mixed = keys >> np.uint64(31)
    mixed ^= keys
    mixed *= _MIX
    mixed ^= mixed >> np.uint64(29)
    return mixed


def arrow_hashes(texts: "pyarrow.LargeStringArray") -> np.ndarray:
    """Hash strings in Arrow's memory, eight bytes of every row at a time."""
    if len(texts) == 0:
        return np.empty(0, dtype=np.uint64)
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    size = int(ends[-1] - ends[0])
    padded = np.zeros(size + 8, dtype=np.uint8)
    if size:
        padded[:size] = np.frombuffer(data, np.uint8, count=size, offset=int(ends[0]))
    words = np.ndarray(size + 1, dtype="<u8", buffer=padded, strides=(1,))
    starts, lengths = ends[:-1] - ends[0], np.diff(ends)
    keys = mix(lengths.view(np.uint64) ^ SEED)
    rows, position = slice(None), 0
    while position == 0 or len(rows):
        # the last word of an id contains bytes of the next one: shift them out
        behind = 8 - np.minimum(lengths[rows] - position, 8)
        word = words[starts[rows] + position] << (behind << 3).view(np.uint64)
        keys[rows] = mix(keys[rows] ^ word)
        position += 8
        rows = np.flatnonzero(lengths > position)
    return keys
