"""The figures of a benchmark, as a table and as JSON lines."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec


@dataclass(frozen=True, slots=True)
class Figure:
    """One row: `value` of Hearth, `baseline` of its comparison, both in `unit`, and their `ratio`, which the table
    prints in the form `printed`.

    A larger ratio is better for Hearth, unless the name says that it counts baselines or the ratio is a percentage.
    """

    name: str
    value: float
    unit: str
    baseline: float
    ratio: float
    printed: str = "{:.2f}x"


def faster(name: str, value: float, baseline: float, unit: str = "ms") -> Figure:
    """A time compared with another. The ratio says how many times shorter it is."""
    return Figure(name, value, unit, baseline, baseline / value)


def more(name: str, value: float, baseline: float, unit: str) -> Figure:
    """A rate compared with another."""
    return Figure(name, value, unit, baseline, value / baseline)


def multiple(name: str, value: float, baseline: float, unit: str = "ms") -> Figure:
    """A time as a multiple of another; fewer are better, and the name must say so."""
    return Figure(name, value, unit, baseline, value / baseline)


def share(name: str, part: float, whole: float, unit: str) -> Figure:
    """A part of a whole, as a percentage. If the whole is nothing, there is no percentage."""
    return Figure(name, part, unit, whole, part / whole if whole else math.nan, "{:.0%}")


def paired(name: str, values: Sequence[float], baselines: Sequence[float], unit: str = "ms") -> Figure:
    """The median of times as multiples of others that were measured beside them. So a ratio is exact even while the
    machine's speed changes. Fewer are better, and the name must say so.
    """
    ratio = statistics.median(value / baseline for value, baseline in zip(values, baselines, strict=True))
    return Figure(name, statistics.median(values), unit, statistics.median(baselines), ratio)


def median_ms(act: Callable[[], object], runs: int) -> float:
    """The median wall time of `act`, after one run to warm up."""
    act()
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        act()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def in_turns(sides: Sequence[Callable[[], object]], steps: int, blocks: int) -> list[list[float]]:
    """The times of a step of each side in ms, one for each of its `blocks` of `steps` steps.

    The sides take turns block by block, in one order and then in the other, so that changes of the machine's speed
    affect all of them. A block begins with a step to warm up.
    """
    times: list[list[float]] = [[] for _ in sides]
    for block in range(blocks):
        for act, taken in list(zip(sides, times, strict=True))[:: -1 if block % 2 else 1]:
            act()
            began = time.perf_counter()
            for _ in range(steps):
                act()
            taken.append((time.perf_counter() - began) * 1000 / steps)
    return times


def table(title: str, figures: Iterable[Figure]) -> str:
    """The figures as a table."""
    rows = [("", "Hearth", "baseline", "ratio")]
    rows += [(f.name, f"{f.value:,.1f} {f.unit}", f"{f.baseline:,.1f} {f.unit}", _ratio(f)) for f in figures]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = [
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join([title, *(f"  {line}" for line in lines)])


def _ratio(figure: Figure) -> str:
    return "-" if math.isnan(figure.ratio) else figure.printed.format(figure.ratio)


def write(file: Path, figures: Iterable[Figure]) -> None:
    """The figures as JSON, one object per line."""
    file.write_bytes(b"".join(msgspec.json.encode(asdict(figure)) + b"\n" for figure in figures))
