"""`make bench ui`: how much the window takes. Each part has a process of its own, as the app has."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import msgspec

from tests.bench.figures import Figure, table

TITLE = (
    "The window, offscreen (baselines: one stream, and 50 ms; ten messages; the limits; an empty Qt window; an hour; "
    "a second)"
)
PARTS = ("streams", "opening", "scrolling", "many", "language", "start", "hours", "hostile")


def measure() -> list[Figure]:
    """Print the table. Returns its figures."""
    figures = [figure for part in PARTS for figure in _measured(part)]
    print(f"\n{table(TITLE, figures)}", flush=True)
    return figures


def _measured(part: str) -> list[Figure]:
    child = subprocess.run([sys.executable, "-m", __name__, part], stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(child.stdout.splitlines()[-1], type=list[Figure])


def main(part: str) -> None:
    """Measure one part and print its figures as JSON."""
    with tempfile.TemporaryDirectory() as home:
        figures: list[Figure] = import_module(f"tests.bench.ui.{part}").measure(Path(home))
    sys.stdout.write(f"{msgspec.json.encode(figures).decode()}\n")


if __name__ == "__main__":
    main(sys.argv[1])
