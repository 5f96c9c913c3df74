"""Refuses prompts that are longer than the model's context. The error says if the newest message alone is too long.

A prompt of several contexts is refused before all its tokens are found: the prompts of other chats wait for this one.
Runs on any thread.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

from engine.prompt.tokenization import pieces
from engine.protocol.errors import ContextFull, MessageTooLong
from engine.turn.token_memo import remembering
from resources.language.sentence import sentence

if TYPE_CHECKING:
    from engine.model.loader import LoadedModel
    from engine.prompt.chat_template import PromptRequest

_TOKEN_CHARS: Final = 6
"""Tokens of prose have four or five characters. A text with more characters for each token of the context is counted
before it is tokenized.
"""


def refuse_far_too_long(model: LoadedModel, request: PromptRequest, text: str) -> None:
    """Raise MessageTooLong or ContextFull if `text`, the rendered prompt, has at least twice the tokens of the context.
    Only a text that seldom fits is counted.
    """
    limit = model.context_limit
    if not limit or len(text) < limit * _TOKEN_CHARS:
        return
    if _takes_twice(model, _newest_question(request)):
        raise MessageTooLong(
            sentence(
                "The newest message takes more than the {limit} tokens that this model reads at most.", limit=limit
            )
        )
    if _takes_twice(model, text):
        _refuse_long_question(model, request)
        raise ContextFull(
            sentence("The conversation takes more than the {limit} tokens that this model reads at most.", limit=limit)
        )


def refuse_too_long(model: LoadedModel, request: PromptRequest, tokens: int) -> None:
    """Raise MessageTooLong or ContextFull if a prompt of so many tokens leaves no room for an answer."""
    limit = model.context_limit
    if not limit or tokens < limit:
        return
    _refuse_long_question(model, request)
    raise ContextFull(
        sentence("The conversation takes {count} tokens; this model reads {limit} at most.", count=tokens, limit=limit)
    )


def _takes_twice(model: LoadedModel, text: str) -> bool:
    """Whether `text` takes twice the tokens of the context. A count in pieces has a few tokens too many, but never
    twice as many.
    """
    counts = accumulate(len(model.encode(piece)) for piece in pieces(text))
    return any(count >= 2 * model.context_limit for count in counts)


def _refuse_long_question(model: LoadedModel, request: PromptRequest) -> None:
    """Raise MessageTooLong if the newest question alone fills the context."""
    alone, limit = len(remembering(model)(_newest_question(request))), model.context_limit
    if alone >= limit:
        raise MessageTooLong(
            sentence(
                "The newest message takes {alone} tokens; this model reads {limit} at most.", alone=alone, limit=limit
            )
        )


def _newest_question(request: PromptRequest) -> str:
    return next((message.content for message in reversed(request.messages) if message.role == "user"), "")
