"""The dialog for files where the system has none."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QFileInfo, QModelIndex, QSize, QStandardPaths, Qt
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QFileIconProvider,
    QFileSystemModel,
    QLabel,
    QLineEdit,
    QListView,
    QMessageBox,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from resources.language import catalogue
from resources.language.formats import FORMATS
from resources.language.text import Language, install
from ui.theme.theme import DARK, LIGHT, Theme, icon_pixmap
from ui.widgets.file_dialog import FileDialog


def _lightness(icon: QIcon, mode: QIcon.Mode = QIcon.Mode.Normal) -> float:
    """How light its strokes are, from 0 to 255."""
    image = icon.pixmap(16, 16, mode).toImage()
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


def test_an_open_dialog_follows_the_window_to_another_theme(window: QWidget, tmp_path: Path, qtbot: QtBot) -> None:
    """The icons of its buttons, of the list of places and of the files, and the list of completions."""
    dialog = FileDialog(window, "Open", str(tmp_path))
    dialog.open()
    places, up = dialog.findChild(QListView, "sidebar"), dialog.findChild(QToolButton, "toParentButton")
    assert isinstance(places, QListView)
    assert isinstance(up, QToolButton)
    window.setStyleSheet(LIGHT.qss())
    window.setPalette(LIGHT.palette())

    def icons() -> list[QIcon]:
        place = places.model().index(0, 0).data(Qt.ItemDataRole.DecorationRole)
        return [up.icon(), dialog.iconProvider().icon(QFileInfo(str(tmp_path))), place]

    qtbot.waitUntil(lambda: max(map(_lightness, icons())) < 100, timeout=5_000)
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    completions = field.completer().popup()
    assert completions is not None
    assert completions.palette().base().color() == LIGHT.palette().base().color()


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


def test_sizes_and_dates_are_whole(window: QWidget, tmp_path: Path, qtbot: QtBot) -> None:
    """A long name is elided before they are."""
    (tmp_path / f"{'long ' * 30}.txt").write_bytes(b"x" * 123_456)
    dialog = FileDialog(window, "Open", str(tmp_path))
    dialog.show()
    files = dialog.findChild(QTreeView, "treeView")
    assert isinstance(files, QTreeView)
    qtbot.waitUntil(lambda: files.model().rowCount(files.rootIndex()) == 1)
    row = files.model().index(0, 0, files.rootIndex())
    for column in (1, 3):
        cell = row.siblingAtColumn(column)
        assert files.columnWidth(column) > files.fontMetrics().horizontalAdvance(str(cell.data())), cell.data()
    assert files.header().length() <= files.viewport().width()


def test_sizes_and_dates_read_like_those_of_the_app(window: QWidget, tmp_path: Path, qtbot: QtBot) -> None:
    """Qt writes 1.83 KiB and 23 11 2026. A folder has a date and no size."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "tales.md").write_bytes(b"x" * 1874)
    for path in tmp_path.iterdir():
        os.utime(path, (0, datetime(2026, 11, 23, 13, 52).timestamp()))  # noqa: DTZ001 - of the user's clock
    dialog = FileDialog(window, "Open", str(tmp_path))
    dialog.show()
    files = dialog.findChild(QTreeView, "treeView")
    assert isinstance(files, QTreeView)
    qtbot.waitUntil(lambda: files.model().rowCount(files.rootIndex()) == 2)

    def words() -> list[list[str]]:
        rows = [files.model().index(number, 0, files.rootIndex()) for number in range(2)]
        return sorted([_written(files, row.siblingAtColumn(column)) for column in (0, 1, 3)] for row in rows)

    assert words() == [["folder", "", "23 Nov 2026, 13:52"], ["tales.md", "2 KB", "23 Nov 2026, 13:52"]]
    install(Language("de", catalogue.read("de"), FORMATS["de"]))
    assert words()[1][2] == "23. Nov. 2026, 13:52"


def _written(files: QTreeView, cell: QModelIndex) -> str:
    """What is painted in a cell."""
    option = QStyleOptionViewItem()
    delegate = files.itemDelegateForIndex(cell)
    assert isinstance(delegate, QStyledItemDelegate)
    delegate.initStyleOption(option, cell)
    return str(option.text)


@pytest.mark.parametrize(("name", "other"), [("listModeButton", "layers"), ("detailModeButton", "sliders-horizontal")])
def test_the_buttons_of_both_views_have_icons_of_their_own(
    window: QWidget, tmp_path: Path, name: str, other: str
) -> None:
    """Layers are adapters elsewhere, and sliders the settings of a chat."""
    button = FileDialog(window, "Open", str(tmp_path)).findChild(QToolButton, name)
    assert isinstance(button, QToolButton)
    colour = window.palette().color(QPalette.ColorRole.WindowText).name()
    shown, meant_elsewhere = button.icon().pixmap(16, 16).toImage(), icon_pixmap(other, colour, 16, 1.0).toImage()
    assert shown.size() == meant_elsewhere.size()
    assert shown != meant_elsewhere


