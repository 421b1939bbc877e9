"""Figures: each function draws on an `ax`, puts it in words, returns it.

`ax` is where to draw; without it a function makes a figure. The words are the axes' label
(`ax.get_label()`); `show` puts them beside the picture. Tables for people stand here, too, and
need no matplotlib.
"""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
