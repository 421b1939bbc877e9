"""A card of text that changes: what to do, how it went, and why."""

import anywidget
import traitlets

from helpers.widgets.assets import joined


class Message(anywidget.AnyWidget):
    """A heading, a verdict that a screen reader speaks when it changes, and more text below.

    Attributes:
        heading: what to do.
        text: the verdict; empty as long as there is none.
        tone: "plain", "good" or "warn"; the latter two also get a mark, not a colour alone.
        more: what follows the verdict.

    Example:
        >>> message = Message(heading="Which list has the higher AP?")
        >>> message.say("Right.", tone="good", more="Its hits stand higher.")
        >>> message.text, message.tone
        ('Right.', 'good')
    """

    _esm = joined("guard.js", "message.js")
    _css = joined("base.css", "message.css")

    heading = traitlets.Unicode("").tag(sync=True)
    text = traitlets.Unicode("").tag(sync=True)
    tone = traitlets.Enum(["plain", "good", "warn"], "plain").tag(sync=True)
    more = traitlets.Unicode("").tag(sync=True)

    def say(self, text: str, *, tone: str = "plain", more: str = "") -> None:
        """Show a verdict, all of it at once."""
        with self.hold_sync():
            self.text, self.tone, self.more = text, tone, more

    def __repr__(self) -> str:
        """What it says."""
        return f"Message({' '.join(filter(None, (self.heading, self.text)))!r})"
