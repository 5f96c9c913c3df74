"""The messages of a conversation as the app sends them.

The app imports them from `engine.protocol.messages`.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Role = Literal["system", "user", "assistant", "tool"]


class ToolCall(msgspec.Struct, frozen=True):
    """A function that the model calls: its name, and its arguments as a JSON object."""

    name: str
    arguments: str


class ChatMessage(msgspec.Struct, frozen=True):
    """One message of the branch that is continued.

    `ledger` is the value that `TurnFinished` returned for this reply: its exact tokens, opaque to the app and sent back
    unchanged. If it is empty, the text is encoded again. `reasoning` and `tool_calls` are the reply's other channels. A
    message with the role `tool` answers the last open call.
    """

    role: Role
    content: str
    ledger: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
