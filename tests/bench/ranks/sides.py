"""The measures of one rank: Hearth's engine and mlx-lm's batch generator over the same share of a model, in turns."""

from __future__ import annotations

import copy
import queue
import statistics
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import mlx.core as mx
import psutil
from mlx_lm.generate import BatchGenerator
from msgspec import structs

from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel
from engine.protocol.messages import ChatMessage, Generate, LoadModel
from engine.protocol.sampling_settings import Sampling
from engine.server.model_loads import Inbox
from engine.server.server import Parts
from engine.turn.prepare import prepare
from tests.bench.figures import median_ms
from tests.bench.life import SENTENCE, Emit, Life, endless, on_cpu
from tests.bench.ranks.measures import Measures, Steps

Make = Callable[[Inbox, Emit], Parts]

ROWS = (1, 4, 8)
STEPS, BLOCKS = 8, 24
PROMPT = "Tell me about the sea, the wind and the harbour, please. " * 3
_RUNS = 3
_MOST_TOKENS = 1 << 20
_ENDLESS = Sampling(temperature=0.0, max_tokens=_MOST_TOKENS)
_FIRST = Sampling(temperature=0.0, max_tokens=1)


def measure(make: Make, folder: Path, home: Path, rank: int) -> Measures:
    """Load this rank's share and measure. Every rank calls this, and gets figures of its own."""
    if on_cpu():
        mx.disable_compile()  # as in tests.bench.__main__
    parts = make(queue.SimpleQueue(), lambda _: None)
    model = endless(parts.load(LoadModel(str(folder)), WeightDigests(home / f"weights-{rank}.json"), _say_nothing))
    memory = -parts.machine.agree("memory", -mx.get_active_memory())
    link = _link()
    steps = [_steps(model, make, home / f"{rows}-{rank}", rows) for rows in ROWS]
    chat = _Chat(model, make, home / f"chat-{rank}", 512 if on_cpu() else 4096)
    return Measures(memory, steps, *chat.times(), *link)


def _say_nothing(_stage: str, _done: int, _total: int) -> None:
    """The progress of a load, which is not measured."""


def _link() -> tuple[float, float]:
    """The latency and the rate of a message between two ranks, of which a sum takes two of half its size."""
    group = mx.distributed.init()
    if group.size() == 1:
        return 0.0, 0.0
    small, large = mx.zeros(1), mx.zeros(1 << 22)
    mx.eval(small, large)
    first, second = (median_ms(partial(_sum, one), 20) / 1000 for one in (small, large))
    return first / 2, large.nbytes / (second - first)


def _sum(array: mx.array) -> None:
    mx.eval(mx.distributed.all_sum(array))


def _steps(model: LoadedModel, make: Make, home: Path, rows: int) -> Steps:
    """Both sides decode `rows` rows, a few steps each, in one order and then in the other."""
    life = Life(model, home, lambda inbox, emit: _timeless(make(inbox, emit)))
    commands = [Generate(f"{row}", f"{row}", _asked(f"{PROMPT}{row}"), _ENDLESS, cached=False) for row in range(rows)]
    generator = _generator(model)
    generator.insert([list(prepare(model, command)[0].ids) for command in commands])
    with closing(generator):
        waiting = rows
        while waiting:
            waiting -= len(generator.next_generated())
        _begin(life, commands)
        engine, plain, traffic = _Side(life.turn), _Side(generator.next_generated), _Traffic()
        for block in range(BLOCKS):
            for side in (engine, plain)[:: -1 if block % 2 else 1]:
                side.take(traffic)
    life.generation.cancel_all()
    life.close()
    return Steps(rows, engine.times, plain.times, min(plain.ring), min(engine.control))


def _begin(life: Life, commands: list[Generate]) -> None:
    for command in commands:
        life.generation.admit(command)
    decoding: set[str] = set()
    while len(decoding) < len(commands):
        life.turn()
        decoding |= {row.request for event in life.events for row in getattr(event, "rows", ())}
        life.events.clear()


