"""A widget to open dialogs over."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    """A visible parent for dialogs."""
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made
