from __future__ import annotations

import mlx.core as mx
import psutil

from engine.memory.available import free_bytes, total_bytes


def test_free_memory_is_measured_on_this_machine() -> None:
    """More than nothing, and no more than the machine has."""
    assert 0 < free_bytes() <= psutil.virtual_memory().total + mx.get_cache_memory()


def test_the_machines_memory_is_measured() -> None:
    """It bounds what can ever be loaded."""
    assert free_bytes() <= total_bytes() + mx.get_cache_memory()