def _generator(model: LoadedModel) -> BatchGenerator:
    """mlx-lm's generator over the model as mlx-lm made it: in a group, this copy asks no rank before a pass.

    Its passes take Hearth's stream. On two streams the ranks could take their passes in different orders.
    """
    plain: Any = copy.copy(model.model)
    if hasattr(plain, "_before_pass"):
        plain.__class__ = type(plain).__mro__[1]
    return BatchGenerator(plain, max_tokens=_MOST_TOKENS, stream=mx.default_stream(mx.default_device()))


def _timeless(parts: Parts) -> Parts:
    """The clock is asked as always, and shows nothing. Without times there are no drafts."""

    def clock() -> float:
        parts.machine.clock()
        return 0.0

    return replace(parts, machine=replace(parts.machine, clock=clock))


def _asked(text: str) -> tuple[ChatMessage, ...]:
    return (ChatMessage("user", text),)


class _Traffic:
    """Counts bytes that left the processes of this machine, if the system does."""

    def __init__(self) -> None:
        self._process = psutil.Process()

    def ring(self) -> int:
        """Over the loopback interface. Nothing else on the machine may use it meanwhile."""
        loopback = psutil.net_io_counters(pernic=True).get("lo")
        return loopback.bytes_sent if loopback else 0

    def control(self) -> int:
        """What this process reads and writes, other than the ring: in a step, only Hearth's own messages."""
        if not hasattr(self._process, "io_counters"):
            return 0
        counted = self._process.io_counters()
        return int(counted.read_chars + counted.write_chars)


class _Side:
    """One side's times of a step in ms, by blocks, and what it sent."""

    def __init__(self, step: Callable[[], object]) -> None:
        self._step = step
        self.times: list[float] = []
        self.ring: list[float] = []
        self.control: list[float] = []

    def take(self, traffic: _Traffic) -> None:
        """One block, after a step to warm up."""
        self._step()
        ring, control, began = traffic.ring(), traffic.control(), time.perf_counter()
        for _ in range(STEPS):
            self._step()
        self.times.append((time.perf_counter() - began) * 1000 / STEPS)
        self.ring.append((traffic.ring() - ring) / STEPS)
        self.control.append((traffic.control() - control) / STEPS)


class _Chat:
    """A chat of about `tokens` tokens, whose next turn an engine that has just started restores or reads again."""

    def __init__(self, model: LoadedModel, make: Make, home: Path, tokens: int) -> None:
        self._model = model
        self._make = make
        self._home = home
        self._said = _asked(SENTENCE * (tokens // len(model.encode(SENTENCE))))

    def times(self) -> tuple[int, float, float, float, float]:
        """The tokens of the prompt, and the last four figures of Measures."""
        first = Generate("first", "chat", self._said, _FIRST)
        life = Life(self._model, self._home, self._make)
        done = life.ask(first)
        answer = ChatMessage("assistant", life.text("first"), done.ledger)
        life.close()
        following = Generate("next", "chat", (*self._said, answer, *_asked("And then?")), _FIRST)
        ids = list(prepare(self._model, first)[0].ids)
        return (
            len(ids),
            self._median(lambda: self._first_token(structs.replace(first, cached=False))),
            self._median(lambda: self._plain_prefill(ids)),
            self._median(lambda: self._first_token(following)),
            self._median(lambda: self._first_token(structs.replace(following, cached=False))),
        )

    def _median(self, take: Callable[[], float]) -> float:
        return statistics.median(take() for _ in range(_RUNS))

    def _first_token(self, command: Generate) -> float:
        life = Life(self._model, self._home, self._make)
        usage = life.ask(command).usage
        life.close()
        expected = "disk" if command.cached else "none"
        assert usage.cached_from == expected, f"measured something else: {usage}"
        return usage.ttft_ms

    def _plain_prefill(self, ids: list[int]) -> float:
        generator = _generator(self._model)
        began = time.perf_counter()
        generator.insert([ids])
        with closing(generator):
            while not generator.next_generated():
                pass
            return (time.perf_counter() - began) * 1000
