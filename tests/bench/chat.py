"""A long chat that an engine has answered and stored. It is prefilled once for all tables that continue it."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from engine.protocol.messages import ChatMessage, Generate, Sampling
from tests.bench.life import SENTENCE, Life

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.model.loader import LoadedModel

ANSWERED = 8
"""The tokens of its one answer."""


@dataclass(frozen=True)
class Chat:
    """A question and its answer. The question has `tokens`; its first token took `read_ms`."""

    _home: Path
    messages: tuple[ChatMessage, ...]
    tokens: int
    read_ms: float

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
    done = life.ask(Generate("first", "long", (said,), Sampling(temperature=0.0, max_tokens=ANSWERED)))
    life.close()
    answer = ChatMessage("assistant", life.text("first"), done.ledger)
    return Chat(home, (said, answer), done.usage.prompt_tokens, done.usage.ttft_ms)


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
