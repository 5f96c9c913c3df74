"""The values of the segment store: segments and records to write, as stored, and as read. Shapes only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from math import prod
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class RecordKind(StrEnum):
    """The content of a record. Its values are on disk, in the index, in file names and in headers: never change one."""

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
"""Bytes of one element by safetensors dtype name. No other dtype is written or read."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """An array. `dtype` is its safetensors name; `data` is C-contiguous and little endian, in any element format."""

    dtype: str
    shape: tuple[int, ...]
    data: memoryview


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to write; `kind` is a RecordKind."""

    kind: str
    tensors: Mapping[str, Tensor]
    meta: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NewSegment:
    """The tokens `start` to `end` under `key`, with their records."""

    key: str
    parent: str | None
    identity: str
    start: int
    end: int
    records: tuple[NewRecord, ...]


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record on disk. `bytes` is the size of its file, `checksum` the xxh3-128 of the whole file in hex."""

    segment: str
    kind: str
    bytes: int
    checksum: str
    meta: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A stored segment with its records by kind. `lost` names the kinds whose record was damaged and not stored again
    since.
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
    """Sizes of the store. `written_today` in bytes, by the local day; `causes` counts all damaged records so far;
    `identities` has the conversations by the model identity of their segments.
    """

    bytes: int
    segments: int
    records: int
    conversations: int
    written_today: int
    causes: Mapping[str, int]
    identities: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of reading records: the undamaged ones, the others with their causes, the bytes of all that there were
    to read, and the name of the last one if more follow.
    """

    good: Sequence[StoredRecord]
    damaged: Sequence[tuple[StoredRecord, str]]
    total: int
    after: str

    @property
    def causes(self) -> Counter[str]:
        """The damaged records by cause."""
        return Counter(cause for _, cause in self.damaged)


@dataclass(frozen=True, slots=True)
class Holding:
    """The segments of one conversation. Other conversations share `shared_bytes` of its `bytes`; `tokens` is the length
    of the branch that was used last. A larger `used` means a later use.
    """

    conversation: str
    bytes: int
    shared_bytes: int
    segments: int
    tokens: int
    pinned: bool
    used: int


def tensor_bytes(dtype: str, shape: tuple[int, ...]) -> int:
    """The bytes of an array. Raises KeyError for an unsupported dtype."""
    return prod(shape) * ITEM_BYTES[dtype]
