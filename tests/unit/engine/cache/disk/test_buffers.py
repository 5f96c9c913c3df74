"""MLX arrays that are filled from outside MLX."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx
import numpy as np
import pytest

from engine.cache.disk import buffers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[5]

_CLEARING_WHILE_BUFFERS_ARE_ALLOCATED = """
import threading
import mlx.core as mx
from engine.cache.disk import buffers

def make() -> None:
    for _ in range(1000):
        buffers.blanks([1 << 14])
    mx.clear_streams()

maker = threading.Thread(target=make)
maker.start()
while maker.is_alive():
    buffers.clear_cache()
"""


@pytest.mark.parametrize("size", [0, 1, 7, 4096, 1_000_003])
def test_what_is_written_is_what_mlx_has(size: int) -> None:
    """MLX sees every byte of buffers of any size, and copies nothing."""
    (made,) = buffers.allocate([size])
    made.content[:] = np.arange(size) % 251
    array = made.as_array()
    assert (array.dtype, array.shape) == (mx.uint8, (size,))
    assert bytes(np.array(array)) == bytes(made.content)
    assert size == 0 or made.array is array


def test_buffers_allocated_together_share_nothing() -> None:
    """Bytes written into one buffer appear in no other, whatever their sizes. An empty one among them is harmless."""
    sizes = [5, 0, 1 << 20, 3]
    made = buffers.allocate(sizes)
    for number, one in enumerate(made):
        one.content[:] = number
    assert [one.as_array().tolist() for one in made] == [[number] * size for number, size in enumerate(sizes)]
    assert buffers.allocate([]) == []


def test_a_buffer_costs_its_size() -> None:
    """Neither filling a buffer nor viewing it with types and shapes allocates a second one."""
    before = mx.get_active_memory()
    (made,) = buffers.allocate([1 << 22])
    made.content[:] = 1
    views = [made.as_array()[at : at + (1 << 20)].view(mx.bfloat16).reshape(1, 8, -1, 64) for at in (0, 1 << 20)]
    mx.eval(views)
    assert mx.get_active_memory() - before <= (1 << 22) + (1 << 16)


def test_unwritable_memory_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """If MLX's memory is not writable, a buffer is filled beside MLX, with the same result."""
    monkeypatch.setattr(buffers, "_can_be_written", lambda: False)
    (made,) = buffers.allocate([1000])
    made.content[:] = 3
    assert made.array is None
    assert bytes(np.array(made.as_array())) == b"\3" * 1000


