"""Decides how a model is divided over several Macs, and says what each of them holds. Pure.

In a pipeline a token passes through the layers of one Mac after another, so a step takes the sum of what all layers
take, wherever they are. Each layer that moves to a faster Mac makes it shorter. But a Mac that is filled with layers
has no room for chats, so the layers are divided in proportion to memory times speed: a Mac that is twice as fast gets
twice the layers for each byte of its memory. That is never slower than a division by memory alone, and Macs that are
equally fast get what their memory says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from app.base.settings import LONGEST_LAYER, ModelSettings
from engine.protocol.inspection import ModelFacts
from ui.state.macs import GroupPace

MODEL_SHARE: Final = 2 / 3
"""The part of a Mac's memory that a model may fill. macOS lets the GPU use no more of a Mac with up to 36 GB, and
leaves some room for chats on one with more.
"""

WORTH: Final = 0.98
"""Layers move if a step then takes at most this part of its time. Measured times vary from load to load, and a group
with other layers is formed by new processes.
"""


@dataclass(frozen=True, slots=True)
class Division:
    """Layers of equal size, and the Macs that share them, this one first: `memory` in bytes, and `times` in nanoseconds
    that a Mac takes for a layer; empty if they were not measured.
    """

    layers: int
    layer_bytes: int
    memory: tuple[int, ...]
    times: tuple[int, ...] = ()

    def by_memory(self) -> tuple[int, ...]:
        """Return how many of the layers each Mac gets, in proportion to its memory and at least one; empty if there are
        too few.
        """
        if self.layers < len(self.memory):
            return ()
        return _proportional(self.layers, self.memory, (self.layers,) * len(self.memory))

    def by_speed(self, now: Sequence[int] = ()) -> tuple[int, ...]:
        """Return how many each Mac gets by memory and speed. `now` are those that the Macs have: they stay so unless
        others are clearly faster. If the times are unknown, or the model nearly fills the Macs, memory alone decides.
        """
        alone = self.by_memory()
        known = len(self.times) == len(self.memory) and all(self.times)
        if not alone or not known or not self._holds(alone):
            return alone
        weights = tuple(memory / time for memory, time in zip(self.memory, self.times, strict=True))
        wanted = min(alone, _proportional(self.layers, weights, self._most()), key=self.step)
        is_whole = len(now) == len(self.memory) and sum(now) == self.layers and min(now) > 0
        kept = tuple(now) if is_whole and self._holds(now) and self.step(now) <= self.step(alone) else alone
        return wanted if self.step(wanted) <= WORTH * self.step(kept) else kept

    def step(self, shares: Sequence[int]) -> int:
        """Return the nanoseconds of a step through the layers of all Macs."""
        return sum(count * time for count, time in zip(shares, self.times, strict=True))

    def _most(self) -> tuple[int, ...]:
        """The layers for which each Mac has room."""
        return tuple(int(MODEL_SHARE * memory / max(1, self.layer_bytes)) for memory in self.memory)

    def _holds(self, shares: Sequence[int]) -> bool:
        return all(count <= most for count, most in zip(shares, self._most(), strict=True))


def placed(settings: ModelSettings, facts: ModelFacts | None, memory: Sequence[int]) -> ModelSettings:
    """Return the settings of a model with the way in which it is divided over its Macs, which the user has just chosen.
    `memory` is that of this Mac and of each other, in bytes; 0 if it is unknown.

    A model is split between its layers if it can be: then the Macs talk least, and each can have as many as it has room
    for.
    """
    unknown = msgspec.structs.replace(settings, split="pipeline", shares=(), layer_times=())
    if not settings.macs:
        return unknown
    split = facts.splits[0] if facts is not None and facts.splits else "pipeline"
    return _divided(msgspec.structs.replace(unknown, split=split), facts, memory)


def measured(
    settings: ModelSettings, facts: ModelFacts | None, memory: Sequence[int], times: Sequence[int]
) -> ModelSettings:
    """Return the settings after a load at which each Mac has measured its time for a layer. The next load follows
    them. Times that cannot be are ignored: they come from other Macs.
    """
    if len(times) != 1 + len(settings.macs) or not all(0 < time <= LONGEST_LAYER for time in times):
        return settings
    return _divided(msgspec.structs.replace(settings, layer_times=tuple(times)), facts, memory)


def _divided(settings: ModelSettings, facts: ModelFacts | None, memory: Sequence[int]) -> ModelSettings:
    """The settings with the layers of each Mac, if the model and the memory of all Macs are known."""
    if settings.split != "pipeline" or facts is None or not facts.layers or not all(memory):
        return settings
    layers = len(facts.layers)
    division = Division(layers, facts.weight_bytes // layers, tuple(memory), settings.layer_times)
    return msgspec.structs.replace(settings, shares=division.by_speed(settings.shares))


def _proportional(total: int, weights: Sequence[float], most: Sequence[int]) -> tuple[int, ...]:
    """Divide `total` in proportion to the weights, at least one and at most `most` to each, which have room for all.

    One by one, each to the one that then exceeds its proportion least (the method of Sainte-Laguë).
    """
    given = [1] * len(weights)
    for _ in range(total - len(weights)):
        with_room = [at for at, count in enumerate(given) if count < most[at]]
        given[min(with_room, key=lambda at: (given[at] + 0.5) / weights[at])] += 1
    return tuple(given)


@dataclass(frozen=True, slots=True)
class Holding:
    """`model` is the model's name; empty if it is not loaded on several Macs. `sizes` are the bytes that each Mac
    holds, and `paces` are those for which a Mac has more or fewer layers than its memory says, by fingerprint ("" is
    this Mac).
    """

    model: str = ""
    sizes: Mapping[str, int] = field(default_factory=dict)
    paces: Mapping[str, GroupPace] = field(default_factory=dict)


def holding(model: str, settings: ModelSettings, sizes: Sequence[int], memory: Sequence[int]) -> Holding:
    """Return what the Macs of `settings`, with which the model was loaded, hold: `sizes` in bytes."""
    macs = ("", *settings.macs)
    is_measured = bool(settings.layer_times) and all(memory)
    alone = Division(sum(settings.shares), 0, tuple(memory)).by_memory() if is_measured else ()
    paces = map(_pace, settings.shares, alone)
    return Holding(model, dict(zip(macs, sizes, strict=False)), dict(zip(macs, paces, strict=False)))


def _pace(has: int, by_memory: int) -> GroupPace:
    if has == by_memory:
        return GroupPace.ALIKE
    return GroupPace.FASTER if has > by_memory else GroupPace.SLOWER
