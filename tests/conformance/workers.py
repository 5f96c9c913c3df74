"""Checks families in worker processes, one for each core.

A family that crashes its process is one wrong row, and the run continues with the next one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

import msgspec

from tests.conformance.table import Checked, crashed

ROOT: Final = Path(__file__).resolve().parents[2]
_SECONDS: Final = 1800


def check_all(families: Sequence[str], python: str = sys.executable) -> list[Checked]:
    """Check `families` with the libraries of the interpreter `python`. The results are sorted by family."""
    count = os.cpu_count() or 1
    shares = [families[start::count] for start in range(count)]
    with ThreadPoolExecutor(count) as pool:
        done = chain(*pool.map(partial(_checked, python), shares))
    return sorted(done, key=lambda checked: checked.row)


def _checked(python: str, families: Sequence[str]) -> list[Checked]:
    done: list[Checked] = []
    rest = list(families)
    while rest:
        command = [python, "-m", "tests.conformance.worker", *rest]
        run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=_SECONDS)
        done += [msgspec.json.decode(line, type=Checked) for line in run.stdout.splitlines()]
        rest = [name for name in rest if name not in {checked.row.family for checked in done}]
        if rest:
            last_words = (run.stderr.strip().splitlines() or [f"the process ended with {run.returncode}"])[-1]
            done.append(Checked(crashed(rest.pop(0), last_words), 0.0))
    return done