@pytest.fixture(params=["shared", "copied", "sent"])
def platform(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What MLX does with memory that is filled from outside. The CPU plays the GPU with its own memory ("sent")."""
    if request.param == "copied":
        monkeypatch.setattr(buffers, "_can_be_written", lambda: False)
    if request.param == "sent":
        load = buffers._load
        monkeypatch.setattr(buffers, "_load", lambda file, _: load(file, mx.cpu))
        monkeypatch.setattr(buffers, "grows_in_place", lambda: False)
        monkeypatch.setattr(buffers, "_is_loaded_as_written", buffers._is_loaded_as_written.__wrapped__)
        monkeypatch.setattr(buffers, "allocate", None)  # it must not be needed
    yield str(request.param)
    buffers.end_senders()


@pytest.mark.parametrize("at_once", [1, 3])
@pytest.mark.parametrize("slabs", [[[5, 0, 1 << 20, 3]], [[64], [0], [7, 1], [1]], [[1_000_003, 7], []]], ids=str)
@pytest.mark.usefixtures("platform")
def test_what_threads_fill_is_what_mlx_has(slabs: list[list[int]], at_once: int) -> None:
    """On each platform `fill` gets the memory of each slab once, and MLX has what it wrote."""
    calls: dict[int, list[int]] = {}

    def fill(slab: int, contents: Sequence[buffers.Bytes]) -> None:
        assert slab not in calls
        calls[slab] = [content.size for content in contents]
        for number, content in enumerate(contents, slab):
            content[:] = np.arange(number, number + content.size) % 251

    made = buffers.filled(slabs, fill, pytest.fail, at_once)
    assert [calls[slab] for slab in range(len(slabs))] == slabs
    for slab, (arrays, sizes) in enumerate(zip(made, slabs, strict=True)):
        assert [(array.dtype, array.shape) for array in arrays] == [(mx.uint8, (size,)) for size in sizes]
        for number, array in enumerate(arrays, slab):
            assert array.tolist() == (np.arange(number, number + array.size) % 251).tolist()


@pytest.mark.parametrize("at_once", [1, 2])
@pytest.mark.usefixtures("platform")
def test_an_error_of_filling_reaches_the_caller(at_once: int) -> None:
    """An error in a thread that fills never ends the process, and what it left is never used. Before the caller gets
    it, no call waits any more for the slab that was not filled.
    """
    abandoned = threading.Event()

    def fill(slab: int, _: Sequence[buffers.Bytes]) -> None:
        if slab == 1 and at_once > 1:
            assert abandoned.wait(60)
        else:
            raise FileNotFoundError("gone")

    slow = at_once > 1 and not buffers.grows_in_place()
    with pytest.raises(FileNotFoundError, match="gone"):
        buffers.filled([[100], [200]] if slow else [[100, 200]], fill, abandoned.set, at_once)


def test_slabs_are_filled_at_once_only_as_many_as_the_caller_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads fill, each the next slab, while a third slab waits."""
    load = buffers._load
    monkeypatch.setattr(buffers, "_load", lambda file, _: load(file, mx.cpu))
    monkeypatch.setattr(buffers, "grows_in_place", lambda: False)
    monkeypatch.setattr(buffers, "_is_loaded_as_written", lambda: True)
    two, order = threading.Barrier(2), list[int]()

    def fill(slab: int, _: Sequence[buffers.Bytes]) -> None:
        order.append(slab)
        two.wait(60)

    before = threading.active_count()
    buffers.filled([[1]] * 6, fill, pytest.fail, 2)
    assert [slab // 2 for slab in order] == [0, 0, 1, 1, 2, 2]
    assert threading.active_count() > before, "they stay for the next restore"
    buffers.end_senders()
    assert "segment-sender" not in {thread.name for thread in threading.enumerate()}


def test_the_threads_that_send_are_there_before_the_first_restore(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has used the GPU. On other platforms there are none."""
    load, loaded = buffers._load, set[int]()

    def noted(file: buffers._Untouched, _: mx.DeviceType) -> dict[str, mx.array]:
        loaded.add(threading.get_ident())
        return load(file, mx.cpu)

    monkeypatch.setattr(buffers, "_load", noted)
    buffers.get_ready(4, 100)
    assert loaded == set()
    monkeypatch.setattr(buffers, "grows_in_place", lambda: False)
    monkeypatch.setattr(buffers, "_is_loaded_as_written", lambda: True)
    buffers.get_ready(4, 100)
    assert len(loaded) == 4
    buffers.filled([[1]] * 9, lambda *_: None, pytest.fail, 4)
    assert len(loaded) == 4
    buffers.end_senders()


def test_nothing_to_fill_needs_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records without content have empty arrays on each platform."""
    monkeypatch.setattr(buffers, "grows_in_place", lambda: False)
    ((first, second),) = buffers.filled([[0, 0]], lambda *_: None, pytest.fail)
    assert (first.shape, second.shape) == ((0,), (0,))
    assert buffers.filled([], lambda *_: None, pytest.fail) == []


def test_a_gpu_that_loads_something_else_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check at the first restore compares every byte. If it fails, or if slabs are only loaded one at a time,
    buffers are filled as on other platforms.
    """
    load, one = buffers._load, threading.Lock()

    def zeros(file: buffers._Untouched, _: mx.DeviceType) -> dict[str, mx.array]:
        return {name: mx.zeros_like(array) for name, array in load(file, mx.cpu).items()}

    def refused(*_: object) -> dict[str, mx.array]:
        raise RuntimeError("not implemented")

    def unread(*_: object) -> dict[str, mx.array]:
        return {"0": mx.zeros((256,), mx.uint8)}

    def one_at_a_time(file: buffers._Untouched, _: mx.DeviceType) -> dict[str, mx.array]:
        with one:
            return load(file, mx.cpu)

    monkeypatch.setattr(buffers, "_PROBE_SECONDS", 0.1)
    for wrong in (zeros, refused, unread, one_at_a_time):
        with monkeypatch.context() as broken:
            broken.setattr(buffers, "_load", wrong)
            assert not buffers._is_loaded_as_written.__wrapped__()
    buffers.end_senders()
    monkeypatch.setattr(buffers, "grows_in_place", lambda: False)
    monkeypatch.setattr(buffers, "_is_loaded_as_written", lambda: False)
    ((array,),) = buffers.filled([[3]], lambda _, contents: contents[0].fill(7), pytest.fail)
    assert array.tolist() == [7, 7, 7]


def test_buffers_of_another_thread_are_usable() -> None:
    """A buffer allocated and filled on one thread is used on another, while both compute."""
    made: list[mx.array] = []

    def fill() -> None:
        for number in range(100):
            (new,) = buffers.allocate([10_000])
            new.content[:] = number
            made.append(new.as_array())
        mx.clear_streams()

    thread = threading.Thread(target=fill)
    thread.start()
    square = mx.ones((64, 64))
    while thread.is_alive():
        square = mx.softmax(square @ square, axis=-1)
        mx.eval(square)
    thread.join()
    assert all(array.tolist() == [number] * 10_000 for number, array in enumerate(made))


def test_clearing_the_cache_does_not_deadlock_with_an_allocation() -> None:
    """Neither thread deadlocks. A deadlock would hang the test, so it runs in a process."""
    command = [sys.executable, "-c", _CLEARING_WHILE_BUFFERS_ARE_ALLOCATED]
    subprocess.run(command, check=True, timeout=60, cwd=ROOT)


def test_no_other_code_clears_the_cache() -> None:
    """A single direct call of MLX's clear_cache could deadlock the engine."""
    sources = (ROOT / "engine").rglob("*.py")
    assert [file.name for file in sources if "mx.clear_cache(" in file.read_text("utf-8")] == ["buffers.py"]
