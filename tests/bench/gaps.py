"""Gaps: how long running tabs wait for their next token while a long conversation joins them.

A conversation restored from disk is compared with ordinary steps of the same rows, a cold one with its prefill chunks.
The time of a turn with a chunk is its shortest of several joins: other work on a machine slows a stretch of one join.
A gap is the time from the end of one decode step to the end of the next one, so it includes everything that the loop
did in between: messages, a portion of a restoration, a chunk, a join. As a control, the longest of the ordinary steps
before the join: what other work on the machine does to a step.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.model.loader import LoadedModel
from engine.protocol import messages as protocol
from engine.protocol.messages import ChatMessage, Generate
from engine.protocol.sampling_settings import Sampling
from tests.bench.chat import Chat, had
from tests.bench.figures import Figure, more, multiple
from tests.bench.life import LONGEST, Life, endless, on_cpu

TITLE = "Longest gap between tokens of three running tabs while a long conversation joins (ms)"
STEPS, AFTER = 24, 3
JOINS = 5
ENDLESS = Sampling(temperature=0.0, max_tokens=1 << 20)
MOST_READ = 4096
"""The most tokens that are prefilled cold on a CPU. More would take minutes, and all chunks are alike."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The time between two tokens of the running rows, the parts of it by kind of work, in ms, and the joiner's tokens
    that were prefilled in it.
    """

    ms: float
    parts: defaultdict[str, float]
    prefilled: int

    def __str__(self) -> str:
        parts = [f"{part} {ms:,.1f}" for part, ms in sorted(self.parts.items(), key=lambda p: -p[1]) if ms >= 0.1]
        return f"{self.ms:,.1f} ms ({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Join:
    """The gaps before a conversation joins, and those from its request until its first tokens."""

    before: list[Gap]
    during: list[Gap]

    @property
    def step_ms(self) -> float:
        """An ordinary step."""
        return statistics.median(gap.ms for gap in self.before)

    @property
    def longest(self) -> Gap:
        """The longest gap."""
        return max(self.during, key=lambda gap: gap.ms)

    @property
    def chunks(self) -> list[float]:
        """The gaps with a chunk of the usual size, in order. A chunk at a checkpoint is smaller."""
        usual = max(gap.prefilled for gap in self.during)
        return [gap.ms for gap in self.during if gap.prefilled == usual]

    @property
    def prefilled(self) -> int:
        """The joiner's tokens."""
        return sum(gap.prefilled for gap in self.during)

    @property
    def rate(self) -> float:
        """The joiner's tokens in a second, from its request to its first token."""
        last = max(at for at, gap in enumerate(self.during) if gap.prefilled)
        return self.prefilled / sum(gap.ms for gap in self.during[: last + 1]) * 1000


def measure(model: LoadedModel) -> list[Figure]:
    """Restored compared with an ordinary step; cold compared with one chunk of its prompt, and the rate of its prefill
    with that of the same prompt alone.
    """
    model = endless(model)
    long, read = had(model, LONGEST), had(model, min(LONGEST, MOST_READ) if on_cpu() else LONGEST)
    restored = _joins(model, long, cached=True)
    cold = _joins(model, read, cached=False)
    chunks = [min(turns) for turns in zip(*(join.chunks for join in cold), strict=True)]
    chunk = statistics.median(chunks)
    _print_longest(f"{read.size} read cold", cold, [chunk] * JOINS)
    return [
        _restored(f"{long.size} restored, in ordinary steps of", restored),
        multiple(f"{read.size} read cold, in chunks of", max(chunks), chunk),
        _control([*restored, *cold]),
        more(
            f"{read.size} read cold beside them, against alone",
            statistics.median(join.rate for join in cold),
            cold[0].prefilled / read.cold_ms * 1000,
            "tok/s",
        ),
    ]


def _restored(name: str, joins: list[Join]) -> Figure:
    """The median join, by its longest gap in its steps."""
    join = _print_longest(name, joins, [join.step_ms for join in joins])
    return multiple(name, join.longest.ms, join.step_ms)


