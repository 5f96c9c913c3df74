"""Measures this machine's memory. Asks only the system, so it needs no MLX."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from typing import Final

import psutil

from app.models.fit import MemoryNow

_GIB: Final = 1 << 30
_SYSCTL: Final = ("/usr/sbin/sysctl", "-n", "iogpu.wired_limit_mb")
_PATIENCE_S: Final = 2.0
_SMALL: Final = 36 * _GIB
"""Up to this size a Mac gives its GPU two thirds of the memory, and three quarters above."""


def memory_now(held: int = 0) -> MemoryNow:
    """Return the memory now, while the engine holds `held` bytes. "Available" means the same as to the engine."""
    memory = psutil.virtual_memory()
    return MemoryNow(memory.total, memory.available, held, gpu_limit(memory.total))


@cache
def gpu_limit(total: int) -> int:
    """Return the bytes that the GPU of a Mac with `total` bytes may use; 0 on other machines."""
    if platform.system() != "Darwin":
        return 0
    return _wired_limit() or (total * 2 // 3 if total <= _SMALL else total * 3 // 4)


def _wired_limit() -> int:
    """The limit that the user has set on this Mac; 0 if none."""
    try:
        told = subprocess.run(_SYSCTL, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)  # noqa: S603 - a fixed tool
        return int(told.stdout) << 20
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return 0
