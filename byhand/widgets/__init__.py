"""Lists that a reader drags, and what the measures make of them.

A page has its live lists from `byhand.widgets.embed` and `byhand.widgets.board`, without what only
a notebook needs.
"""

from lazy_loader import attach_stub

_imported, __dir__, __all__ = attach_stub(__name__, __file__)
_OF_NOTEBOOKS = {"anywidget", "ipywidgets", "traitlets", "IPython"}


def __getattr__(name: str) -> object:
    """A widget, imported."""
    try:
        return _imported(name)
    except ModuleNotFoundError as error:
        if error.name not in _OF_NOTEBOOKS:
            raise
        raise ModuleNotFoundError(
            f"{name} lives in a notebook, and {error.name} is not installed: "
            'pip install "ranking-metrics-by-hand[notebook]"',
            name=error.name,
        ) from None
