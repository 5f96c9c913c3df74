"""The machine as the engine measures it, or the machines that run one model together: all of these decide by the same
figures. `engine.ranks` makes the latter. Measures how much memory may still be allocated. On the MLX thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import mlx.core as mx
import psutil


def free_bytes() -> int:
    """The bytes that may still be allocated on the device that MLX computes on. What MLX has freed but kept counts.

    A Mac's GPU shares the machine's memory but may use only a part of it; a discrete GPU has its own.
    """
    device = mx.device_info()
    free = int(device.get("free_memory", psutil.virtual_memory().available)) + mx.get_cache_memory()
    limit = device.get("max_recommended_working_set_size")
    return free if limit is None else max(0, min(free, int(limit) - mx.get_active_memory()))


def total_bytes() -> int:
    """All memory of the device that MLX computes on.

    A discrete GPU that does not name its size has at least what is held and what is free.
    """
    device = mx.device_info()
    for name in ("memory_size", "total_memory"):
        if name in device:
            return int(device[name])
    if "free_memory" in device:
        return int(device["free_memory"]) + mx.get_active_memory() + mx.get_cache_memory()
    return psutil.virtual_memory().total


@dataclass(frozen=True, slots=True)
class Machine:
    """One machine, or `count` machines. `free_bytes` is the memory that can be taken now on this one, `clock` a
    monotonic time in seconds.

    `agree` gives the least of a figure on all machines, from its name and this one's own. `reduce` makes this machine's
    share of a model whose weights are not read yet. `planned` gets the rows of the next step. `model_failed` is called
    when the model has raised an error, before any request ends with it.
    """

    free_bytes: Callable[[], int] = free_bytes
    clock: Callable[[], float] = time.perf_counter
    count: int = 1
    agree: Callable[[str, int], int] = lambda _name, own: own
    reduce: Callable[[Any], Any] = lambda model: model
    planned: Callable[[Iterable[Any]], object] = lambda _rows: None
    model_failed: Callable[[], object] = lambda: None


THIS_MACHINE = Machine()
