"""The dialog for files where the system has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QFileInfo
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QToolButton, QWidget

from ui.theme.theme import DARK, LIGHT
from ui.widgets.file_dialog import FileDialog

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QIcon
    from pytestqt.qtbot import QtBot

    from ui.theme.theme import Theme


def _lightness(icon: QIcon) -> float:
    """How light its strokes are, from 0 to 255."""
    image = icon.pixmap(16, 16).toImage()
    colours = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    strokes = [colour.lightness() for colour in colours if colour.alpha() > 150]
    return sum(strokes) / len(strokes)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_icons_have_the_colour_of_the_text(qtbot: QtBot, tmp_path: Path, theme: Theme) -> None:
    """Those of the buttons, and those of files and folders, which differ."""
    window = QWidget()
    window.setPalette(theme.palette())
    qtbot.addWidget(window)
    dialog = FileDialog(window, "Open", str(tmp_path))
    text = pytest.approx(theme.palette().color(QPalette.ColorRole.WindowText).lightness(), abs=8)
    up = dialog.findChild(QToolButton, "toParentButton")
    assert isinstance(up, QToolButton)
    assert _lightness(up.icon()) == text
    (tmp_path / "a.txt").touch()
    file, folder = (dialog.iconProvider().icon(QFileInfo(str(path))) for path in (tmp_path / "a.txt", tmp_path))
    assert _lightness(file) == text
    assert _lightness(folder) == text
    assert file.pixmap(16, 16).toImage() != folder.pixmap(16, 16).toImage()
