"""The layers of a model in the layouts of two releases, and files that do not have them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import (
    ArraysCache,
    CacheList,
    ChunkedKVCache,
    ConcatenateKVCache,
    KVCache,
    QuantizedKVCache,
    RotatingKVCache,
    save_prompt_cache,
)

from engine.cache.codec.codec import Layout
from engine.interop.convert import Layer, layers, opened
from engine.protocol.errors import CacheRefused
from tests.fakes.prompt_caches import save_as_before


def fed(cache: Any, tokens: int = 20) -> Any:
    keys = mx.random.normal((1, 2, tokens, 64))
    cache.update_and_fetch(keys, keys)
    return cache


def states() -> ArraysCache:
    cache = ArraysCache(2)
    cache[0], cache[1] = mx.zeros((1, 3, 4)), mx.zeros((1, 4, 4))
    return cache


def emptied(cache: Any) -> Any:
    if type(cache) is CacheList:
        return CacheList(*map(emptied, cache.caches))
    empty = copy(cache)
    if type(cache) is ArraysCache:
        empty.cache = [None] * len(cache.cache)
    else:
        empty.keys = empty.values = None
    return empty


def told(path: Path, caches: Sequence[Any]) -> list[Layer]:
    """The layers in a file for a model with such caches."""
    layout = Layout.of(caches)
    assert layout
    with opened(path) as file:
        return layers(file, layout, list(map(emptied, caches)))


def refused(path: Path, caches: Sequence[Any], arrays: dict[str, Any], metadata: dict[str, str], why: str) -> None:
    """Whether a file of these arrays is refused for a model with such caches."""
    mx.save_safetensors(str(path / "a.safetensors"), arrays, metadata)
    with pytest.raises(CacheRefused, match=why):
        told(path / "a.safetensors", caches)


def in_short(layer: Layer) -> Any:
    numbers = {name: number for name, number in layer.numbers.items() if name != "offset"}
    return type(layer.kind.leaf).__name__, sorted(layer.tensors), numbers


EVERY: list[Callable[[], Any]] = [
    lambda: fed(KVCache()),
    lambda: fed(ConcatenateKVCache()),
    lambda: fed(QuantizedKVCache(64, 8)),
    lambda: fed(RotatingKVCache(8)),
    lambda: fed(RotatingKVCache(64, keep=4)),
    lambda: fed(ChunkedKVCache(64)),
    states,
    lambda: CacheList(states(), fed(KVCache())),
]


def test_both_layouts_describe_every_cache_alike(tmp_path: Path) -> None:
    """Classes, tensors and numbers are found in either layout."""
    caches = [make() for make in EVERY]
    save_prompt_cache(str(tmp_path / "now.safetensors"), caches, {"0": "a name as if it were a number", "a.b": ""})
    save_as_before(tmp_path / "before.safetensors", caches)
    now, before = told(tmp_path / "now.safetensors", caches), told(tmp_path / "before.safetensors", caches)
    assert [in_short(layer) for layer in now] == [in_short(layer) for layer in before]
    assert [type(layer.kind.leaf) for layer in now][: len(caches) - 1] == [type(cache) for cache in caches[:-1]]
    assert [layer.numbers["offset"] for layer in now if "offset" in layer.numbers] == [20] * 6


@pytest.mark.parametrize("save", [save_prompt_cache, save_as_before])
@pytest.mark.parametrize("make", EVERY)
def test_a_single_layer_is_recognised(
    tmp_path: Path, save: Callable[[Any, Any], None], make: Callable[[], Any]
) -> None:
    """The layout of a model with a single layer is recognised, whatever its cache."""
    path = tmp_path / "a.safetensors"
    cache = make()
    save(str(path) if save is save_prompt_cache else path, [cache])
    assert told(path, [cache])


@pytest.mark.parametrize("name", ["TokenBuffer", "BatchKVCache", "copy", "__builtins__", "exec"])
@pytest.mark.parametrize("layout", ["before", "now"])
def test_unknown_class_names_are_refused(tmp_path: Path, name: str, layout: str) -> None:
    """A name is compared with that of the model's class, and never looked up."""
    caches = [fed(KVCache(), 4)]
    meta = {"2.0": name} if layout == "before" else {"1.0": name, "2.0": "", "2.1.0": "0.2", "2.1.1": "scalar"}
    refused(tmp_path, caches, plain(caches) | {"0.2": mx.array(4)}, meta, f"is a '{name}', and the model's is a")


def plain(caches: Sequence[Any]) -> dict[str, Any]:
    return {f"{number}.{side}": cache.keys for number, cache in enumerate(caches) for side in "01"}


@pytest.mark.parametrize(
    ("metadata", "why"),
    [
        ({"2.1": "KVCache"}, "has 1 layers"),
        ({"2.1": "KVCache", "2.2": "KVCache"}, "is a '', and the model's is a KVCache"),
        ({"2.0": "KVCache"}, "has 1 layers"),
        ({"2.0": "KVCache", "2.1": "RotatingKVCache"}, "is a 'RotatingKVCache'"),
        ({"1.0": "KVCache", "1.1": "KVCache", "2.0": "", "2.1.0": "7.7", "2.1.1": "none"}, "where it stands"),
        ({"1.0": "KVCache", "1.1": "KVCache", "2.0": "", "2.1.0": "0.0", "2.1.1": "none"}, "another type or size"),
        ({"1.0": "KVCache", "1.1": "KVCache", "2.0": "", "2.1.0": "0.2", "2.1.1": "code"}, "where it stands"),
        ({"1.0": "KVCache", "1.1": "KVCache", "2.0": ""}, "where it stands"),
    ],
)
def test_inconsistent_layers_are_refused(tmp_path: Path, metadata: dict[str, str], why: str) -> None:
    """Invalid numbers, layers without a name and names without a layer are refused."""
    caches = [fed(KVCache(), 256)] * 2
    refused(tmp_path, caches, plain(caches), metadata, why)


@pytest.mark.parametrize("number", [mx.array(-1), mx.array(256.0), mx.array([1, 2]), mx.array([[256]] * 100)])
def test_a_number_that_is_none_is_refused(tmp_path: Path, number: mx.array) -> None:
    """An offset is one whole number."""
    meta = {"1.0": "KVCache", "2.0": "", "2.1.0": "0.2", "2.1.1": "scalar"}
    caches = [fed(KVCache(), 256)]
    refused(tmp_path, caches, plain(caches) | {"0.2": number}, meta, "where it stands")


@pytest.mark.parametrize("number", ["-1", "9" * 5000, "\u0663", ""])
def test_a_text_that_is_no_number_is_refused(tmp_path: Path, number: str) -> None:
    """The same of the layout of 0.31."""
    caches = [fed(ChunkedKVCache(64), 256)]
    meta = {"2.0": "ChunkedKVCache", "0.0.0": "64", "0.0.1": number}
    refused(tmp_path, caches, plain(caches), meta, "where it stands")


def test_tensors_of_no_layer_are_refused(tmp_path: Path) -> None:
    """Nothing in a file is ignored."""
    caches = [fed(KVCache(), 256)]
    refused(tmp_path, caches, plain(caches * 2), {"2.0": "KVCache"}, "of no layer")


def test_the_cache_of_a_batch_is_refused(tmp_path: Path) -> None:
    """A cache that several conversations share belongs to no single one."""
    cache = states()
    cache.left_padding = mx.array([0])
    save_prompt_cache(str(tmp_path / "a.safetensors"), [cache])
    with pytest.raises(CacheRefused, match="of no layer"):
        told(tmp_path / "a.safetensors", [states()])
