"""Recently deleted conversations: owns the way there, back, and out for real; what they hold is left to the store.

All methods raise EnvironmentProblem and DamagedDatabase besides what they name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from storage.library import attachments, conversations, search
from storage.library.opened import Opened

if TYPE_CHECKING:
    from storage.library.rows import Summary

_ORPHANS_KEPT_MS: Final = 30 * 24 * 60 * 60 * 1000
"""A file without a row may belong to a library that was put aside as damaged and is still to be rescued."""


class Trash(Opened):
    """The part of the library that nobody sees any more.

    What is erased is in no file then: rows are overwritten, the search index and the log are emptied of it, and files
    that nothing else has attached are removed. If that last step fails, `sweep` repeats it.
    """

    def delete(self, identifier: str) -> None:
        """Move to recently deleted: no longer listed or found. Raises NoSuchConversation.

        That is never before the newest moment that the library knows: a clock that was set back must cost no days.
        """
        with self._database.transaction() as connection:
            moment = max(self._clock(), conversations.newest(connection))
            conversations.change(connection, identifier, deleted=moment)

    def deleted(self) -> tuple[Summary, ...]:
        """What is there, the last one first; `updated` is when it was deleted."""
        with self._database.transaction() as connection:
            return conversations.deleted(connection)

    def undelete(self, identifier: str) -> None:
        """List it again, as it was. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            conversations.undelete(connection, identifier)

    def erase(self, *identifiers: str) -> None:
        """Erase conversations for real, deleted or not: all of them or none, if one is not there.

        The search index is rewritten, once for all of them: seconds in a library of 100,000 messages. Raises
        NoSuchConversation.
        """
        with self._database.transaction() as connection:
            for identifier in identifiers:
                conversations.erase(connection, identifier)
            search.drop_erased_words(connection)
        self._leave_no_trace()

    def purge_deleted(self, older_than_ms: int) -> tuple[str, ...]:
        """Erase for real what was deleted at least `older_than_ms` milliseconds ago, and what began to arrive and does
        so no longer. The ids of what is gone.
        """
        with self._database.transaction() as connection:
            erased = conversations.purge(connection, self._clock() - older_than_ms, self._arriving)
            if erased:
                search.drop_erased_words(connection)
        if erased:
            self._leave_no_trace()
        return erased

    def empty_deleted(self, older_than_ms: int) -> dict[str, int]:
        """Erase the words of what was deleted at least `older_than_ms` milliseconds ago, files and all; `purge_deleted`
        removes the rest. When each was deleted (ms, UTC), by its id.

        Until then the empty rows say what copies still have to be cleaned of, also after a crash.
        """
        with self._database.transaction() as connection:
            emptied = conversations.due(connection, self._clock() - older_than_ms)
            conversations.empty(connection, emptied)
            if emptied:
                search.drop_erased_words(connection)
        if emptied:
            self._leave_no_trace()
        return emptied

    def _leave_no_trace(self) -> None:
        self._database.truncate_log()
        self._clear()

    def sweep(self) -> None:
        """Empty the log of what was erased, and remove files that nothing has attached, as a crash can leave them."""
        self._leave_no_trace()
        moment = (self._clock() - _ORPHANS_KEPT_MS) / 1000
        with self._database.transaction() as connection:
            attachments.clear_unknown(connection, self._files, moment)

    def _clear(self) -> None:
        # In a transaction, so that no other process can attach the same file in between.
        with self._database.transaction() as connection:
            attachments.clear(connection, self._files)
