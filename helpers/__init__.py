"""What only the lessons need: exercises, worked examples, the record of documented values."""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
