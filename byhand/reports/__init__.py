"""The report on a user's data, and the gate: `Results` holds the numbers, templates the words.

`report_command` and `gate_command` are what a user types, `options` what both may be asked for;
`inputs` are what is read, `exports` what is written beside the page.
"""

from byhand.public import public_names

__getattr__, __dir__, __all__ = public_names(__name__, __file__)
