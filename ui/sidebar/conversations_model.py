"""Conversations: owns the sidebar's list as Qt sees it, rows under headings; how a row looks is the delegate's."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from ui.sidebar.search_marks import plain_with_marks
from ui.sidebar.sections import HeadingKind, as_found, by_place
from ui.state import ChatStatus
from ui.theme.phrases import counted, live_line, one_line, time_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from ui.sidebar.sections import Entry, Heading
    from ui.state import ConversationRow

_ROOT = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex
_QUIET = ChatStatus()
_DRAGGED = "application/x-hearth-conversation"
_OF_A_ROW = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsEditable
    | Qt.ItemFlag.ItemIsDragEnabled
)


class ConversationRole(IntEnum):
    """What the delegate may ask an index for, beside Qt's own roles."""

    ID = Qt.ItemDataRole.UserRole  # "" for a heading
    SNIPPET = Qt.ItemDataRole.UserRole + 1
    TIME = Qt.ItemDataRole.UserRole + 2
    LIVE = Qt.ItemDataRole.UserRole + 3
    MARKS = Qt.ItemDataRole.UserRole + 4
    TAGS = Qt.ItemDataRole.UserRole + 5
    HEADING = Qt.ItemDataRole.UserRole + 6  # None for a row
    PIN = Qt.ItemDataRole.UserRole + 7  # whether a row has to say itself that it is pinned


