"""Decoding: tokens a second of 1, 2, 4 and 8 rows, beside mlx-lm's own batch generator, one after another, and bare.

All sides alternate within one run, so that the machine's moods meet each of them.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx
from mlx_lm.generate import BatchGenerator

from engine.batch import Batch
from engine.prefill import prefill_chunk
from engine.prompt import Rendered, lay_out
from engine.protocol import ChatMessage, Generate, Sampling
from engine.sampling import RowSampler
from engine.sequence import Sequence
from tests.bench.figures import Figure, more, multiple
from tests.bench.life import Life, endless

if TYPE_CHECKING:
    from engine.loader import LoadedModel

TITLE = "Decode, all rows together"
STEPS = 120
RUNS = 3
PROMPT = "Tell me about the sea, the wind and the harbour, please. " * 3


def measure(model: LoadedModel) -> list[Figure]:
    """Rates of all rows together, then what the engine adds to a step of one row."""
    figures = []
    alone = 0.0
    for rows in (1, 2, 4, 8):
        ours, theirs = [], []
        for _ in range(RUNS + 1):
            ours.append(_ours(model, rows))
            theirs.append(_theirs(model, rows))
        rate = statistics.median(ours[1:])
        alone = alone or rate
        figures += [
            more(f"{rows} rows, against mlx-lm's BatchGenerator", rate, statistics.median(theirs[1:]), "tok/s"),
            more(f"{rows} rows, against one after another", rate, alone, "tok/s"),
        ]
    return [*figures, _overhead(model)]


def _ours(model: LoadedModel, rows: int) -> float:
    batch = Batch(model.model, company=model.company)
    batch.join_all([_prefilled(model, f"{PROMPT}{index}") for index in range(rows)])
    batch.step()
    began = time.perf_counter()
    count = sum(len(batch.step()) for _ in range(STEPS))
    return count / (time.perf_counter() - began)


def _prefilled(model: LoadedModel, text: str) -> Sequence:
    sequence = Sequence(Generate(text, text, (), Sampling(temperature=0.0)), 0)
    sequence.prompt = lay_out(Rendered(text, 0, 0, len(text)), [], model.encode)
    sequence.caches, sequence.sampler = model.fresh_caches(), RowSampler(sequence.command.sampling)
    while not sequence.read:
        prefill_chunk(model.model, sequence, decoding=0)
    return sequence


def _theirs(model: LoadedModel, rows: int) -> float:
    generator = BatchGenerator(model.model, max_tokens=STEPS + 8)
    generator.insert([model.encode(f"{PROMPT}{index}") for index in range(rows)])
    waiting = rows
    while waiting:
        waiting -= len(generator.next_generated())
    began = time.perf_counter()
    count = sum(len(generator.next_generated()) for _ in range(STEPS))
    rate = count / (time.perf_counter() - began)
    generator.close()
    return rate


def _overhead(model: LoadedModel) -> Figure:
    """A step of the whole engine (text, events, bookkeeping) beside the bare model in a loop of its own."""
    ours, bare = [], []
    for _ in range(RUNS + 1):
        ours.append(_engine_step(model))
        bare.append(_bare_step(model))
    name = "1 row: a step of the engine, in bare model steps of"
    return multiple(name, statistics.median(ours[1:]), statistics.median(bare[1:]))


def _engine_step(model: LoadedModel) -> float:
    with tempfile.TemporaryDirectory() as home:
        life = Life(endless(model), Path(home))
        unlimited = Sampling(temperature=0.0, max_tokens=1 << 20)
        life.answers.admit(Generate("a", "a", (ChatMessage("user", PROMPT),), unlimited, cached=False))
        while not any("decode" in str(getattr(event, "phase", "")) for event in life.events):
            life.turn()
        life.turn()
        times = [life.turn() for _ in range(STEPS)]
        life.answers.cancel_all()
        life.close()
    return statistics.median(times) * 1000


def _bare_step(model: LoadedModel) -> float:
    caches = model.fresh_caches()
    pending = mx.argmax(model.model(mx.array([model.encode(PROMPT)]), cache=caches)[:, -1, :], axis=-1)
    times = []
    for _ in range(STEPS):
        began = time.perf_counter()
        following = mx.argmax(model.model(pending[:, None], cache=caches)[:, -1, :], axis=-1)
        mx.async_eval(following)  # type: ignore[no-untyped-call] # the stub lacks this signature
        pending.tolist()
        pending = following
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1000
