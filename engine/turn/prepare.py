"""Preparing a prompt: from the messages of a conversation to token ids and a chain of segments.

A straight pipeline: render, find the boundaries, lay out the tokens, cut into segments. Each step takes values and
returns one. Rendering needs the main thread; the other steps may run on any thread.

Prompts longer than the model's context are refused. The error says if the newest message alone is too long. A prompt of
several contexts is refused before all its tokens are found: the prompts of other chats wait for this one.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from engine.cache.segment import Segment, cut, following
from engine.prompt.boundaries import find_boundaries
from engine.prompt.ledger import Ledger
from engine.prompt.tokenization import Prompt, pieces, tokenize_prompt
from engine.protocol.errors import ContextFull, MessageTooLong, PromptRefused
from engine.turn.token_memo import remembering
from resources.language.sentence import sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.model.loader import LoadedModel
    from engine.prompt.chat_template import PromptRequest, Rendered


_TOKEN_CHARS: Final = 6
"""Tokens of prose have four or five characters. A text with more characters for each token of the context is counted
before it is tokenized.
"""


class PreparedPrompt(NamedTuple):
    """A prompt, and its chain: the segments that cover it from token 0 up to its last bound."""

    prompt: Prompt
    chain: list[Segment]

    @property
    def ending(self) -> Segment | None:
        """The tokens after the last bound, as a segment. None if the last bound ends the prompt, or if it has none."""
        last, ids = self.chain[-1] if self.chain else None, self.prompt.ids
        return following(last, "", ids, len(ids)) if last and last.end < len(ids) else None


def prepare(model: LoadedModel, request: PromptRequest) -> PreparedPrompt:
    """The prompt that asks for the next reply: `request` is a Generate. Raises PromptRefused or ContextFull."""
    return rendered_question(model, request)()


def rendered_question(model: LoadedModel, request: PromptRequest) -> Callable[[], PreparedPrompt]:
    """Do the first step of `prepare`. The function that is returned does the others."""
    ledger = _ledger(model, request)
    rendered = model.template.render(request, ledger)

    def tokenized() -> PreparedPrompt:
        _refuse_far_too_long(model, request, rendered.text)
        prepared = _after_rendering(model, request, ledger, rendered)
        _refuse_empty(prepared.prompt)
        _refuse_too_long(model, request, len(prepared.prompt.ids))
        return prepared

    return tokenized


def prepare_history(model: LoadedModel, request: PromptRequest) -> PreparedPrompt:
    """The conversation as it stands, its last reply complete, as the next prompt will begin. Raises PromptRefused."""
    ledger, template = _ledger(model, request), model.template
    rendered = template.render_history_form(request, ledger) or template.render_history(request, ledger)
    return _after_rendering(model, request, ledger, rendered)


def history_form(model: LoadedModel, request: PromptRequest) -> PreparedPrompt | None:
    """What every prompt begins with after the user has answered the last message, a reply, whatever the user writes.
    None if that reply stands as it was written, and if something else than a user's message comes next.

    The chain ends with the prompt's last token: once all of it is prefilled, its end is worth keeping. Raises
    PromptRefused.
    """
    ledger = _ledger(model, request)
    rendered = model.template.render_history_form(request, ledger)
    return _after_rendering(model, request, ledger, rendered) if rendered else None


def _after_rendering(model: LoadedModel, request: PromptRequest, ledger: Ledger, rendered: Rendered) -> PreparedPrompt:
    """The other steps of the pipeline, which are the same for every prompt."""
    imported = model.imported_prefixes.longest(rendered.text)
    boundaries = find_boundaries(rendered, ledger, request.messages, model.template.closing, imported)
    prompt = tokenize_prompt(rendered, boundaries, remembering(model))
    identity = model.identity.of_keys(on_disk=request.on_disk)
    chain = cut(identity, prompt.ids, prompt.bounds, prompt.replies, prompt.stops)
    return PreparedPrompt(prompt, list(chain))


def _ledger(model: LoadedModel, request: PromptRequest) -> Ledger:
    _refuse_broken_text(request)
    return Ledger.of(request.messages, request.tools, model.identity.vocabulary, model.vocabulary_size)


def _refuse_broken_text(request: PromptRequest) -> None:
    """Refuse lone surrogates in any text of the command: no tokenizer takes them, and no event can carry them."""
    try:
        msgspec.json.encode(request)
    except UnicodeEncodeError as error:
        raise PromptRefused(
            sentence("The conversation or its settings hold half a character (a lone surrogate).")
        ) from error


def _refuse_empty(prompt: Prompt) -> None:
    if not prompt.ids:
        raise PromptRefused(sentence("The model's chat template makes nothing of this message."))


def _refuse_far_too_long(model: LoadedModel, request: PromptRequest, text: str) -> None:
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


def _refuse_too_long(model: LoadedModel, request: PromptRequest, tokens: int) -> None:
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
