"""Evaluation of runs: conventions, measures and the functions that apply them.

`measures` contains the measures and the base classes for your own.
"""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
