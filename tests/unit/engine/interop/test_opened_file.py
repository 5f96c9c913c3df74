"""Every statement of a prompt cache file is checked before it is used."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mlx_lm.models.cache import KVCache

from engine.cache.codec.codec import Layout
from engine.cache.segment import Needs
from engine.interop.convert import layers, opened
from engine.protocol.errors import CacheRefused
from storage.segments.records import RecordKind

Header = dict[str, Any]

LAYOUT = Layout(
    Needs(kv=True, window=0, state=False),
    {RecordKind.KV: {f"0.{side}": (mx.float32, (1, 1, -1, 2)) for side in ("keys", "values")}},
)

ARRAYS = {
    "large": mx.arange(40_000),
    "whole": mx.arange(12, dtype=mx.int32).reshape(3, 4),
    "half": mx.array([0.5, -2.0, 3.0], dtype=mx.bfloat16),
    "one": mx.array(7),
    "none": mx.array([]),
    "flags": mx.array([True, False, True]),
}


TENSOR: Header = {"dtype": "U8", "shape": [4], "data_offsets": [0, 4]}


def test_tensors_are_read_as_they_were_written(tmp_path: Path) -> None:
    """Tensors of every dtype arrive with their values, including scalars, empty ones and dtypes unknown to NumPy."""
    path = tmp_path / "a.safetensors"
    mx.save_safetensors(str(path), ARRAYS, {"said": "so"})
    with opened(path) as file:
        assert file.metadata == {"said": "so"}
        read = {name: file.read(stored) for name, stored in file.tensors.items()}
    assert {name: (array.dtype, array.shape) for name, array in read.items()} == {
        name: (array.dtype, array.shape) for name, array in ARRAYS.items()
    }
    assert all(mx.array_equal(read[name], array) for name, array in ARRAYS.items())


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ({"__metadata__": {}, "0.0": TENSOR | {"dtype": "C64"}}, "unknown type"),
        ({"__metadata__": {}, "0.0": TENSOR | {"data_offsets": [0, 8]}}, "fit its shape"),
        ({"__metadata__": {}, "0.0": TENSOR, "more": 1}, "not described"),
        ({"0.0": TENSOR}, "what its layers are"),
        ({"__metadata__": {"a": 1}, "0.0": TENSOR}, "what its layers are"),
        (b"\xff\xfe{}", "not JSON"),
    ],
)
def test_an_invalid_header_is_refused(tmp_path: Path, header: Header | bytes, why: str) -> None:
    """Any flaw in the header ends in one sentence. (The tests of records have all flaws.)"""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path = tmp_path / "a.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"1234")
    with pytest.raises(CacheRefused, match=why), opened(path):
        pass


@pytest.mark.parametrize("content", [b"", (1 << 60).to_bytes(8, "little") + b"{}"])
def test_a_wrong_header_length_is_refused(tmp_path: Path, content: bytes) -> None:
    """A length beyond the file reserves no memory."""
    path = tmp_path / "a.safetensors"
    path.write_bytes(content)
    with pytest.raises(CacheRefused, match="valid length"), opened(path):
        pass


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_path_that_is_no_file_is_refused(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """Opening a pipe without a writer does not block."""
    make(tmp_path / "a.safetensors")
    with pytest.raises(CacheRefused, match="not a regular file"), opened(tmp_path / "a.safetensors"):
        pass


def test_a_file_that_shrinks_is_refused(tmp_path: Path) -> None:
    """If the file is cut short after it was opened, no tensor is returned."""
    path = tmp_path / "a.safetensors"
    mx.save_safetensors(str(path), ARRAYS, {"said": "so"})
    with opened(path) as file:
        os.truncate(path, file.bytes - 40)
        with pytest.raises(CacheRefused, match="too short"):
            [file.read(stored) for stored in file.tensors.values()]


@settings(derandomize=True)
@given(st.data())
def test_no_damaged_byte_does_harm(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """A good file with changed bytes is either read or refused."""
    path = tmp_path_factory.getbasetemp() / "fuzzed.safetensors"
    cache = {"0.0": mx.zeros((1, 1, 4, 2)), "0.1": mx.zeros((1, 1, 4, 2)), "0.2": mx.array(4)}
    meta = {"1.0": "KVCache", "2.0": "", "2.1.0": "0.2", "2.1.1": "scalar"}
    mx.save_safetensors(str(path), cache, meta)
    content = bytearray(path.read_bytes())
    end = 8 + int.from_bytes(content[:8], "little")
    for at in data.draw(st.lists(st.integers(0, end - 1), min_size=1, max_size=4)):
        content[at] = data.draw(st.one_of(st.integers(0, 255), st.sampled_from(b'0123456789"[]{},.')))
    path.write_bytes(content)
    try:
        with opened(path) as file:
            layers(file, LAYOUT, [KVCache()])
    except CacheRefused:
        return
