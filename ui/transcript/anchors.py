"""What can be clicked in a transcript, as addresses of anchors.

Owns the verbs and how they are written down; where they stand is `transcript_rows`'s, what they do `transcript`'s.
No Qt.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, cast
from urllib.parse import quote, unquote

SCHEME = "hearth"
WHOLE = -1
"""The number that stands for the whole message where a code block's number is expected."""

Verb = Literal["copy", "retry", "continue", "alternatives", "fork", "step", "edit", "fold"]


class AnchorAction(NamedTuple):
    """What an anchor asks for: a verb, a message, and a number: for "copy" that of a code block or WHOLE, for
    "alternatives" how many, for "step" which way (-1 or 1); it means nothing to the others.
    """

    verb: Verb
    message: str
    number: int = WHOLE

    @property
    def href(self) -> str:
        """The anchor's address. Text of a message cannot hold one: only web and mail addresses become links there."""
        return f"{SCHEME}:{self.verb}/{self.number}/{quote(self.message, safe='')}"


def parse_action(href: str) -> AnchorAction | None:
    """The action behind an address; None for an address that is not ours."""
    scheme, _, rest = href.partition(":")
    parts = rest.split("/", 2)
    if scheme != SCHEME or len(parts) != 3:  # noqa: PLR2004 - verb, number, message
        return None
    return AnchorAction(cast("Verb", parts[0]), unquote(parts[2]), int(parts[1]))
