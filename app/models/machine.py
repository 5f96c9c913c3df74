"""The properties of this machine that decide about a model: its memory and its chip. Asks only the system, so it needs
no MLX.
"""

from __future__ import annotations

import platform
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import Final

import psutil

from app.models.fit import MemoryNow

_GENERATION: Final = re.compile(r"Apple M(\d+)\b")
_FIRST_WIDE: Final = 3
_BASE_CHIP: Final = re.compile(r"Apple M\d+")
_SYSCTL: Final = ("/usr/sbin/sysctl", "-n")
_PATIENCE_S: Final = 2.0
_SMALL: Final = 36 << 30
"""Up to this size a Mac gives its GPU two thirds of the memory, and three quarters above."""


@dataclass(frozen=True, slots=True)
class Machine:
    """`memory` is in bytes, `chip` is the name that the system gives, such as "Apple M4 Pro"."""

    memory: int
    chip: str = ""

    @property
    def has_fast_memory(self) -> bool:
        """Whether this is an Apple chip with Pro, Max or Ultra memory, two to eight times as fast as the base's."""
        return self.chip.startswith("Apple ") and not _BASE_CHIP.fullmatch(self.chip)

    @property
    def is_wide(self) -> bool:
        """Whether a pass over some tokens costs little more than one over a token: on Apple's chips from M3 on."""
        generation = _GENERATION.match(self.chip)
        return generation is not None and int(generation[1]) >= _FIRST_WIDE


def this_machine() -> Machine:
    """Ask the system for both. A chip that it does not name is ""."""
    return Machine(psutil.virtual_memory().total, _chip())


def _chip() -> str:
    if platform.system() != "Darwin":  # platform: elsewhere no memory is shared with a GPU
        return platform.processor()
    return _told("machdep.cpu.brand_string")


def memory_now(held: int = 0) -> MemoryNow:
    """Return the memory now, while the engine holds `held` bytes. "Available" means the same as to the engine."""
    memory = psutil.virtual_memory()
    return MemoryNow(memory.total, memory.available, held, gpu_limit(memory.total))


@cache
def gpu_limit(total: int) -> int:
    """Return the bytes that the GPU of a Mac with `total` bytes may use; 0 on other machines."""
    if platform.system() != "Darwin":
        return 0
    wired = _told("iogpu.wired_limit_mb")  # the limit that the user has set, "0" for none
    chosen = int(wired) << 20 if wired.isdecimal() else 0
    return chosen or (total * 2 // 3 if total <= _SMALL else total * 3 // 4)


def _told(name: str) -> str:
    """What macOS says of one of its properties; "" without an answer."""
    try:
        told = subprocess.run([*_SYSCTL, name], capture_output=True, text=True, timeout=_PATIENCE_S, check=False)  # noqa: S603 - a fixed tool
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return told.stdout.strip()