def _print_longest(name: str, joins: list[Join], units: list[float]) -> Join:
    """Print the longest gap of each join in `units`, and what the median one consisted of. Returns the median join."""
    by_length = sorted(zip(joins, units, strict=True), key=lambda pair: pair[0].longest.ms / pair[1])
    join, unit = by_length[len(by_length) // 2]
    print(f"\n{name} {unit:,.1f} ms: {', '.join(f'{j.longest.ms / u:.2f}' for j, u in by_length)}; the median gap:")
    print(f"  {join.longest}", flush=True)
    return join


def _control(joins: list[Join]) -> Figure:
    """The median of the longest steps before each join."""
    longest = statistics.median(max(gap.ms for gap in join.before if not gap.parts["prefill"]) for join in joins)
    return multiple(f"the longest of {STEPS} steps, in steps of", longest, statistics.median(j.step_ms for j in joins))


def _joins(model: LoadedModel, chat: Chat, *, cached: bool) -> list[Join]:
    """The joins of a chat. The first one builds kernels on a GPU, so it does not count there."""
    joins = [_join(model, chat, cached=cached) for _ in range(JOINS + (not on_cpu()))]
    return joins[-JOINS:]


def _join(model: LoadedModel, chat: Chat, *, cached: bool) -> Join:
    with chat.stored() as home:
        life = Life(model, home)
        join = _watched(life, chat.next(ENDLESS, cached=cached))
        life.generation.cancel_all()
        life.close()
    return join


def _watched(life: Life, joiner: Generate) -> Join:
    for name in "abc":
        life.send(Generate(name, name, (ChatMessage("user", f"{name} " * 50),), ENDLESS, cached=False))
    watch = Watch(life)
    _until(life, lambda: len(_decoding(life)) == 3)
    for _ in range(STEPS):
        life.turn()
    before = watch.gaps[-STEPS:]
    life.send(joiner)
    _until(life, lambda: joiner.request in _decoding(life))
    for _ in range(AFTER):
        life.turn()
    assert bool(_told(life)[-1].restore_ms) == joiner.cached, "it came from where it should"
    return Join(before, watch.gaps[watch.gaps.index(before[-1]) + 1 :])


class Watch:
    """Times the parts of each gap of an engine life."""

    def __init__(self, life: Life) -> None:
        self.gaps: list[Gap] = []
        self._life = life
        self._parts: defaultdict[str, float] = defaultdict(float)
        self._began = time.perf_counter()
        self._read = 0
        generation = life.generation
        self._time(life, "receive", "messages")
        self._time(generation._batch, "step", "step", self._close)
        self._time(generation, "_prefill", "prefill")
        self._time(generation, "_join", "join")
        self._time(generation, "_restore", "restoration")

    def _time(self, owner: Any, name: str, part: str, then: Callable[[], None] = lambda: None) -> None:
        """Add the time of a method to a part. `then` is called after it."""
        act = getattr(owner, name)

        def timed(*args: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return act(*args, **named)
            finally:
                self._parts[part] += (time.perf_counter() - began) * 1000
                then()

        setattr(owner, name, timed)

    def _close(self) -> None:
        """End a gap, and begin the next one."""
        now, read = time.perf_counter(), max((event.done for event in _told(self._life)), default=0)
        self.gaps.append(Gap((now - self._began) * 1000, self._parts.copy(), read - self._read))
        self._began, self._read = now, read
        self._parts.clear()


def _until(life: Life, reached: Callable[[], bool]) -> None:
    while not reached():
        life.turn()


def _told(life: Life) -> list[protocol.Progress]:
    """The progress events of the joiner."""
    return [e for e in life.events if isinstance(e, protocol.Progress) and e.request == "next"]


def _decoding(life: Life) -> set[str]:
    return {e.request for e in life.events if isinstance(e, protocol.Progress) and e.phase == "decode"}
