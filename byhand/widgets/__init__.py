"""Lists that a reader drags, and what the measures make of them.

A widget is a folder: what Python knows of it, its view in a browser, its sheet and its words. What
lists share is in `list/`, what a slider and a chart need in `draws/`, and how a browser begins in
`browser/`. A page has its live lists from `byhand.widgets.embed` and `list.measured_list`, without
what only a notebook needs.
"""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
