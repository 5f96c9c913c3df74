"""Files of attachments that no row refers to any more, and their removal.

The database notes each file that loses its last attachment in the table `litter`, in the transaction that removes the
attachment. So a crash between that transaction and the removal leaves no file behind for good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, select

from storage.library.schema import attachment, litter

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from storage.database import Database
    from storage.library.files import Files


class UnreferencedFiles:
    """Unused files. Methods raise EnvironmentProblem and DamagedDatabase; what remains is removed by the next call.

    Each works inside a transaction, so that no other process attaches a file while it is being removed.
    """

    def __init__(self, database: Database, files: Files) -> None:
        self._database = database
        self._files = files

    def clear(self) -> None:
        """Remove the files that the table notes."""
        with self._database.transaction() as connection:
            for file in connection.execute(select(litter.c.file)).scalars().all():
                if not _is_used(connection, file):
                    self._files.remove(file)
                connection.execute(delete(litter).where(litter.c.file == file))

    def clear_unknown(self, moment: float) -> None:
        """Remove files that no attachment refers to and that were stored before `moment` (s, UTC)."""
        with self._database.transaction() as connection:
            for file in self._files.before(moment):
                if not _is_used(connection, file):
                    self._files.remove(file)


def _is_used(connection: Connection, file: str) -> bool:
    return connection.execute(select(attachment.c.id).where(attachment.c.file == file).limit(1)).first() is not None
