"""Read files into tables: one reader for each format, and the recognition of columns."""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
