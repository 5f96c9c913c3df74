"""The library's own file: owns that none is made in the place of one that was there. What is in it is left to the
schema, how it is opened to `storage.database`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.database import Database
from storage.errors import LostDatabase
from storage.library.backup_files import backup_folder, backups

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from storage.migrations import Step


class LibraryFile(Database):
    """As Database. `open` raises LostDatabase too: for a file that is gone while there are copies of it."""

    @classmethod
    def _create(cls, path: Path, steps: Sequence[Step]) -> None:
        if backups(backup_folder(path)):
            raise LostDatabase(f"{path.name} is missing, but there are copies of it.")
        super()._create(path, steps)
