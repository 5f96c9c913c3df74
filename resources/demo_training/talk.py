"""A conversation with the shipped model, on its own caches. A talk can branch, so that one history serves many
questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mlx.core as mx
from mlx.utils import tree_map

from resources.demo_training.vocabulary import END, START, rendered

_CHUNK = 256


class Talk:
    """A conversation: `hear` prefills messages, `answer` generates the reply; `length` counts the tokens so far."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        """`model` and `tokenizer` as returned by `mlx_lm.load`."""
        self._model, self._tokenizer = model, tokenizer
        self._caches = model.make_cache()
        self._logits = mx.zeros((0,))
        self.length = 0

    def branch(self) -> Talk:
        """A copy that continues independently."""
        other = Talk(self._model, self._tokenizer)
        other.length = self.length
        for mine, theirs in zip(self._caches, other._caches, strict=True):
            theirs.state = tree_map(lambda part: mx.array(part) if isinstance(part, mx.array) else part, mine.state)
        return other

    def hear(self, text: str) -> None:
        """Prefill a rendered text."""
        ids = self._tokenizer.encode(text, add_special_tokens=False)
        for at in range(0, len(ids), _CHUNK):
            self._step(ids[at : at + _CHUNK])

    def hear_turn(self, user: str, reply: str) -> None:
        """Prefill a message and its reply."""
        self.hear(rendered(user, reply))

    def ask(self, text: str, limit: int = 60) -> str:
        """Prefill a user's message and return the greedy reply, of at most `limit` tokens."""
        return self.text(self.answer(text, limit))

    def answer(self, text: str, limit: int, temperature: float = 0.0) -> list[int]:
        """Prefill a user's message and generate a reply of at most `limit` tokens, without its end mark. Sampling draws
        from mlx's seeded state.
        """
        self.hear(f"{START}user\n{text}{END}\n")
        self.hear(f"{START}assistant\n")
        ids: list[int] = []
        while len(ids) < limit:
            logits = self._logits / temperature if temperature else self._logits
            token = int(mx.random.categorical(logits) if temperature else mx.argmax(logits))
            if token == self._tokenizer.eos_token_id:
                break
            ids.append(token)
            self._step([token])
        self.hear(f"{END}\n")
        return ids

    def text(self, ids: Sequence[int]) -> str:
        """The text of `ids`."""
        text: str = self._tokenizer.decode(ids)
        return text

    def _step(self, ids: Sequence[int]) -> None:
        logits = self._model(mx.array([list(ids)]), cache=self._caches)
        self._logits = logits[0, -1]
        self.length += len(ids)
        mx.eval(self._logits, [cache.state for cache in self._caches])
