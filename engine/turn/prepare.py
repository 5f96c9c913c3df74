"""Preparing a prompt: from the messages of a conversation to token ids and a chain of segments.

A straight pipeline: render, find the boundaries, lay out the tokens, cut into segments. Each step takes values and
returns one. Rendering needs the main thread; the other steps may run on any thread. Those of a request, or of a chat
that is opened, run on a tokenizer thread while the MLX thread takes decode steps: a long message takes as long to
encode as several steps, and tokenizers of Hugging Face release Python's lock meanwhile.

Prompts longer than the model's context are refused. The error says if the newest message or the instructions are too
long. A prompt of several contexts is refused before all its tokens are found: the prompts of other chats wait for it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Final, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import msgspec
from msgspec import structs

from engine.cache.segment import Segment, cut, following
from engine.model.loader import LoadedModel
from engine.prompt.chat_template import ChatTemplate, PromptRequest, Rendered
from engine.prompt.ledger import Ledger
from engine.prompt.tokenization import Encode, PromptTokens, find_boundaries, pieces, tokenize_prompt
from engine.protocol.errors import ContextFull, InstructionsTooLong, MessageTooLong, PromptRefused
from engine.protocol.shared import Shared
from resources.language.sentence import sentence

_TOKEN_CHARS: Final = 6
"""Tokens of prose have four or five characters. A text that may grow to more characters for each token of the context
is counted before it is tokenized.
"""


class PreparedPrompt(NamedTuple):
    """A prompt, and its chain: the segments that cover it from token 0 up to its last bound."""

    prompt: PromptTokens
    chain: list[Segment]

    @property
    def ending(self) -> Segment | None:
        """The tokens after the last bound, as a segment. None if the last bound ends the prompt, or if it has none."""
        last, ids = self.chain[-1] if self.chain else None, self.prompt.ids
        return following(last, "", ids, len(ids)) if last and last.end < len(ids) else None


def prepare(model: LoadedModel, request: PromptRequest) -> PreparedPrompt:
    """The prompt that asks for the next reply: `request` is a Generate. Raises PromptRefused, ContextFull or
    InstructionsTooLong.
    """
    return rendered_question(model, request)()


def rendered_question(model: LoadedModel, request: PromptRequest) -> Callable[[], PreparedPrompt]:
    """Do the first step of `prepare`. The function that is returned does the others."""
    ledger = _ledger(model, request)
    rendered = model.template.render(request, ledger)

    def tokenized() -> PreparedPrompt:
        prepared = _after_rendering(model, request, ledger, rendered)
        _refuse_empty(prepared.prompt)
        _refuse_too_long(model, request, len(prepared.prompt.ids))
        return prepared

    return tokenized


def prepare_history(model: LoadedModel, request: PromptRequest) -> PreparedPrompt:
    """The conversation as it stands, its last reply complete, as the next prompt will begin. Raises as `prepare`."""
    return rendered_history(model, request)()


def rendered_history(model: LoadedModel, request: PromptRequest) -> Callable[[], PreparedPrompt]:
    """Do the first step of `prepare_history`. The function that is returned does the others."""
    ledger, template = _ledger(model, request), model.template
    rendered = template.render_history_form(request, ledger) or template.render_history(request, ledger)
    return partial(_after_rendering, model, request, ledger, rendered)


def history_form(model: LoadedModel, request: PromptRequest) -> PreparedPrompt | None:
    """What every prompt begins with after the user has answered the last message, a reply, whatever the user writes.
    None if that reply stands as it was written, and if something else than a user's message comes next.

    The chain ends with the prompt's last token: once all of it is prefilled, its end is worth keeping. Raises as
    `prepare`.
    """
    ledger = _ledger(model, request)
    rendered = model.template.render_history_form(request, ledger)
    return _after_rendering(model, request, ledger, rendered) if rendered else None


def _after_rendering(model: LoadedModel, request: PromptRequest, ledger: Ledger, rendered: Rendered) -> PreparedPrompt:
    """The other steps of the pipeline, which are the same for every prompt. Raises as `_refuse_far_too_long`."""
    _refuse_far_too_long(model, request, rendered.text)
    imported = model.imported_prefixes.longest(rendered.text)
    boundaries = find_boundaries(rendered, ledger, request.messages, model.template.closing, imported)
    ending = model.template.control_tokens.ending
    prompt = tokenize_prompt(rendered, boundaries, remembering(model), ending)
    identity = model.identity.of_keys(on_disk=request.on_disk)
    chain = cut(identity, prompt.ids, prompt.bounds, prompt.replies, prompt.stops)
    return PreparedPrompt(prompt, list(chain))


def _ledger(model: LoadedModel, request: PromptRequest) -> Ledger:
    """The ledger of the conversation. A token that another model with this vocabulary has drawn begins no answer."""
    _refuse_broken_text(request)
    vocabulary, size = model.identity.vocabulary, model.vocabulary_size
    ledger = Ledger.of(request.messages, request.tools, vocabulary, size, request.day)
    own = model.identity.is_same
    entries = {i: e if own(e.model) else structs.replace(e, drawn=None) for i, e in ledger.entries.items()}
    return replace(ledger, entries=entries)


def _refuse_broken_text(request: PromptRequest) -> None:
    """Refuse lone surrogates in any text of the command: no tokenizer takes them, and no event can carry them."""
    try:
        msgspec.json.encode(request)
    except UnicodeEncodeError as error:
        raise PromptRefused(
            sentence("The conversation or its settings hold half a character (a lone surrogate).")
        ) from error


def _refuse_empty(prompt: PromptTokens) -> None:
    if not prompt.ids:
        raise PromptRefused(sentence("The model's chat template makes nothing of this message."))


def _refuse_far_too_long(model: LoadedModel, request: PromptRequest, text: str) -> None:
    """Raise ContextFull or InstructionsTooLong if `text`, the rendered prompt, has at least twice the tokens of the
    context. Only a text that seldom fits is counted.
    """
    limit = model.context_limit
    if not limit or len(text) * model.growth < limit * _TOKEN_CHARS:
        return
    if _count(model, _newest_question(request), 2 * limit) >= 2 * limit:
        raise MessageTooLong(
            sentence(
                "The newest message takes more than the {limit} tokens that this model reads at most.", limit=limit
            )
        )
    if _count(model, text, 2 * limit) >= 2 * limit:
        _refuse_long_part(model, request)
        raise ContextFull(
            sentence("The conversation takes more than the {limit} tokens that this model reads at most.", limit=limit)
        )


def _refuse_too_long(model: LoadedModel, request: PromptRequest, tokens: int) -> None:
    """Raise ContextFull or InstructionsTooLong if a prompt of so many tokens leaves no room for an answer."""
    limit = model.context_limit
    if not limit or tokens < limit:
        return
    _refuse_long_part(model, request)
    raise ContextFull(
        sentence("The conversation takes {count} tokens; this model reads {limit} at most.", count=tokens, limit=limit)
    )


def _count(model: LoadedModel, text: str, enough: int) -> int:
    """The tokens of `text`, or at least `enough` of them. A count in pieces has a few tokens too many, but never twice
    as many.
    """
    tokens = 0
    for piece in pieces(text):
        tokens += len(model.encode(piece))
        if tokens >= enough:
            break
    return tokens


def _refuse_long_part(model: LoadedModel, request: PromptRequest) -> None:
    """Raise MessageTooLong if the newest question alone fills the context, or InstructionsTooLong if the instructions
    do, or most of it, and the question takes the rest.
    """
    alone, limit = len(remembering(model)(_newest_question(request))), model.context_limit
    if alone >= limit:
        raise MessageTooLong(
            sentence(
                "The newest message takes {alone} tokens; this model reads {limit} at most.", alone=alone, limit=limit
            )
        )
    instructions = _count(model, "".join(one.content for one in request.messages if one.role == "system"), limit)
    if instructions > alone and instructions + alone >= limit:
        raise InstructionsTooLong(
            sentence("The instructions take too many of the {limit} tokens that this model reads at most.", limit=limit)
        )


def _newest_question(request: PromptRequest) -> str:
    return next((message.content for message in reversed(request.messages) if message.role == "user"), "")


_MOST_CHARS = 1 << 22
"""The characters of all texts in a memo: those of some chats as long as a context."""
_TEXT_CHARS = 200
"""An entry takes as much memory as so many more characters of its text."""

_memos: WeakKeyDictionary[ChatTemplate, dict[str, array[int]]] = WeakKeyDictionary()
"""The tokens of texts: the messages of a long chat are in each of its prompts. Any thread may use a memo. Nothing in it
may refer to the model, or it is never freed.
"""


def remembering(model: LoadedModel) -> Encode:
    """The model's encoding, with its memo. A memo that is full begins anew. A text that would fill it is not kept."""
    memo = _memos.setdefault(model.template, {})

    def encode(text: str) -> list[int]:
        ids = memo.get(text)
        if ids is None:
            ids = array("I", model.encode(text))
            if len(text) + _TEXT_CHARS <= _MOST_CHARS:
                if sum(len(known) + _TEXT_CHARS for known in [text, *memo]) > _MOST_CHARS:
                    memo.clear()
                memo[text] = ids
        return ids.tolist()

    return encode


