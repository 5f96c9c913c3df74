"""The head of a record's file: owns its JSON, and that nothing in it is believed before it is checked.

The layout is safetensors': eight bytes of length, a JSON object, then the tensors without gaps. Reading and writing
files is left to `storage.segments.files`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from storage.errors import BadSegment, Damage, DamagedRecord
from storage.foreign import ForeignError, JsonDecoder, JsonScanner
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
_SCANNER: Final = JsonScanner()
_DESCRIPTION: Final = re.compile(r'\s*\{\s*"__metadata__"\s*:\s*')

_Size = Annotated[int, msgspec.Meta(ge=0)]


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a tensor is and where it lies, as the header has it: `span` are bytes from the end of the header on."""

    dtype: str
    shape: tuple[_Size, ...]
    span: tuple[_Size, _Size] = msgspec.field(name="data_offsets")


class _Claim(msgspec.Struct, forbid_unknown_fields=True):
    """What at least has the parts of a place."""

    dtype: Any
    shape: Any
    data_offsets: Any


_PLACES: Final = JsonDecoder[dict[str, Place]](dict[str, Place])
_CLAIMS: Final = JsonDecoder[dict[str, _Claim]](dict[str, _Claim])


@dataclass(frozen=True, slots=True)
class Head:
    """A checked header: whose record it is, the caller's own `meta`, each tensor's place, in the order of the file, and
    the byte at which the header ends.
    """

    segment: str
    kind: str
    meta: Mapping[str, str]
    places: Mapping[str, Place]
    first: int


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


def header_bytes(start: memoryview, size: int) -> int:
    """How long the header of a file of `size` bytes is, its length included, by the file's first bytes.

    Raises DamagedRecord.
    """
    length = int.from_bytes(start[:LENGTH_BYTES], "little")
    if len(start) < LENGTH_BYTES or not 0 < length <= min(_LARGEST, size - LENGTH_BYTES):
        raise DamagedRecord(Damage.HEADER, "its header has no valid length")
    return LENGTH_BYTES + length


def parsed(content: memoryview, size: int | None = None) -> Head:
    """Check what describes a record's file, of `size` bytes, of which `content` holds at least the header (None: all).

    Allocates no more than the header takes. Raises DamagedRecord alone.
    """
    size = len(content) if size is None else size
    first = header_bytes(content, size)
    if len(content) < first:
        raise DamagedRecord(Damage.HEADER, "its header is cut short")
    metadata, places = _decoded(content[LENGTH_BYTES:first])
    _check_places(places, size - first)
    if metadata.get(_OWN + "schema") != SCHEMA:
        raise DamagedRecord(Damage.SCHEMA, "written by another version")
    meta = {name: value for name, value in metadata.items() if not name.startswith(_OWN)}
    return Head(metadata.get(_OWN + "key", ""), metadata.get(_OWN + "kind", ""), meta, places, first)


def _decoded(header: memoryview) -> tuple[dict[str, str], dict[str, Place]]:
    """The description, which comes first, and the tensors. The bulk is decoded with its types in one go: this runs for
    every record that is restored.
    """
    try:
        metadata, tensors = _parted(header.tobytes().decode())
    except ValueError as error:
        raise DamagedRecord(Damage.HEADER, "its header is not JSON") from error
    try:
        return metadata, _PLACES.decode(tensors)
    except ForeignError as error:
        raise _misfit(tensors) from error


def _parted(text: str) -> tuple[dict[str, str], str]:
    """The description, and the JSON of the tensors alone. Raises ValueError."""
    begin = _DESCRIPTION.match(text)
    if begin is None:
        raise ValueError("there is no description")
    metadata, end = _SCANNER.scan(text, begin.end())
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise ValueError("the description is not text")
    rest = text[end:].lstrip()
    return metadata, "{" + rest.removeprefix(",")


def _misfit(tensors: str) -> DamagedRecord:
    """What is wrong with tensors that are not described as they should be."""
    try:
        _CLAIMS.decode(tensors)
    except ForeignError:
        return DamagedRecord(Damage.HEADER, "a tensor is not described")
    return DamagedRecord(Damage.LAYOUT, "a tensor has no valid dtype, shape or place")


def _check_places(places: Mapping[str, Place], size: int) -> None:
    """Tensors follow one another, in the order of the header, through all the `size` bytes of the file that are left.

    One plain loop, for the same reason.
    """
    at = 0
    for place in places.values():
        start, end = place.span
        item = ITEM_BYTES.get(place.dtype)
        if item is None or len(place.shape) > _MOST_DIMENSIONS:
            raise DamagedRecord(Damage.LAYOUT, "unknown dtype or shape")
        if start != at or end - start != prod(place.shape) * item:
            raise DamagedRecord(Damage.LAYOUT, "tensors do not fit their shapes, overlap or leave gaps")
        at = end
    if at != size:
        raise DamagedRecord(Damage.LAYOUT, "tensors do not fill the file")
