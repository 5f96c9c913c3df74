"""The header of a record's file, and every flaw that must be refused."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.segments.records import (
    ITEM_BYTES,
    LENGTH_BYTES,
    InvalidHeaderError,
    Tensor,
    TensorPlace,
    built,
    described_bytes,
    header_bytes,
    ordered,
    parse,
    tensor_bytes,
)

_LARGEST = 1 << 23


def parsed(content: memoryview) -> tuple[dict[str, TensorPlace], int]:
    """The tensors of a whole file, and where the first begins."""
    first = header_bytes(content, len(content), _LARGEST)
    return dict(parse(bytes(content[LENGTH_BYTES:first]), len(content) - first).places), first


def _tensor(dtype: str, *shape: int) -> Tensor:
    return Tensor(dtype, shape, memoryview(bytes(range(256)) * 64)[: tensor_bytes(dtype, shape)])


def _file(tensors: dict[str, Tensor]) -> bytes:
    return built(tensors) + b"".join(tensor.data for _, tensor in ordered(tensors))


def _raw(header: object, data: bytes = b"") -> memoryview:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return memoryview(len(text).to_bytes(8, "little") + text + data)


def _entry(dtype: object = "U8", shape: object = (2,), offsets: object = (0, 2)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


_TENSORS = st.dictionaries(
    st.text(max_size=8).filter(lambda name: name != "__metadata__"),
    st.builds(
        lambda dtype, shape: _tensor(dtype, *shape),
        st.sampled_from(sorted(ITEM_BYTES)),
        st.lists(st.integers(0, 4), max_size=4),
    ),
    max_size=6,
)


@given(_TENSORS)
def test_a_built_header_is_parsed_unchanged(tensors: dict[str, Tensor]) -> None:
    """Any set of tensors keep their dtypes, shapes and bytes, and each tensor is aligned."""
    content = memoryview(_file(tensors))
    places, first = parsed(content)
    assert {name: (at.dtype, at.shape, bytes(content[first:][slice(*at.span)])) for name, at in places.items()} == {
        name: (tensor.dtype, tensor.shape, bytes(tensor.data)) for name, tensor in tensors.items()
    }
    assert all((first + at.span[0]) % ITEM_BYTES[at.dtype] == 0 for at in places.values())


@pytest.mark.parametrize(
    "content",
    [
        memoryview(b"\x02\0\0"),
        memoryview(bytes(8)),
        memoryview((1 << 62).to_bytes(8, "little") + b"{}"),
        _raw(b"not json"),
        _raw([]),
        _raw(b'{"__metadata__":{"hearth.schema":"1"},"t":{},"t":{}}'),
        _raw({"t": None}, b"ab"),
        _raw({"t": {"dtype": "U8"}}, b"ab"),
        _raw({"t": _entry() | {"more": 1}}, b"ab"),
        _raw({"t": _entry("Q7")}, b"ab"),
        _raw({"t": _entry(["U8"])}, b"ab"),
        _raw({"t": _entry("F32")}, b"ab"),
        _raw({"t": _entry("U8", [1])}, b"ab"),
        _raw({"t": _entry("U8", [-2])}, b"ab"),
        _raw({"t": _entry("U8", [2.0])}, b"ab"),
        _raw({"t": _entry("U8", [True, 2])}, b"ab"),
        _raw({"t": _entry("U8", [1] * 9 + [2])}, b"ab"),
        _raw({"t": _entry("U8", [1 << 62, 1 << 62])}, b"ab"),
        _raw({"t": _entry("U8", [2], [0, 2, 4])}, b"ab"),
        _raw({"t": _entry("U8", [2], [2, 0])}, b"ab"),
        _raw({"t": _entry("U8", [2], [-2, 0])}, b"ab"),
        _raw({"t": _entry()}, b"abc"),
        _raw({"t": _entry("U8", [2], [1, 3])}, b"abc"),
        _raw({"t": _entry(), "u": _entry()}, b"ab"),
        _raw({"t": _entry(), "u": _entry("U8", [2], [3, 5])}, b"abcde"),
        _raw({}, b"a"),
    ],
)
def test_every_flaw_is_refused(content: memoryview) -> None:
    """Wrong lengths, invalid JSON, unknown dtypes, impossible shapes, gaps and overlaps are refused."""
    with pytest.raises(InvalidHeaderError):
        parsed(content)


def _assert_refused_or_sound(content: bytes | bytearray | memoryview) -> None:
    """InvalidHeaderError alone, or a layout that covers the file exactly."""
    with suppress(InvalidHeaderError):
        places, first = parsed(memoryview(content))
        assert first + max((at.span[1] for at in places.values()), default=0) == len(content)
        sizes = [at.span[1] - at.span[0] for at in places.values()]
        assert sizes == [tensor_bytes(at.dtype, at.shape) for at in places.values()]
        assert sum(sizes) == len(content) - first


@given(st.data())
def test_a_changed_header_is_refused_or_still_sound(data: st.DataObject) -> None:
    """With any bytes anywhere in a real file."""
    content = bytearray(_file({"keys": _tensor("F16", 2, 3), "values": _tensor("F32", 4)}))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        patch = data.draw(st.binary(min_size=1, max_size=6))
        content[at : at + len(patch)] = patch
    _assert_refused_or_sound(content)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_ENTRIES = st.fixed_dictionaries(
    {
        "dtype": st.sampled_from(["U8", "F32", "BF16", "Q"]) | _JSON,
        "shape": st.lists(st.integers(-1, 1 << 70), max_size=3) | _JSON,
        "data_offsets": st.lists(st.integers(-1, 1 << 70), min_size=2, max_size=2) | _JSON,
    }
)


@given(st.dictionaries(st.text(max_size=4), _ENTRIES | _JSON, max_size=4), st.binary(max_size=16))
def test_a_header_of_any_json_raises_one_error_alone(entries: dict[str, Any], data: bytes) -> None:
    """A file that was made to deceive is refused, or its header describes the bytes that follow."""
    _assert_refused_or_sound(_raw(entries, data))


def test_a_header_says_how_many_bytes_follow() -> None:
    """Whether they do is another question: it tells a file that was cut from one that is damaged."""
    text = bytes(_raw({"__metadata__": {"a": "b"}, "a": _entry(), "b": _entry(offsets=(2, 9))})[8:])
    assert described_bytes(text) == 9
    assert described_bytes(b"{}") == 0
    for flawed in (b"[]", b"{", b"[" * 100_000, b'{"a": 1}'):
        with pytest.raises(InvalidHeaderError):
            described_bytes(flawed)
