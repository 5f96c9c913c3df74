"""The values of the segment store: segments and records to write, as stored, and as read. Reads no file itself.

Builds and parses the headers of safetensors files, too: of records, of files that users import, and of weights. Layout
of a file: the header's length in eight bytes, little endian; a JSON object; then the tensors without gaps.

Invariants:
- Parsing allocates no more than the header takes, whatever it claims.
- Tensors that `parse` returns lie one after another and fill the rest of the file exactly.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import prod
from typing import Annotated, Any, Final, NamedTuple

import msgspec

from storage.untrusted import parse_json


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
    """Sizes of the store. `shared_bytes` are those of the records that several conversations hold, each counted once;
    `written_today` in bytes, by the local day; `causes` counts all damaged records so far;
    `identities` has the conversations by the model identity of their segments.
    """

    bytes: int
    shared_bytes: int
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


# --- headers

LENGTH_BYTES: Final = 8
_ALIGNMENT: Final = 64
_MOST_DIMENSIONS: Final = 8
_LONGEST: Final = 1 << 31
"""The longest dimension. MLX counts elements in 32 bits."""

_METADATA: Final = "__metadata__"

_Size = Annotated[int, msgspec.Meta(ge=0)]
_Side = Annotated[int, msgspec.Meta(ge=0, le=_LONGEST)]


class InvalidHeaderError(ValueError):
    """The header is not valid. The message is the rest of a sentence, such as "its header is not JSON"."""


class TensorPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tensor's type, shape and place: `span` counts bytes from the end of the header."""

    dtype: str
    shape: Annotated[tuple[_Side, ...], msgspec.Meta(max_length=_MOST_DIMENSIONS)]
    span: tuple[_Size, _Size] = msgspec.field(name="data_offsets")


class Header(NamedTuple):
    """A checked header: its metadata, None unless it maps text to text, and the tensors in the order of their bytes."""

    metadata: Mapping[str, str] | None
    places: Mapping[str, TensorPlace]


def ordered(tensors: Mapping[str, Tensor]) -> list[tuple[str, Tensor]]:
    """The tensors in the order of the file: wide elements first, so that each tensor is aligned."""
    return sorted(tensors.items(), key=lambda item: (-ITEM_BYTES[item[1].dtype], item[0]))


def built(tensors: Mapping[str, Tensor]) -> bytes:
    """The header of a file of these tensors, its length included."""
    entries: dict[str, object] = {}
    at = 0
    for name, tensor in ordered(tensors):
        end = at + tensor.data.nbytes
        entries[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(entries, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + LENGTH_BYTES) % _ALIGNMENT)
    return len(text).to_bytes(LENGTH_BYTES, "little") + text


def header_bytes(start: memoryview, size: int, largest: int) -> int:
    """The bytes of the header, its length included, of a file of `size` bytes that begins with `start`.

    Raises InvalidHeaderError, also if the JSON is longer than `largest` bytes.
    """
    length = int.from_bytes(start[:LENGTH_BYTES], "little")
    if len(start) < LENGTH_BYTES or not 0 < length <= min(largest, size - LENGTH_BYTES):
        raise InvalidHeaderError("its header has no valid length")
    return LENGTH_BYTES + length


def described_bytes(text: bytes) -> int:
    """The bytes of tensors in a file whose header is the JSON `text`, by what it says of itself.

    Raises InvalidHeaderError.
    """
    _, places = _read(text)
    return max((place.span[1] for place in places.values()), default=0)


def parse(text: bytes, content_bytes: int) -> Header:
    """The header whose JSON is `text`, of a file with `content_bytes` bytes of tensors.

    Raises InvalidHeaderError.
    """
    metadata, places = _read(text)
    in_file = dict(sorted(places.items(), key=lambda item: item[1].span))
    _check_layout(in_file, content_bytes)
    return Header(_texts(metadata), in_file)


def _read(text: bytes) -> tuple[object, dict[str, TensorPlace]]:
    """The metadata as it stands, and the tensors. Raises InvalidHeaderError."""
    try:
        entries = parse_json(text.decode(), _without_repeats)
        metadata = entries.pop(_METADATA, None) if isinstance(entries, dict) else None
        return metadata, msgspec.convert(entries, dict[str, TensorPlace])
    except msgspec.ValidationError as error:
        raise InvalidHeaderError("a tensor is not described") from error
    except ValueError as error:
        raise InvalidHeaderError("its header is not JSON") from error


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _texts(metadata: object) -> Mapping[str, str] | None:
    if isinstance(metadata, dict) and all(isinstance(value, str) for value in metadata.values()):
        return metadata
    return None


def _check_layout(places: Mapping[str, TensorPlace], content_bytes: int) -> None:
    """Raises InvalidHeaderError unless the tensors follow one another through all `content_bytes` bytes."""
    at = 0
    for place in places.values():
        start, end = place.span
        item = ITEM_BYTES.get(place.dtype)
        if item is None:
            raise InvalidHeaderError("it holds numbers of an unknown type")
        if end - start != prod(place.shape) * item:
            raise InvalidHeaderError("a tensor does not fit its shape")
        if start != at:
            raise InvalidHeaderError("its tensors overlap or leave gaps")
        at = end
    if at != content_bytes:
        raise InvalidHeaderError("it does not end with its last tensor")
