"""The sidebar's list as a Qt model: conversations under headings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from enum import IntEnum

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from resources.language.text import plural, tr
from ui.sidebar.search_marks import plain_with_marks
from ui.sidebar.sections import Heading, HeadingKind, ListEntry, by_section, search_results
from ui.state.chat import ChatStatus
from ui.state.library import ConversationRow
from ui.theme.long_texts import cut
from ui.theme.phrases import activity, draft_line, one_line, time_label

_ROOT = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex
_IDLE = ChatStatus()
_MIME_TYPE = "application/x-hearth-conversation"
_ROW_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsEditable
    | Qt.ItemFlag.ItemIsDragEnabled
)


class ConversationRole(IntEnum):
    """The roles of the model, in addition to Qt's own."""

    ID = Qt.ItemDataRole.UserRole  # "" for a heading
    SNIPPET = Qt.ItemDataRole.UserRole + 1
    TIME = Qt.ItemDataRole.UserRole + 2
    LIVE = Qt.ItemDataRole.UserRole + 3
    MARKS = Qt.ItemDataRole.UserRole + 4
    TAGS = Qt.ItemDataRole.UserRole + 5
    HEADING = Qt.ItemDataRole.UserRole + 6  # None for a row
    PIN = Qt.ItemDataRole.UserRole + 7  # whether the row itself shows that it is pinned
    UNREAD = Qt.ItemDataRole.UserRole + 8  # whether it has an answer that the user has not seen


