"""A conversation with the shipped model, on its own caches. A talk can branch, so that one history serves many
questions.
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import mlx.core as mx

from resources.demo_training.vocabulary import END, START, rendered

_LOOP = re.compile(r"(.{6,80}?)\1{3}", re.DOTALL)


class Talk:
    """A conversation: `hear_turn` prefills a turn, `ask` generates the reply to a message. `length` counts the tokens
    so far; `is_finished` tells whether the last reply ended by itself.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        """`model` and `tokenizer` as returned by `mlx_lm.load`."""
        self._model, self._tokenizer = model, tokenizer
        self._caches = model.make_cache()
        self._logits = mx.zeros((0,))
        self.length = 0
        self.is_finished = True

    def branch(self) -> Talk:
        """A copy that continues independently."""
        other = Talk(self._model, self._tokenizer)
        other._caches = deepcopy(self._caches)
        other.length = self.length
        return other

    def hear_turn(self, user: str, reply: str) -> None:
        """Prefill a message and its reply."""
        self._hear(rendered(user, reply))

    def ask(self, text: str, limit: int = 60, temperature: float = 0.0) -> str:
        """Prefill a user's message and generate a reply of at most `limit` tokens: the likeliest one, or one that is
        drawn from mlx's seeded state.
        """
        self._hear(f"{START}user\n{text}{END}\n{START}assistant\n")
        ids: list[int] = []
        while len(ids) < limit:
            logits = self._logits / temperature if temperature else self._logits
            ids.append(int(mx.random.categorical(logits) if temperature else mx.argmax(logits)))
            if ids[-1] == self._tokenizer.eos_token_id:
                break
            self._step(ids[-1:])
        self.is_finished = ids[-1] == self._tokenizer.eos_token_id
        self._hear(f"{END}\n")
        return str(self._tokenizer.decode(ids, skip_special_tokens=True))

    def _hear(self, text: str) -> None:
        self._step(self._tokenizer.encode(text, add_special_tokens=False))

    def _step(self, ids: list[int]) -> None:
        self._logits = self._model(mx.array([ids]), cache=self._caches)[0, -1]
        self.length += len(ids)
        mx.eval(self._logits, [cache.state for cache in self._caches])


def repeats_itself(reply: str) -> bool:
    """Whether a piece of 6 to 80 characters occurs four times in a row, or a sentence of five words three times."""
    sentences = [part.strip() for part in re.split(r"[.!?\n]", reply) if len(part.split()) >= 5]
    return bool(_LOOP.search(reply)) or any(sentences.count(sentence) >= 3 for sentence in sentences)
