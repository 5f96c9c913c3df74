"""The dialog for files where the system has none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QFileInfo, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLineEdit, QListView, QToolButton, QWidget

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


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """A dark window with a part that still has the colours of the light theme."""
    made = QWidget()
    made.setPalette(DARK.palette())
    made.setStyleSheet(DARK.qss())
    part = QWidget(made)
    part.setObjectName("part")
    part.setPalette(LIGHT.palette())
    qtbot.addWidget(made)
    return made


def test_a_part_of_another_theme_does_not_colour_the_icons(window: QWidget, tmp_path: Path) -> None:
    """The dialog has the colours of the whole window."""
    part = window.findChild(QWidget, "part")
    assert isinstance(part, QWidget)
    icon = FileDialog(part, "Open", str(tmp_path)).iconProvider().icon(QFileInfo(str(tmp_path)))
    assert _lightness(icon) > 150


def test_the_completions_are_as_dark_as_the_window(window: QWidget, tmp_path: Path) -> None:
    """They are shown in a window of their own, which has no style unless it is given one."""
    field = FileDialog(window, "Open", str(tmp_path)).findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    found = field.completer().popup()
    assert found is not None
    found.resize(200, 100)
    assert found.grab().toImage().pixelColor(100, 50).lightness() < 80


def test_the_places_are_never_scrolled_sideways(window: QWidget, tmp_path: Path) -> None:
    """Their column is wide enough for their names; a longer one is elided."""
    places = FileDialog(window, "Open", str(tmp_path)).findChild(QListView, "sidebar")
    assert isinstance(places, QListView)
    assert places.minimumWidth() >= 120
    assert places.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff


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