class ConversationsModel(QAbstractListModel):
    """The rows that the app sent, grouped under headings, with the live line of each active conversation."""

    renamed = Signal(str, str)
    dropped = Signal(object, object)  # conversations, and the Heading that they were dropped on

    def __init__(self, clock: Callable[[], datetime], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = clock
        self._now = clock()
        self._rows: tuple[ConversationRow, ...] = ()
        self.known: dict[str, ConversationRow] = {}
        """The row that the app last sent for each conversation, also of those that are not in view."""
        self._titled: tuple[ConversationRow, ...] = ()
        self._titles: list[str] = []
        self._are_results = False
        self.is_still = False
        """Whether each row stays at the place at which it is shown, whatever was sent in it since."""
        self._folded: set[str] = set()
        self._emptied: dict[str, frozenset[str]] = {}  # folded folders that the user emptied, with their chats
        self._entries: list[ListEntry] = []
        self._numbered = self._entries
        self._numbers: dict[str, int] = {}
        self._statuses: dict[str, ChatStatus] = {}
        self._unread: frozenset[str] = frozenset()
        self._field_cache: dict[str, dict[int, object]] = {}

    def titles(self) -> list[str]:
        """The titles of all rows in order, each once."""
        if self._titled is not self._rows:
            self._titles = sorted({one_line(row.title, tr("New chat")) for row in self._rows})
            self._titled = self._rows
        return self._titles

    def show_rows(self, rows: tuple[ConversationRow, ...]) -> None:
        """Show `rows`: pinned ones and folders first, then the others in the given order."""
        self._are_results = False
        self.known = {row.id: row for row in rows}
        for folder, chats in tuple(self._emptied.items()):
            if frozenset() < self._chats_in(folder) <= chats:
                self._folded.add(folder)
                del self._emptied[folder]
        self._show(rows)

    def show_results(self, rows: tuple[ConversationRow, ...]) -> None:
        """Show the results of a search in the given order."""
        self._are_results = True
        self.known |= {row.id: row for row in rows}
        self._show(rows)

    def _show(self, rows: tuple[ConversationRow, ...]) -> None:
        """Reset the model only if lines were added, moved or removed."""
        self._rows, self._now = rows, self._clock()
        self._field_cache.clear()
        entries = self._make_entries()
        if [entry.identity() for entry in entries] == [entry.identity() for entry in self._entries]:
            self._entries = entries
            if entries:
                self.dataChanged.emit(self.index(0, 0), self.index(len(entries) - 1, 0))
            return
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()

    def _make_entries(self) -> list[ListEntry]:
        rows = self._rows
        if self.is_still and not self._are_results:
            shown = {row.id: (at, row.updated) for at, row in enumerate(one.row for one in self._entries if one.row)}
            kept = (replace(row, updated=shown.get(row.id, (0, row.updated))[1]) for row in rows)
            rows = tuple(sorted(kept, key=lambda row: (-row.updated.timestamp(), shown.get(row.id, (-1,))[0])))
        return search_results(rows) if self._are_results else by_section(rows, self._now, self._folded)

    def show_draft(self, conversation: str, words: str) -> None:
        """Show a draft in its row until the app sends the row again."""
        if conversation in self.known:
            self._replace(replace(self.known[conversation], draft=words))

    def _replace(self, row: ConversationRow) -> None:
        """Show another state of a listed row, at the place that it has."""
        self.known[row.id] = row
        self._rows = tuple(row if one.id == row.id else one for one in self._rows)
        number = self.index_of(row.id).row()
        if number >= 0 and (entry := self._entries[number]).row is not None:
            self._entries[number] = entry._replace(row=replace(row, updated=entry.row.updated))
        self._change(row.id)

    def _change(self, conversation: str) -> None:
        self._field_cache.pop(conversation, None)
        if (index := self.index_of(conversation)).isValid():
            self.dataChanged.emit(index, index)

    def refresh_times(self) -> None:
        """Update times and date headings from the clock."""
        self._show(self._rows)

    def folded(self) -> tuple[str, ...]:
        """The names of the folded folders."""
        return tuple(sorted(self._folded))

    def fold(self, folders: Iterable[str]) -> None:
        """Fold these folders and unfold all others."""
        self._folded = set(folders)
        self._show(self._rows)

    def note_emptied(self, folder: str) -> None:
        """The user takes all chats out of a folder. A new folder of this name is not folded. If an undo brings the
        chats back, the folder is folded as it was.
        """
        if folder in self._folded:
            self._folded.discard(folder)
            self._emptied[folder] = self._chats_in(folder)

    def _chats_in(self, folder: str) -> frozenset[str]:
        return frozenset(row.id for row in self.known.values() if row.folder == folder)

    def toggle(self, heading: QModelIndex) -> None:
        """Fold or unfold one folder. Only the rows below it move."""
        found = heading.data(ConversationRole.HEADING)
        if found is None or found.kind is not HeadingKind.FOLDER:
            return
        begin, turn, end = self.beginRemoveRows, self._folded.add, self.endRemoveRows
        if found.folded:
            begin, turn, end = self.beginInsertRows, self._folded.discard, self.endInsertRows
        begin(_ROOT, heading.row() + 1, heading.row() + found.size)
        turn(found.title)
        self._entries = self._make_entries()
        end()
        self.dataChanged.emit(self.index(heading.row(), 0), self.index(heading.row(), 0))

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Update the live line of one conversation."""
        before = activity(self._statuses.get(conversation, _IDLE))
        self._statuses[conversation] = status
        if activity(status) != before:
            self._change(conversation)

    def set_unread(self, unread: frozenset[str]) -> None:
        """Mark the conversations with an answer that the user has not seen."""
        changed, self._unread = self._unread ^ unread, unread
        for conversation in changed:
            self._change(conversation)

    def index_of(self, conversation: str) -> QModelIndex:
        """The index of a conversation, invalid if it is not listed. While answers are written, this is asked often."""
        if self._numbered is not self._entries:
            self._numbers = {entry.row.id: at for at, entry in enumerate(self._entries) if entry.row is not None}
            self._numbered = self._entries
        number = self._numbers.get(conversation)
        return QModelIndex() if number is None else self.index(number, 0)

    def is_row(self, number: int) -> bool:
        """Whether a line is a conversation, and not a heading."""
        return self._entries[number].row is not None

    def rowCount(self, parent: _Index = _ROOT) -> int:  # noqa: N802 - Qt's name
        """The number of lines, including headings."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One field of one line, or None for a role that the line does not have."""
        if not index.isValid() or index.row() >= len(self._entries):
            return None
        entry = self._entries[index.row()]
        if role == ConversationRole.ID:  # a fast path: every layout asks all rows for their ids
            return entry.row.id if entry.row else ""
        if entry.row is None:
            return _heading_fields(entry.heading).get(role)
        if entry.row.id not in self._field_cache:  # painting asks for the fields of a row one by one
            self._field_cache[entry.row.id] = self._make_fields(entry.row)
        return self._field_cache[entry.row.id].get(role)

    def _make_fields(self, row: ConversationRow) -> dict[int, object]:
        live = activity(self._statuses.get(row.id, _IDLE))
        time = time_label(self.known[row.id].updated, self._now)
        title = one_line(row.title, tr("New chat"))
        draft = "" if self._are_results else draft_line(row.draft, row.draft_files)
        snippet, marks = (draft, ()) if draft else plain_with_marks(row.snippet, row.marks)
        is_unread = row.id in self._unread and not live
        labels = [tr("new answer")] * is_unread + [tr("pinned")] * row.pinned
        return {
            Qt.ItemDataRole.DisplayRole: title,
            Qt.ItemDataRole.EditRole: cut(title),
            Qt.ItemDataRole.AccessibleTextRole: ", ".join((title, live or time, *labels, *row.tags)),
            ConversationRole.UNREAD: is_unread,
            ConversationRole.SNIPPET: snippet,
            ConversationRole.MARKS: marks,
            ConversationRole.TAGS: row.tags,
            ConversationRole.TIME: tr("now") if live else time,
            ConversationRole.LIVE: live,
            ConversationRole.PIN: row.pinned and self._are_results,
        }

    def setData(self, index: _Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802 - Qt's name
        """Request a new title, and show it until the app sends the row again."""
        title = one_line(str(value))
        conversation = index.data(ConversationRole.ID)
        if role != Qt.ItemDataRole.EditRole or not conversation or not title or title == index.data(role):
            return False
        self._replace(replace(self.known[conversation], title=title))
        self.renamed.emit(conversation, title)
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Headings can be neither selected nor edited. Those of folders can be the current line."""
        if not index.isValid():
            return Qt.ItemFlag.ItemIsDropEnabled  # without it Qt refuses every drop
        if index.row() >= len(self._entries):  # Qt may still ask about a line from before a reset
            return Qt.ItemFlag.NoItemFlags
        entry = self._entries[index.row()]
        base = Qt.ItemFlag.ItemNeverHasChildren
        if entry.heading.kind is not HeadingKind.FOUND:
            base |= Qt.ItemFlag.ItemIsDropEnabled
        if entry.row is not None:
            return base | _ROW_FLAGS
        return base | Qt.ItemFlag.ItemIsEnabled if entry.heading.kind is HeadingKind.FOLDER else base

    def supportedDropActions(self) -> Qt.DropAction:  # noqa: N802 - Qt's name
        """A row is moved, never copied."""
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:  # noqa: N802 - Qt's name
        """A type of this app only, so that a row can be dropped in this list only."""
        return [_MIME_TYPE]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:  # noqa: N802 - Qt's name
        """The ids of the dragged conversations."""
        data = QMimeData()
        dragged = (str(index.data(ConversationRole.ID)) for index in sorted(indexes, key=QModelIndex.row))
        data.setData(_MIME_TYPE, "\n".join(dragged).encode())
        return data

    def canDropMimeData(self, data: QMimeData, _action: Qt.DropAction, row: int, _column: int, parent: _Index) -> bool:  # noqa: N802 - Qt's name
        """Whether the drop would change anything: the target must be another heading, or a row under one."""
        if row >= 0 or not parent.flags() & Qt.ItemFlag.ItemIsDropEnabled:
            return False
        heading = self._entries[parent.row()].heading
        is_pinned = heading.kind is HeadingKind.PINNED
        dragged = (row for row in map(self.known.get, _dragged_conversations(data)) if row is not None)
        return any(
            one.pinned is not is_pinned if is_pinned or one.pinned else one.folder != heading.folder()
            for one in dragged
        )

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: _Index) -> bool:  # noqa: N802 - Qt's name
        """Request a new section. The row moves when the app sends it again."""
        is_welcome = self.canDropMimeData(data, action, row, column, parent)
        if is_welcome:
            self.dropped.emit(_dragged_conversations(data), self._entries[parent.row()].heading)
        return is_welcome


def _dragged_conversations(data: QMimeData) -> tuple[str, ...]:
    return tuple(bytes(data.data(_MIME_TYPE).data()).decode(errors="replace").split("\n"))


def _heading_fields(heading: Heading) -> dict[int, object]:
    spoken = heading.title
    if heading.kind is HeadingKind.FOLDER:
        spoken = tr(
            "Folder {title}, {chats}, closed" if heading.folded else "Folder {title}, {chats}, open",
            title=heading.title,
            chats=plural("{count} chat", "{count} chats", heading.size),
        )
    return {
        Qt.ItemDataRole.DisplayRole: heading.title,
        Qt.ItemDataRole.AccessibleTextRole: spoken,
        ConversationRole.HEADING: heading,
    }
