"""A visible main window with a fixed clock."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.fakes.context import renew
from tests.fakes.views import clock
from ui.window.main_window import MainWindow


@pytest.fixture(autouse=True)
def _context() -> None:
    """Each test has its own store."""
    renew()


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    """A visible and active window without an open chat."""
    made = MainWindow(clock)
    qtbot.addWidget(made)
    with qtbot.waitActive(made):
        made.show()
    return made
