"""Ranking metrics by hand: the library that the lessons teach with.

`evaluate` gives the value of each query, `explain` the steps of one list, `compare` what two
systems differ by, `report` all of it on a page. There is more in `byhand.statistics`,
`byhand.figures` and `byhand.widgets`; by `byhand.metrics.measures` you add a measure of your own;
`byhand.errors` has what can go wrong, and the exit statuses of the commands. `python -m byhand
docs` has the pages on all of it, such as `python -m byhand docs library`, and `coming-from` for
whoever knows ir_measures, pytrec_eval, ranx or scikit-learn.
"""

from byhand.public import public_names

__version__ = "1.0.0"
# nothing is imported before it is asked for: a command must be ready for Ctrl+C before anything
# large is, and the readers need pyarrow
__getattr__, __dir__, __all__ = public_names(__name__, __file__)
