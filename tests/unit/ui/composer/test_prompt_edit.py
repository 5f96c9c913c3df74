"""The direction of the text in the composer's field. Its keys and its height are tested with the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from ui.composer.prompt_edit import PromptEdit
from ui.theme.theme import LIGHT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


def test_the_field_begins_where_its_script_begins(qtbot: QtBot) -> None:
    """Arabic stands at the right while it is typed, and Latin text at the left again."""
    edit = PromptEdit()
    qtbot.addWidget(edit)
    edit.resize(400, 60)
    edit.show()
    edit.setPlainText("شكرًا")
    assert edit.cursorRect(edit.textCursor()).left() > 300
    edit.setPlainText("Thanks")
    assert edit.cursorRect(edit.textCursor()).left() < 100


def test_the_empty_field_begins_where_the_window_does(qtbot: QtBot) -> None:
    """Its caret stands beside the first letter of the placeholder."""
    edit = PromptEdit()
    qtbot.addWidget(edit)
    edit.resize(400, 60)
    edit.show()
    assert edit.cursorRect().left() < 20
    edit.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert edit.cursorRect().left() > 380


@pytest.fixture
def _mirrored() -> Iterator[None]:
    QGuiApplication.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield
    QGuiApplication.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


@pytest.mark.usefixtures("qapp", "_mirrored")
def test_the_placeholder_stands_beside_the_caret(qtbot: QtBot) -> None:
    """In a mirrored window too, where Qt would paint its first letter below the caret."""
    edit = PromptEdit()
    qtbot.addWidget(edit)
    edit.set_theme(LIGHT)
    edit.resize(400, 40)
    edit.show()
    edit.address("9B")
    image, caret = edit.viewport().grab().toImage(), edit.cursorRect().left()
    ground = image.pixelColor(0, image.height() - 1)
    inked = [x for x in range(caret) if any(image.pixelColor(x, y) != ground for y in range(image.height()))]
    assert 200 < max(inked) < caret - 3
