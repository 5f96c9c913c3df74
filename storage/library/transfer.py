"""Imports archives of conversations into the library and exports conversations as an archive."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from storage.errors import StorageError
from storage.library import archive as archives
from storage.library import attachment_rows
from storage.library.archive import ArchivedAttachment
from storage.library.archive_import import ArchiveImport

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import Connection

    from storage.database import Database
    from storage.library.archive import Archive
    from storage.library.files import Files
    from storage.library.trash import Trash


class Transfer:
    """Whole conversations in and out of the library. Methods raise EnvironmentProblem and DamagedDatabase besides what
    they name.
    """

    def __init__(self, database: Database, files: Files, trash: Trash) -> None:
        self._database = database
        self._files = files
        self._trash = trash

    def import_all(self, archive: Archive) -> tuple[str, ...]:
        """Add all conversations of the archive or none, also those that are here already. Returns their new ids in the
        archive's order.
        """
        running = ArchiveImport(archive, again=True)
        while not self.import_next(running):
            pass
        return running.ids

    def import_next(self, running: ArchiveImport) -> bool:
        """Compare or add the next portion, in one short transaction. True when the import is complete and its
        conversations are listed.

        Raises NoSuchConversation if another library replaced this one meanwhile. After any error the import's rows are
        erased; if even that fails, they stay invisible until the next purge erases them.
        """
        self._trash.hold(running.mark)
        try:
            with self._database.transaction() as connection:
                complete = running.add_portion(connection, self._attach, self._attached)
        except StorageError:
            with suppress(StorageError):
                self._trash.discard(running.mark)
            raise
        if complete:
            self._trash.release(running.mark)
        return complete

    def cancel(self, running: ArchiveImport) -> None:
        """Erase what an import has added that is not complete."""
        self._trash.discard(running.mark)

    def export(self, identifiers: Collection[str] | None = None) -> Archive:
        """These conversations (None: all that are listed) with all branches and files.

        Leaves out conversations and files that no longer exist.
        """
        with self._database.transaction() as connection:
            return archives.export(connection, identifiers, self._attached)

    def _attach(self, connection: Connection, row: dict[str, Any], file: ArchivedAttachment) -> None:
        name = attachment_rows.add(connection, row["conversation"], row["id"], file.name, file.data, file.media)
        self._files.keep(name, file.data)

    def _attached(self, connection: Connection, owner: str) -> Mapping[str, tuple[ArchivedAttachment, ...]]:
        found: dict[str, tuple[ArchivedAttachment, ...]] = {}
        for row in attachment_rows.sent(connection, owner):
            content = self._files.read(row.file)
            if content is not None:
                file = ArchivedAttachment(row.name, row.media, content)
                found[row.message] = (*found.get(row.message, ()), file)
        return found
