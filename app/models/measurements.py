"""Remembers what was measured of each model when it last ran: the speeds of real answers, and its identity in the store
of cached state. Pure, but for `load` and `save`.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Final

import msgspec

from app.base.own_files import remembered
from engine.protocol.messages import Usage
from storage.folders import replace_file
from storage.untrusted import MEBIBYTE

_LARGEST: Final = 4 * MEBIBYTE


_FEW_PROMPT_TOKENS: Final = 256
"""A shorter prompt takes less time than the queue before it."""


_FEW_TOKENS: Final = 16


_Rate = Annotated[float, msgspec.Meta(ge=0, lt=1e9)]


class Measured(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last figures of one model: its identity, and tokens per second of its prompts and its answers (0: none)."""

    identity: str = ""
    reading: _Rate = 0.0
    writing: _Rate = 0.0


Measurements = dict[str, Measured]
"""By the model's folder."""


def with_usage(before: Measured, usage: Usage) -> Measured:
    """Return the figures after an answer. Answers too short to measure leave them unchanged."""
    seconds = (usage.ttft_ms - usage.restore_ms) / 1000
    if usage.prefill_tokens >= _FEW_PROMPT_TOKENS and seconds > 0:
        before = msgspec.structs.replace(before, reading=round(usage.prefill_tokens / seconds, 1))
    if usage.completion_tokens >= _FEW_TOKENS and usage.decode_tps > 0:
        before = msgspec.structs.replace(before, writing=round(usage.decode_tps, 1))
    return before


def load(file: Path) -> Measurements:
    """Return what is remembered; nothing if the file is damaged."""
    return remembered(file, _LARGEST, Measurements, {})


def save(measurements: Measurements, file: Path) -> None:
    """Replace the file. If the disk refuses that, the figures are measured again later."""
    with suppress(OSError):
        replace_file(file, msgspec.json.encode(measurements))
