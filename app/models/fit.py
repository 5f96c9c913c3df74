"""Computes whether a model fits in this machine's memory, before it is loaded. It asks only the system for the memory
and the chip, so it needs no MLX.

A model is TOO_LARGE if and only if the engine would refuse to load it alone in the same memory. The engine measures
once more at the load: on a machine whose GPU has memory of its own, only its figure counts.
"""

from __future__ import annotations

import platform
import re
import subprocess
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import psutil

from engine.protocol.inspection import ModelFacts
from resources.language.text import mark, tr
from ui.state.models import FitLevel, FitView
from ui.theme.phrases import size

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
    is_mac = platform.system() == "Darwin"  # platform: elsewhere no memory is shared with a GPU
    return Machine(psutil.virtual_memory().total, _told("machdep.cpu.brand_string") if is_mac else platform.processor())


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
    return chosen or _share_of_gpu(total)


def _share_of_gpu(total: int) -> int:
    return total * 2 // 3 if total <= _SMALL else total * 3 // 4


def _told(name: str) -> str:
    """What macOS says of one of its properties; "" without an answer."""
    try:
        told = subprocess.run([*_SYSCTL, name], capture_output=True, text=True, timeout=_PATIENCE_S, check=False)  # noqa: S603 - a fixed tool
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return told.stdout.strip()


HEADROOM_BYTES: Final = 1 << 28
"""The engine leaves so much free beside weights and chats."""
GROWTH_TOKENS: Final = 256
"""The engine allocates growing caches for so many tokens at once."""
USEFUL_TOKENS: Final = 8192
"""A model with room for no chat of this length is tight."""
_TOGETHER: Final = mark("It does not fit on this Mac alone, but on several together: choose them in its settings.")
_USUAL_GB: Final = (8, 16, 18, 24, 32, 36, 48, 64, 96, 128, 192, 256, 512)
"""The sizes of memory that computers are sold with."""
_WEIGHTS_PER_TOKEN: Final = 100_000
"""The weights of a model are about so many times as large as its cache for one token: 30,000 times without recurrent
layers, 250,000 times for some hybrids.
"""
_LONGEST_TOKENS: Final = 1 << 20
"""The longest chat to look for if the model does not say its limit."""


@dataclass(frozen=True, slots=True)
class MemoryNow:
    """The memory of this machine, in bytes.

    - `available` may be taken now without swapping.
    - `held` is what the engine has taken. A model that replaces the loaded one gets it.
    - `gpu_limit` is the most that a Mac's GPU may use of the total; 0 if there is no limit.
    - `elsewhere` are the bytes that other Macs have for a model that runs on several.
    """

    total: int
    available: int
    held: int = 0
    gpu_limit: int = 0
    elsewhere: int = 0

    @property
    def usable(self) -> int:
        """The bytes for a model and its chats, once the engine has unloaded the former model."""
        free = self.available + self.held
        return min(free, self.gpu_limit) if self.gpu_limit else free


def chat_bytes(facts: ModelFacts, tokens: int) -> int:
    """Return the memory of a chat of so many tokens, with the room into which it grows; 0 for an empty one."""
    if not tokens:
        return 0
    room = (tokens // GROWTH_TOKENS + 1) * GROWTH_TOKENS
    windows = sum(min(tokens, window.tokens) * window.token_bytes for window in facts.windows)
    return facts.fixed_bytes + facts.token_bytes * room + windows


def fit(facts: ModelFacts, memory: MemoryNow, chats: Sequence[int] = (), limit: int = 0, on_disk: int = 0) -> FitView:
    """Return whether the model fits beside the open `chats`, given by their tokens. `limit` is the user's limit of
    tokens, 0 for the model's own. `on_disk` are the bytes of all its weight files, by which the engine decides before a
    load: those of a vision checkpoint hold more than the text part.
    """
    needed = max(facts.weight_bytes, on_disk) + HEADROOM_BYTES
    caches = sum(chat_bytes(facts, tokens) for tokens in chats)
    context = min(limit or _LONGEST_TOKENS, facts.context_limit or _LONGEST_TOKENS)
    room = memory.usable - HEADROOM_BYTES - facts.weight_bytes
    longest = max(0, bisect_right(range(context + 1), room, key=lambda tokens: chat_bytes(facts, tokens)) - 1)
    with_chats = needed + caches + chat_bytes(facts, min(USEFUL_TOKENS, context))
    if needed <= memory.usable:
        level = FitLevel.TIGHT if with_chats > memory.usable else FitLevel.FITS
    else:
        is_together = facts.splits and with_chats <= memory.usable + memory.elsewhere
        level = FitLevel.TOGETHER if is_together else FitLevel.TOO_LARGE
    held = facts.weight_bytes + caches
    free = memory.available + memory.held
    return FitView(
        level=level,
        weights=facts.weight_bytes,
        caches=caches,
        others=max(0, memory.total - free),
        free=max(0, free - held),
        longest=longest,
        text=tr(_TOGETHER) if level is FitLevel.TOGETHER else _text(level, needed, memory, longest),
    )


def least_gb(facts: ModelFacts, on_disk: int = 0) -> int:
    """Return the smallest usual size of memory into which the model fits well, while other apps have what is not the
    GPU's; 0 if there is none.
    """
    usable = ((gb, _share_of_gpu(gb << 30)) for gb in _USUAL_GB)
    memory = ((gb, MemoryNow(gb << 30, share)) for gb, share in usable)
    return next((gb for gb, now in memory if fit(facts, now, on_disk=on_disk).level is FitLevel.FITS), 0)


def likely(weights: int) -> ModelFacts:
    """Return what is likely of a model of which only the bytes of its weights are known."""
    token = weights // _WEIGHTS_PER_TOKEN
    return ModelFacts("", 0, weights, 0, context_limit=0, layers=(), token_bytes=token, fixed_bytes=0)


def _text(level: FitLevel, needed: int, memory: MemoryNow, longest: int) -> str:
    if level is FitLevel.FITS:
        return tr("It fits well. A chat can be up to {longest} tokens long.", longest=longest)
    if level is FitLevel.TIGHT and longest:
        return tr(
            "It fits, but only with chats of up to {longest} tokens. Close other apps or chats for more.",
            longest=longest,
        )
    if level is FitLevel.TIGHT:
        return tr("It fits, but leaves no room for a chat. Close other apps or chats first.")
    most = min(memory.total, memory.gpu_limit or memory.total)
    if needed > most:
        return tr(
            "It does not fit: it needs {needed}, and this machine can give a model {most}.",
            needed=size(needed),
            most=size(most),
        )
    return tr(
        "It does not fit now: it needs {needed}, and {free} are free. Close other apps first.",
        needed=size(needed),
        free=size(memory.usable),
    )
