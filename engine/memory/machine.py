"""The machine as the engine measures it, or the machines that run one model together: all of these decide by the same
figures. `engine.ranks` makes the latter. On the MLX thread.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.memory.available import free_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


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
