"""Builds and parses the headers of safetensors files: cache records and files that users import. Reads no file itself.

Layout of a file: the header's length in eight bytes, little endian; a JSON object; then the tensors without gaps.

Invariants:
- Parsing allocates no more than the header takes, whatever it claims.
- Tensors that `parse` returns lie one after another and fill the rest of the file exactly.
"""

from __future__ import annotations

import json
from math import prod
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

import msgspec

from storage.segments.records import ITEM_BYTES
from storage.untrusted import parse_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.segments.records import Tensor

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
