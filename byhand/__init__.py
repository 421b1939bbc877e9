"""Ranking metrics by hand: the library that the lessons teach with."""

from lazy_loader import attach_stub

# nothing is imported before it is asked for: a command must be ready for Ctrl+C before anything
# large is, and the readers need pyarrow
_imported, __dir__, __all__ = attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """A public name, imported."""
    if name == "__version__":
        from importlib.metadata import version

        return version("ranking-metrics-by-hand")
    return _imported(name)
