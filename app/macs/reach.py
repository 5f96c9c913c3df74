"""What this Mac asks of a paired worker: its state, and to take a copy of a model.

Blocks: a question takes five seconds at each address, and a copy its time. A broken one continues the next time.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from app.base.errors import reason
from app.base.paths import Paths
from app.macs.errors import CopyFailed
from app.macs.pairing import own
from app.macs.roster import Mac, shown_name, workers
from engine.workers import requests
from engine.workers.errors import NotUnderstood, WorkerError
from engine.workers.model_copy import LARGEST_PORTION, PORTION_SECONDS, files_of
from engine.workers.model_sketch import sketch
from engine.workers.visit import Visit, visit
from resources.language.text import tr
from storage.untrusted import UntrustedDataError, open_file

SECONDS: Final = 5.0
MOST_ADDRESSES: Final = 4
_TOUCHES: Final = 5
_LEAST_BYTES: Final = 1 << 16
_MOST_BYTES: Final = 1 << 24
_ENOUGH_SECONDS: Final = 0.05
"""Bytes that took this long measure a rate."""
Progress = Callable[[int, int], bool]
"Gets the bytes that are there and those of all files. Returns False to end the copy."
_ODD: Final = re.compile(r"^models--|[^\w.+ -]", re.ASCII)
"""What no worker takes in a name: other characters, and the beginning of a folder of the Hugging Face cache."""
_LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class MacState:
    """The figures of a worker, or in `problem` the sentence that says why it does not answer.

    - `models` are those on its disk, by their sketch.
    - `round_trip` is in seconds.
    - `bytes_per_second` is the rate of the encrypted connection; the ring's own connections can be faster.
    - `leader` is the name of the Mac that it works for now; empty if none. `is_own_group`: it is this one.
    """

    problem: str = ""
    memory_bytes: int = 0
    free_bytes: int = 0
    disk_free_bytes: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    models: Mapping[str, requests.Model] = field(default_factory=dict)
    round_trip: float = 0.0
    bytes_per_second: float = 0.0
    leader: str = ""
    is_own_group: bool = False

    @property
    def reachable(self) -> bool:
        """Whether it answers."""
        return not self.problem


def ask(places: Paths, mac: Mac) -> MacState:
    """The state of a worker now. Raises MacsError if this Mac's own key cannot be read."""
    until = time.monotonic() + SECONDS
    try:
        with visit(mac.address, mac.name, own(places), mac.certificate, SECONDS) as made:
            state = made.ask(requests.Ask(), requests.State, _left(until))
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
                is_own_group=state.is_own_group,
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
    made.ask(requests.Touch(size), requests.Touched, _left(until))
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


def copy(places: Paths, mac: Mac, folder: Path, repository: str, progress: Progress) -> bool:
    """Copy the model in `folder`, which gets the name `repository` there. Returns False if the Mac has the model
    already, under whatever name. Raises MacsError.
    """
    try:
        files, wanted = files_of(folder), sketch(folder)
        with visit(mac.address, mac.name, own(places), mac.certificate) as made:
            if wanted in {model.sketch for model in made.ask(requests.Ask(), requests.State).models}:
                return False
            there = made.ask(requests.Take(_key(wanted, files), _plain(repository), files), requests.Wanted).arrived
            if len(there) != len(files):
                raise NotUnderstood(mac.name)
            _send(made, folder, {file: min(file.size, size) for file, size in zip(files, there, strict=True)}, progress)
            made.ask(requests.Settle(), requests.Settled, PORTION_SECONDS)
            return True
    except WorkerError as error:
        raise CopyFailed(str(error)) from error
    except (OSError, UntrustedDataError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise CopyFailed(tr("The model cannot be copied: {why}.", why=why)) from error


def _plain(repository: str) -> str:
    """A name that a worker takes."""
    parts = (_ODD.sub("_", part.lstrip(". -"))[:_LONGEST_NAME] for part in repository.split("/"))
    return "/".join(part or "model" for part in parts)


def _key(wanted: str, files: tuple[requests.FileEntry, ...]) -> str:
    """The same for every attempt with the same files."""
    said = repr([(one.name, one.size) for one in files]).encode()
    return hashlib.blake2b(said + wanted.encode(), digest_size=16).hexdigest()


def _send(made: Visit, folder: Path, there: dict[requests.FileEntry, int], progress: Progress) -> None:
    done, total = sum(there.values()), sum(entry.size for entry in there)
    for entry, left in there.items():
        with open_file(folder / entry.name) as file:
            at, arrived = 0, left
            while at < entry.size:
                file.seek(at)
                data = file.read(min(LARGEST_PORTION, (arrived if at < arrived else entry.size) - at))
                if not data:
                    raise CopyFailed(tr("The model cannot be copied: {why}.", why=tr("its files were changed")))
                digest = hashlib.sha256(data).hexdigest()
                if at >= arrived:
                    made.ask(requests.Portion(entry.name, at, len(data), digest), requests.Kept, PORTION_SECONDS, data)
                    done += len(data)
                elif not made.ask(
                    requests.Check(entry.name, at, len(data), digest), requests.Checked, PORTION_SECONDS
                ).same:
                    done, arrived = done - (arrived - at), at
                    continue
                at += len(data)
                if not progress(done, total):
                    raise CopyFailed(tr("The copy was ended. It continues where it is the next time."))
