"""The values of the segment store: records on their way to disk, and what is known of those that are there.

Owns shapes only; files, rows and eviction are their modules'.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import prod
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class RecordKind(StrEnum):
    """What a record holds. Its values are on disk, in the index, in file names and in headers: never change one."""

    KV = "kv"  # keys and values of growing layers
    WINDOW = "window"  # what rotating layers still see
    STATE = "state"  # arrays of recurrent layers, of fixed size


KINDS: Final = tuple(RecordKind)

ITEM_BYTES: Final = {
    "F64": 8,
    "F32": 4,
    "F16": 2,
    "BF16": 2,
    "I64": 8,
    "I32": 4,
    "I16": 2,
    "I8": 1,
    "U64": 8,
    "U32": 4,
    "U16": 2,
    "U8": 1,
    "BOOL": 1,
}
"""Bytes of one element by safetensors dtype name; other dtypes are neither written nor read."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """One array: `dtype` by its safetensors name, `data` C-contiguous, little endian, of any element format."""

    dtype: str
    shape: tuple[int, ...]
    data: memoryview


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read: its tensors are views of one buffer."""

    tensors: Mapping[str, Tensor]
    meta: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to be written; `kind` is a RecordKind."""

    kind: str
    tensors: Mapping[str, Tensor]
    meta: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NewSegment:
    """The tokens `start` to `end` under `key`, with the records to be kept of them."""

    key: str
    parent: str | None
    identity: str
    start: int
    end: int
    records: tuple[NewRecord, ...]


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record that is on disk: `bytes` is the size of its file, `checksum` the xxh3-128 of all of it in hex."""

    segment: str
    kind: str
    bytes: int
    checksum: str
    meta: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A segment of the index with its records by kind. Of the kinds in `lost` there was one that was damaged, and none
    has been stored since.
    """

    key: str
    parent: str | None
    identity: str
    start: int
    end: int
    records: Mapping[str, StoredRecord]
    lost: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stats:
    """What the store holds. `written_today` in bytes, by the local day; `causes` counts damaged records ever seen."""

    bytes: int
    segments: int
    records: int
    conversations: int
    written_today: int
    quarantined: int
    causes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Verified:
    """The outcome of reading every record: how many were good, their bytes, and the damaged ones by cause."""

    good: int
    bytes: int
    damaged: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Holding:
    """What one conversation holds: `bytes` altogether, `shared_bytes` of them with others; `tokens` to the end of its
    longest branch. `used` orders conversations by their last use: the higher, the later.
    """

    conversation: str
    bytes: int
    shared_bytes: int
    segments: int
    tokens: int
    pinned: bool
    used: int


@dataclass(frozen=True, slots=True)
class Freed:
    """What was erased."""

    bytes: int
    records: int

    def __add__(self, other: Freed) -> Freed:
        return Freed(self.bytes + other.bytes, self.records + other.records)


def tensor_bytes(dtype: str, shape: tuple[int, ...]) -> int:
    """The size of an array. Raises KeyError for a dtype that is not kept."""
    return prod(shape) * ITEM_BYTES[dtype]
