"""Gaps: how long running tabs wait for their next token while a long conversation joins them.

Ordinary steps of the same rows are the measure for one restored from disk, prefill chunks for one that is read cold.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx

from engine import protocol
from engine.protocol import ChatMessage, Generate, Sampling
from engine.scheduler import CHUNK_IN_COMPANY
from tests.bench.figures import Figure, multiple
from tests.bench.life import LONGEST, Life, about, endless

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.loader import LoadedModel

TITLE = "Longest gap between tokens of three running tabs while a long conversation joins (ms)"
STEPS = 24
ENDLESS = Sampling(temperature=0.0, max_tokens=1 << 20)


def measure(model: LoadedModel, tokens: int = LONGEST) -> list[Figure]:
    """Restored against an ordinary step, cold against one small chunk of its prompt."""
    model = endless(model)
    said = (ChatMessage("user", about(model, tokens)),)
    with tempfile.TemporaryDirectory() as home:
        first = Life(model, Path(home))
        done = first.ask(Generate("first", "long", said, Sampling(temperature=0.0, max_tokens=4)))
        first.close()
        history = (*said, ChatMessage("assistant", first.text("first"), done.ledger), ChatMessage("user", "And then?"))
        restored = Generate("next", "long", history, ENDLESS)
        fresh = Generate("next", "long", history, ENDLESS, cached=False)
        if mx.default_device() != mx.Device(mx.cpu):
            for joiner in (restored, fresh):
                _join(model, Path(home), joiner)  # the first of each length builds kernels on a GPU
        step, gap = _join(model, Path(home), restored)
        chunk, cold = _join(model, Path(home), fresh)
    size = f"{done.usage.prompt_tokens:,} tokens"
    return [
        multiple(f"{size} restored, in ordinary steps of", gap * 1000, step * 1000),
        multiple(f"{size} read cold, in chunks of {CHUNK_IN_COMPANY} tokens of", cold * 1000, chunk * 1000),
    ]


def _join(model: LoadedModel, home: Path, joiner: Generate) -> tuple[float, float]:
    """The median turn of the loop before the joiner came (restored) or while it is read (cold), and the longest until
    it had its first token.
    """
    life = Life(model, home)
    for name in "abc":
        life.answers.admit(Generate(name, name, (ChatMessage("user", f"{name} " * 50),), ENDLESS, cached=False))
    _until(life, lambda: _decoding(life) == 3)
    before = [life.turn() for _ in range(STEPS)]
    life.answers.admit(joiner)
    during = _until(life, lambda: _decoding(life) == 4)
    during += [life.turn() for _ in range(3)]
    life.answers.cancel_all()
    life.close()
    typical = statistics.median(before if joiner.cached else during)
    return typical, max(during)


def _decoding(life: Life) -> int:
    reached = {e.request for e in life.events if isinstance(e, protocol.Progress) and e.phase == "decode"}
    return len(reached)


def _until(life: Life, reached: Callable[[], bool]) -> list[float]:
    times = []
    while not reached():
        times.append(life.turn())
    return times
