"""The header of a record's file, and every flaw that must be refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import BadSegment, Damage, DamagedRecord
from storage.segments.header import built, ordered, parsed
from storage.segments.records import ITEM_BYTES, NewRecord, NewSegment, Tensor, tensor_bytes
from storage.segments.safetensors import InvalidHeaderError, described_bytes

_OURS = {
    "hearth.schema": "1",
    "hearth.kind": "kv",
    "hearth.key": "k",
    "hearth.identity": "m",
    "hearth.start": "0",
    "hearth.end": "4",
}


def _tensor(dtype: str, *shape: int) -> Tensor:
    return Tensor(dtype, shape, memoryview(bytes(range(256)) * 64)[: tensor_bytes(dtype, shape)])


def _file(tensors: dict[str, Tensor], **meta: str) -> bytes:
    record = NewRecord("kv", tensors, meta)
    head = built(NewSegment("k", None, "m", 0, 4, (record,)), record)
    return head + b"".join(tensor.data for _, tensor in ordered(tensors))


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


@given(_TENSORS, st.dictionaries(st.text(max_size=6), st.text(max_size=6), max_size=3))
def test_a_built_header_is_parsed_unchanged(tensors: dict[str, Tensor], meta: dict[str, str]) -> None:
    """Any set of tensors and any metadata keep their dtypes, shapes and bytes, and each tensor is aligned."""
    content = memoryview(_file(tensors, **meta))
    head = parsed(content)
    assert (head.segment, head.kind, dict(head.meta)) == ("k", "kv", meta)
    assert {
        name: (at.dtype, at.shape, bytes(content[head.first :][slice(*at.span)])) for name, at in head.places.items()
    } == {name: (tensor.dtype, tensor.shape, bytes(tensor.data)) for name, tensor in tensors.items()}
    assert all((head.first + at.span[0]) % ITEM_BYTES[at.dtype] == 0 for at in head.places.values())


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (memoryview(b""), Damage.HEADER),
        (memoryview(b"\x02\0\0"), Damage.HEADER),
        (memoryview(bytes(8)), Damage.HEADER),
        (memoryview(b"\xff" * 64), Damage.HEADER),
        (memoryview((1 << 62).to_bytes(8, "little") + b"{}"), Damage.HEADER),
        (_raw(b"not json"), Damage.HEADER),
        (_raw(b"\xff\xfe"), Damage.HEADER),
        (_raw(b"[" * 200_000), Damage.HEADER),
        (_raw(b'{"a":' * 100_000), Damage.HEADER),
        (_raw(b"9" * 10_000), Damage.HEADER),
        (_raw([]), Damage.HEADER),
        (_raw({}), Damage.HEADER),
        (_raw({"__metadata__": None}), Damage.HEADER),
        (_raw({"__metadata__": {"hearth.schema": 1}}), Damage.HEADER),
        (_raw(b'{"__metadata__":{"hearth.schema":"1"},"__metadata__":{}}'), Damage.HEADER),
        (_raw(b'{"__metadata__":{"hearth.schema":"1"},"t":{},"t":{}}'), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": None}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": {"dtype": "U8"}}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": _entry() | {"more": 1}}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": _entry("Q7")}, b"ab"), Damage.LAYOUT),
        (_raw({"__metadata__": _OURS, "t": _entry(["U8"])}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": _entry("F32")}, b"ab"), Damage.LAYOUT),
        (_raw({"__metadata__": _OURS, "t": _entry("U8", [-2])}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": _entry("U8", [2.0])}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": _entry("U8", [True, 2])}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": _entry("U8", [1] * 9 + [2])}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": _entry("U8", [1 << 62, 1 << 62])}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": _entry("U8", [2], [0, 2, 4])}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": _entry("U8", [2], [2, 0])}, b"ab"), Damage.LAYOUT),
        (_raw({"__metadata__": _OURS, "t": _entry("U8", [2], [-2, 0])}, b"ab"), Damage.HEADER),
        (_raw({"__metadata__": _OURS, "t": _entry("U8", [2], [1, 3])}, b"ab"), Damage.LAYOUT),
        (_raw({"__metadata__": _OURS, "t": _entry()}, b"abc"), Damage.LAYOUT),
        (_raw({"__metadata__": _OURS, "t": _entry("U8", [2], [1, 3])}, b"abc"), Damage.LAYOUT),
        (_raw({"__metadata__": _OURS, "t": _entry(), "u": _entry()}, b"ab"), Damage.LAYOUT),
        (_raw({"__metadata__": _OURS, "t": _entry(), "u": _entry("U8", [2], [3, 5])}, b"abcde"), Damage.LAYOUT),
        (_raw({"__metadata__": _OURS}, b"a"), Damage.LAYOUT),
        (_raw({"__metadata__": {}}), Damage.SCHEMA),
        (_raw({"__metadata__": _OURS | {"hearth.schema": "0"}}), Damage.SCHEMA),
    ],
)
def test_every_flaw_is_refused_with_its_cause(content: memoryview, cause: Damage) -> None:
    """Wrong lengths, invalid JSON, unknown dtypes, impossible shapes, gaps, overlaps and other versions are refused."""
    with pytest.raises(DamagedRecord) as caught:
        parsed(content)
    assert caught.value.cause is cause


def _outcome(content: bytes) -> str:
    try:
        parsed(memoryview(content))
    except DamagedRecord as damage:
        return damage.cause.value
    return "fine"


@given(st.binary(max_size=300))
def test_noise_is_damage_and_nothing_else(noise: bytes) -> None:
    """Random bytes raise only DamagedRecord."""
    assert _outcome(noise) != "fine"


@given(st.data())
def test_a_changed_header_is_refused_or_still_sound(data: st.DataObject) -> None:
    """With any bytes anywhere in a real file: DamagedRecord, or a layout that still covers the file exactly."""
    content = bytearray(_file({"keys": _tensor("F16", 2, 3), "values": _tensor("F32", 4)}, note="x"))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        patch = data.draw(st.binary(min_size=1, max_size=6))
        content[at : at + len(patch)] = patch
    if _outcome(bytes(content)) == "fine":
        head = parsed(memoryview(content))
        spans = sorted(at.span for at in head.places.values())
        assert head.first + spans[-1][1] == len(content)
        assert all(at.span[1] - at.span[0] == tensor_bytes(at.dtype, at.shape) for at in head.places.values())


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
def test_a_header_of_any_json_raises_damage_alone(entries: dict[str, Any], data: bytes) -> None:
    """A header of any JSON is refused or describes the bytes that follow."""
    assert _outcome(bytes(_raw({"__metadata__": _OURS} | entries, data))) in {"fine", "header", "layout", "schema"}


@pytest.mark.parametrize(
    ("segment", "record"),
    [
        (NewSegment("k", None, "m", 0, 4, ()), NewRecord("guess", {}, {})),
        (NewSegment("k", None, "m", 4, 0, ()), NewRecord("kv", {}, {})),
        (NewSegment("k", None, "m", 0, 4, ()), NewRecord("kv", {}, {"hearth.key": "other"})),
        (NewSegment("k", None, "m", 0, 4, ()), NewRecord("kv", {"__metadata__": _tensor("U8", 1)}, {})),
        (NewSegment("k", None, "m", 0, 4, ()), NewRecord("kv", {"t": Tensor("Q", (1,), memoryview(b"a"))}, {})),
        (NewSegment("k", None, "m", 0, 4, ()), NewRecord("kv", {"t": Tensor("F32", (1,), memoryview(b"a"))}, {})),
        (NewSegment("k", None, "m", 0, 4, ()), NewRecord("kv", {"t": Tensor("U8", (-1, -1), memoryview(b"a"))}, {})),
        (NewSegment("k", None, "m", 0, 4, ()), NewRecord("kv", {"t": Tensor("U8", (1,) * 9, memoryview(b"a"))}, {})),
        (NewSegment("k", None, "m", 0, 4, ()), NewRecord("kv", {"t": Tensor("U8", (2,), memoryview(b"abc")[::2])}, {})),
        (
            NewSegment("k", None, "m", 0, 4, ()),
            NewRecord("kv", {"t" * 9_000_000: Tensor("U8", (1,), memoryview(b"a"))}, {}),
        ),
    ],
)
def test_a_record_that_contradicts_itself_is_never_written(segment: NewSegment, record: NewRecord) -> None:
    """A record that could not be read again is refused before it is written."""
    with pytest.raises(BadSegment):
        built(segment, record)


def test_a_header_says_how_many_bytes_follow() -> None:
    """Whether they do is another question: it tells a file that was cut from one that is damaged."""
    text = bytes(_raw({"__metadata__": {"a": "b"}, "a": _entry(), "b": _entry(offsets=(2, 9))})[8:])
    assert described_bytes(text) == 9
    assert described_bytes(b"{}") == 0
    for flawed in (b"[]", b"{", b"[" * 100_000, b'{"a": 1}'):
        with pytest.raises(InvalidHeaderError):
            described_bytes(flawed)
