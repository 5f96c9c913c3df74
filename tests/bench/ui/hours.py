"""The memory of the window's process after eight hours of use, simulated as fast as possible.

In each hour the user opens eight new chats and turns from tab to tab to get three answers of 400 tokens in each. Then
the user opens four older chats and closes all tabs but one.
"""

from __future__ import annotations

import gc
from pathlib import Path

import psutil

from tests.bench.figures import Figure, multiple
from tests.bench.ui.desk import Desk, opened

_HOURS, _CHATS, _TURNS, _OLDER = 8, 8, 3, 4


def measure(home: Path) -> list[Figure]:
    """The memory after the last hour compared with that after the first."""
    with opened(home) as desk:
        left = desk.window.tabs.current()
        older: list[str] = []
        held = [_lived(desk, left, older) for _ in range(_HOURS)]
    return [multiple(f"memory of the window after {_HOURS} hours, in that after the first", held[-1], held[0], "MB")]


def _lived(desk: Desk, left: str, older: list[str]) -> float:
    """Live an hour. Returns the memory in MB that belongs to this process alone."""
    chats = [desk.new_chat() for _ in range(_CHATS)]
    for turn in range(_TURNS):
        for chat in chats:
            desk.show(chat)
            desk.send(chat, f"Question {turn}: what happened in the harbour?")
            desk.until_answered(chat)
    for chat in older[:_OLDER]:
        desk.show(chat)
    for chat in (*chats, *older[:_OLDER]):
        desk.window.chats.close(chat)
    older[:] = chats
    desk.show(left)
    desk.rest(1)  # what was closed is deleted
    gc.collect()
    return float(psutil.Process().memory_full_info().uss) / 1e6
