"""The columns of Qt's dialog for files, with sizes and dates as the rest of the app writes them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QFileSystemModel, QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from ui.theme.phrases import date_and_time, size

_Index = QModelIndex | QPersistentModelIndex

_NAME: Final = 0
_SIZE: Final = 1
_TYPE: Final = 2
_DATE: Final = 3


def lay_out_columns(files: QTreeView) -> None:
    """Give names the room that sizes and dates leave. The icon tells folders from files, so no column does. Names
    begin in order, however the last dialog was left.
    """
    files.setItemDelegateForColumn(_SIZE, _SizeDelegate(files))
    files.setItemDelegateForColumn(_DATE, _DateDelegate(files))
    files.hideColumn(_TYPE)
    files.sortByColumn(_NAME, Qt.SortOrder.AscendingOrder)
    files.header().setStretchLastSection(False)
    files.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    files.header().setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)


class _SizeDelegate(QStyledItemDelegate):
    """The size of a file. Qt counts in KiB, and names no size of a folder."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:  # noqa: N802 - Qt's name
        super().initStyleOption(option, index)
        files = index.model()
        if isinstance(files, QFileSystemModel) and not files.isDir(index):
            option.text = size(files.size(index))


class _DateDelegate(QStyledItemDelegate):
    """When a file or a folder was last changed. Qt writes the month as a number."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:  # noqa: N802 - Qt's name
        super().initStyleOption(option, index)
        files = index.model()
        if isinstance(files, QFileSystemModel):
            seconds = files.lastModified(index).toSecsSinceEpoch()
            option.text = date_and_time(datetime.fromtimestamp(seconds).astimezone())
