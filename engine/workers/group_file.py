"""The file that names the machines of a group. The app writes it, and the engine that leads the group reads it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final, Literal

import msgspec

from storage.folders import private_folder, replace_file
from storage.untrusted import MEBIBYTE, decode_json, read_file

_LARGEST: Final = MEBIBYTE


class WorkerEntry(msgspec.Struct, frozen=True):
    """A paired worker: its name for people, its address as "host:port", and its certificate as PEM."""

    name: str
    address: str
    certificate: str


class GroupFile(msgspec.Struct, frozen=True):
    """A group: the leader is rank 0, and the workers are the others, in this order.

    - `own` is the folder of the leader's certificate.
    - `shares` are the layers of each rank of a pipeline; if it is empty, mlx-lm divides them evenly.
    - `data` is the address of the leader's interface for the data of the ring; if it is empty, the interface that
      reaches the first worker.
    """

    own: str
    split: Literal["tensor", "pipeline"]
    workers: tuple[WorkerEntry, ...]
    shares: tuple[int, ...] = ()
    data: str = ""

    @classmethod
    def read(cls, file: Path) -> GroupFile:
        """Raises UntrustedDataError."""
        return decode_json(read_file(file, _LARGEST), cls)

    @property
    def names(self) -> dict[int, str]:
        """The names of the workers, by rank."""
        return {rank: worker.name for rank, worker in enumerate(self.workers, 1)}

    @property
    def members(self) -> str:
        """A digest of the workers' certificates, by rank."""
        return hashlib.sha256("".join(worker.certificate for worker in self.workers).encode()).hexdigest()

    def write(self, file: Path) -> None:
        """For the user only. Raises OSError."""
        private_folder(file.parent)
        replace_file(file, msgspec.json.encode(self))
