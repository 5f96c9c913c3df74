"""Gaps: how long running tabs wait for their next token while a long conversation joins them.

A conversation restored from disk is compared with ordinary steps of the same rows, a cold one with prefill chunks.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from engine.protocol import messages as protocol
from engine.protocol.messages import ChatMessage, Generate, Sampling
from engine.schedule.scheduler import CHUNK_WHILE_DECODING
from tests.bench.chat import had
from tests.bench.figures import Figure, multiple
from tests.bench.life import LONGEST, Life, endless, on_cpu

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.model.loader import LoadedModel
    from tests.bench.chat import Chat

TITLE = "Longest gap between tokens of three running tabs while a long conversation joins (ms)"
STEPS = 24
ENDLESS = Sampling(temperature=0.0, max_tokens=1 << 20)
MOST_READ = 4096
"""The most tokens that are prefilled cold on a CPU. More would take minutes, and all chunks are alike."""


def measure(model: LoadedModel) -> list[Figure]:
    """Restored compared with an ordinary step; cold compared with one small chunk of its prompt."""
    model = endless(model)
    long, read = had(model, LONGEST), had(model, min(LONGEST, MOST_READ) if on_cpu() else LONGEST)
    if not on_cpu():
        for chat, cached in ((long, True), (read, False)):
            _join(model, chat, cached=cached)  # the first of each length builds kernels on a GPU
    ordinary, joined = _join(model, long, cached=True)
    _, reading = _join(model, read, cached=False)
    chunks = [ms for ms, tokens in reading if tokens == CHUNK_WHILE_DECODING]
    return [
        multiple(f"{long.size} restored, in ordinary steps of", _longest(joined), statistics.median(ordinary)),
        multiple(
            f"{read.size} read cold, in chunks of {CHUNK_WHILE_DECODING} tokens of",
            _longest(reading),
            statistics.median(chunks),
        ),
    ]


Turn = tuple[float, int]
"""A turn of the loop: its time in ms, and the joiner's tokens that were prefilled in it."""


def _longest(turns: list[Turn]) -> float:
    return max(ms for ms, _ in turns)


def _join(model: LoadedModel, chat: Chat, *, cached: bool) -> tuple[list[float], list[Turn]]:
    """The times of turns before the chat continues, in ms, and the turns from then until its first tokens."""
    with chat.stored() as home:
        life = Life(model, home)
        times = _watched(life, chat.next(ENDLESS, cached=cached))
        life.generation.cancel_all()
        life.close()
    return times


def _watched(life: Life, joiner: Generate) -> tuple[list[float], list[Turn]]:
    for name in "abc":
        life.generation.admit(Generate(name, name, (ChatMessage("user", f"{name} " * 50),), ENDLESS, cached=False))
    _until(life, lambda: len(_decoding(life)) == 3)
    before = [ms for ms, _ in (_turn(life) for _ in range(STEPS))]
    life.generation.admit(joiner)
    during = _until(life, lambda: joiner.request in _decoding(life))
    during += [_turn(life) for _ in range(3)]
    assert bool(_told(life)[-1].restore_ms) == joiner.cached, "it came from where it should"
    return before, during


def _until(life: Life, reached: Callable[[], bool]) -> list[Turn]:
    turns = []
    while not reached():
        turns.append(_turn(life))
    return turns


def _turn(life: Life) -> Turn:
    before = _read(life)
    ms = life.turn() * 1000
    return ms, _read(life) - before


def _read(life: Life) -> int:
    """The joiner's tokens that are in its caches."""
    return max((event.done for event in _told(life)), default=0)


def _told(life: Life) -> list[protocol.Progress]:
    """The progress events of the joiner."""
    return [e for e in life.events if isinstance(e, protocol.Progress) and e.request == "next"]


def _decoding(life: Life) -> set[str]:
    return {e.request for e in life.events if isinstance(e, protocol.Progress) and e.phase == "decode"}
