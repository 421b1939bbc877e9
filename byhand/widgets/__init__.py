"""Interactive lists and measures.

Each widget is a folder with its Python, browser view, style sheet and words. Lists share `list/`,
sliders and charts `draws/`, and all widgets `browser/`. Pages need only `byhand.widgets.embed` and
`list.measured_list`, without the packages for notebooks.
"""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
