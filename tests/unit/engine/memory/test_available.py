from __future__ import annotations

import mlx.core as mx
import psutil

from engine.memory.available import free_bytes


def test_free_memory_is_measured_on_this_machine() -> None:
    """More than nothing, and no more than the machine has."""
    assert 0 < free_bytes() <= psutil.virtual_memory().total + mx.get_cache_memory()
