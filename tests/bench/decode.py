"""Decoding: tokens per second of 1, 2, 4 and 8 rows, compared with mlx-lm's batch generator, one after another, and the
bare model.

The sides take turns, a few steps each, from the same prompts. Each ratio is the median of those of neighbouring turns.
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx
from mlx_lm.generate import BatchGenerator

from engine.decode.batch import Batch
from engine.protocol.messages import ChatMessage, Generate, Sampling
from engine.server.machine import Machine
from tests.bench.figures import Figure, in_turns, paired
from tests.bench.life import Life, endless
from tests.fakes.decoding import ready

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence as Many

    from engine.model.loader import LoadedModel

TITLE = "Decode, all rows together"
STEPS, BLOCKS = 8, 16
OVERHEAD_BLOCKS = 60
"""The ratio of the engine's step to the bare model's must tell 1.03 from 1."""
PROMPT = "Tell me about the sea, the wind and the harbour, please. " * 3
_MOST_TOKENS = 1 << 20


def measure(model: LoadedModel) -> list[Figure]:
    """The rates of all rows together, what the bare model gains from two rows, and the engine's overhead for a step of
    one row. A single row against another one after another is the control: its distance from 1 shows the error of the
    other figures.
    """
    return [*(figure for rows in (1, 2, 4, 8) for figure in _rates(model, rows)), _bound(model), _overhead(model)]


def _rates(model: LoadedModel, rows: int) -> list[Figure]:
    generator = BatchGenerator(model.model, max_tokens=_MOST_TOKENS)
    generator.insert([model.encode(text) for text in _prompts(rows)])
    with closing(generator):
        waiting = rows
        while waiting:
            waiting -= len(generator.next_generated())
        sides = (_ours(model, rows), generator.next_generated, _ours(model, 1))
        ours, theirs, lone = in_turns(sides, STEPS, BLOCKS)
    return [
        _rate(f"{rows} rows, against mlx-lm's BatchGenerator", rows, ours, rows, theirs),
        _rate(f"{rows} rows, against one after another", rows, ours, 1, lone),
    ]


def _bound(model: LoadedModel) -> Figure:
    """Two rows gain no more than this: the bare model with both in one array, compared with one row."""
    both, lone = in_turns((_bare(model, 2), _bare(model)), STEPS, BLOCKS)
    return _rate("2 equal rows of the bare model, against one after another", 2, both, 1, lone)


def _rate(name: str, rows: int, times: Many[float], other_rows: int, other_times: Many[float]) -> Figure:
    """Tokens per second of `rows` rows, from the times of their steps in ms, compared with those of `other_rows`."""
    slower = paired(name, times, other_times)
    rates = rows * 1000 / slower.value, other_rows * 1000 / slower.baseline
    return Figure(name, rates[0], "tok/s", rates[1], rows / other_rows / slower.ratio)


def _prompts(rows: int) -> list[str]:
    return [f"{PROMPT}{index}" for index in range(rows)]


def _ours(model: LoadedModel, rows: int) -> Callable[[], object]:
    batch = Batch(model.model, batching=model.batching)
    batch.join_all([ready(model.model, model.fresh_caches(), model.encode(text)) for text in _prompts(rows)])
    return batch.step


def _overhead(model: LoadedModel) -> Figure:
    """A step of the whole engine (text, events, bookkeeping) compared with the bare model in its own loop."""
    with tempfile.TemporaryDirectory() as home:
        life = Life(endless(model), Path(home), Machine(clock=lambda: 0.0))  # without times there are no drafts
        unlimited = Sampling(temperature=0.0, max_tokens=_MOST_TOKENS)
        life.generation.admit(Generate("a", "a", (ChatMessage("user", PROMPT),), unlimited, cached=False))
        while not any("decode" in str(getattr(event, "phase", "")) for event in life.events):
            life.turn()
        engine, bare = in_turns((life.turn, _bare(model)), STEPS, OVERHEAD_BLOCKS)
        life.generation.cancel_all()
        life.close()
    return paired("1 row: a step of the engine, in bare model steps of", engine, bare)


def _bare(model: LoadedModel, rows: int = 1) -> Callable[[], object]:
    """The model in its own loop, with the same prompt in every row."""
    caches = model.fresh_caches()
    pending = mx.argmax(model.model(mx.array([model.encode(PROMPT)] * rows), cache=caches)[:, -1, :], axis=-1)

    def step() -> None:
        nonlocal pending
        current = pending
        pending = mx.argmax(model.model(current[:, None], cache=caches)[:, -1, :], axis=-1)
        mx.async_eval(pending)  # type: ignore[no-untyped-call] # the stub lacks this signature
        current.tolist()

    return step
