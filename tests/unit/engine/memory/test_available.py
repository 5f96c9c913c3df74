from __future__ import annotations

import mlx.core as mx
import psutil

from engine.memory.available import free_bytes


def test_what_is_free_is_measured_on_this_machine() -> None:
    """More than nothing, no more than there is."""
    assert 0 < free_bytes() <= psutil.virtual_memory().total + mx.get_cache_memory()
