"""From hits to numbers: conventions, one file a measure, and all that is asked of measures.

`measures` has the measures, and what one of your own derives from.
"""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
