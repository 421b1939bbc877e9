"""The face of a package: public names, each imported once somebody asks for it."""

import importlib
import sys
from collections.abc import Callable, Mapping


def face(package: str, names: Mapping[str, str]) -> tuple[list[str], Callable[[str], object]]:
    """A package's `__all__` and `__getattr__`; it also gets a `__dir__` that has all names.

    Args:
        package: its `__name__`.
        names: module -> the public names that are at home there, with blanks between. No module
            has one of these names: importing it would hide what it stands for.

    Example:
        >>> import byhand.statistics  # which is nothing but a face
        >>> "holm" in dir(byhand.statistics), byhand.statistics.holm.__module__
        (True, 'byhand.statistics.randomisation')
    """
    homes = {name: module for module, listed in names.items() for name in listed.split()}
    module = sys.modules[package]

    def attribute(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        setattr(module, name, found)
        return found

    module.__dir__ = lambda: sorted({*vars(module), *homes})
    return list(homes), attribute
