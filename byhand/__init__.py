"""Ranking metrics by hand: the library that the lessons teach with."""

from lazy_loader import attach_stub

__version__ = "1.0.0"
# nothing is imported before it is asked for: a command must be ready for Ctrl+C before anything
# large is, and the readers need pyarrow
__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
