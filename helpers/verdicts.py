"""What a lesson says to an answer, as a card that looks like what a prediction says."""

from dataclasses import dataclass
from functools import cache
from html import escape

from byhand.widgets.live import rules

_LOOK = (".rm", '[data-jp-theme-light="false"] .rm', ".rm-message", ".rm-verdict", ".rm-more")
_TONES = (".rm-verdict.rm-good", ".rm-verdict.rm-warn")


@dataclass(frozen=True, repr=False)
class Verdict:
    """What is said to an answer: its `repr` is the text, and in a notebook it is a card.

    Attributes:
        text: what is said.
        tone: "good" for a right answer, "warn" for a wrong one, else nothing.
        more: what stands below it.

    Example:
        >>> Verdict("Not yet. Look at rank 2.", "warn")
        Not yet. Look at rank 2.
    """

    text: str
    tone: str = ""
    more: str = ""

    def __repr__(self) -> str:
        return f"{self.text}\n{self.more}".rstrip()

    def _repr_html_(self) -> str:
        tone = f" rm-answer-{self.tone}" if self.tone else ""
        mark = "✓ " if self.tone == "good" else ""
        more = f'<div class="rm-answer-more">{escape(self.more)}</div>' if self.more else ""
        said = f'<div class="rm-answer-verdict{tone}">{mark}{escape(self.text)}</div>{more}'
        return f'{_style()}<div class="rm-answer"><div class="rm-answer-message">{said}</div></div>'


@cache
def _style() -> str:
    """The widgets' own rules, under names of their own so that they reach no widget."""
    return f"<style>{rules(*_LOOK, *_TONES).replace('.rm', '.rm-answer')}</style>"
