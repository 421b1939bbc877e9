"""Two or more systems, or groups of queries: differences, intervals and tests."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
