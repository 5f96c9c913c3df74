"""`make bench`: every table, on the built-in model, ratios against a baseline taken in the same run."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("MLX_DISABLE_COMPILE", "1")

import psutil

from engine.identity import WeightDigests
from engine.loader import load_model
from resources import DEMO_MODEL
from tests.bench import decode, records, resume
from tests.bench.figures import Figure, table, write


def main() -> int:
    """Print the tables; with BENCH_JSON=FILE write the figures there too."""
    print(f"{platform.platform()}, {psutil.cpu_count()} cores, Python {platform.python_version()}")
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        model = load_model(os.environ.get("BENCH_MODEL", str(DEMO_MODEL)), WeightDigests(Path(folder) / "weights.json"))
    for part in (resume, decode, records):
        measured = part.measure(model)
        print(f"\n{table(part.TITLE, measured)}", flush=True)
        figures += [
            Figure(f"{part.__name__.rpartition('.')[2]}: {f.name}", f.value, f.unit, f.baseline, f.ratio)
            for f in measured
        ]
    if target := os.environ.get("BENCH_JSON"):
        write(Path(target), figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
