"""Splits a model that is being loaded over the machines of a group, by mlx-lm's own rules: each keeps its share.

*tensor*: every machine has a part of each layer's heads, and the parts are added up in each layer. *pipeline*: every
machine has some of the layers, and hands the hidden states to the next; rank 0 has the last layers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from typing import Any, Final

import mlx.core as mx

from engine.protocol.errors import ModelUnsupported
from engine.protocol.inspection import Split
from resources.language.text import tr


@dataclass(frozen=True, slots=True)
class Way:
    """How a model is split. `shares` are the layers of each machine of a pipeline; mlx-lm divides the layers evenly if
    it is empty, or for another number of machines or layers.
    """

    how: Split
    shares: tuple[int, ...] = ()


def split(model: Any, group: mx.distributed.Group, how: Split, shares: Sequence[int] = ()) -> None:
    """Reduce `model`, whose weights are not evaluated yet, to the share of this machine. Raises ModelUnsupported."""
    try:
        if how == "pipeline":
            _pipeline(model, group, shares)
        else:
            _shard(model, group)
    except AttributeError as error:
        raise _unknown() from error


def ways(model: Any) -> tuple[Split, ...]:
    """How mlx-lm can split `model`, the better way for Hearth first: machines that have whole layers talk least."""
    split: tuple[tuple[Split, bool], ...] = (("pipeline", _can_pipeline(model)), ("tensor", hasattr(model, "shard")))
    return tuple(how for how, can in split if can)


def is_pipelined(model: Any) -> bool:
    """Whether this machine has only some of the model's layers."""
    return getattr(_decoder(model), "pipeline_size", 1) > 1


def layers_here(model: Any) -> tuple[int, int]:
    """The first and the last layer of a pipeline that this machine has, of all layers; the last one not included."""
    decoder = _decoder(model)
    return decoder.start_idx, decoder.end_idx


@contextmanager
def apart(model: Any) -> Iterator[Any]:
    """The layers of a pipeline that this machine has, to be called as if there were no other machine."""
    decoder = _decoder(model)
    place = decoder.pipeline_rank, decoder.pipeline_size
    decoder.pipeline_rank, decoder.pipeline_size = 0, 1
    try:
        yield decoder
    finally:
        decoder.pipeline_rank, decoder.pipeline_size = place


def _decoder(model: Any) -> Any:
    """The part with the layers; None if it is not where mlx-lm has it."""
    return getattr(getattr(model, "language_model", model), "model", None)


def _can_pipeline(model: Any) -> bool:
    """Whether the model shows, and makes caches for, the layers of this machine only. Some of mlx-lm's models wrap one
    that can be a pipeline, but show the layers of all machines.
    """
    decoder = _decoder(model)
    return hasattr(decoder, "pipeline") and model.layers is not decoder.layers


def _pipeline(model: Any, group: mx.distributed.Group, shares: Sequence[int]) -> None:
    if not _can_pipeline(model):
        raise _unknown()
    decoder = _decoder(model)
    fits = len(shares) == group.size() and sum(shares) == len(decoder.layers)
    uneven = {"split": list(shares)} if fits and "split" in signature(decoder.pipeline).parameters else {}
    try:
        decoder.pipeline(group, **uneven)
    except ValueError as error:
        few = tr("This model has too few layers to be split over {count} machines.", count=group.size())
        raise ModelUnsupported(few) from error


def _shard(model: Any, group: mx.distributed.Group) -> None:
    before = _counts(model)
    try:
        model.shard(group)
    except (AssertionError, ValueError) as error:
        raise _indivisible(group) from error
    if not _divided(before, _counts(model), group.size()):
        raise _indivisible(group)


def _counts(model: Any) -> dict[tuple[str, str], int]:
    """The whole numbers that the modules of `model` compute with, such as their heads, by module and name."""
    modules = ((path, vars(module).items()) for path, module in model.named_modules())
    return {(path, name): count for path, items in modules for name, count in items if type(count) is int}


def _divided(before: Mapping[tuple[str, str], int], after: Mapping[tuple[str, str], int], machines: int) -> bool:
    """Whether each changed count was divided without a remainder, or its parts repeated: some of mlx-lm's models round
    down, and then compute with heads of another size.
    """
    changed = [(count, after[key]) for key, count in before.items() if after.get(key, count) != count]
    return all(own * machines == count or (own == 1 and machines % count == 0) for count, own in changed)


def _unknown() -> ModelUnsupported:
    return ModelUnsupported(tr("This kind of model cannot be split over several machines in this way."))


def _indivisible(group: mx.distributed.Group) -> ModelUnsupported:
    return ModelUnsupported(
        tr("The layers of this model cannot be divided into {count} equal shares.", count=group.size())
    )


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
