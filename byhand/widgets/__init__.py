"""Lists that a reader drags, and what the measures make of them.

A page has its live lists from `byhand.widgets.embed` and `byhand.widgets.board`, without what only
a notebook needs.
"""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
