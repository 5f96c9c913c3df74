"""MLX arrays that are filled from outside MLX."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import mlx.core as mx
import numpy as np
import pytest

from engine.cache.disk import buffers

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
