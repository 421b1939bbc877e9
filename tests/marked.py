"""A language in which each message stands between marks: what stands outside is no message."""

import gettext
import re


class Marked(gettext.NullTranslations):
    """Its catalog."""

    def gettext(self, message: str) -> str:
        return message and f"⟦{message}⟧"

    def ngettext(self, one: str, many: str, n: int) -> str:
        return f"⟦{one if n == 1 else many}⟧"

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def npgettext(self, context: str, one: str, many: str, n: int) -> str:
        return self.ngettext(one, many, n)


def outside(text: str) -> str:
    """What of a text no message has; one message may stand in another."""
    before = None
    while before != text:
        before, text = text, re.sub(r"⟦[^⟦⟧]*⟧", " ", text)
    return text
