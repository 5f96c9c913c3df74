"""The questions how many tokens a text takes, and which part of a conversation the model can read; and their answers.

The app imports them from `engine.protocol.messages`.
"""

from __future__ import annotations

import msgspec

from engine.protocol.chat_messages import ChatMessage


class CountTokens(msgspec.Struct, frozen=True, tag="count_tokens"):
    """Count the tokens of a text that may become part of a message. Answered by TokensCounted, unless a later command
    with the same `subject` replaces this one or the model goes.
    """

    subject: str
    text: str


class FitPrompt(msgspec.Struct, frozen=True, tag="fit_prompt"):
    """Find out from where on `messages` fit into the model's context with `room` tokens to spare. `starts` are the
    places in `messages`, ascending, at which the part may begin. A system prompt belongs to each part. Answered by
    PromptFitted.
    """

    request: str
    conversation: str
    messages: tuple[ChatMessage, ...]
    starts: tuple[int, ...]
    room: int = 0
    thinking: bool = False
    tools: str = ""


class TokensCounted(msgspec.Struct, frozen=True, tag="tokens_counted"):
    """The outcome of CountTokens."""

    subject: str
    tokens: int


class PromptFitted(msgspec.Struct, frozen=True, tag="prompt_fitted"):
    """The outcome of FitPrompt: the first of the starts from which the conversation fits, and the tokens of that
    prompt. If no part leaves so much room, it is the last start if that part can be read at all, else -1. An error is
    in `code` and `message`.
    """

    request: str
    conversation: str
    start: int = -1
    tokens: int = 0
    code: str = ""
    message: str = ""
