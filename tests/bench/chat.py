"""A long chat that an engine has answered and stored. It is prefilled once for all tables that continue it."""

from __future__ import annotations

import atexit
import os
import shutil
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import mlx.core as mx

from engine.model.loader import LoadedModel
from engine.protocol.messages import ChatMessage, Generate, Warm
from engine.protocol.sampling_settings import Sampling
from tests.bench.life import SENTENCE, Life

GREEDY = Sampling(temperature=0.0, max_tokens=8)

_RUNS = 3
_LONG_MS = 10_000.0
"""A prefill that takes longer is not repeated, and the time of the first one is used. It contains what a GPU builds for
the first prefill of a process, which is a small part of so long a time.
"""


@dataclass(frozen=True)
class Chat:
    """A question and its short answer. The question has `tokens`; the first token of the answer took `_first_ms`."""

    _model: LoadedModel
    _home: Path
    messages: tuple[ChatMessage, ...]
    tokens: int
    _first_ms: float

    @property
    def size(self) -> str:
        """Its size, for display."""
        return f"{self.tokens:,} tokens"

    @contextmanager
    def stored(self) -> Iterator[Path]:
        """A copy of its stored records for one engine life. What that life adds is not in the next copy."""
        with tempfile.TemporaryDirectory(dir=self._home.parent) as folder:
            yield Path(shutil.copytree(self._home, Path(folder) / "segments", copy_function=_linked))

    def next(self, sampling: Sampling, *, cached: bool = True) -> Generate:
        """Its next request."""
        return Generate("next", "long", (*self.messages, ChatMessage("user", "And then?")), sampling, cached=cached)

    def first_token_ms(self, *, cached: bool = True, opened: bool = False) -> float:
        """The time to the first token of its next request, of an engine that has just started and has no buffers that
        MLX could use again. `opened`: the chat was opened before.
        """
        mx.clear_cache()
        with self.stored() as home:
            life = Life(self._model, home)
            if opened:
                life.open(Warm("long", self.messages))
            usage = life.ask(self.next(GREEDY, cached=cached)).usage
            life.close()
        expected = ("hot" if opened else "disk") if cached else "none"
        assert usage.cached_from == expected, f"measured something else: {usage}"
        return usage.ttft_ms

    @cached_property
    def cold_ms(self) -> float:
        """The median time to the first token if nothing is cached."""
        if self._first_ms > _LONG_MS:
            return self._first_ms
        return statistics.median(self.first_token_ms(cached=False) for _ in range(_RUNS))


_had: dict[tuple[str, int], Chat] = {}


def had(model: LoadedModel, tokens: int) -> Chat:
    """The chat of about this many tokens, stored until the process ends."""
    key = model.identity.model, tokens
    if key not in _had:
        _had[key] = _have(model, tokens)
    return _had[key]


def _have(model: LoadedModel, tokens: int) -> Chat:
    home = _folder() / f"{len(_had)}"
    said = ChatMessage("user", SENTENCE * max(1, tokens // len(model.encode(SENTENCE))))
    life = Life(model, home)
    done = life.ask(Generate("first", "long", (said,), GREEDY))
    life.close()
    answer = ChatMessage("assistant", life.text("first"), done.ledger)
    return Chat(model, home, (said, answer), done.usage.prompt_tokens, done.usage.ttft_ms)


def _linked(source: str, target: str) -> None:
    """Records never change, so they can be hard links."""
    if source.endswith(".safetensors"):
        os.link(source, target)
    else:
        shutil.copy2(source, target)


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
