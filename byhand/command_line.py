"""The argument parser of all commands."""

import argparse
from typing import NoReturn

from byhand.errors import one_line


class CommandParser(argparse.ArgumentParser):
    """A parser that reports errors in one line."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        how = argparse.RawDescriptionHelpFormatter
        super().__init__(prog=prog, description=description, epilog=epilog, formatter_class=how)

    def error(self, message: str) -> NoReturn:
        """Print one line instead of the usage, and exit with status 2."""
        self.exit(2, f"{self.prog}: {one_line(message)} (--help lists the options)\n")
