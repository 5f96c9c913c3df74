"""The properties of this machine that decide about a model: its memory and its chip."""

from __future__ import annotations

import platform
import re
import subprocess
from dataclasses import dataclass
from typing import Final

import psutil

_GENERATION: Final = re.compile(r"Apple M(\d+)\b")
_FIRST_WIDE: Final = 3
_BASE_CHIP: Final = re.compile(r"Apple M\d+")
_SYSCTL: Final = ("/usr/sbin/sysctl", "-n", "machdep.cpu.brand_string")
_PATIENCE_S: Final = 2.0


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
    try:
        told = subprocess.run(_SYSCTL, capture_output=True, text=True, timeout=_PATIENCE_S, check=False)  # noqa: S603 - a fixed tool
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return told.stdout.strip()
