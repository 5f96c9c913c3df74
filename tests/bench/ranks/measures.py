"""What one group of processes took, as its leader reports it to the benchmark."""

from __future__ import annotations

import msgspec


class Steps(msgspec.Struct, frozen=True):
    """The times of a step in ms, by blocks: of Hearth's engine, and of mlx-lm's batch generator in the same turns.

    `ring` and `control`: the bytes that leave all ranks in one step, over the ring and over Hearth's own connections.
    Zero if the system does not count them.
    """

    rows: int
    engine: list[float]
    plain: list[float]
    ring: float
    control: float


class Measures(msgspec.Struct, frozen=True):
    """All of one group. `memory` is the most that MLX holds on a rank after the load, in bytes. Other times are in ms:
    the first token of a prompt of `tokens` tokens by the engine and by mlx-lm, and of the next turn, if that is
    restored from disk and if all of it is read again. `latency` (seconds) and `rate` (bytes per second) are those of a
    message between the ranks, from the times of a small and of a large sum; zero for one rank.
    """

    memory: int
    steps: list[Steps]
    tokens: int
    prefill: float
    plain_prefill: float
    restored: float
    again: float
    latency: float
    rate: float
