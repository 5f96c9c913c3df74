"""Asks a paired worker what it has. Blocks, for five seconds at each address."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from msgspec.structs import replace

from app.base.paths import Paths
from app.macs.pairing import own
from app.macs.roster import Mac, shown_name, workers
from engine.workers.errors import WorkerError
from engine.workers.requests import Ask, Model, State, Touch, Touched
from engine.workers.visit import Visit, visit

SECONDS: Final = 5.0
MOST_ADDRESSES: Final = 4
_TOUCHES: Final = 5
_LEAST_BYTES: Final = 1 << 16
_MOST_BYTES: Final = 1 << 24
_ENOUGH_SECONDS: Final = 0.05
"""Bytes that took this long measure a rate."""


@dataclass(frozen=True, slots=True)
class MacState:
    """The figures of a worker, or in `problem` the sentence that says why it does not answer.

    - `models` are those on its disk, by their sketch.
    - `round_trip` is in seconds.
    - `bytes_per_second` is the rate of the encrypted connection; the ring's own connections can be faster.
    - `leader` is the name of the Mac that it works for now; empty if none.
    """

    problem: str = ""
    memory_bytes: int = 0
    free_bytes: int = 0
    disk_free_bytes: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, Model] = field(default_factory=dict)
    round_trip: float = 0.0
    bytes_per_second: float = 0.0
    leader: str = ""

    @property
    def reachable(self) -> bool:
        """Whether it answers."""
        return not self.problem


def ask(places: Paths, mac: Mac) -> MacState:
    """The state of a worker now. Raises MacsError if this Mac's own key cannot be read."""
    until = time.monotonic() + SECONDS
    try:
        with visit(mac.address, mac.name, own(places), mac.certificate, SECONDS) as made:
            state = made.ask(Ask(), State, _left(until))
            round_trip = min(_touch(made, 0, until) for _ in range(_TOUCHES))
            return MacState(
                memory_bytes=state.memory_bytes,
                free_bytes=state.free_bytes,
                disk_free_bytes=state.disk_free_bytes,
                versions=state.versions,
                models={model.sketch: model for model in state.models},
                round_trip=round_trip,
                bytes_per_second=_rate(made, round_trip, until),
                leader=shown_name(state.leader, ""),
            )
    except WorkerError as error:
        return MacState(problem=str(error))


def ask_anywhere(places: Paths, mac: Mac, elsewhere: Callable[[], Iterable[str]]) -> MacState:
    """The state of a worker. If it does not answer at its address, try a few of those that `elsewhere` returns. The one
    at which its certificate answers is its address from then on. Raises MacsError.
    """
    state = ask(places, mac)
    if state.reachable:
        return state
    others = (address for address in elsewhere() if address != mac.address)
    for address in islice(others, MOST_ADDRESSES):
        moved = ask(places, replace(mac, address=address))
        if moved.reachable:
            workers(places).move(mac.fingerprint, address)
            return moved
    return state


def _left(until: float) -> float:
    return max(0.001, until - time.monotonic())


def _touch(made: Visit, size: int, until: float) -> float:
    """The seconds until a touch is answered, with `size` bytes."""
    began = time.monotonic()
    made.ask(Touch(size), Touched, _left(until))
    made.skip(size)
    return time.monotonic() - began


def _rate(made: Visit, round_trip: float, until: float) -> float:
    """Bytes per second, measured by as many bytes as take long enough."""
    size = _LEAST_BYTES
    while True:
        seconds = _touch(made, size, until) - round_trip
        if seconds >= _ENOUGH_SECONDS or size >= _MOST_BYTES:
            return size / max(seconds, 1e-6)
        size *= 4
