"""The head of a record's file: owns its JSON, and that nothing in it is believed before it is checked.

The layout is safetensors': eight bytes of length, a JSON object, then the tensors without gaps. Reading and writing
files is left to `storage.segments.files`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeGuard

from storage.errors import BadSegment, Damage, DamagedRecord
from storage.segments.records import ITEM_BYTES, KINDS, tensor_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.segments.records import NewRecord, NewSegment, Tensor

SCHEMA: Final = "1"
"""Our own version of what a record's file holds; files of another are refused."""

LENGTH_BYTES: Final = 8
_LARGEST: Final = 8 * 1024 * 1024
"""Bytes that a header may have: 50,000 tensors fit."""
_MOST_DIMENSIONS: Final = 8
_ALIGNMENT: Final = 64
_OWN: Final = "hearth."
_PARTS: Final = frozenset({"dtype", "shape", "data_offsets"})


class Place(NamedTuple):
    """Where a tensor lies: bytes `start` to `end` of the file."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Head:
    """A checked header: whose record it is, the caller's own `meta`, and each tensor's place."""

    segment: str
    kind: str
    meta: Mapping[str, str]
    places: Mapping[str, Place]


def ordered(tensors: Mapping[str, Tensor]) -> list[tuple[str, Tensor]]:
    """The tensors in the order of their bytes in the file: wide elements first, so that each lies aligned."""
    return sorted(tensors.items(), key=lambda item: (-ITEM_BYTES[item[1].dtype], item[0]))


def built(segment: NewSegment, record: NewRecord) -> bytes:
    """The first bytes of the record's file, length included. Raises BadSegment where the record contradicts itself."""
    _check(segment, record)
    entries: dict[str, Any] = {"__metadata__": _metadata(segment, record)}
    at = 0
    for name, tensor in ordered(record.tensors):
        end = at + tensor.data.nbytes
        entries[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [at, end]}
        at = end
    text = json.dumps(entries, separators=(",", ":")).encode()
    text += b" " * (-(len(text) + LENGTH_BYTES) % _ALIGNMENT)
    if len(text) > _LARGEST:
        raise BadSegment("A record has too many tensors.")
    return len(text).to_bytes(LENGTH_BYTES, "little") + text


def _metadata(segment: NewSegment, record: NewRecord) -> dict[str, str]:
    own = {
        "schema": SCHEMA,
        "kind": record.kind,
        "key": segment.key,
        "identity": segment.identity,
        "start": str(segment.start),
        "end": str(segment.end),
    }
    return {_OWN + name: value for name, value in own.items()} | dict(record.meta)


def _check(segment: NewSegment, record: NewRecord) -> None:
    if record.kind not in KINDS or "__metadata__" in record.tensors:
        raise BadSegment(f"There is no record of the kind {record.kind}.")
    if any(name.startswith(_OWN) for name in record.meta) or not 0 <= segment.start <= segment.end:
        raise BadSegment(f"The description of segment {segment.key} is not valid.")
    for name, tensor in record.tensors.items():
        if tensor.dtype not in ITEM_BYTES or len(tensor.shape) > _MOST_DIMENSIONS or min(tensor.shape, default=0) < 0:
            raise BadSegment(f"The tensor {name} cannot be kept: {tensor.dtype} of shape {tensor.shape}.")
        if not tensor.data.c_contiguous or tensor.data.nbytes != tensor_bytes(tensor.dtype, tensor.shape):
            raise BadSegment(f"The tensor {name} is not {tensor.dtype} of shape {tensor.shape}.")


def parsed(content: memoryview) -> Head:
    """Check a whole record file. Reads its header only, and allocates no more than that. Raises DamagedRecord alone."""
    length = _header_length(content)
    entries = _decoded(content[LENGTH_BYTES : LENGTH_BYTES + length])
    metadata = _metadata_of(entries.pop("__metadata__", None))
    first = LENGTH_BYTES + length
    places = {name: _place(entry, first, len(content)) for name, entry in entries.items()}
    _check_gapless(places, first, len(content))
    if metadata.get(_OWN + "schema") != SCHEMA:
        raise DamagedRecord(Damage.SCHEMA, "written by another version")
    meta = {name: value for name, value in metadata.items() if not name.startswith(_OWN)}
    return Head(metadata.get(_OWN + "key", ""), metadata.get(_OWN + "kind", ""), meta, places)


def _header_length(content: memoryview) -> int:
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    if len(content) < LENGTH_BYTES or not 0 < length <= min(_LARGEST, len(content) - LENGTH_BYTES):
        raise DamagedRecord(Damage.HEADER, "its header has no valid length")
    return length


def _decoded(text: memoryview) -> dict[str, Any]:
    try:
        entries = json.loads(text.tobytes().decode(), object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(Damage.HEADER, "its header is not JSON") from error
    if not isinstance(entries, dict):
        raise DamagedRecord(Damage.HEADER, "its header is not an object")
    return entries


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _metadata_of(entry: object) -> dict[str, str]:
    if not isinstance(entry, dict) or not all(isinstance(value, str) for value in entry.values()):
        raise DamagedRecord(Damage.HEADER, "its description is not text")
    return entry


def _place(entry: object, first: int, size: int) -> Place:
    """The place of one tensor; offsets in the header count from `first`."""
    if not isinstance(entry, dict) or entry.keys() != _PARTS:
        raise DamagedRecord(Damage.HEADER, "a tensor is not described")
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in ITEM_BYTES:
        raise DamagedRecord(Damage.LAYOUT, "unknown dtype")
    if not _are_sizes(shape) or not _are_sizes(offsets) or len(shape) > _MOST_DIMENSIONS or len(offsets) != 2:  # noqa: PLR2004 - from, to
        raise DamagedRecord(Damage.LAYOUT, "a tensor has no valid shape or place")
    start, end = first + offsets[0], first + offsets[1]
    if not first <= start <= end <= size or end - start != prod(shape) * ITEM_BYTES[dtype]:
        raise DamagedRecord(Damage.LAYOUT, "a tensor does not fit its shape")
    return Place(dtype, tuple(shape), start, end)


def _are_sizes(value: object) -> TypeGuard[list[int]]:
    """A loop and no generator: this runs for every tensor of every record that is restored."""
    if not isinstance(value, list):
        return False
    for number in value:  # noqa: SIM110 - as above
        if type(number) is not int or number < 0:
            return False
    return True


def _check_gapless(places: Mapping[str, Place], first: int, size: int) -> None:
    """Tensors follow one another from the end of the header to the end of the file."""
    spans = [(first, first), *sorted((place.start, place.end) for place in places.values()), (size, size)]
    if any(before[1] != after[0] for before, after in pairwise(spans)):
        raise DamagedRecord(Damage.LAYOUT, "tensors overlap or leave gaps")
