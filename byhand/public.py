"""The public names of a package, as its `.pyi` lists them, each imported when it is asked for."""

import os
from collections.abc import Callable

from lazy_loader import attach_stub

# which extra brings a library
_BROUGHT_BY = {
    "matplotlib": "figures",
    **dict.fromkeys(("anywidget", "ipywidgets", "traitlets", "IPython"), "notebook"),
}


def public_names(
    package: str, file: str
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """A package's `__getattr__`, `__dir__` and `__all__`, given its `__name__` and `__file__`."""
    imported, listed, names = attach_stub(package, file)
    modules = {each.removesuffix(".py") for each in os.listdir(os.path.dirname(file))}

    def found(name: str) -> object:
        try:
            return imported(name)
        except ModuleNotFoundError as error:
            if error.name not in _BROUGHT_BY:
                raise
            needs = (
                f"{package}.{name} needs {error.name}, which is not installed: "
                f'pip install "ranking-metrics-by-hand[{_BROUGHT_BY[error.name]}]"'
            )
            raise ModuleNotFoundError(needs, name=error.name) from None
        except AttributeError:
            if name in names:
                raise
            message = f"{package} has no {name!r}{_nearest(name, names)}."
            raise AttributeError(message, name=name) from None

    # `import *` brings no modules: one of them is called `statistics`, as one of Python's own
    return found, listed, [each for each in names if each not in modules]


def _nearest(name: str, names: list[str]) -> str:
    if name.startswith("_"):  # whatever asks for these takes a no
        return ""
    from difflib import get_close_matches

    lower = {each.lower(): each for each in names}
    near = get_close_matches(name.lower(), lower, n=1)
    return f"; the nearest is {lower[near[0]]!r}" if near else ""
