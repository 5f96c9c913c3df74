"""View state of what is kept of one conversation, so that the model need not read it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TurnState = Literal["kept", "again", "writing"]


@dataclass(frozen=True, slots=True)
class TurnBlock:
    """One turn in the map of a conversation, or neighbours: their length in tokens, and what happens to them with the
    next message. `first` and `last` are their numbers, `message` is the first question, and `words` how that begins.
    """

    tokens: int
    state: TurnState
    first: int = 1
    last: int = 1
    message: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class ChatMemoryView:
    """The kept part of a conversation, as the inspector shows it.

    - `state` names the pill's colour, `words` are its text.
    - `turns` is the map.
    - `facts` and `details` are labels with values. `details` are folded away; one without a label is a
      sentence.
    """

    conversation: str
    state: str = "quiet"
    words: str = ""
    turns: tuple[TurnBlock, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    can_clear: bool = False
