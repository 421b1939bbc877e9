"""Comparisons of two or more systems, or groups of queries: differences, intervals and tests."""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
