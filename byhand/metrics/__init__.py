"""From hits to numbers: conventions, one file a measure, and all that is asked of measures.

`measures` has the measures, and what one of your own derives from.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
