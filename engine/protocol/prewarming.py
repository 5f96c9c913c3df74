"""The command to load a conversation's cache into memory before its next request, and its outcome.

The app imports both from `engine.protocol.messages`.
"""

from __future__ import annotations

import msgspec

from engine.protocol.chat_messages import ChatMessage


class Warm(msgspec.Struct, frozen=True, tag="warm"):
    """A conversation was opened: load its cache into memory ahead of the next request. Answered by Warmed. If `on_disk`
    is False, only memory is looked at, as for a Generate.
    """

    conversation: str
    messages: tuple[ChatMessage, ...]
    thinking: bool = False
    tools: str = ""
    on_disk: bool = True


class Warmed(msgspec.Struct, frozen=True, tag="warmed"):
    """The outcome of Warm: the tokens of the conversation that are now in memory, of `prompt_tokens` in all."""

    conversation: str
    cached_tokens: int
    prompt_tokens: int
    restore_ms: float
    miss_cause: str = ""
