"""Files of attachments that no row refers to any more, and their removal.

The database notes each file that loses its last attachment in the table `litter`, in the transaction that removes the
attachment. So a crash between that transaction and the removal leaves no file behind for good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.library import attachment_rows

if TYPE_CHECKING:
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
            attachment_rows.clear(connection, self._files)

    def clear_unknown(self, moment: float) -> None:
        """Remove files that no attachment refers to and that were stored before `moment` (s, UTC)."""
        with self._database.transaction() as connection:
            attachment_rows.clear_unknown(connection, self._files, moment)
