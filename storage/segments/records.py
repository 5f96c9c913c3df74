"""The values of the segment store: records on their way to disk, and what is known of those that are there.

Owns shapes only; files, rows and eviction are their modules'.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tensor:
    """One array: `dtype` by its safetensors name, `data` C-contiguous, little endian."""

    dtype: str
    shape: tuple[int, ...]
    data: memoryview


@dataclass(frozen=True, slots=True)
class Record:
    """A record as read: views into the mapped file."""

    tensors: Mapping[str, Tensor]
    meta: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to be written; `kind` is kv, window or state."""

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
    """A record that is on disk."""

    segment: str
    kind: str
    bytes: int
    checksum: str
    meta: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """A segment of the index with its records by kind."""

    key: str
    parent: str | None
    identity: str
    start: int
    end: int
    records: Mapping[str, StoredRecord]