def test_it_begins_in_the_documents(window: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in the folder that Hearth was started in. After a choice it begins where that was."""
    monkeypatch.setattr("ui.widgets.file_dialog.FileDialog._last_folder", "")
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path))
    dialog = FileDialog(window, "Open")
    assert dialog.directory().absolutePath() == str(tmp_path)
    (tmp_path / "sub").mkdir()
    dialog.filesSelected.emit([str(tmp_path / "sub" / "a.txt")])
    assert FileDialog(window, "Open").directory().absolutePath() == str(tmp_path / "sub")


@pytest.mark.parametrize("missing", ["gone.md", "/gone/b.md"])
def test_a_file_that_is_not_there_is_said(window: QWidget, tmp_path: Path, qtbot: QtBot, missing: str) -> None:
    """Also if another one of those that were typed is there. The dialog stays open, so that the name can be mended."""
    (tmp_path / "a.md").touch()
    dialog = FileDialog(window, "Open", str(tmp_path))
    taken: list[list[str]] = []
    dialog.setFileMode(FileDialog.FileMode.ExistingFiles)
    dialog.filesSelected.connect(taken.append)
    dialog.open()
    field = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(field, QLineEdit)
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)  # Qt would replace the text by the names of the files that are there
    field.setText(f'"a.md" "{missing}"')
    dialog.accept()
    box = dialog.findChild(QMessageBox)
    assert box is not None
    assert box.text() == f"There is no file {tmp_path / missing}."
    assert (taken, dialog.isVisible()) == ([], True)
    box.accept()
    qtbot.waitUntil(field.hasFocus)
    field.setText('"a.md" "a.md"')
    dialog.accept()
    assert (taken, dialog.isVisible()) == ([[str(tmp_path / "a.md")]], False)


def test_a_dialog_that_saves_does_not_look_in(window: QWidget, tmp_path: Path) -> None:
    """The label of the folder fits both."""
    label = FileDialog(window, "Save", str(tmp_path)).findChild(QLabel, "lookInLabel")
    assert isinstance(label, QLabel)
    assert label.text() == "Folder:"


def test_the_folder_that_is_shown_has_hearths_icon(window: QWidget, tmp_path: Path, qtbot: QtBot) -> None:
    """Also if Qt's thread read the folder before it was told of the icons. The one in the list of places is not scaled
    up.
    """
    dialog = FileDialog(window, "Open", str(tmp_path))
    files = dialog.findChild(QFileSystemModel)
    assert isinstance(files, QFileSystemModel)
    files.setIconProvider(QFileIconProvider())
    dialog.show()
    qtbot.waitUntil(lambda: files.iconProvider() is dialog.iconProvider())
    assert _lightness(files.fileIcon(files.index(str(tmp_path)))) > 150
    places = dialog.findChild(QListView, "sidebar")
    assert isinstance(places, QListView)
    assert places.iconSize() == QSize(16, 16)
    assert files.fileIcon(files.index(str(tmp_path))).actualSize(QSize(32, 32)) == QSize(32, 32)
    shown = dialog.findChild(QComboBox, "lookInCombo")
    assert isinstance(shown, QComboBox)
    assert _lightness(shown.itemIcon(0)) > 150


@pytest.mark.parametrize(
    ("around", "size"),
    [(QSize(1280, 840), QSize(820, 520)), (QSize(820, 520), QSize(760, 440)), (QSize(300, 200), QSize(600, 400))],
)
def test_it_lies_within_the_window(window: QWidget, tmp_path: Path, around: QSize, size: QSize) -> None:
    """A large one leaves a part of a small window to be seen."""
    window.resize(around)
    assert FileDialog(window, "Open", str(tmp_path)).size() == size


def test_a_disabled_arrow_looks_disabled(window: QWidget, tmp_path: Path) -> None:
    """On the dark ground, too."""
    forward = FileDialog(window, "Open", str(tmp_path)).findChild(QToolButton, "forwardButton")
    assert isinstance(forward, QToolButton)
    assert _lightness(forward.icon(), QIcon.Mode.Disabled) < _lightness(forward.icon()) - 50


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


def test_files_are_in_order_however_the_last_dialog_was_left(window: QWidget, tmp_path: Path) -> None:
    """Qt remembers how a dialog was sorted, also for other programs: from A to Z is what one expects to find."""
    left = FileDialog(window, "Open", str(tmp_path))
    _columns(left).sortByColumn(0, Qt.SortOrder.DescendingOrder)
    shiboken6.delete(left)  # Qt saves its settings
    again = FileDialog(window, "Open", str(tmp_path))
    assert _columns(again).header().sortIndicatorOrder() is Qt.SortOrder.AscendingOrder


def _columns(dialog: FileDialog) -> QTreeView:
    found = dialog.findChild(QTreeView, "treeView")
    assert isinstance(found, QTreeView)
    return found
