"""Recently deleted conversations: moving them there and back, and erasing them.

After an erasure no file holds the text: SQLite overwrites the rows, the search indexes are rewritten, the write-ahead
log is emptied, and its files are removed. If one of the last two steps fails, `Trash.sweep` repeats it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, select, update

from resources.language.text import tr
from storage.database import Database
from storage.errors import NoSuchConversation
from storage.library import conversations, search
from storage.library.attachments import clear_litter, is_used
from storage.library.files import Files
from storage.library.rows import NO_DRAFT, Summary
from storage.library.schema import attachment, conversation, message

if TYPE_CHECKING:
    from sqlalchemy import Connection

_UNKNOWN_KEPT_MS: Final = 30 * 24 * 60 * 60 * 1000
"""How long a file without a row is kept: as long as the copies and the replaced libraries that may name it."""

_EMPTY: Final[dict[str, object]] = {
    **dict.fromkeys(("title", "system", "model", "folder", "tags", "sampling"), ""),
    **conversations.draft_columns(NO_DRAFT),
    **dict.fromkeys(("leaf", "reads_from")),
}
"""The columns of a conversation without its texts."""


class Trash:
    """Conversations that are no longer listed. `clock` in ms, UTC. All methods raise EnvironmentProblem and
    DamagedDatabase besides what they name.
    """

    def __init__(self, database: Database, clock: Callable[[], int], files: Files) -> None:
        self._database = database
        self._clock = clock
        self._files = files

    def add(self, *identifiers: str) -> dict[str, str]:
        """Delete conversations: from now on they are neither listed nor found. Returns the titles of those that were
        listed until now, by their ids.

        The time of deletion is never before the newest time in the library: a clock that was set back must not shorten
        the time for which a deleted conversation is kept.
        """
        with self._database.transaction() as connection:
            row, moment = conversation.c, conversations.latest(connection, self._clock())
            added = update(conversation).where(row.id.in_(identifiers), row.deleted.is_(None)).values(deleted=moment)
            titles = {one.id: one.title for one in connection.execute(added.returning(row.id, row.title))}
        return {one: titles[one] for one in identifiers if one in titles}

    def discard(self, identifier: str) -> None:
        """Delete a conversation and all its texts at once, so that it cannot be restored. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            moment = conversations.latest(connection, self._clock())
            conversations.change(connection, identifier, deleted=moment, **_EMPTY)

    def listed(self) -> tuple[Summary, ...]:
        """The deleted conversations, the last deleted first; `updated` is the time of deletion."""
        with self._database.transaction() as connection:
            row = conversation.c
            query = conversations.summaries(row.deleted).where(row.deleted >= 0)
            ordered = query.order_by(row.deleted.desc(), row.number.desc())
            return tuple(map(conversations.summary, connection.execute(ordered)))

    def restore(self, *identifiers: str) -> None:
        """List deleted conversations again, unchanged. Some may have been restored or erased before. Raises
        NoSuchConversation if none of them is deleted.
        """
        with self._database.transaction() as connection:
            row = conversation.c
            restored = update(conversation).where(row.deleted >= 0, row.id.in_(identifiers)).values(deleted=None)
            if not connection.execute(restored).rowcount:
                raise NoSuchConversation(tr("This conversation is not in Recently Deleted any more."))

    def erase(self, *identifiers: str) -> None:
        """Erase conversations, deleted or not. If one does not exist, erases none and raises NoSuchConversation.

        Rewrites the search indexes once for all of them: seconds in a library of 100,000 messages.
        """
        with self._erasing() as connection:
            for identifier in identifiers:
                if not connection.execute(delete(conversation).where(conversation.c.id == identifier)).rowcount:
                    raise NoSuchConversation(tr(conversations.GONE))

    def purge(self, older_than_ms: int) -> tuple[str, ...]:
        """Erase conversations that were deleted at least `older_than_ms` ago. Returns their ids."""
        with self._erasing() as connection:
            row = conversation.c
            gone = (row.deleted >= 0, row.deleted <= self._clock() - older_than_ms)
            return tuple(connection.execute(delete(conversation).where(*gone).returning(row.id)).scalars())

    def empty(self, older_than_ms: int) -> dict[str, int]:
        """Erase the messages, files and texts of conversations that were deleted at least `older_than_ms` ago, but keep
        their rows until `purge`. Returns their times of deletion (ms, UTC) by id.

        The empty rows say which conversations still have to be removed from backups, also after a crash.
        """
        with self._erasing() as connection:
            row = conversation.c
            query = select(row.id, row.deleted).where(row.deleted >= 0, row.deleted <= self._clock() - older_than_ms)
            emptied = {one.id: one.deleted for one in connection.execute(query)}
            for identifier in emptied:
                connection.execute(delete(attachment).where(attachment.c.conversation == identifier))
                connection.execute(delete(message).where(message.c.conversation == identifier))
                connection.execute(update(conversation).where(row.id == identifier).values(_EMPTY))
            return emptied

    def sweep(self, noted: int) -> None:
        """Repeat the last steps of every erasure, and remove files that have had no row for as long as a copy may name
        them. `noted` as in `Backups.expire`.
        """
        self._leave_no_trace()
        self._remove_unknown((min(self._clock(), noted) - _UNKNOWN_KEPT_MS) / 1000)

    def forget_files(self) -> None:
        """Remove all files without a row: no copy is left that names one."""
        self._remove_unknown(math.inf)

    def _remove_unknown(self, before: float) -> None:
        with self._database.transaction() as connection:
            for file in self._files.before(before):
                if not is_used(connection, file):
                    self._files.remove(file)

    def discard_import(self, mark: int | None = None) -> None:
        """Erase the rows of the import with this mark; without it, those of all imports that were cut short. Only a
        process that knows of no running import may do that.
        """
        with self._erasing() as connection:
            mine = conversation.c.deleted < 0 if mark is None else conversation.c.deleted == mark
            connection.execute(delete(conversation).where(mine))

    @contextmanager
    def _erasing(self) -> Iterator[Connection]:
        """A transaction. If it changes anything, the search indexes are rewritten at its end, and no file holds what it
        has erased.
        """
        before = self._database.written
        with self._database.transaction() as connection:
            changes = self._database.raw.total_changes
            yield connection
            if self._database.raw.total_changes > changes:
                search.drop_erased_words(self._database.raw)
        if self._database.written > before:
            self._leave_no_trace()

    def _leave_no_trace(self) -> None:
        self._database.truncate_log()
        with self._database.transaction() as connection:
            clear_litter(connection, self._files)
