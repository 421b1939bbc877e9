"""The argument parser of all commands."""

import argparse
from functools import partial
from typing import NoReturn

from byhand.errors import one_line, printable


class CommandParser(argparse.ArgumentParser):
    """A parser that reports errors in one line."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        how = partial(argparse.RawDescriptionHelpFormatter, width=100, max_help_position=30)
        super().__init__(prog=prog, description=description, epilog=epilog, formatter_class=how)

    def error(self, message: str) -> NoReturn:
        """Print one line instead of the usage, and exit with status 2."""
        self.exit(2, f"{self.prog}: {printable(one_line(message))} (--help lists the options)\n")
