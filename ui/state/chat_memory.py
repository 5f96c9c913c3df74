"""View state of what is kept of one conversation, so that the model need not read it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TurnState = Literal["kept", "again", "writing"]
Tone = Literal["success", "warning", "accent", "quiet"]


@dataclass(frozen=True, slots=True)
class TurnBlock:
    """One turn in the map of a conversation: its length in tokens, and what happens to it with the next message."""

    tokens: int
    state: TurnState


@dataclass(frozen=True, slots=True)
class ChatMemoryView:
    """The kept part of a conversation, as the inspector shows it.

    - `state` names the pill's colour, `words` are its text.
    - `turns` is the map; `places` are the points of it, from 0 to 1, at which reading could begin from disk.
    - `facts` and `details` are labels with values. `details` are folded away; one without a label is a
      sentence.
    """

    conversation: str
    state: Tone = "quiet"
    words: str = ""
    turns: tuple[TurnBlock, ...] = ()
    places: tuple[float, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    can_clear: bool = False
