"""Only what is meant to be a window is one, in any state of the window that `make shots` draws."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QDialog, QMainWindow, QWidget

from tests.shots.extremes import STATES
from tests.shots.studio import Studio
from ui.theme.theme import LIGHT


class Strays(QObject):
    """Notes each part that is shown before it has a parent: it becomes a window of its own for a moment."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            meant = isinstance(watched, QDialog | QMainWindow) or watched.windowType() != Qt.WindowType.Window
            self.seen |= set() if meant else {f"{type(watched).__name__} {watched.objectName()}"}
        return False


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", STATES)
def test_no_part_is_a_window_for_a_moment(qapp: QApplication, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings mapped sixteen labels as windows when they were opened first."""
    monkeypatch.setattr(Studio, "rest_ms", 1)
    strays = Strays()
    qapp.installEventFilter(strays)
    studio = Studio(LIGHT)
    STATES[name](studio)
    studio.close()
    qapp.removeEventFilter(strays)
    assert strays.seen == set()
