"""Memory of MLX's own that is filled from outside."""

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

_CLEARING_WHILE_SLABS_ARE_MADE = """
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
    """Every byte, of slabs of any size, and nothing is copied for it."""
    (made,) = buffers.allocate([size])
    made.content[:] = np.arange(size) % 251
    array = made.as_array()
    assert (array.dtype, array.shape) == (mx.uint8, (size,))
    assert bytes(np.array(array)) == bytes(made.content)
    assert size == 0 or made.array is array


def test_slabs_that_are_made_together_share_nothing() -> None:
    """What is written into one is not in another, whatever their sizes; one of nothing among them does no harm."""
    sizes = [5, 0, 1 << 20, 3]
    made = buffers.allocate(sizes)
    for number, one in enumerate(made):
        one.content[:] = number
    assert [one.as_array().tolist() for one in made] == [[number] * size for number, size in enumerate(sizes)]
    assert buffers.allocate([]) == []


def test_a_slab_costs_its_size() -> None:
    """No second buffer is made to fill it, nor to see it with types and shapes."""
    before = mx.get_active_memory()
    (made,) = buffers.allocate([1 << 22])
    made.content[:] = 1
    views = [made.as_array()[at : at + (1 << 20)].view(mx.bfloat16).reshape(1, 8, -1, 64) for at in (0, 1 << 20)]
    mx.eval(views)
    assert mx.get_active_memory() - before <= (1 << 22) + (1 << 16)


def test_where_memory_cannot_be_written_it_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere a slab is filled beside MLX, with the same outcome."""
    monkeypatch.setattr(buffers, "_can_be_written", lambda: False)
    (made,) = buffers.allocate([1000])
    made.content[:] = 3
    assert made.array is None
    assert bytes(np.array(made.as_array())) == b"\3" * 1000


def test_slabs_of_another_thread_are_good_here() -> None:
    """What was made and filled on one thread is computed with on another, while both work."""
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


def test_memory_is_given_back_while_another_thread_makes_slabs() -> None:
    """Neither thread waits for the other for ever, which no test could end: that is why this is a process."""
    command = [sys.executable, "-c", _CLEARING_WHILE_SLABS_ARE_MADE]
    subprocess.run(command, check=True, timeout=60, cwd=ROOT)


def test_nobody_gives_memory_back_in_another_way() -> None:
    """A single call of MLX's own would be enough for an engine that hangs."""
    sources = (ROOT / "engine").rglob("*.py")
    assert [file.name for file in sources if "mx.clear_cache(" in file.read_text("utf-8")] == ["buffers.py"]
