"""Eight tabs whose answers stream at 100 tokens a second each, with one of them in front."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
from PySide6.QtCore import QObject, Qt, QTimer

from tests.bench.figures import Figure, faster, multiple
from tests.bench.ui.desk import Desk, opened
from tests.bench.ui.scripted_engine import STREAM

_TABS = 8
_WARM_UP_SECONDS, _SECONDS = 3.0, 10.0
_LOOK_MS = 4
_LONGEST_MS = 50.0
"""The longest stall that users do not notice."""


def measure(home: Path) -> list[Figure]:
    """The share of a core compared with one stream, and the longest stall compared with one that users can notice."""
    with opened(home) as desk:
        chats = [desk.new_chat() for _ in range(_TABS)]
        desk.send(chats[-1], STREAM)
        alone = _Watched(desk)
        for chat in chats[:-1]:
            desk.send(chat, STREAM)
        all_of_them = _Watched(desk)
    rate = f"{_TABS} tabs of 100 tokens/s, one visible"
    return [
        multiple(f"{rate}: share of a core, in that of the visible one", all_of_them.share, alone.share, "%"),
        faster(f"{rate}: longest stall", all_of_them.stall_ms, _LONGEST_MS),
        faster(f"{rate}: longest stall, without waiting for a core", all_of_them.busy_ms, _LONGEST_MS),
    ]


class _Watched:
    """What the window's process did for some seconds. To look for stalls takes time too, so that comes after."""

    def __init__(self, desk: Desk) -> None:
        desk.rest(_WARM_UP_SECONDS)
        process = psutil.Process()
        began, before = time.perf_counter(), process.cpu_times()
        desk.rest(_SECONDS)
        took, after = time.perf_counter() - began, process.cpu_times()
        self.share = 100 * (after.user + after.system - before.user - before.system) / took
        stalls = Stalls()
        desk.rest(_SECONDS)
        self.stall_ms, self.busy_ms = stalls.ended()


class Stalls(QObject):
    """Looks at the clocks every few milliseconds: a stall delays the look."""

    def __init__(self) -> None:
        super().__init__()
        self._stall = self._busy = 0.0
        self._seen = self._computed = 0.0
        self._timer = QTimer(self, interval=_LOOK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def ended(self) -> tuple[float, float]:
        """Stop. Returns the longest stall, and the longest computation between two looks, in ms."""
        self._timer.stop()
        return 1000 * self._stall - _LOOK_MS, 1000 * self._busy

    def _look(self) -> None:
        now, computed = time.perf_counter(), time.thread_time()
        if self._seen:
            self._stall = max(self._stall, now - self._seen)
            self._busy = max(self._busy, computed - self._computed)
        self._seen, self._computed = now, computed
