"""The face of a package: public names, each imported once somebody asks for it."""

import importlib
import sys
from collections.abc import Callable, Mapping


def face(package: str, names: Mapping[str, str]) -> tuple[list[str], Callable[[str], object]]:
    """A package's `__all__` and `__getattr__`.

    Args:
        package: its `__name__`.
        names: module -> the public names that are at home there, with blanks between. No module
            has one of these names: importing it would hide what it stands for.

    Example:
        >>> public, of = face("byhand", {"errors": "DataError"})
        >>> public, of("DataError").__name__
        (['DataError'], 'DataError')
    """
    homes = {name: module for module, listed in names.items() for name in listed.split()}

    def attribute(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    return list(homes), attribute
