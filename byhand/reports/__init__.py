"""The report on a user's data, and the gate: `Results` holds the numbers, templates the words.

`report_command` is what a user types, and `report` in Python; `options` declares the options of both,
`sources` are the files that they name, and `naming` says what systems are called. `gate` is the
other command.
"""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
