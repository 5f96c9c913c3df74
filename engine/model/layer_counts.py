"""How many layers each machine of a pipeline gets. Pure.

A token passes through all layers one after another, so the time of a step is the sum of all layers' times, wherever
they are. Fast machines therefore get as many layers as they have room for, and slower ones the rest. Machines of about
the same speed share in proportion to their room, so that all keep the same part of it for conversations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

ALIKE: Final = 1.5
"""Machines whose speeds differ by less than this factor count as equally fast. A measured speed varies by some percent
from start to start, and the layers of a machine should not.
"""


@dataclass(frozen=True, slots=True)
class Capacity:
    """What a machine has for layers: `room` in bytes, and `speed` in bytes of weights read per second."""

    room: int
    speed: float


def layer_counts(layers: int, layer_bytes: int, machines: Sequence[Capacity]) -> tuple[int, ...] | None:
    """The layers of each machine, at least one. None if they do not fit, or if there are fewer layers than machines."""
    most = [machine.room // layer_bytes for machine in machines]
    if layers < len(machines) or min(most) < 1 or sum(most) < layers:
        return None
    counts = [1] * len(machines)
    for alike in _by_speed(machines):
        left = layers - sum(counts)
        _share(left, alike, [most[index] for index in alike], counts)
    return tuple(counts)


def _by_speed(machines: Sequence[Capacity]) -> list[list[int]]:
    """The indices of machines of about the same speed, the fastest first."""
    groups: list[list[int]] = []
    for index in sorted(range(len(machines)), key=lambda index: -machines[index].speed):
        if groups and machines[groups[-1][0]].speed < machines[index].speed * ALIKE:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _share(left: int, indices: Sequence[int], most: Sequence[int], counts: list[int]) -> None:
    """Add up to `left` layers to those of the machines at `indices`, each time to the one that is the least full."""
    for _ in range(min(left, sum(most) - sum(counts[index] for index in indices))):
        fullness = {index: (counts[index] + 1) / limit for index, limit in zip(indices, most, strict=True)}
        counts[min(fullness, key=lambda index: fullness[index])] += 1
