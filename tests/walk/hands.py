"""Mouse and keyboard over the window. What can be clicked is found anew each time: no widget is named here."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QAction, QContextMenuEvent, QTextBlock, QTextFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QSlider,
    QTextEdit,
    QWidget,
)

from ui.transcript.transcript import Transcript
from ui.window.main_window import MainWindow

_LEFT, _MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
_PLAIN = Qt.KeyboardModifier.NoModifier
KEYS = (
    *("Tab", "Shift+Tab", "Return", "Space", "Esc", "Up", "Down", "Left", "Right", "Home", "End", "PgUp", "PgDown"),
    *("Backspace", "Del", "Ctrl+A", "Ctrl+Z", "Ctrl+X", "Ctrl+C", "Ctrl+V", "Shift+Return", "F2", "F10", "Menu", "/"),
    *("Ctrl+F", "Ctrl+Tab", "Ctrl+Up", "Shift+End", "a"),
)
"""Keys that are pressed wherever the focus is."""


def popup() -> QMenu | None:
    """The menu that is open, if there is one."""
    found = QApplication.activePopupWidget()
    return found if isinstance(found, QMenu) else None


def modal() -> QWidget | None:
    """The dialog that blocks the window, if there is one."""
    return QApplication.activeModalWidget()


def dialogs() -> list[QDialog]:
    """The dialogs that are open, the blocking one alone if there is one."""
    if isinstance(blocking := modal(), QDialog):
        return [blocking]
    return [one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible()]


def close_popups() -> None:
    """Close all menus, and what else is open above them."""
    for _ in range(8):
        if (found := QApplication.activePopupWidget()) is None:
            return
        found.close()


def entries(menu: QMenu) -> list[QAction]:
    """What can be chosen in a menu."""
    return [action for action in menu.actions() if action.isEnabled() and action.isVisible() and action.text()]


def below(action: QAction) -> QMenu | None:
    """The menu that an entry opens."""
    menu = action.menu()
    return menu if isinstance(menu, QMenu) else None


def buttons(inside: QWidget) -> list[QAbstractButton]:
    """The buttons that can be clicked, also those that are only icons."""
    return [one for one in inside.findChildren(QAbstractButton) if _can_be_clicked(one, inside)]


def fields(inside: QWidget) -> list[QWidget]:
    """What takes words, a choice or a value."""
    kinds = (QLineEdit, QTextEdit, QPlainTextEdit, QComboBox, QSlider, QAbstractItemView)
    found = [one for kind in kinds for one in inside.findChildren(kind)]
    return [one for one in found if _can_be_clicked(one, inside)]


def _can_be_clicked(widget: QWidget, inside: QWidget) -> bool:
    in_reach = widget.isVisible() and widget.isEnabled() and widget.window() is inside.window()
    return in_reach and not widget.visibleRegion().isEmpty()


def click(widget: QWidget) -> None:
    """Click into the part of a widget that can be seen."""
    QTest.mouseClick(widget, _LEFT, _PLAIN, widget.visibleRegion().boundingRect().center())


def name_of(widget: QWidget) -> str:
    """A widget's name for the log."""
    said = widget.accessibleName() or getattr(widget, "text", str)()
    return f"{type(widget).__name__} {widget.objectName()} {said!r}"


def press(sequence: str) -> None:
    """Press a key wherever the focus is."""
    target = QApplication.activePopupWidget() or QApplication.focusWidget() or QApplication.activeWindow()
    if target is not None:
        QTest.keySequence(target, sequence)


def accept_file(dialog: QFileDialog, path: str) -> None:
    """Choose a file in a file dialog. Qt's own questions, as to replace it, would wait for the user in a loop."""
    dialog.filesSelected.emit([path])
    dialog.reject()


def anchors(transcript: Transcript) -> list[str]:
    """The links of the page that do something."""
    found: dict[str, None] = {}
    block = transcript.document().begin()
    while block.isValid():
        for fragment in _fragments(block):
            if (href := fragment.charFormat().anchorHref()).startswith("hearth:"):
                found[href] = None
        block = block.next()
    return list(found)


def _fragments(block: QTextBlock) -> Iterator[QTextFragment]:
    place = block.begin()
    while not place.atEnd():
        yield place.fragment()
        place += 1


def follow(transcript: Transcript, href: str) -> None:
    """Use a link of the page."""
    transcript.anchorClicked.emit(QUrl(href))


def drag_tab(window: MainWindow, tab: int, to: int) -> None:
    """Drag a tab over another one."""
    strip = window.tabs
    start, end = strip.tabRect(tab).center(), strip.tabRect(to).center()
    QTest.mousePress(strip, _LEFT, _PLAIN, start)
    for step in range(1, 5):
        QTest.mouseMove(strip, start + (end - start) * step / 4)
    QTest.mouseRelease(strip, _LEFT, _PLAIN, end)


def middle_click_tab(window: MainWindow, tab: int) -> None:
    """Close a tab by the middle button."""
    QTest.mouseClick(window.tabs, _MIDDLE, _PLAIN, window.tabs.tabRect(tab).center())


def row_place(view: QAbstractItemView, row: int) -> QPoint:
    """Where a row of a list is."""
    return view.visualRect(view.model().index(row, 0)).center()


def open_context_menu(widget: QWidget, place: QPoint) -> None:
    """Click with the right button."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)
