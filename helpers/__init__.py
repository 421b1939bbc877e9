"""What only the lessons need: exercises, worked examples, the record of documented values."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
