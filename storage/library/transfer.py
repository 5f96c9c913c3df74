"""Whole conversations in and out of the library: owns the transaction around each way, and the files that come along.

Their shape and their rows are left to `storage.library.archive`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.library import archive as archives
from storage.library import attachments, messages
from storage.library.archive import ArchivedAttachment
from storage.library.opened import Opened
from storage.library.rows import text_from

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import Connection

    from storage.library.archive import Archive


class Transfer(Opened):
    """The part of the library that others' files are read into and written from."""

    def add_archive(self, archive: Archive) -> tuple[str, ...]:
        """Add all of its conversations or none, under new ids, which are returned in their order.

        Raises EnvironmentProblem and DamagedDatabase.
        """
        with self._database.transaction() as connection:
            return archives.put(connection, archive, self._attach)

    def archive(self, identifiers: Collection[str] | None = None) -> Archive:
        """The conversations of these ids (None: all that are listed) with all their branches and files.

        What is not there is left out, conversations and files. Raises EnvironmentProblem and DamagedDatabase.
        """
        with self._database.transaction() as connection:
            return archives.take(connection, identifiers, self._attached)

    def _attach(self, connection: Connection, message: str, one: ArchivedAttachment) -> None:
        owner = messages.get(connection, message).conversation
        self._files.keep(attachments.add(connection, owner, message, one.name, one.data), one.data)

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
