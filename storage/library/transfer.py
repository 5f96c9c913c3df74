"""Whole conversations in and out of the library: owns the transaction around each way, and the files that come along.

Their shape is left to `storage.library.archive`, the rows made of it to `storage.library.arrival`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from storage.errors import StorageError
from storage.library import archive as archives
from storage.library import attachments, search
from storage.library.archive import ArchivedAttachment
from storage.library.arrival import Arrival
from storage.library.rows import text_from
from storage.library.trash import Trash

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import Connection

    from storage.library.archive import Archive
    from storage.library.rows import Message


class Transfer(Trash):
    """The part of the library that others' files are read into and written from."""

    def add_archive(self, archive: Archive) -> tuple[str, ...]:
        """Add all of its conversations or none, under new ids, which are returned in their order.

        Raises EnvironmentProblem and DamagedDatabase.
        """
        arrival = Arrival(archive)
        while not self.bring_in(arrival):
            pass
        return arrival.ids

    def bring_in(self, arrival: Arrival) -> bool:
        """Add a portion of it, which takes no longer than others can wait. Whether all of it is there, and listed.

        Raises EnvironmentProblem and DamagedDatabase, NoSuchConversation if another library is here now. Nothing of it
        stays then; where even that is refused, nobody sees what does, and the next purge erases it.
        """
        self._arriving.add(arrival.mark)
        try:
            with self._database.transaction() as connection:
                complete = arrival.put(connection, self._attach)
        except StorageError:
            self._arriving.discard(arrival.mark)
            with suppress(StorageError):
                self._withdraw(arrival)
            raise
        if complete:
            self._arriving.discard(arrival.mark)
        return complete

    def archive(self, identifiers: Collection[str] | None = None) -> Archive:
        """The conversations of these ids (None: all that are listed) with all their branches and files.

        What is not there is left out, conversations and files. Raises EnvironmentProblem and DamagedDatabase.
        """
        with self._database.transaction() as connection:
            return archives.take(connection, identifiers, self._attached)

    def _attach(self, connection: Connection, said: Message, one: ArchivedAttachment) -> None:
        file = attachments.add(connection, said.conversation, said.id, one.name, one.data)
        self._files.keep(file, one.data)

    def _withdraw(self, arrival: Arrival) -> None:
        with self._database.transaction() as connection:
            arrival.withdraw(connection)
            search.drop_erased_words(connection)
        self._leave_no_trace()

    def _attached(self, connection: Connection, owner: str) -> Mapping[str, tuple[ArchivedAttachment, ...]]:
        found: dict[str, tuple[ArchivedAttachment, ...]] = {}
        for row in attachments.sent(connection, owner):
            content = self._files.read(text_from(row.file))
            if content is not None:
                found[row.message] = (
                    *found.get(row.message, ()),
                    ArchivedAttachment(text_from(row.name), text_from(row.media), content),
                )
        return found
