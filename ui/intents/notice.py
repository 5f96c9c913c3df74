"""Something that the user should know, with what its buttons ask of the app."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from resources.language.text import tr
from ui.intents.intent import Intent


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the user should know, and may act on.

    - `key` identifies the notice. A notice replaces an earlier one with the same key.
    - `action` and `other` are the texts of up to two buttons, which send `intent` and `other_intent`. Without its
      intent a button is not shown.
    - A `lasting` notice describes a state. It is shown once until that state ends, even if the user closes it.
    - A `passing` notice leaves by itself once the user has had time to read it, and to use its button.
    - A notice that `stays` cannot be put away: the user acts on it, or the app clears it.
    - The Undo of the menu and its key press the first button of a notice that `undoes`.
    - A notice `about` the contents of a dialog is shown in that dialog while it is open, because the dialog covers the
      others.
    - A notice with a `conversation` is about that chat, and is shown only while the chat is in front.
    """

    key: str
    text: str
    action: str = ""
    other: str = ""
    intent: Intent | None = field(default=None, kw_only=True)
    other_intent: Intent | None = field(default=None, kw_only=True)
    lasting: bool = field(default=False, kw_only=True)
    passing: bool = field(default=False, kw_only=True)
    stays: bool = field(default=False, kw_only=True)
    undoes: bool = field(default=False, kw_only=True)
    about: Literal["", "prompts", "backups", "folders"] = field(default="", kw_only=True)
    conversation: str = field(default="", kw_only=True)


def undo_notice(key: str, text: str, undo: Intent, conversation: str = "") -> Notice:
    """A passing notice that something was done, with a button that undoes it."""
    return Notice(key, text, tr("Undo"), intent=undo, undoes=True, passing=True, conversation=conversation)
