"""Decoding: tokens a second of 1, 2, 4 and 8 rows, beside mlx-lm's own batch generator and beside one after another."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING

from mlx_lm.generate import BatchGenerator

from engine.batch import Batch
from engine.prefill import prefill_chunk
from engine.prompt import Rendered, lay_out
from engine.protocol import Generate, Sampling
from engine.sequence import Sequence
from tests.bench.figures import Figure, more

if TYPE_CHECKING:
    from engine.loader import LoadedModel

TITLE = "Decode, all rows together (tokens/s; baseline: mlx-lm BatchGenerator)"
STEPS = 120
RUNS = 5
PROMPT = "Tell me about the sea, the wind and the harbour, please. " * 3


def measure(model: LoadedModel) -> list[Figure]:
    """Both sides alternate within one run, so that the machine's moods meet both."""
    figures = []
    for rows in (1, 2, 4, 8):
        ours, theirs = [], []
        for _ in range(RUNS + 1):
            ours.append(_ours(model, rows))
            theirs.append(_theirs(model, rows))
        figures.append(more(f"{rows} rows", statistics.median(ours[1:]), statistics.median(theirs[1:]), "tok/s"))
    return figures


def _ours(model: LoadedModel, rows: int) -> float:
    batch = Batch(model.model, alone=model.alone)
    for index in range(rows):
        batch.join(_prefilled(model, f"{PROMPT}{index}"))
    batch.step()
    began = time.perf_counter()
    count = sum(len(batch.step()) for _ in range(STEPS))
    return count / (time.perf_counter() - began)


def _prefilled(model: LoadedModel, text: str) -> Sequence:
    sequence = Sequence(Generate(text, text, (), Sampling(temperature=0.0)), 0)
    sequence.prompt = lay_out(Rendered(text, 0, 0, len(text)), [], model.encode)
    sequence.caches = model.fresh_caches()
    while sequence.position < sequence.prefill_end:
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
