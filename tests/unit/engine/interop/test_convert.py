"""Caches of every kind, written to a file and read back, and caches that do not fit a model."""

from __future__ import annotations

import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache, load_prompt_cache, save_prompt_cache

from engine.cache.codec import codec
from engine.interop.convert import fill, layers, opened, write
from engine.protocol.errors import CacheNotWritten, CacheRefused
from tests.fakes.prompt_caches import save_as_before
from tests.fakes.rigs import IDS, Rig

LENGTHS = (7, 40)
"""Before a window of 12 is full, and long after."""


def after(rig: Rig, length: int, portion: int = 16) -> list[Any]:
    """The rig's caches after `length` tokens, prefilled in portions, the last ones one by one."""
    caches = rig.fresh_caches()
    for start in range(0, length - 3, portion):
        rig.read(caches, IDS[start : min(start + portion, length - 3)])
    for at in range(length - 3, length):
        rig.read(caches, IDS[at : at + 1])
    return caches


def taken_in(rig: Rig, path: Path, length: int) -> list[Any]:
    caches = rig.fresh_caches()
    with opened(path) as file:
        stored = layers(file, rig.layout, caches)
        assert max(layer.length for layer in stored) in (0, length)
        fill(file, stored, length)
    return caches


def same(rig: Rig, first: Sequence[Any], second: Sequence[Any], length: int) -> bool:
    """Whether both hold the same state and give the same next logits."""
    one, other = (codec.take(caches, 0, length) for caches in (first, second))
    held = all(mx.array_equal(one[kind][name], other[kind][name]) for kind in one for name in one[kind])
    following = IDS[length : length + 3]
    return held and bool(mx.array_equal(rig.read(first, following), rig.read(second, following)))


def now(path: Path, caches: Sequence[Any]) -> None:
    save_prompt_cache(str(path), list(caches))


@pytest.mark.sweep
@pytest.mark.parametrize("length", LENGTHS)
def test_every_kind_of_cache_is_imported_and_exported(rig: Rig, tmp_path: Path, length: int) -> None:
    """A cache that mlx-lm wrote, in either layout, is restored bit by bit, and gives the same next logits. So is one
    that was written here, and mlx-lm loads that file and gives the same logits. Only the owner can read it, and no
    other file is left beside it.
    """
    path = tmp_path / "a.safetensors"
    for save in (now, save_as_before):
        caches = after(rig, length)
        save(path, caches)
        assert same(rig, taken_in(rig, path, length), caches, length)
    caches = after(rig, length)
    assert write(path, caches, {"model": "a/model"}) == path.stat().st_size
    assert (stat.S_IMODE(path.stat().st_mode), list(tmp_path.iterdir())) == (0o600, [path])
    loaded, metadata = load_prompt_cache(str(path), return_metadata=True)
    assert metadata["model"] == "a/model"
    following = IDS[length : length + 3]
    assert mx.array_equal(rig.read(loaded, following), rig.read(after(rig, length), following))
    assert same(rig, taken_in(rig, path, length), caches, length)


def test_trimmed_tokens_are_not_written(llama: Rig, tmp_path: Path) -> None:
    """A written file holds neither trimmed tokens nor spare capacity."""
    caches = after(llama, 40)
    for cache in caches:
        cache.trim(30)
    write(tmp_path / "out.safetensors", caches, {})
    with opened(tmp_path / "out.safetensors") as file:
        assert {stored.shape[2] for stored in file.tensors.values() if len(stored.shape) == 4} == {10}
    assert caches[0].keys.shape[2] == 256, "the live cache stays as it is"


def test_a_failed_write_leaves_no_file(llama: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing folder, a wrong suffix and a disk that fills up each give one sentence and leave no partial file."""
    caches = after(llama, 7)
    with pytest.raises(CacheNotWritten, match=r"out.safetensors: No such file or directory$"):
        write(tmp_path / "nowhere" / "out.safetensors", caches, {})
    with pytest.raises(CacheNotWritten, match="ends with"):
        write(tmp_path / "out.npz", caches, {})
    path = tmp_path / "out.safetensors"
    path.write_text("what stood here before")

    def half(name: str, caches: list[Any], metadata: dict[str, str]) -> None:
        save_prompt_cache(name, caches, metadata)
        with open(name, "r+b") as file:  # noqa: PTH123 - as MLX's writer leaves it
            file.truncate(1000)

    monkeypatch.setattr("engine.interop.convert.save_prompt_cache", half)
    with pytest.raises(CacheNotWritten, match="last tensor"):
        write(path, caches, {})
    assert path.read_text() == "what stood here before"
    assert list(tmp_path.iterdir()) == [path]


def refused(rig: Rig, path: Path, length: int, why: str) -> None:
    with opened(path) as file, pytest.raises(CacheRefused, match=why):
        fill(file, layers(file, rig.layout, rig.fresh_caches()), length)


def test_another_models_cache_is_refused(llama: Rig, tmp_path: Path) -> None:
    """Other layers, other heads and other dtypes are each refused before any array is read."""
    path = tmp_path / "a.safetensors"
    caches = after(llama, 7)
    now(path, caches[:1])
    refused(llama, path, 7, "has 1 layers, and the model has 2")
    now(path, [*caches, *caches])
    refused(llama, path, 7, "has 4 layers, and the model has 2")
    wide = [KVCache() for _ in caches]
    for cache in wide:
        cache.update_and_fetch(*[mx.zeros((1, 3, 7, 8))] * 2)
    now(path, wide)
    refused(llama, path, 7, "another type or size")
    for cache in caches:
        cache.keys = cache.keys.astype(mx.float16)
    now(path, caches)
    refused(llama, path, 7, "another type or size")


def test_another_kind_of_cache_is_refused(tmp_path: Path, rig_of: Callable[[str], Rig]) -> None:
    """A window does not fit a growing cache, nor a window of another size."""
    path = tmp_path / "a.safetensors"
    window, whole = rig_of("window"), rig_of("llama")
    now(path, after(window, 7))
    refused(whole, path, 7, "is a 'RotatingKVCache', and the model's is a KVCache")
    caches = after(window, 7)
    for cache in caches:
        cache.max_size = 99
    now(path, caches)
    refused(window, path, 7, "in another way")


@pytest.mark.parametrize("offset", [6, 8, 250, 300])
def test_a_cache_with_a_wrong_offset_is_refused(llama: Rig, tmp_path: Path, offset: int) -> None:
    """A layer's offset that differs from the others', or exceeds its tokens, is refused."""
    caches = after(llama, 7)
    caches[1].offset = offset
    now(tmp_path / "a.safetensors", caches)
    refused(llama, tmp_path / "a.safetensors", 7, "do not all stand at 7 tokens")


def test_a_cache_with_non_finite_values_is_refused(rig: Rig, tmp_path: Path) -> None:
    """A cache with a NaN or an infinity is refused: it would make every later word nonsense."""
    caches = after(rig, 7)
    now(tmp_path / "a.safetensors", caches)
    with opened(tmp_path / "a.safetensors") as file:
        places = [stored.span for stored in file.tensors.values() if stored.dtype == "F32" and 0 not in stored.shape]
        start = file.bytes - max(end for _, end in (stored.span for stored in file.tensors.values()))
    with (tmp_path / "a.safetensors").open("r+b") as file:
        file.seek(start + places[-1][0])
        file.write(b"\xff" * 4)
    refused(rig, tmp_path / "a.safetensors", 7, "no numbers")
