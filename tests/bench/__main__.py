"""`make bench`: every table, on the built-in model. Each ratio is against a baseline measured in the same run."""

from __future__ import annotations

import gc
import os
import platform
import sqlite3
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import mlx.core as mx
import psutil

from engine.memory.footprint import in_words
from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, load_model
from engine.protocol.messages import LoadModel
from resources import DEMO_MODEL
from tests.bench import (
    acceptance,
    again,
    decode,
    delta,
    drafts,
    gaps,
    heads,
    library,
    published,
    ragged,
    reads,
    records,
    resume,
    store,
)
from tests.bench.figures import Figure, table, write
from tests.bench.life import on_cpu
from tests.bench.peers import run as peers
from tests.bench.ranks import run as ranks
from tests.bench.ui import run as ui

_ALL = (resume, again, decode, drafts, heads, acceptance, gaps, ragged, records, delta, reads, store, library)
PARTS = {part.__name__.rpartition(".")[2]: part for part in _ALL}
"""The tables of one loaded model."""

PROCESSES = {"peers": peers, "ranks": ranks, "ui": ui}
"""The tables of whole processes, which are printed only if they are named."""


def main(wished: list[str]) -> int:
    """Print the tables named in `wished`, or all of PARTS. With BENCH_JSON=FILE also write the figures there.

    BENCH_MODEL is a model folder, or one of the published sizes in `tests.bench.published` for random weights.
    BENCH_LONGEST is the most tokens of a conversation. Returns 2 and says why if no table has a given name.
    """
    if unknown := set(wished) - {*PARTS, *PROCESSES}:
        known = ", ".join([*PARTS, *PROCESSES])
        print(f"There is no table {', '.join(sorted(unknown))}; there are {known}.", file=sys.stderr)
        return 2
    gc.freeze()  # as the engine's process does: no collection looks at what the imports made
    if on_cpu():
        mx.disable_compile()  # with a compiler MLX would build its CPU kernels at run time, which takes seconds
    device = mx.device_info().get("device_name", "the CPU")
    versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    print(f"{platform.platform()}, {psutil.cpu_count()} cores, {versions}, MLX on {device}", flush=True)
    figures = _of_a_model([name for name in wished or PARTS if name in PARTS])
    for name in (name for name in wished if name in PROCESSES):
        figures += _named(name, PROCESSES[name].measure())
    if target := os.environ.get("BENCH_JSON"):
        write(Path(target), figures)
    return 0


def _of_a_model(names: list[str]) -> list[Figure]:
    """Print the tables `names`, which need a loaded model."""
    figures: list[Figure] = []
    if not names:
        return figures
    with tempfile.TemporaryDirectory() as folder:
        model = _model(os.environ.get("BENCH_MODEL", str(DEMO_MODEL)), Path(folder))
    gc.freeze()  # as the engine does
    print(f"{model.name}, {in_words(model.weight_bytes)} of weights, rows {model.batching}")
    for name in names:
        measured = PARTS[name].measure(model)
        print(f"\n{table(PARTS[name].TITLE, measured)}", flush=True)
        figures += _named(name, measured)
    return figures


def _named(part: str, figures: list[Figure]) -> list[Figure]:
    return [replace(figure, name=f"{part}: {figure.name}") for figure in figures]


def _model(wish: str, folder: Path) -> LoadedModel:
    if wish in published.SIZES:
        return published.load(wish)
    return load_model(LoadModel(wish), WeightDigests(folder / "weights.json"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
