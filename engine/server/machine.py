"""The machine as the engine measures it: its free memory and its clock. Tests pass their own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.memory.available import free_bytes

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Machine:
    """`free_bytes` is the memory that can be taken now, `clock` a monotonic time in seconds."""

    free_bytes: Callable[[], int] = free_bytes
    clock: Callable[[], float] = time.perf_counter


THIS_MACHINE = Machine()
