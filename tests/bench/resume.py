"""Resuming: time to first token of a conversation restored from disk, beside reading it again.

Both are whole requests to an engine that has just started: rendering, look-up, reading files, prefill of what is new.
"""

from __future__ import annotations

import queue
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from engine import protocol
from engine.answers import Answers
from engine.cache.hot import HotTier
from engine.cache.io_thread import IoThread
from engine.cache.manager import CacheManager
from engine.protocol import ChatMessage, Generate, Sampling
from storage.segments.store import SegmentStore
from tests.bench.figures import Figure, faster

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.loader import LoadedModel

TITLE = "First token after a restart (ms; baseline: the same request without a cache)"
RUNS = 5
SENTENCE = "The harbour was quiet in the morning, and the boats lay still. "


def measure(model: LoadedModel) -> list[Figure]:
    """For conversations of about 256, 1024 and 3072 tokens."""
    return [_at(model, tokens) for tokens in (256, 1024, 3072)]


def _at(model: LoadedModel, tokens: int) -> Figure:
    repeats = tokens // len(model.encode(SENTENCE))
    said = (ChatMessage("user", SENTENCE * repeats),)
    with tempfile.TemporaryDirectory() as home:
        first = _Life(model, Path(home))
        done = first.ask(said)
        first.close()
        history = (*said, ChatMessage("assistant", first.text, done.ledger), ChatMessage("user", "And then?"))
        warm, cold = [], []
        for _ in range(RUNS):
            warm.append(_once(model, Path(home), history, cached=True))
            cold.append(_once(model, Path(home), history, cached=False))
    return faster(f"{done.usage.prompt_tokens:,} tokens", statistics.median(warm), statistics.median(cold))


def _once(model: LoadedModel, home: Path, messages: tuple[ChatMessage, ...], *, cached: bool) -> float:
    life = _Life(model, home)
    usage = life.ask(messages, cached=cached).usage
    life.close()
    expected = "disk" if cached else "none"
    assert usage.cached_from == expected, f"measured something else: {usage}"
    return usage.ttft_ms


class _Life:
    """An engine over `home`, from start to end, without the process around it."""

    def __init__(self, model: LoadedModel, home: Path) -> None:
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._events: list[protocol.Event] = []
        io = IoThread(lambda: SegmentStore.open(home, 1 << 34))
        self._manager = CacheManager(io, HotTier(1 << 32), self._inbox.put)
        self._answers = Answers(model, self._manager, self._events.append, "")

    def ask(self, messages: tuple[ChatMessage, ...], *, cached: bool = True) -> protocol.TurnFinished:
        sampling = Sampling(temperature=0.0, max_tokens=8)
        self._answers.admit(Generate("bench", "bench", messages, sampling, cached))
        while len(self._answers):
            while not (self._answers.busy and self._inbox.empty()):
                self._inbox.get()()
            self._answers.step()
        return next(e for e in self._events if isinstance(e, protocol.TurnFinished))

    def close(self) -> None:
        self._manager.close(60)

    @property
    def text(self) -> str:
        return "".join(row.text for e in self._events if isinstance(e, protocol.Deltas) for row in e.rows)
