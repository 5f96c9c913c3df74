"""The actions behind the links and icons of a transcript, and their notation as addresses of anchors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, cast
from urllib.parse import quote, unquote

from ui.intents.chat import CarryOn, ChatIntent, DeleteTurn, Extend, Fork, LeaveOut, ReadAll, Regenerate, ShowFile, Step

SCHEME = "hearth"
WHOLE_MESSAGE = -1
"""The number of an action that copies the whole message, not one of its code blocks."""

_Writing = Literal["regenerate", "extend", "alternatives", "choose", "fork", "step", "edit", "delete"]
_Showing = Literal["copy", "fold", "read-all", "leave-out", "carry-on", "file", "note", "note-back"]
Verb = Literal[_Writing, _Showing]


class AnchorAction(NamedTuple):
    """A verb and the message that it applies to.

    `number` depends on the verb. For "copy" it is the number of a code block or WHOLE_MESSAGE. For "alternatives" it is
    how many answers to generate; "choose" asks the user for that number. For "step" it is the direction, -1 or 1. Other
    verbs ignore it. For "file", `message` is the id of an attached file. "note" and "note-back" lead from a word
    to a footnote, by its number in the message, and back.
    """

    verb: Verb
    message: str
    number: int = WHOLE_MESSAGE

    @property
    def href(self) -> str:
        """The anchor's address. The text of a message cannot contain such an address: only web and mail addresses
        become links there.
        """
        return f"{SCHEME}:{self.verb}/{self.number}/{quote(self.message, safe='')}"

    def intent(self) -> ChatIntent | None:
        """What a click asks of the app. None if the transcript does it by itself."""
        if self.verb in _ANYWHERE:
            return _ANYWHERE[self.verb]
        if self.verb in _OF_NUMBER:
            return _OF_NUMBER[self.verb](self.message, self.number)
        return _OF_MESSAGE[self.verb](self.message) if self.verb in _OF_MESSAGE else None


_ANYWHERE: dict[Verb, ChatIntent] = {"read-all": ReadAll(), "leave-out": LeaveOut(), "carry-on": CarryOn()}
_OF_NUMBER: dict[Verb, Callable[[str, int], ChatIntent]] = {"alternatives": Regenerate, "step": Step}
_OF_MESSAGE: dict[Verb, Callable[[str], ChatIntent]] = {
    "extend": Extend,
    "regenerate": Regenerate,
    "fork": Fork,
    "delete": DeleteTurn,
    "file": ShowFile,
}


def parse_action(href: str) -> AnchorAction | None:
    """The action behind an address, or None if the address is not an action."""
    scheme, _, rest = href.partition(":")
    parts = rest.split("/", 2)
    if scheme != SCHEME or len(parts) != 3:  # noqa: PLR2004 - verb, number, message
        return None
    return AnchorAction(cast("Verb", parts[0]), unquote(parts[2]), int(parts[1]))
