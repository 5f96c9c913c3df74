"""The machine as the engine measures it: its free memory and its clock. Tests pass their own, and so do the machines
that run one model together: all of them decide by the same figures.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.memory.available import free_bytes
from engine.protocol.shared import own_figure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.protocol.shared import Agreed
    from engine.schedule.sequence import Sequence


@dataclass(frozen=True, slots=True)
class Machine:
    """`free_bytes` is the memory that can be taken now, `clock` a monotonic time in seconds. `planned` gets the
    rows of the next step. `model_failed` is called when the model has raised an error, before any request ends with it.
    `divides`: work may be done in portions, between steps.
    """

    free_bytes: Callable[[], int] = free_bytes
    clock: Callable[[], float] = time.perf_counter
    agreed: Agreed = own_figure
    planned: Callable[[Iterable[Sequence]], object] = lambda _rows: None
    model_failed: Callable[[], object] = lambda: None
    divides: bool = True


THIS_MACHINE = Machine()
