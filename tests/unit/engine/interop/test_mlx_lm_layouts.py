"""The parts of each layer in the layouts of two releases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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

from engine.interop.mlx_lm_file import CacheFile
from engine.interop.mlx_lm_layouts import Layer, layers
from engine.protocol.errors import CacheRefused
from tests.fakes.prompt_caches import save_as_before

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

GOLDEN = Path(__file__).parents[3] / "golden" / "prompt_caches" / "mlx-lm-0.31.3-demo.safetensors"


def fed(cache: Any, tokens: int = 20) -> Any:
    keys = mx.random.normal((1, 2, tokens, 64))
    cache.update_and_fetch(keys, keys)
    return cache


def states() -> ArraysCache:
    cache = ArraysCache(2)
    cache[0], cache[1] = mx.zeros((1, 3, 4)), mx.zeros((1, 4, 4))
    return cache


def told(path: Path) -> tuple[Layer, ...]:
    with CacheFile.open(path) as file:
        return layers(file)


def in_short(layer: Layer) -> Any:
    numbers = {name: number for name, number in layer.numbers.items() if name != "offset"}
    return layer.name, sorted(layer.tensors), numbers, [in_short(one) for one in layer.layers]


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
    now, before = told(tmp_path / "now.safetensors"), told(tmp_path / "before.safetensors")
    assert [in_short(layer) for layer in now] == [in_short(layer) for layer in before]
    assert [layer.name for layer in now] == [type(cache).__name__ for cache in caches]
    assert [layer.numbers["offset"] for layer in now if "offset" in layer.numbers] == [20] * 5


@pytest.mark.parametrize("save", [save_prompt_cache, save_as_before])
@pytest.mark.parametrize("make", EVERY)
def test_a_single_layer_is_recognised(
    tmp_path: Path, save: Callable[[Any, Any], None], make: Callable[[], Any]
) -> None:
    """The layout of a model with a single layer is recognised, whatever its cache."""
    path = tmp_path / "a.safetensors"
    cache = make()
    save(str(path) if save is save_prompt_cache else path, [cache])
    assert [layer.name for layer in told(path)] == [type(cache).__name__]


def test_a_file_that_mlx_lm_0_31_wrote_is_read() -> None:
    """A file that release 0.31 wrote is read."""
    names = [layer.name for layer in told(GOLDEN)]
    assert names == (["ArraysCache"] * 3 + ["KVCache"]) * 2


def test_the_old_name_of_recurrent_caches_is_known(tmp_path: Path) -> None:
    """A MambaCache is an ArraysCache."""
    save_as_before(tmp_path / "a.safetensors", [states()], ["MambaCache"])
    assert told(tmp_path / "a.safetensors")[0].name == "ArraysCache"


@pytest.mark.parametrize("name", ["TokenBuffer", "BatchKVCache", "copy", "__builtins__", "exec"])
@pytest.mark.parametrize("layout", ["before", "now"])
def test_unknown_class_names_are_refused(tmp_path: Path, name: str, layout: str) -> None:
    """A name is looked up in our own table, not in a module that contains more than caches."""
    path = tmp_path / "a.safetensors"
    if layout == "before":
        save_as_before(path, [states()], [name])
    else:
        arrays = {"0.0": mx.zeros((1, 1, 4, 2)), "0.1": mx.zeros((1, 1, 4, 2)), "0.2": mx.array(4)}
        mx.save_safetensors(str(path), arrays, {"1.0": name, "2.0": "", "2.1.0": "0.2", "2.1.1": "scalar"})
    with pytest.raises(CacheRefused, match="unknown class"):
        told(path)


def plain(caches: Sequence[Any]) -> dict[str, Any]:
    return {f"{number}.{side}": cache.keys for number, cache in enumerate(caches) for side in "01"}


@pytest.mark.parametrize(
    ("metadata", "why"),
    [
        ({"2.1": "KVCache"}, "not numbered"),
        ({"2.0": "KVCache"}, "of no layer"),
        ({"2.0": "KVCache", "2.1": "RotatingKVCache"}, "where it stands"),
        ({"2.0": "KVCache", "2.1": "ChunkedKVCache", "0.1.0": "8", "0.1.1": "-1"}, "a number in it is none"),
        ({"2.0": "KVCache", "2.1": "ChunkedKVCache", "0.1.0": "8", "0.1.1": "9" * 5000}, "a number in it is none"),
        ({"2.0": "KVCache", "2.1": "CacheList", "0.1.0.0": "CacheList", "0.1.1.0": ""}, "holds a list"),
        ({"1.0": "KVCache", "1.1": "KVCache", "2.0": "", "2.1.0": "7.7", "2.1.1": "none"}, "is missing"),
        ({"1.0": "KVCache", "1.1": "KVCache", "2.0": "", "2.1.0": "0.0", "2.1.1": "scalar"}, "a number in it is none"),
        ({"1.0": "KVCache", "1.1": "KVCache", "2.0": "", "2.1.0": "0.0", "2.1.1": "code"}, "a number in it is none"),
        ({"1.0": "KVCache", "1.1": "KVCache", "2.0": ""}, "where it stands"),
        ({"1.0": "ArraysCache", "1.1": "ArraysCache", "2.0": ""}, "several conversations"),
    ],
)
def test_inconsistent_layers_are_refused(tmp_path: Path, metadata: dict[str, str], why: str) -> None:
    """Invalid numbers, layers without a name and names without a layer are refused."""
    mx.save_safetensors(str(tmp_path / "a.safetensors"), plain([fed(KVCache(), 256)] * 2), metadata)
    with pytest.raises(CacheRefused, match=why):
        told(tmp_path / "a.safetensors")


def test_the_cache_of_a_batch_is_refused(tmp_path: Path) -> None:
    """A cache that several conversations share belongs to no single one."""
    cache = states()
    cache.left_padding = mx.array([0])
    save_prompt_cache(str(tmp_path / "a.safetensors"), [cache])
    with pytest.raises(CacheRefused, match="several conversations"):
        told(tmp_path / "a.safetensors")
