"""Conversations: owns the sidebar's list as Qt sees it, rows under date sections; how a row looks is the delegate's."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ui.markdown.plain import plain
from ui.phrases import live_line, one_line, section, time_label
from ui.state import ChatStatus

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from ui.state import ConversationRow

_ROOT = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex
_QUIET = ChatStatus()


class Role(IntEnum):
    """What the delegate may ask an index for, beside Qt's own roles."""

    ID = Qt.ItemDataRole.UserRole  # "" for a section
    SNIPPET = Qt.ItemDataRole.UserRole + 1
    TIME = Qt.ItemDataRole.UserRole + 2
    LIVE = Qt.ItemDataRole.UserRole + 3


class _Entry(NamedTuple):
    heading: str
    row: ConversationRow | None


class ConversationsModel(QAbstractListModel):
    """The rows the app gave, cut into date sections, with the live line of each conversation at work."""

    renamed = Signal(str, str)

    def __init__(self, clock: Callable[[], datetime], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._now = clock()
        self._rows: tuple[ConversationRow, ...] = ()
        self._entries: list[_Entry] = []
        self._statuses: dict[str, ChatStatus] = {}

    def show_rows(self, rows: tuple[ConversationRow, ...]) -> None:
        """Show `rows` in the order given. Resets the model only where a line appears, moves or goes."""
        self._rows, self._now = rows, self._clock()
        entries = _with_sections(rows, self._now)
        if [_identity(entry) for entry in entries] == [_identity(entry) for entry in self._entries]:
            self._entries = entries
            self._all_changed()
            return
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def refresh_times(self) -> None:
        """Bring times and sections up to the clock."""
        self.show_rows(self._rows)

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Keep the live line of one conversation."""
        before = live_line(self._statuses.get(conversation, _QUIET))
        self._statuses[conversation] = status
        if live_line(status) != before and (index := self.index_of(conversation)).isValid():
            self.dataChanged.emit(index, index)

    def index_of(self, conversation: str) -> QModelIndex:
        """Where `conversation` stands; an invalid index if it is not listed."""
        for number, entry in enumerate(self._entries):
            if entry.row is not None and entry.row.id == conversation:
                return self.index(number, 0)
        return QModelIndex()

    def title_of(self, conversation: str) -> str:
        """The title of a listed conversation, "" for others."""
        return next((row.title for row in self._rows if row.id == conversation), "")

    def rowCount(self, parent: _Index = _ROOT) -> int:  # noqa: N802 - Qt's name
        """Lines in the list, sections among them."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        """One field of one line; None for roles that a line does not have."""
        if not index.isValid() or index.row() >= len(self._entries):
            return None
        entry = self._entries[index.row()]
        if role == Role.ID:  # asked for every row at every layout, the others only for rows in sight
            return entry.row.id if entry.row else ""
        fields = self._fields(entry.row) if entry.row else {int(Qt.ItemDataRole.DisplayRole): entry.heading}
        return fields.get(role)

    def _fields(self, row: ConversationRow) -> dict[int, str]:
        live = live_line(self._statuses.get(row.id, _QUIET))
        time = time_label(row.updated, self._now)
        title = one_line(row.title, "New chat")
        return {
            Qt.ItemDataRole.DisplayRole: title,
            Qt.ItemDataRole.EditRole: title,
            Qt.ItemDataRole.AccessibleTextRole: f"{title}, {live or time}",
            Role.SNIPPET: plain(row.snippet),
            Role.TIME: "now" if live else time,
            Role.LIVE: live,
        }

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802 - Qt's name
        """Ask for a new title. The row changes when the app says so."""
        title = one_line(str(value))
        conversation = index.data(Role.ID)
        if role != Qt.ItemDataRole.EditRole or not conversation or not title or title == index.data():
            return False
        self.renamed.emit(conversation, title)
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Sections can be neither selected nor edited."""
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if self._entries[index.row()].row is None:
            return Qt.ItemFlag.ItemNeverHasChildren
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return base | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemNeverHasChildren

    def _all_changed(self) -> None:
        if self._entries:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._entries) - 1, 0))


def _identity(entry: _Entry) -> tuple[str, str]:
    return entry.heading, "" if entry.row is None else entry.row.id


def _with_sections(rows: tuple[ConversationRow, ...], now: datetime) -> list[_Entry]:
    entries: list[_Entry] = []
    heading = ""
    for row in rows:
        if section(row.updated, now) != heading:
            heading = section(row.updated, now)
            entries.append(_Entry(heading, None))
        entries.append(_Entry(heading, row))
    return entries
