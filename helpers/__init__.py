"""Tools of the lessons: exercises, worked examples, and the audit of published values."""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
