"""Why a chat, or a part of it, is read again, in words. Pure."""

from __future__ import annotations

from resources.language.text import mark, tr
from ui.state.chat import ChatStatus

_CAUSES = {
    "absent": mark("nothing of it is kept on this computer"),
    "edited": mark("an earlier part was changed or left out"),
    "system": mark("the instructions were changed"),
    "stripped": mark("the model leaves its earlier reasoning out"),
    "other_model": mark("another model wrote parts of it"),
    "moved": mark("the model last ran on other Macs, or was divided between them otherwise"),
    "no_checkpoint": mark("nothing was kept for this point of it"),
    "damaged": mark("a damaged file was put aside"),
    "unreadable": mark("what was kept of it could not be read from the disk"),
    "off": mark("it is not kept ready"),
    "unsupported": mark("chats of this model cannot be kept ready"),
}
_UNKNOWN_CAUSE = mark("what was kept of it could not be used")


def cause_words(code: str) -> str:
    """Why a chat, or a part of it, must be prefilled, given by the engine's code. Unknown codes have a phrase too."""
    return tr(_CAUSES.get(code, _UNKNOWN_CAUSE))


def reread_reason(status: ChatStatus) -> str:
    """Why a chat, or a part of it, is read again, "" if it is not."""
    return tr("Read again: {cause}", cause=cause_words(status.cause)) if status.cause else ""
