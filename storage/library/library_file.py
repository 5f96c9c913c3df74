"""The library's database file. It is not created anew if backups show that it existed before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.language.text import tr
from storage.database import Database
from storage.errors import LostDatabase
from storage.library.backup_files import backup_folder, backups

if TYPE_CHECKING:
    from pathlib import Path

    from storage.database import Durability
    from storage.migrations import Schema


class LibraryFile(Database):
    """As Database, but `open` raises LostDatabase if the file is missing although it has backups. What other processes
    commit after the opening counts as changed elsewhere.
    """

    @classmethod
    def _create(cls, path: Path, schema: Schema) -> None:
        if backups(backup_folder(path)):
            raise LostDatabase(tr("{name} is missing, but there are copies of it.", name=path.name))
        super()._create(path, schema)

    def _prepare(self, schema: Schema, durability: Durability) -> None:
        super()._prepare(schema, durability)
        self.was_changed_elsewhere()