class ConversationsModel(QAbstractListModel):
    """The rows the app gave, cut into sections, with the live line of each conversation at work."""

    renamed = Signal(str, str)
    dropped = Signal(str, object)  # a conversation, and the Heading that it was let go under

    def __init__(self, clock: Callable[[], datetime], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._now = clock()
        self._rows: tuple[ConversationRow, ...] = ()
        self._known: dict[str, ConversationRow] = {}
        self._are_found = False
        self._folded: set[str] = set()
        self._entries: list[Entry] = []
        self._statuses: dict[str, ChatStatus] = {}
        self._made: dict[str, dict[int, object]] = {}

    def show_rows(self, rows: tuple[ConversationRow, ...]) -> None:
        """Show `rows`, pinned ones and folders apart, the others in the order given."""
        self._are_found = False
        self._known = {row.id: row for row in rows}
        self._show(rows)

    def show_found(self, rows: tuple[ConversationRow, ...]) -> None:
        """Show what a search found, in the order given."""
        self._are_found = True
        self._known |= {row.id: row for row in rows}
        self._show(rows)

    def _show(self, rows: tuple[ConversationRow, ...]) -> None:
        """Resets the model only where a line appears, moves or goes."""
        self._rows, self._now = rows, self._clock()
        self._made.clear()
        entries = self._arranged()
        if [entry.identity() for entry in entries] == [entry.identity() for entry in self._entries]:
            self._entries = entries
            self._all_changed()
            return
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def _arranged(self) -> list[Entry]:
        return as_found(self._rows) if self._are_found else by_place(self._rows, self._now, self._folded)

    def refresh_times(self) -> None:
        """Bring times and sections up to the clock."""
        self._show(self._rows)

    def folded(self) -> tuple[str, ...]:
        """The folders that hide their rows."""
        return tuple(sorted(self._folded))

    def fold(self, folders: Iterable[str]) -> None:
        """Let just these folders hide their rows."""
        self._folded = set(folders)
        self._show(self._rows)

    def toggle(self, heading: QModelIndex) -> None:
        """Fold or unfold one folder. Nothing else moves but what stands below."""
        found = heading.data(ConversationRole.HEADING)
        if found is None or found.kind is not HeadingKind.FOLDER:
            return
        first, last = heading.row() + 1, heading.row() + found.size
        if found.folded:
            self.beginInsertRows(_ROOT, first, last)
            self._folded.discard(found.title)
            self._entries = self._arranged()
            self.endInsertRows()
        else:
            self.beginRemoveRows(_ROOT, first, last)
            self._folded.add(found.title)
            self._entries = self._arranged()
            self.endRemoveRows()
        self.dataChanged.emit(self.index(heading.row(), 0), self.index(heading.row(), 0))

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Keep the live line of one conversation."""
        before = live_line(self._statuses.get(conversation, _QUIET))
        self._statuses[conversation] = status
        self._made.pop(conversation, None)
        if live_line(status) != before and (index := self.index_of(conversation)).isValid():
            self.dataChanged.emit(index, index)

    def index_of(self, conversation: str) -> QModelIndex:
        """Where `conversation` stands; an invalid index if it is not listed."""
        for number, entry in enumerate(self._entries):
            if entry.row is not None and entry.row.id == conversation:
                return self.index(number, 0)
        return QModelIndex()

    def row_of(self, conversation: str) -> ConversationRow | None:
        """What the app told of a conversation, whether it is in sight or not; None for one that it did not list."""
        return self._known.get(conversation)

    def rowCount(self, parent: _Index = _ROOT) -> int:  # noqa: N802 - Qt's name
        """Lines in the list, headings among them."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One field of one line; None for roles that a line does not have."""
        if not index.isValid() or index.row() >= len(self._entries):
            return None
        entry = self._entries[index.row()]
        if role == ConversationRole.ID:  # asked for every row at every layout, the others only for rows in sight
            return entry.row.id if entry.row else ""
        fields = self._fields(entry.row) if entry.row else _heading_fields(entry.heading)
        return fields.get(role)

    def _fields(self, row: ConversationRow) -> dict[int, object]:
        """Made once for all that one painting asks for, and the next ones."""
        if row.id not in self._made:
            self._made[row.id] = self._make(row)
        return self._made[row.id]

    def _make(self, row: ConversationRow) -> dict[int, object]:
        live = live_line(self._statuses.get(row.id, _QUIET))
        time = time_label(row.updated, self._now)
        title = one_line(row.title, "New chat")
        snippet, marks = plain_with_marks(row.snippet, row.marks)
        return {
            Qt.ItemDataRole.DisplayRole: title,
            Qt.ItemDataRole.EditRole: title,
            Qt.ItemDataRole.AccessibleTextRole: ", ".join((title, live or time, *_said(row))),
            ConversationRole.SNIPPET: snippet,
            ConversationRole.MARKS: marks,
            ConversationRole.TAGS: row.tags,
            ConversationRole.TIME: "now" if live else time,
            ConversationRole.LIVE: live,
            ConversationRole.PIN: row.pinned and self._are_found,
        }

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802 - Qt's name
        """Ask for a new title. The row changes when the app says so."""
        title = one_line(str(value))
        conversation = index.data(ConversationRole.ID)
        if role != Qt.ItemDataRole.EditRole or not conversation or not title or title == index.data():
            return False
        self.renamed.emit(conversation, title)
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Headings can be neither selected nor edited; those of folders can be reached."""
        if not index.isValid():
            return Qt.ItemFlag.ItemIsDropEnabled  # or Qt would let nothing go anywhere
        entry = self._entries[index.row()]
        base = Qt.ItemFlag.ItemNeverHasChildren
        if entry.heading.kind is not HeadingKind.FOUND:
            base |= Qt.ItemFlag.ItemIsDropEnabled
        if entry.row is not None:
            return base | _OF_A_ROW
        return base | Qt.ItemFlag.ItemIsEnabled if entry.heading.kind is HeadingKind.FOLDER else base

    def supportedDropActions(self) -> Qt.DropAction:  # noqa: N802 - Qt's name
        """A row is moved, never doubled."""
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:  # noqa: N802 - Qt's name
        """A row can be let go in this list alone."""
        return [_DRAGGED]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:  # noqa: N802 - Qt's name
        """The conversation that is dragged."""
        data = QMimeData()
        data.setData(_DRAGGED, str(indexes[0].data(ConversationRole.ID)).encode())
        return data

    def canDropMimeData(self, data: QMimeData, _action: Qt.DropAction, row: int, _column: int, parent: _Index) -> bool:  # noqa: N802 - Qt's name
        """Wherever it would change anything: onto another heading than its own, or a row under it."""
        dragged = self.row_of(_dragged(data))
        if dragged is None or row >= 0 or not parent.flags() & Qt.ItemFlag.ItemIsDropEnabled:
            return False
        heading = self._entries[parent.row()].heading
        if heading.kind is HeadingKind.PINNED or dragged.pinned:
            return dragged.pinned is not (heading.kind is HeadingKind.PINNED)
        return dragged.folder != heading.folder()

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: _Index) -> bool:  # noqa: N802 - Qt's name
        """Ask for another place. The row moves when the app says so."""
        is_welcome = self.canDropMimeData(data, action, row, column, parent)
        if is_welcome:
            self.dropped.emit(_dragged(data), self._entries[parent.row()].heading)
        return is_welcome

    def _all_changed(self) -> None:
        if self._entries:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._entries) - 1, 0))


def _dragged(data: QMimeData) -> str:
    return bytes(data.data(_DRAGGED).data()).decode(errors="replace")


def _said(row: ConversationRow) -> tuple[str, ...]:
    return (*(("pinned",) if row.pinned else ()), *row.tags)


def _heading_fields(heading: Heading) -> dict[int, object]:
    said = heading.title
    if heading.kind is HeadingKind.FOLDER:
        said = f"Folder {heading.title}, {counted(heading.size, 'chat')}, {'closed' if heading.folded else 'open'}"
    return {
        Qt.ItemDataRole.DisplayRole: heading.title,
        Qt.ItemDataRole.AccessibleTextRole: said,
        ConversationRole.HEADING: heading,
    }
