"""Measures how much memory may still be allocated. On the MLX thread."""

from __future__ import annotations

import mlx.core as mx
import psutil

from engine.memory.footprint import free_of, total_of


def free_bytes() -> int:
    """Free bytes on the device that MLX computes on."""
    available = psutil.virtual_memory().available
    return free_of(available, mx.device_info(), mx.get_active_memory(), mx.get_cache_memory())


def total_bytes() -> int:
    """All memory of the device that MLX computes on."""
    held = mx.get_active_memory() + mx.get_cache_memory()
    return total_of(psutil.virtual_memory().total, mx.device_info(), held)
