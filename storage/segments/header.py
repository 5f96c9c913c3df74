"""The header of a record's file: building it, and checking everything in it before use.

The layout is that of safetensors; the metadata says which record of which segment the file holds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from storage.errors import BadSegment, Damage, DamagedRecord
from storage.segments import safetensors
from storage.segments.records import ITEM_BYTES, KINDS, tensor_bytes
from storage.segments.safetensors import LENGTH_BYTES, MOST_DIMENSIONS, InvalidHeaderError, InvalidLayoutError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.segments.records import NewRecord, NewSegment, Tensor
    from storage.segments.safetensors import TensorPlace

SCHEMA: Final = "1"
"""The version of a record file's content. Files of another version are refused."""

_LARGEST: Final = 8 * 1024 * 1024
"""The largest header in bytes, enough for 50,000 tensors."""
_ALIGNMENT: Final = 64
_OWN: Final = "hearth."


@dataclass(frozen=True, slots=True)
class Head:
    """A checked header. `segment` and `kind` name the record, `meta` is the caller's, `places` are the tensors in the
    order of the file, and `first` is the offset of the first one.
    """

    segment: str
    kind: str
    meta: Mapping[str, str]
    places: Mapping[str, TensorPlace]
    first: int


def ordered(tensors: Mapping[str, Tensor]) -> list[tuple[str, Tensor]]:
    """The tensors in the order of the file: wide elements first, so that each tensor is aligned."""
    return sorted(tensors.items(), key=lambda item: (-ITEM_BYTES[item[1].dtype], item[0]))


def built(segment: NewSegment, record: NewRecord) -> bytes:
    """The header of the record's file, its length included. Raises BadSegment if the record contradicts itself."""
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
        if tensor.dtype not in ITEM_BYTES or len(tensor.shape) > MOST_DIMENSIONS or min(tensor.shape, default=0) < 0:
            raise BadSegment(f"The tensor {name} cannot be kept: {tensor.dtype} of shape {tensor.shape}.")
        if not tensor.data.c_contiguous or tensor.data.nbytes != tensor_bytes(tensor.dtype, tensor.shape):
            raise BadSegment(f"The tensor {name} is not {tensor.dtype} of shape {tensor.shape}.")


def header_bytes(start: memoryview, size: int) -> int:
    """The bytes of the header, its length included, of a file of `size` bytes that begins with `start`.

    Raises DamagedRecord.
    """
    try:
        return safetensors.header_bytes(start, size, _LARGEST)
    except InvalidHeaderError as error:
        raise DamagedRecord(Damage.HEADER, str(error)) from error


def parsed(content: memoryview, size: int | None = None) -> Head:
    """Check the header of a record's file of `size` bytes (None: `content` is the whole file, not just its start).

    Allocates no more than the header takes. Raises only DamagedRecord.
    """
    size = len(content) if size is None else size
    first = header_bytes(content, size)
    if len(content) < first:
        raise DamagedRecord(Damage.HEADER, "its header is cut short")
    try:
        metadata, places = safetensors.parse(content[LENGTH_BYTES:first].tobytes(), size - first)
    except InvalidHeaderError as error:
        damage = Damage.LAYOUT if isinstance(error, InvalidLayoutError) else Damage.HEADER
        raise DamagedRecord(damage, str(error)) from error
    if metadata is None:
        raise DamagedRecord(Damage.HEADER, "it has no description")
    if metadata.get(_OWN + "schema") != SCHEMA:
        raise DamagedRecord(Damage.SCHEMA, "written by another version")
    meta = {name: value for name, value in metadata.items() if not name.startswith(_OWN)}
    return Head(metadata.get(_OWN + "key", ""), metadata.get(_OWN + "kind", ""), meta, places, first)
