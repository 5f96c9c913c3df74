"""The draft head of a model: one more layer, which guesses the token after the next one (multi-token prediction), and
the drafts that a row gets from it. On the MLX thread.

From a token and the hidden state that it was drawn from, the head computes the state that would follow: it joins both,
normalised, and takes them through one layer with full attention, which has keys and values of its own. It shares
embedding and output matrix with the model. For the next guess, its own state takes the place of the model's.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, takewhile
from typing import Any, Final

import mlx.core as mx
from mlx.nn.layers.base import Module
from mlx.nn.layers.linear import Linear
from mlx.nn.layers.normalization import RMSNorm
from mlx_lm.models.base import create_attention_mask
from mlx_lm.models.cache import KVCache
from mlx_lm.models.qwen3_5 import DecoderLayer

from engine.decode.drafts.whole_buffers import WholeBuffers
from engine.schedule.sequence import Sequence

_MOST_RECENT: Final = 4
"""Chats whose drafters stay in memory after their answers."""
_MOST_KEPT: Final = 8192
"""Pairs that a drafter keeps from one answer to the next: 32 MB for a model with 27 billion parameters."""

_MOST_WAITING: Final = 64
"""Pairs that wait for the next draft. In a long time without drafts the older ones are left out."""

MOST_READ: Final = 2048
"""Tokens at the end of a prompt that the head reads. That takes about a hundredth of their prefill."""


class HeadLayer(Module):
    """The head's own parameters, under their names in a checkpoint."""

    def __init__(self, arguments: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # mlx does not type it
        size, epsilon = arguments.hidden_size, arguments.rms_norm_eps
        self.fc = Linear(2 * size, size, bias=False)
        self.pre_fc_norm_embedding = RMSNorm(size, epsilon)
        self.pre_fc_norm_hidden = RMSNorm(size, epsilon)
        self.layers = [DecoderLayer(replace(arguments, full_attention_interval=1), 0)]
        self.norm = RMSNorm(size, epsilon)

    def __call__(self, embedded: mx.array, hidden: mx.array, cache: KVCache) -> mx.array:
        """The next hidden states, after the norm. All have the shape (1, tokens, size)."""
        joined = mx.concatenate([self.pre_fc_norm_embedding(embedded), self.pre_fc_norm_hidden(hidden)], axis=-1)
        mixed = self.fc(joined)
        mask = create_attention_mask(mixed, cache)
        out: mx.array = self.norm(self.layers[0](mixed, mask=mask, cache=cache))
        return out


@dataclass(frozen=True)
class DraftHead:
    """A model's head. `embed` and `logits` are the model's. `token_bytes` is what a pair takes in memory."""

    layer: HeadLayer
    embed: Callable[[mx.array], mx.array]
    logits: Callable[[mx.array], mx.array]
    token_bytes: int

    def __call__(self, tokens: mx.array, hidden: mx.array, cache: KVCache) -> mx.array:
        """The hidden states that would follow `tokens`, shape (tokens,). `hidden`, shape (1, tokens, size), has the
        state that each of them was drawn from.
        """
        out: mx.array = self.layer(self.embed(tokens[None]), hidden, cache)
        return out


class HeadDrafter:
    """Drafts for one row.

    The head has a key and a value for each token of the row and the hidden state that this token was drawn from. A
    draft adds some for its own tokens, with the states that the head guessed; they are taken back before the next one.
    The pairs of the tokens that were kept, with the states that the model computed, go in with the next draft. A pair
    may be missing: then the head only guesses worse.
    """

    def __init__(self, head: DraftHead, whole: WholeBuffers) -> None:
        self._head = head
        self._whole = whole
        self.cache = KVCache()
        self._guessed = 0
        self._hidden: mx.array | None = None
        """The states of the pairs that wait, shape (1, pairs, size). The last one belongs to the pending token."""
        self._tokens = mx.array([], mx.int32)
        """The tokens of all these pairs but the last one."""

    @property
    def is_ready(self) -> bool:
        """Whether the state that the pending token was drawn from is known."""
        return self._hidden is not None

    def note(self, hidden: mx.array, tokens: mx.array) -> None:
        """The row was fed `tokens`, shape (tokens,). `hidden`, shape (1, tokens, size), are the states after each."""
        waiting, given = self._pairs(hidden, tokens)
        self._hidden = waiting[:, -_MOST_WAITING:]
        self._tokens = given[1 - self._hidden.shape[1] :]
        mx.async_eval(self._hidden, self._tokens)  # type: ignore[no-untyped-call] # the stub lacks this signature

    def read(self, hidden: mx.array, tokens: mx.array) -> None:
        """The row was fed these tokens of its prompt, as for `note`. Their pairs go in at once. Evaluates nothing."""
        waiting, given = self._pairs(hidden, tokens)
        if given.size:
            self._head(given[-MOST_READ:], waiting[:, -1 - MOST_READ : -1], self.cache)
        self._hidden, self._tokens = mx.contiguous(waiting[:, -1:]), given[:0]

    def _pairs(self, hidden: mx.array, tokens: mx.array) -> tuple[mx.array, mx.array]:
        """The states of all pairs that wait once `tokens` were fed, and the tokens of all of them but the last one."""
        if self._hidden is None:
            return hidden, tokens[1:]
        return mx.concatenate([self._hidden, hidden], axis=1), mx.concatenate([self._tokens, tokens])

    @property
    def state(self) -> tuple[mx.array, ...]:
        """The arrays that reading has made, for evaluation."""
        held = (self.cache.keys, self.cache.values, self._hidden)
        return tuple(array for array in held if array is not None)

    def rest(self) -> None:
        """The row was fed tokens that were not noted."""
        self._hidden = None

    def go_back(self, tokens: int) -> None:
        """The last `tokens` of those that the row was fed are no longer part of it, and what is fed next was not noted
        before. The pairs that wait are left out.
        """
        self.cache.trim(self._guessed + max(0, tokens - self._tokens.size))
        self._guessed, self._hidden, self._tokens = 0, None, self._tokens[:0]

    def draft(self, count: int, pending: mx.array, draw: Callable[[mx.array, mx.array], mx.array]) -> mx.array:
        """The guess of the next `count` tokens after `pending`, shape (1,). The device begins to compute it.

        `draw` gives the token, shape (1,), from logits of shape (1, vocabulary) and the tokens before it, the pending
        one first.
        """
        assert self._hidden is not None, "the state of the pending token is known"
        self.cache.trim(self._guessed)
        self._guessed = count - 1
        given, hidden, tokens = mx.concatenate([self._tokens, pending]), self._hidden, pending
        self._hidden = None
        for _ in range(count):
            with self._whole.attended([self.cache], self.cache.offset, given.size):
                hidden = self._head(given, hidden, self.cache)[:, -1:]
            given = draw(self._head.logits(hidden)[0], tokens)
            tokens = mx.concatenate([tokens, given])
        mx.async_eval(tokens)  # type: ignore[no-untyped-call] # the stub lacks this signature
        return tokens[1:]


class RecentDrafters:
    """The drafters of the chats that answered last. So an answer to a short message starts with the pairs of those
    before it.
    """

    def __init__(self, head: DraftHead, whole: WholeBuffers) -> None:
        self._new = partial(HeadDrafter, head, whole)
        self._recent: dict[str, tuple[HeadDrafter, Many[int], Many[int]]] = {}
        """Of each chat the drafter, the prompt and the answer, which may still grow."""

    def take(self, row: Sequence) -> HeadDrafter:
        """The drafter for an answer that begins, with the pairs of what its caches hold already. That of a private
        chat is not kept.
        """
        command, prompt = row.command, row.prompt.ids
        self._recent = {chat: kept for chat, kept in self._recent.items() if kept[0].cache.offset <= _MOST_KEPT}
        drafter, *tokens = self._recent.pop(command.conversation, (self._new(), (), ()))
        fed = [*chain.from_iterable(tokens)]
        held = zip(fed, prompt[: row.position], strict=False)
        drafter.go_back(len(fed) - sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], held)))
        if command.cached and command.on_disk:
            self._recent[command.conversation] = drafter, prompt, row.emitted
        if len(self._recent) > _MOST_RECENT:
            del self._recent[next(iter(self._recent))]
        return drafter
