"""The dialog of deleted chats that can still be restored."""

from __future__ import annotations

from enum import IntEnum
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from resources.language.text import mark, plural, tr
from ui.context import WindowContext, follow
from ui.dialogs.confirmation import confirm
from ui.intents.library import Erase, EraseAll, Undelete
from ui.markdown.plain import plain
from ui.state.library import DeletedRow
from ui.theme.appearance import appearance
from ui.theme.long_texts import shortened
from ui.theme.phrases import one_line
from ui.theme.theme import ui_font
from ui.widgets.elided_text import draw_elided, draw_written
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import named
from ui.widgets.shapes import draw_shape
from ui.widgets.sheet import Sheet

_EXPLAINED = mark(
    "Chats can be restored for 30 days after they were deleted. Then they are gone for good, with all their files."
)
_PAD_PX = 14
_Index = QModelIndex | QPersistentModelIndex
_LONGEST_TITLE = 40
"""The maximum length of a title inside a question, in characters."""


class RecentlyDeletedDialog(Sheet):
    """A list of deleted chats, and the actions on the selected ones. Deleting for good needs a confirmation."""

    def __init__(self, context: WindowContext, parent: QWidget | None = None) -> None:
        super().__init__("recentlyDeleted", tr("Recently deleted"), parent)
        self._context = context
        self.resize(560, 460)
        self._is_new = True
        self.list = named(QListWidget(), "deleted", label=tr("Deleted chats"))
        self.list.setItemDelegate(_Rows(self))
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.list.itemSelectionChanged.connect(self._refresh)
        self.list.itemDoubleClicked.connect(lambda _item: self._restore())
        for words, command in ((tr("Restore"), self._restore), (tr("Delete now…"), self._ask_to_erase)):
            self.list.addAction(words).triggered.connect(command)
        # it says nothing until the app sends the rows
        self.empty_label = named(QLabel(alignment=Qt.AlignmentFlag.AlignCenter), "nothingDeleted", 13)
        self.restore_button = PushButton(tr("Restore"), "restore", self._restore)
        self.erase_button = PushButton(tr("Delete now…"), "erase", self._ask_to_erase)
        self.erase_all_button = PushButton(tr("Delete all…"), "eraseAll", self._ask_to_erase_all)
        self.done_button = PushButton(tr("Done"), "done", self.accept)
        self.done_button.setDefault(True)
        explained = named(QLabel(tr(_EXPLAINED), wordWrap=True), "sheetText", 13)
        acts = (self.erase_all_button, Placed(), self.erase_button, self.restore_button, self.done_button)
        parts = (explained, Placed(self.list), Placed(self.empty_label), in_row(*acts, spacing=8))
        in_column(*parts, spacing=14, margins=(20, 18, 20, 18), of=self)
        self._refresh()
        follow(self, context.store.deleted, self._show_deleted)

    def _show_deleted(self, rows: tuple[DeletedRow, ...]) -> None:
        """List `rows`. The selection stays. If all selected rows are gone, select the row in their place.

        The first rows that are listed begin with a selected one: the arrow keys and the buttons need one to act on.
        """
        if self._is_new:  # what is listed was there at the last look
            self.list.clear()
        self._is_new = not self.isVisible()
        chosen, place, was_empty = set(self.selected()), self.list.currentRow(), not self.list.count()
        with QSignalBlocker(self.list):  # each of a thousand rows would have all of them looked at
            self.list.clear()
            for row in rows:
                self.list.addItem(_item(row))
            items = [self.list.item(number) for number in range(self.list.count())]
            for item in items:
                item.setSelected(item.data(_Role.ID) in chosen)
        if (chosen or was_empty) and items and not self.selected():
            nearest = min(max(place, 0), len(items) - 1)
            self.list.setCurrentRow(nearest, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.empty_label.setText(tr("No deleted chats"))
        self._refresh()

    def selected(self) -> tuple[str, ...]:
        """The selected conversations, from top to bottom."""
        indexes = sorted(self.list.selectedIndexes(), key=QModelIndex.row)
        return tuple(str(index.data(_Role.ID)) for index in indexes)

    def _refresh(self) -> None:
        self.list.setVisible(self.list.count() > 0)
        self.empty_label.setHidden(self.list.count() > 0)
        self.erase_all_button.setEnabled(self.list.count() > 0)
        for button in (self.restore_button, self.erase_button):
            button.setEnabled(bool(self.selected()))

    def _restore(self) -> None:
        if chosen := self.selected():
            self._context.send(Undelete(chosen))

    def _ask_to_erase(self) -> None:
        if chosen := self.selected():
            one = shortened(self.list.selectedItems()[0].text(), _LONGEST_TITLE)
            many = plural("Delete {count} chat for good?", "Delete {count} chats for good?", len(chosen))
            question = tr("Delete “{title}” for good?", title=one) if len(chosen) == 1 else many
            self._ask(question, Erase(chosen))

    def _ask_to_erase_all(self) -> None:
        count = self.list.count()
        self._ask(plural("Delete all {count} chat for good?", "Delete all {count} chats for good?", count), EraseAll())

    def _ask(self, question: str, intent: Erase | EraseAll) -> None:
        confirm(self, question, tr("This cannot be undone."), tr("Delete"), partial(self._context.send, intent))


def _item(row: DeletedRow) -> QListWidgetItem:
    title = one_line(row.title, tr("New chat"))
    days = plural("{count} day left", "{count} days left", row.days_left) if row.days_left else tr("last day")
    item = QListWidgetItem(title)
    item.setData(_Role.ID, row.id)
    item.setData(_Role.SNIPPET, plain(row.snippet))
    item.setData(_Role.DAYS, days)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}, {days}")
    item.setSizeHint(QSize(0, _Rows.HEIGHT_PX))
    return item


class _Role(IntEnum):
    """The data of an item, in addition to its title."""

    ID = Qt.ItemDataRole.UserRole
    SNIPPET = Qt.ItemDataRole.UserRole + 1
    DAYS = Qt.ItemDataRole.UserRole + 2


class _Rows(QStyledItemDelegate):
    """Paints the title and the days left above the snippet."""

    HEIGHT_PX = 54

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title_font = ui_font(13, QFont.Weight.Medium)
        self._detail_font = ui_font(12)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect, theme = QRect(option.rect), appearance.theme
        if option.state & QStyle.StateFlag.State_Selected:
            draw_shape(painter, rect.toRectF().adjusted(4, 1.5, -4, -1.5), 8, theme.selected_row)
        line = QRect(rect.left() + _PAD_PX, rect.top() + 7, rect.width() - 2 * _PAD_PX, 20)
        days = str(index.data(_Role.DAYS))
        width = QFontMetrics(self._detail_font).horizontalAdvance(days) + 1
        at_right = QRect(line.right() - width, line.top(), width, line.height())
        draw_elided(painter, at_right, days, self._detail_font, theme.faint)
        draw_written(painter, line.adjusted(0, 0, -width - 13, 0), str(index.data()), self._title_font, theme.text)
        below = line.translated(0, 20)
        draw_written(painter, below, str(index.data(_Role.SNIPPET)), self._detail_font, theme.muted)
        painter.restore()
