"""An open library below its verbs: owns the file, the clock and where attached files lie.

Transactions are left to the verbs: `labels`, `attaching`, `trash`, `store`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.library.attachments import Attachments
from storage.library.labels import Labels
from storage.library.litter import Litter
from storage.library.search import Search
from storage.library.transfer import Transfer
from storage.library.trash import Trash

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.database import Database
    from storage.library.backups import Backups
    from storage.library.files import Files


class Opened:
    """What every part of the library works with. `clock` in ms, UTC."""

    def __init__(self, database: Database, clock: Callable[[], int], files: Files, backups: Backups) -> None:
        self.backups = backups
        self.search = Search(database)
        self._database = database
        self._clock = clock
        self._files = files
        litter = Litter(database, files)
        self.attachments = Attachments(database, files, litter)
        self.labels = Labels(database)
        self.trash = Trash(database, clock, litter)
        self.transfer = Transfer(database, files, self.trash)

    @property
    def written(self) -> int:
        """How many transactions have changed something since it was opened."""
        return self._database.written

    def close(self) -> None:
        """Close the file."""
        self._database.close()