T = TypeVar("T")

_TICKETS = count()


class TokenizerThread:
    """Runs jobs on one thread, until it is closed. `post` takes a call to the MLX thread, which calls all methods.

    Invariants:
    - Prompts are tokenized one at a time, in the order in which they were given.
    - The thread calls no MLX.
    - Jobs and what follows them may hold a model. After `close` this object holds none of them, and the posted calls
      never do, so the memory of a released model is free at once.
    """

    def __init__(self, post: Callable[[Callable[[], None]], None]) -> None:
        self._post = post
        self._pool = ThreadPoolExecutor(1, "tokenizer")
        self._open: dict[str, Callable[[], None]] = {}

    def submit(self, job: Callable[[], T], then: Callable[[Callable[[], T]], None]) -> None:
        """Run `job`. On the MLX thread, `then` gets a function that returns its result, or raises its error."""
        ticket = f"tokens {next(_TICKETS)}"
        outcome = Shared(ticket, partial(self._done, ticket))

        def run() -> T:
            try:
                return job()
            finally:
                self._post(outcome)  # `future.result` waits until this function has returned

        future = self._pool.submit(run)
        self._open[ticket] = partial(then, future.result)

    def close(self) -> None:
        """Drop the jobs that wait, and wait for the one that runs. Nothing follows any of them. Ends the thread."""
        self._open.clear()
        self._pool.shutdown(cancel_futures=True)

    def _done(self, ticket: str) -> None:
        """Call what follows a job, unless this object was closed meanwhile. If the call fails, the job stays open."""
        if follow := self._open.get(ticket):
            follow()
            self._open.pop(ticket, None)
