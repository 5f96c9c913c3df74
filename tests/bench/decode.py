"""Decoding: tokens per second of 1, 2, 4 and 8 rows, compared with mlx-lm's batch generator and one after another, and
what the engine adds to a step of one row.

The sides take turns, a few steps each, from the same prompts. Each ratio is the median of those of neighbouring turns.
The speed of a machine changes between tables, so a time of one line says nothing about another line's.

The step of one row has three baselines in the same turns, with the same prompt. All are greedy and pipelined: they
queue the next step before they wait for the token of this one. The bare loop does nothing else, so it is the bound: the
engine adds text, events and bookkeeping. `generate_step` is mlx-lm's own loop. The batch is Hearth's without its
engine. As a control, a second bare loop compared with the first shows the error of these lines.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from collections.abc import Sequence as Many
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import mlx.core as mx
from mlx_lm.generate import BatchGenerator, generate_step

from engine.decode.batch import Batch
from engine.memory.machine import Machine
from engine.model.loader import LoadedModel
from engine.protocol.messages import ChatMessage, Generate
from engine.protocol.sampling_settings import Sampling
from engine.server.model_loads import Inbox
from engine.server.server import Parts, alone
from engine.turn.prepare import prepare
from tests.bench.figures import Figure, in_turns, paired
from tests.bench.life import Emit, Life, endless
from tests.fakes.decoding import ready

TITLE = "Decode, all rows together"
ROWS = (1, 2, 4, 8)
STEPS, BLOCKS = 8, 16
OVERHEAD_BLOCKS = 60
"""The ratio of the engine's step to the bare model's must tell 1.03 from 1."""
PROMPT = "Tell me about the sea, the wind and the harbour, please. " * 3
_MOST_TOKENS = 1 << 20
_ENDLESS = Sampling(temperature=0.0, max_tokens=_MOST_TOKENS)


def measure(model: LoadedModel) -> list[Figure]:
    """The rates of all rows together, what the bare model gains from two rows, and the engine's step of one row. A
    single row against another one after another is the control of the rates: its distance from 1 shows their error.
    """
    return [*(figure for rows in ROWS for figure in _rates(model, rows)), _bound(model), *_overhead(model)]


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
    ids = model.encode(PROMPT)
    both, lone = in_turns((_bare(model, ids, 2), _bare(model, ids)), STEPS, BLOCKS)
    return _rate("2 equal rows of the bare model, against one after another", 2, both, 1, lone)


def _rate(name: str, rows: int, times: Many[float], other_rows: int, other_times: Many[float]) -> Figure:
    """Tokens per second of `rows` rows, from the times of their steps in ms, compared with those of `other_rows`."""
    slower = paired(name, times, other_times)
    rates = rows * 1000 / slower.value, other_rows * 1000 / slower.baseline
    return Figure(name, rates[0], "tok/s", rates[1], rows / other_rows / slower.ratio)


def _prompts(rows: int) -> list[str]:
    return [f"{PROMPT}{index}" for index in range(rows)]


def _ours(model: LoadedModel, rows: int) -> Callable[[], object]:
    return _batch(model, [model.encode(text) for text in _prompts(rows)])


def _batch(model: LoadedModel, prompts: Many[Many[int]]) -> Callable[[], object]:
    """Hearth's batch without its engine."""
    batch = Batch(model.model, batching=model.batching)
    batch.join_all([ready(model.model, model.fresh_caches(), ids) for ids in prompts])
    return batch.step


def _overhead(model: LoadedModel) -> list[Figure]:
    """A step of the whole engine compared with each baseline, and the control."""
    command = Generate("a", "a", (ChatMessage("user", PROMPT),), _ENDLESS, cached=False)
    ids = prepare(model, command)[0].ids
    with tempfile.TemporaryDirectory() as home:
        life = Life(endless(model), Path(home), _timeless)
        life.generation.admit(command)
        while not any("decode" in str(getattr(event, "phase", "")) for event in life.events):
            life.turn()
        sides = (life.turn, _bare(model, ids), _bare(model, ids), _generated(model, ids), _batch(model, [ids]))
        engine, bare, again, generated, batch = in_turns(sides, STEPS, OVERHEAD_BLOCKS)
        life.generation.cancel_all()
        life.close()
    return [
        paired("1 row: a step of the engine, in steps of the bare loop", engine, bare),
        paired("1 row: a step of the engine, in steps of mlx-lm's generate_step", engine, generated),
        paired("1 row: a step of the engine, in steps of its batch alone", engine, batch),
        paired("1 row: a step of the bare loop, in steps of another bare loop", again, bare),
    ]


def _timeless(inbox: Inbox, emit: Emit) -> Parts:
    """The parts of an engine without a clock. Without times there are no drafts."""
    return replace(alone(inbox, emit), machine=Machine(clock=lambda: 0.0))


def _bare(model: LoadedModel, ids: Many[int], rows: int = 1) -> Callable[[], object]:
    """The model in a loop of its own, with the same prompt in every row."""
    caches = model.fresh_caches()
    pending = mx.argmax(model.model(mx.array([list(ids)] * rows), cache=caches)[:, -1, :], axis=-1)

    def step() -> None:
        nonlocal pending
        current = pending
        pending = mx.argmax(model.model(current[:, None], cache=caches)[:, -1, :], axis=-1)
        mx.async_eval(pending)  # type: ignore[no-untyped-call] # the stub lacks this signature
        current.tolist()

    return step


def _generated(model: LoadedModel, ids: Many[int]) -> Callable[[], object]:
    """mlx-lm's loop for one row."""
    steps = generate_step(mx.array(list(ids)), model.model, max_tokens=_MOST_TOKENS, prompt_cache=model.fresh_caches())
    return partial(next, steps)
