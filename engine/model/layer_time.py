"""The time that this machine takes for one of its layers, if it has some of the layers of a pipeline.

Runs on the MLX thread.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

import mlx.core as mx

from engine.model.split import apart, is_pipelined, layers_here

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STEPS: Final = 8
LONGEST_SECONDS: Final = 1.0
"""No further step begins after this time: a load must not wait long for a figure."""
_TOKEN: Final = 1


def layer_time(model: Any, caches: Sequence[Any], clock: Callable[[], int] = time.perf_counter_ns) -> int:
    """Measure the nanoseconds of this machine's decode step for each of its layers; 0 if it has no layers of its own.

    `caches` are empty, and of no use afterwards. No other machine takes part, so the figure is free of their speeds and
    of the network. The first step is not counted, because it prepares the kernels. The least of the others counts: a
    program that takes the processor meanwhile can only make a step longer.
    """
    if not is_pipelined(model):
        return 0
    first, last = layers_here(model)
    times, until = list[int](), clock() + int(LONGEST_SECONDS * 1e9)
    with apart(model) as decoder:
        _step(decoder, caches)
        while not times or (len(times) < STEPS and clock() < until):
            began = clock()
            _step(decoder, caches)
            times.append(clock() - began)
    return max(1, min(times) // (last - first))


def _step(decoder: Any, caches: Sequence[Any]) -> None:
    mx.eval(decoder(mx.array([[_TOKEN]]), cache=caches))
