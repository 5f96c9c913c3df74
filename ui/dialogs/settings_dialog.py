"""The settings window: a list of its pages at the left, and the page that was picked."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from resources.language.text import tr
from ui.context import WindowContext
from ui.dialogs.backup_pane import BackupPane
from ui.dialogs.macs_pane import MacsPane
from ui.dialogs.settings_pane import AdvancedPane, ModelsPane, SettingsPane
from ui.dialogs.shortcuts_pane import ShortcutsPane
from ui.dialogs.storage_pane import StoragePane
from ui.state.settings_table import APPEARANCE, CHATS, GENERAL, PAGES, PRIVACY
from ui.theme.theme import title_font, ui_font
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.pane_button import PaneButton
from ui.widgets.settings_group import text_label

_SIZE_PX: Final = (900, 660)
_LEAST_PX: Final = (800, 440)
"""No page is cut off at this size, in any language."""
_LIST_PX: Final = 200
_SIDE_PX: Final = 26


class SettingsDialog(QDialog):
    """Shows the values that the app sends, and reports what the user wants. It stores nothing itself."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.setObjectName("settings")
        self.setWindowTitle(tr("Settings"))
        self.general, self.appearance = SettingsPane(context, GENERAL), SettingsPane(context, APPEARANCE)
        self.models, self.macs = ModelsPane(context), MacsPane(context)
        self.chats, self.storage, self.backups = SettingsPane(context, CHATS), StoragePane(context), BackupPane(context)
        self.shortcuts, self.advanced = ShortcutsPane(context), AdvancedPane(context)
        self._pages = (
            *(self.general, self.appearance, self.models, self.macs, self.chats, self.storage, self.backups),
            *(SettingsPane(context, PRIVACY), self.shortcuts, self.advanced),
        )
        self.panes = QStackedWidget()
        self.pane_buttons = tuple(PaneButton(icon, tr(name)) for icon, name in PAGES)
        self._lay_out()
        self._connect()
        self.pane_buttons[0].click()
        QShortcut(QKeySequence.StandardKey.Close, self, self.reject)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMinimumSize(*_LEAST_PX)
        self.resize(*_SIZE_PX)

    def _lay_out(self) -> None:
        for (_, name), pane in zip(PAGES, self._pages, strict=True):
            self.panes.addWidget(_Page(tr(name), pane))
        in_row(self._list(), Placed(self.panes, 1), of=self)

    def _list(self) -> QFrame:
        bar = QFrame()
        bar.setObjectName("paneBar")
        bar.setFixedWidth(_LIST_PX)
        title = text_label(tr("Settings"), "rowName", ui_font(15, QFont.Weight.DemiBold))
        title.setContentsMargins(12, 0, 0, 8)
        in_column(title, *self.pane_buttons, Placed(), spacing=2, margins=(10, 18, 10, 10), of=bar)
        return bar

    def _connect(self) -> None:
        for number, button in enumerate(self.pane_buttons):
            button.clicked.connect(lambda _on, number=number: self._turn_to(number))

    def _turn_to(self, number: int) -> None:
        self.panes.setCurrentIndex(number)
        self.pane_buttons[number].setFocus()  # the arrow keys turn to its neighbours

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Turn to the first and the last page from the list of pages."""
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(self.pane_buttons) - 1}
        if event.key() in ends and self.focusWidget() in self.pane_buttons:
            self.pane_buttons[ends[Qt.Key(event.key())]].click()
        else:
            super().keyPressEvent(event)

    def open_page(self, name: str) -> None:
        """Turn to the page with this name."""
        for button in self.pane_buttons:
            if button.text() == name:
                button.click()

    def warn_of_folder(self, words: str) -> bool:
        """Say on the page in front why its folder is not shown. Returns whether that page has a folder to show."""
        in_front = self._pages[self.panes.currentIndex()]
        for pane in (self.backups, self.advanced):
            if pane is in_front:
                pane.warn(words)
                return True
        return False

    def done(self, result: int) -> None:
        """Report what is being typed, then close."""
        self.chats.flush()
        super().done(result)


class _Page(QScrollArea):
    """A page with its name above, which scrolls if the window is low. The content is as wide with a scroll bar as
    without: the bar takes its room from the margin.
    """

    def __init__(self, name: str, pane: QWidget) -> None:
        super().__init__(widgetResizable=True)
        self.setObjectName("paneScroll")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setObjectName("paneInside")
        self._column = QVBoxLayout(inside)
        self._column.setSpacing(16)
        title = text_label(name, "rowName", title_font(20))
        self._column.addWidget(title)
        self._column.addWidget(pane, 1)
        self._leave_margins()
        self.setWidget(inside)

    def _leave_margins(self) -> None:
        bar = self.width() - self.viewport().width()
        self._column.setContentsMargins(_SIDE_PX, 24, _SIDE_PX - bar, 24)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Qt resizes the content when the bar comes or goes, too."""
        super().resizeEvent(event)
        self._leave_margins()
