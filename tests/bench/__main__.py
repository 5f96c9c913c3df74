"""`make bench`: every table, on the built-in model, ratios against a baseline taken in the same run."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
import tempfile
from pathlib import Path

import mlx.core as mx
import psutil

from engine.memory.footprint import in_words
from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, load_model
from resources import DEMO_MODEL
from tests.bench import company, decode, delta, gaps, library, published, reads, records, resume, store
from tests.bench.figures import Figure, table, write
from tests.bench.life import on_cpu

_ALL = (resume, decode, gaps, company, records, delta, reads, store, library)
PARTS = {part.__name__.rpartition(".")[2]: part for part in _ALL}


def main(wished: list[str]) -> int:
    """Print the tables named in `wished`, all for none; with BENCH_JSON=FILE write the figures there too.

    BENCH_MODEL is a model's folder, or one of the published sizes in `tests.bench.published` for random weights;
    BENCH_LONGEST the most tokens of a conversation. Returns 2, and says why, where no table has a name.
    """
    if unknown := set(wished) - set(PARTS):
        print(f"There is no table {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    if on_cpu():
        mx.disable_compile()  # with a compiler there MLX builds its CPU kernels at run time: seconds of silence
    device = mx.device_info().get("device_name", "the CPU")
    versions = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    print(f"{platform.platform()}, {psutil.cpu_count()} cores, {versions}, MLX on {device}")
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        model = _model(os.environ.get("BENCH_MODEL", str(DEMO_MODEL)), Path(folder))
    print(f"{model.name}, {in_words(model.weight_bytes)} of weights, rows {model.batching}")
    for name in wished or PARTS:
        measured = PARTS[name].measure(model)
        print(f"\n{table(PARTS[name].TITLE, measured)}", flush=True)
        figures += [Figure(f"{name}: {f.name}", f.value, f.unit, f.baseline, f.ratio) for f in measured]
    if target := os.environ.get("BENCH_JSON"):
        write(Path(target), figures)
    return 0


def _model(wish: str, folder: Path) -> LoadedModel:
    if wish in published.SIZES:
        return published.load(wish)
    return load_model(wish, WeightDigests(folder / "weights.json"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
