"""What all commands share: a parser that complains in one line."""

import argparse
from typing import NoReturn

from byhand.errors import one_line


class CommandParser(argparse.ArgumentParser):
    """A parser that complains in one line."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        how = argparse.RawDescriptionHelpFormatter
        super().__init__(prog=prog, description=description, epilog=epilog, formatter_class=how)

    def error(self, message: str) -> NoReturn:
        """One line that says what is wrong, instead of two that begin with the usage."""
        self.exit(2, f"{self.prog}: {one_line(message)} (--help lists the options)\n")
