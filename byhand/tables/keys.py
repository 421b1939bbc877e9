"""Keys of ids, numbers of 64 bits: equal ids have equal keys.

They are others in each process, so that nobody can write a file whose ids share them and take
forever.
"""

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow

SEED = np.uint64(secrets.randbits(64))
_MIX = np.uint64(0xBF58476D1CE4E5B9)


def mix(keys: np.ndarray) -> np.ndarray:
    """Spread uint64 keys evenly over all 64 bits (a bijection: no two keys collide)."""
    mixed = keys >> np.uint64(31)
    mixed ^= keys
    mixed *= _MIX
    mixed ^= mixed >> np.uint64(29)
    return mixed


def python_hashes(texts: Sequence[str]) -> np.ndarray:
    """Hash strings as Python does, differently in each process."""
    return np.fromiter(map(hash, texts), dtype=np.int64, count=len(texts)).view(np.uint64)


def arrow_hashes(texts: "pyarrow.LargeStringArray") -> np.ndarray:
    """Hash strings where they lie in Arrow's memory, eight bytes of every row at a time."""
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
    keys ^= _first_bytes(words[starts], lengths)
    keys = mix(keys)
    rows = np.flatnonzero(lengths > 8)
    position = 8
    while len(rows):
        word = _first_bytes(words[starts[rows] + position], lengths[rows] - position)
        keys[rows] = mix(keys[rows] ^ word)
        position += 8
        rows = rows[lengths[rows] > position]
    return keys


def _first_bytes(words: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Words without the bytes behind the first so many, if these are fewer than eight."""
    behind = np.minimum(lengths, 8)
    np.subtract(8, behind, out=behind)
    behind <<= 3
    return words << behind.view(np.uint64)
