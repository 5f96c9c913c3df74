"""Checks families in groups of processes, which MLX's ring connects over loopback.

A group that ends early, or stands still, has one wrong result; a new group continues with the next check.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Final

import msgspec

from tests.conformance.ranks.check import REFUSED, WRONG, Place, Result, checked, checked_briefly, continued, united
from tests.conformance.workers import ROOT
from tests.fakes.local_ranks import write_addresses

Part = Callable[[Place], Result]

_SECONDS: Final = 600.0
"""A check that takes longer stands still."""

_LOOK_SECONDS: Final = 0.1


def check_all(checks: Sequence[str], ranks: int) -> list[Result]:
    """The results of `checks`, each "family:split", in groups of so many processes."""
    with tempfile.TemporaryDirectory() as home:
        results = _all(checked, checks, ranks, Path(home))
        right = [name for name, result in results.items() if result.verdict not in {REFUSED, WRONG}]
        later = _all(continued, right, ranks, Path(home))
        results |= {name: united(results[name], result) for name, result in later.items()}
    return list(results.values())


def check_briefly(checks: Sequence[str], ranks: int) -> list[Result]:
    """As `check_all`, but only a restart and the control."""
    with tempfile.TemporaryDirectory() as home:
        return list(_all(checked_briefly, checks, ranks, Path(home)).values())


def _all(part: Part, checks: Sequence[str], ranks: int, home: Path) -> dict[str, Result]:
    done: dict[str, Result] = {}
    while rest := [name for name in checks if name not in done]:
        results, last_words = _run(part, rest, ranks, home)
        done |= {f"{result.family}:{result.how}": result for result in results}
        if len(results) < len(rest):
            family, _, how = rest[len(results)].partition(":")
            done[rest[len(results)]] = Result(family, how, ranks, WRONG, reason=last_words.replace("|", "/"))  # type: ignore[arg-type] # a split
    return done


def _run(part: Part, checks: Sequence[str], ranks: int, home: Path) -> tuple[list[Result], str]:
    """What one group does of `checks`, and the last line of the first error."""
    write_addresses(home / "addresses", ranks)
    outputs = [(home / f"{rank}.out").open("wb") for rank in range(ranks)]
    errors = [(home / f"{rank}.err").open("wb") for rank in range(ranks)]
    group = [
        _start(part, rank, home, checks, out, error)
        for rank, (out, error) in enumerate(zip(outputs, errors, strict=True))
    ]
    stands_still = _await(group, home / "0.out")
    for file in (*outputs, *errors):
        file.close()
    results = [msgspec.json.decode(line, type=Result) for line in (home / "0.out").read_bytes().splitlines()]
    texts = [(home / f"{rank}.err").read_text("utf-8").strip() for rank in range(ranks)]
    words = [text.splitlines()[-1] for text in texts if text and "Traceback" in text]
    own = [word for word in words if "[ring]" not in word]
    return results, "it stands still" if stands_still and not own else next(iter([*own, *words]), "a process ended")


def _start(
    part: Part, rank: int, home: Path, checks: Sequence[str], output: IO[bytes], errors: IO[bytes]
) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.conformance.ranks.worker", part.__name__, str(rank), str(home), *checks]
    return subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=errors)


def _await(group: list[subprocess.Popen[bytes]], output: Path) -> bool:
    """Wait for the end of all processes. One that fails, or stands still, ends the others. Returns whether one did."""
    size, deadline = 0, time.monotonic() + _SECONDS
    while any(process.poll() is None for process in group):
        if (now := output.stat().st_size) > size:
            size, deadline = now, time.monotonic() + _SECONDS
        failed, late = any(process.poll() for process in group), time.monotonic() > deadline
        if failed or late:
            for process in group:
                process.kill()
                process.wait()
            return late
        time.sleep(_LOOK_SECONDS)
    return False
