"""Free memory: how much may still be taken. Owns the measuring; what follows from it is left to memory."""

from __future__ import annotations

import mlx.core as mx
import psutil

from engine.memory.footprint import free_of


def free_bytes() -> int:
    """Bytes, on the device that MLX computes on. On the MLX thread."""
    available = psutil.virtual_memory().available
    return free_of(available, mx.device_info(), mx.get_active_memory(), mx.get_cache_memory())
