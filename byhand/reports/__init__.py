"""The report on a user's data, and the quality gate.

`Results` has the numbers and templates have the words. `report_command` and `gate_command` are
the commands, `options` their shared options, `inputs` the data, and `exports` the output files.
"""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
