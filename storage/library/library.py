"""The library: the user's conversations in one SQLite file, with attached files in a folder beside it.

Each of its parts holds the operations on one noun. Every operation is one transaction: it is durable when it returns,
or nothing has changed. Only one thread at a time may use a library, except for `backups`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from resources.language.text import tr
from storage.copies import finish
from storage.database import PRECIOUS, Database
from storage.errors import LostDatabase, classified
from storage.library.archive_import import Transfer
from storage.library.attachments import Attachments
from storage.library.backups import Backups, backup_folder, backups
from storage.library.conversations import Conversations, Labels
from storage.library.files import Files, FilesInMemory, beside
from storage.library.messages import Messages
from storage.library.prompts import Prompts
from storage.library.schema import SCHEMA
from storage.library.search import Search
from storage.library.trash import Trash
from storage.library.turns import Turns


def _now() -> int:
    return time.time_ns() // 1_000_000


class Library:
    """An open library. Ids are uuid4 hex strings; `clock` and all times are in ms, UTC."""

    backups: Backups
    """Only a library on disk has it."""

    def __init__(self, database: Database, clock: Callable[[], int], files: Files, copies: Backups | None) -> None:
        self._database = database
        database.was_changed_elsewhere()  # what other processes commit from now on is new
        if copies is not None:
            self.backups = copies
        self.conversations = Conversations(database, clock)
        self.labels = Labels(database)
        self.messages = Messages(database, clock, files)
        self.turns = Turns(database, files)
        self.attachments = Attachments(database, files)
        self.search = Search(database, files)
        self.prompts = Prompts(database, clock)
        self.trash = Trash(database, clock, files)
        self.transfer = Transfer(database, clock, files, self.trash)

    @classmethod
    def open(cls, path: Path, clock: Callable[[], int] = _now) -> Self:
        """Open the file at `path`, or create it.

        Raises NewerVersion, DamagedDatabase, EnvironmentProblem, and LostDatabase if the file is missing although
        backups of it exist.
        """
        with classified(path.parent):
            finish(path)
            copies = backups(backup_folder(path))  # before the file: another process may just be creating both
            if copies and not (path.exists() or path.with_name(f"{path.name}-wal").exists()):
                raise LostDatabase(tr("{name} is missing, but there are copies of it.", name=path.name))
        return cls(Database.open(path, SCHEMA, PRECIOUS), clock, beside(path), Backups(path, clock))

    @classmethod
    def in_memory(cls, clock: Callable[[], int] = _now) -> Self:
        """A private library: it writes nothing to the disk, attached files included, and has no backups."""
        return cls(Database.in_memory(SCHEMA), clock, FilesInMemory(), None)

    @property
    def written(self) -> int:
        """The number of transactions since opening that changed something."""
        return self._database.written

    def was_changed_elsewhere(self) -> bool:
        """Whether another process has changed something since the last call, or since the opening. Cheap: reads no
        table.
        """
        return self._database.was_changed_elsewhere()

    def close(self) -> None:
        """Close the file."""
        self._database.close()
