"""ChatPrompt: what each request about a chat tells the engine to read. Pure.

To send, to warm, to fit and to count a chat must name the same messages: the engine finds what is cached by them.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.base.ports import Ports
from engine.protocol.messages import ChatMessage
from storage.library.rows import Conversation


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """The messages with the system prompt that holds, whether the model may reason, and whether the chat's state is
    kept on disk.
    """

    messages: tuple[ChatMessage, ...]
    thinking: bool
    on_disk: bool

    @classmethod
    def of(cls, owner: Conversation, history: tuple[ChatMessage, ...], ports: Ports) -> ChatPrompt:
        """The prompt of a chat with this history, for the model that will answer it."""
        messages = with_system(history, ports.model_settings().system)
        return cls(messages, owner.switches.thinking or ports.thinking, ports.on_disk() and owner.switches.cached)


def with_system(history: tuple[ChatMessage, ...], system: str) -> tuple[ChatMessage, ...]:
    """The prompt's messages, led by the system prompt of the model unless the chat has its own."""
    has_own = bool(history) and history[0].role == "system"
    return history if has_own or not system else (ChatMessage("system", system), *history)
