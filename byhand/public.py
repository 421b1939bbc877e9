"""Import the public names of a package, as its `.pyi` lists them, at their first use."""

import os
from collections.abc import Callable

from lazy_loader import attach_stub

# library -> extra that installs it
_BROUGHT_BY = {
    "matplotlib": "figures",
    **dict.fromkeys(("anywidget", "ipywidgets", "traitlets", "IPython"), "notebook"),
}


def public_names(
    package: str, file: str
) -> tuple[Callable[[str], object], Callable[[], list[str]], list[str]]:
    """Return a package's `__getattr__`, `__dir__` and `__all__`."""
    imported, listed, names = attach_stub(package, file)
    modules = {each.removesuffix(".py") for each in os.listdir(os.path.dirname(file))}

    def import_name(name: str) -> object:
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

    # no modules in `import *`: `statistics` would hide Python's own
    return import_name, listed, [each for each in names if each not in modules]


def _nearest(name: str, names: list[str]) -> str:
    if name.startswith("_"):  # probes of other libraries, such as __wrapped__
        return ""
    from difflib import get_close_matches

    lower = {each.lower(): each for each in names}
    near = get_close_matches(name.lower(), lower, n=1)
    return f"; the nearest is {lower[near[0]]!r}" if near else ""
