"""From files to tables: one reader a format, and which column is which."""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
