"""Decides how a model is divided over several Macs. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.base.settings import ModelSettings
    from engine.protocol.inspection import ModelFacts


def placed(settings: ModelSettings, facts: ModelFacts | None, memory: Sequence[int]) -> ModelSettings:
    """Return the settings of a model with the way in which it is divided over its Macs. `memory` is that of this Mac
    and of each other, in bytes; 0 if it is unknown.

    A model is split between its layers if it can be: then the Macs talk least, and each can have as many as it has room
    for.
    """
    if not settings.macs:
        return msgspec.structs.replace(settings, split="pipeline", shares=())
    split = facts.splits[0] if facts is not None and facts.splits else "pipeline"
    known = facts is not None and split == "pipeline" and all(memory)
    layers = len(facts.layers) if facts is not None and known else 0
    return msgspec.structs.replace(settings, split=split, shares=shares(layers, memory))


def shares(layers: int, memory: Sequence[int]) -> tuple[int, ...]:
    """Return how many of the layers each Mac gets, in proportion to its memory and at least one; empty if there are too
    few.
    """
    if layers < len(memory):
        return ()
    spare, total = layers - len(memory), sum(memory)
    exact = [spare * one / total for one in memory]
    given = [1 + int(part) for part in exact]
    largest_rest = sorted(range(len(memory)), key=lambda at: int(exact[at]) - exact[at])
    for at in largest_rest[: layers - sum(given)]:
        given[at] += 1
    return tuple(given)
