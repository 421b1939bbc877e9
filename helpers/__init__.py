"""What only the lessons need: exercises, worked examples, the record of documented values."""

from importlib import import_module

_HOMES = {
    "check": "helpers.exercises",
    "documented_values": "helpers.record.values",
    "predict": "helpers.exercises",
    "worked_example": "helpers.worked_examples",
}
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """A public name, imported once it is asked for: files of the data are read by some."""
    if name not in _HOMES:
        raise AttributeError(f"module 'helpers' has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
