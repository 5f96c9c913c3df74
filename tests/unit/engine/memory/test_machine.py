from __future__ import annotations

from types import SimpleNamespace

import mlx.core as mx
import psutil
import pytest

from engine.memory.machine import free_bytes, total_bytes

Device = dict[str, str | int]


def test_memory_is_measured_on_this_machine() -> None:
    """More than nothing is free, and no more than can ever be loaded."""
    assert 0 < free_bytes() <= total_bytes() + mx.get_cache_memory()
    assert total_bytes() <= psutil.virtual_memory().total or mx.cuda.is_available()


@pytest.mark.parametrize(
    ("device", "available", "active", "free", "total"),
    [
        ({}, 8, 3, 9, 100),  # a processor has the machine's memory
        ({"max_recommended_working_set_size": 10}, 8, 3, 7, 100),  # a Mac's GPU may use a part of it
        ({"max_recommended_working_set_size": 10}, 4, 3, 5, 100),
        ({"max_recommended_working_set_size": 10}, 8, 11, 0, 100),
        ({"free_memory": 2}, 8, 3, 3, 6),  # a GPU has its own, at least what is held and free of it
        ({"memory_size": 90}, 8, 3, 9, 90),
        ({"total_memory": 80, "free_memory": 2}, 8, 3, 3, 80),
    ],
)
def test_memory_depends_on_the_device(
    monkeypatch: pytest.MonkeyPatch, device: Device, available: int, active: int, free: int, total: int
) -> None:
    """One unit was freed by MLX but kept: it counts as free."""
    monkeypatch.setattr(mx, "device_info", lambda: device)
    monkeypatch.setattr(mx, "get_active_memory", lambda: active)
    monkeypatch.setattr(mx, "get_cache_memory", lambda: 1)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: SimpleNamespace(available=available, total=100))
    assert (free_bytes(), total_bytes()) == (free, total)
