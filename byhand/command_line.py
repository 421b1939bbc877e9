"""What all commands share: the language that they speak, and that they complain in one line."""

import argparse
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import NoReturn

from byhand.errors import one_line, sentence
from byhand.words import N_, checked, gettext as _, language, languages, ngettext, speaking, spoken

# what argparse itself says, as its catalog's keys
_OF_ARGPARSE = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("the following arguments are required: %s"),
    N_("unrecognized arguments: %s"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("not allowed with argument %s"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("ignored explicit argument %r"),
)


def asked_language(arguments: list[str] | None = None) -> str:
    """The language that is asked for anywhere in a command, or else the one that is spoken.

    Args:
        arguments: what the user typed after its name; None for what they did type.
    """
    asked = argparse.ArgumentParser(add_help=False)
    asked.add_argument("--language", nargs="?")
    with suppress(ValueError):  # what is no language is refused with all else
        return checked(asked.parse_known_args(arguments)[0].language or language())
    return language()


def in_its_language(main: Callable[..., int]) -> Callable[..., int]:
    """Let a command say everything, and argparse for it, in the language that is asked for."""

    @wraps(main)
    def spoken(arguments: list[str] | None = None) -> int:
        # argparse asks these two for all that it says, for any parser: so they are put back
        of_others = argparse._, argparse.ngettext
        with speaking(asked_language(arguments)):
            argparse._, argparse.ngettext = _, ngettext
            try:
                return main(arguments)
            finally:
                argparse._, argparse.ngettext = of_others

    return spoken


def language_code(text: str) -> str:
    """The code of a language, as it was typed."""
    try:
        return checked(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(spoken(sentence(error))) from None


class CommandParser(argparse.ArgumentParser):
    """A parser that complains in one line."""

    def __init__(self, prog: str, description: str, epilog: str | None = None) -> None:
        how = argparse.RawDescriptionHelpFormatter
        super().__init__(prog=prog, description=description, epilog=epilog, formatter_class=how)

    def add_language(self) -> None:
        """Let a command that has no other use for it be told what to speak."""
        said = _("what this help and what goes wrong are written in: {languages}")
        known = ", ".join(f"{code} ({name})" for code, name in languages().items())
        self.add_argument(
            "--language", type=language_code, metavar="CODE", help=said.format(languages=known)
        )

    def error(self, message: str) -> NoReturn:
        """One line that says what is wrong, instead of two that begin with the usage."""
        hint = _("(--help lists the options)")
        self.exit(2, f"{self.prog}: {one_line(message)} {hint}\n")
