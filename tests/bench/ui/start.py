"""The start of the app: from the start of its process to the first paint of its window, while its engine starts too."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.bench.figures import Figure, multiple

_RUNS, _COLD_RUNS = 7, 3
_LONGEST_MS = 1000.0

_BARE = """
import time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        QTimer.singleShot(0, painted)
def painted():
    print(time.time(), time.process_time(), flush=True)
    application.quit()
application = QApplication([])
window = Window()
window.show()
application.exec()
"""
"""An empty window."""

_APP = """
import gc
import time
from app.__main__ import main
gc.disable()
import app.base.errors
import app.desktop.launch
from PySide6.QtCore import QTimer
from ui.window.main_window import MainWindow
def painted(window):
    print(time.time(), time.process_time(), flush=True)
    window.close()
def paint(window, event):
    if not hasattr(window, "painted"):
        window.painted = True
        QTimer.singleShot(0, lambda: painted(window))
MainWindow.paintEvent = paint
raise SystemExit(main())
"""
"""The app's own imports in its own order, so that those of the measurement come last and cost nothing."""


def measure(home: Path) -> list[Figure]:
    """The times compared with an empty window of Qt: as usual, and with nothing compiled or in memory. Other work on
    the machine delays a start, so its CPU time is compared with a limit.
    """
    usual = {"HEARTH_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    _first_paint_ms(_APP, usual)  # the first start makes the library
    rounds = [(_first_paint_ms(_BARE, usual), _first_paint_ms(_APP, usual)) for _ in range(_RUNS)]
    cold = [(_cold_ms(_BARE, usual), _cold_ms(_APP, usual)) for _ in range(_COLD_RUNS)]
    computed = statistics.median(app[1] for _, app in rounds)
    figures = [
        multiple(f"start to first paint, {what}, in that of an empty window", _median(times, 1), _median(times, 0))
        for what, times in (("warm imports", rounds), ("cold imports", cold))
    ]
    return [*figures, multiple("start to first paint, warm imports, CPU time, in 1,000 ms", computed, _LONGEST_MS)]


def _first_paint_ms(code: str, more: Mapping[str, str]) -> tuple[float, float]:
    """The time from the start of the process, and its CPU time."""
    began = time.time()
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **more}, stdout=subprocess.PIPE, check=True, timeout=120
    )
    painted, computed = map(float, done.stdout.split()[:2])
    return 1000 * (painted - began), 1000 * computed


def _cold_ms(code: str, usual: Mapping[str, str]) -> tuple[float, float]:
    """With no compiled module, and on Linux with no file of the environment in memory that no process has mapped."""
    with tempfile.TemporaryDirectory() as folder:
        for file in (file for file in Path(sys.prefix, "lib").rglob("*") if file.is_file()):
            _evict(file)
        return _first_paint_ms(code, {**usual, "PYTHONPYCACHEPREFIX": folder})


def _evict(file: Path) -> None:
    if sys.platform == "linux":  # macOS has no call that evicts a file
        handle = os.open(file, os.O_RDONLY)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)


def _median(rounds: list[tuple[tuple[float, float], tuple[float, float]]], at: int) -> float:
    return statistics.median(times[at][0] for times in rounds)
