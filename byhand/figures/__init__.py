"""Figures and tables.

A figure function draws on `ax`, or else makes a figure, and returns the axes. Their label,
`ax.get_label()`, describes the figure; `show` displays both. Tables do not need matplotlib.
"""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
