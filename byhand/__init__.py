"""Ranking metrics: evaluate, compare and explain ranked lists.

`evaluate` computes the value of each query, `explain` the steps for one list, `compare` the
difference between systems; `report` writes it all to a page. `byhand.statistics`,
`byhand.figures` and `byhand.widgets` have more. Add a measure of your own with
`byhand.metrics.measures`. `byhand.errors` lists the errors and the exit statuses of the commands.
`python -m byhand docs` lists the pages of the documentation; `python -m byhand docs library` prints
one. The page `coming-from` is for users of ir_measures, pytrec_eval, ranx or scikit-learn.
"""

from byhand.public import public_names

__version__ = "1.0.0"
# nothing is imported before it is asked for: a command must be ready for Ctrl+C before anything
# large is, and the readers need pyarrow
__getattr__, __dir__, __all__ = public_names(__name__, __file__)
