"""The storage's error tree, and the one place that tells a problem of the machine from a fault of ours.

Owns codes and sentences; what the user may do about one is left to the app. What SQLite or the system said is no part
of a sentence: it is the error's cause, for the log.
"""

from __future__ import annotations

import errno
import sqlite3
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import DBAPIError

from storage.folders import try_to_write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class StorageError(Exception):
    """Root. `code` is stable; the message is one sentence for people."""

    code: str = "storage_error"


class StorageFault(StorageError):
    """Our own mistake: a statement or a call that no healthy machine would accept."""

    code = "storage_fault"


class Problem(StrEnum):
    """What is wrong with the machine or the place that the files lie in."""

    DISK_FULL = "disk_full"
    READ_ONLY = "read_only"
    PERMISSION = "permission"
    VANISHED = "vanished"
    LOCKED = "locked"
    MEMORY = "memory"
    TOO_MANY_FILES = "too_many_files"
    IN_THE_WAY = "in_the_way"
    IO = "io_error"


class EnvironmentProblem(StorageError):
    """The machine refuses; the same call may work later. `code` is the value of `problem`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(_SENTENCES[problem])
        self.problem = problem
        self.code = problem.value


class NewerVersion(StorageError):
    """The file was written by a later Hearth. It is left as it is."""

    code = "newer_version"

    def __init__(self, name: str, found: int, known: int) -> None:
        super().__init__(
            f"{name} was written by a newer Hearth (format {found}; this one reads up to {known}). Update Hearth."
        )
        self.found = found
        self.known = known


class DamagedDatabase(StorageError):
    """The database file cannot be trusted. It is left as it is and never shown as empty."""

    code = "damaged_database"


class LostDatabase(DamagedDatabase):
    """The database file is gone, but copies that were made of it are there. No new one is laid in its place."""

    code = "lost_database"


class LibraryError(StorageError):
    """A request that the library cannot meet."""

    code = "library_error"


class NoSuchConversation(LibraryError):
    """There is no conversation of this id, or it was deleted."""

    code = "no_such_conversation"


class NoSuchMessage(LibraryError):
    """There is no message of this id where one was expected."""

    code = "no_such_message"


class MessageClosed(LibraryError):
    """The message is finished; its text no longer changes."""

    code = "message_closed"


class ReplyNotEmpty(LibraryError):
    """The reply has text or successors already, so its turn cannot be withdrawn."""

    code = "reply_not_empty"


class FileRefused(LibraryError):
    """A file cannot be attached: it cannot be read, or is no file at all."""

    code = "file_refused"


class FileTooLarge(FileRefused):
    """A file is larger than what may be attached."""

    code = "file_too_large"


class NoSuchAttachment(LibraryError):
    """There is no attachment of this id, or its file is gone or no longer what it was."""

    code = "no_such_attachment"


class SegmentError(StorageError):
    """A request that the segment store cannot meet. The conversation goes on uncached."""

    code = "segment_error"


class BadSegment(SegmentError):
    """A segment to be written contradicts itself: key, span, kind, dtype, shape and bytes must agree."""

    code = "bad_segment"


class MissingParent(SegmentError):
    """The segment's parent is neither stored nor committed with it; the whole branch has to be committed again."""

    code = "missing_parent"


class OverBudget(SegmentError):
    """The segments do not fit into the quota, even if all that may be evicted were."""

    code = "over_budget"


class Damage(StrEnum):
    """Why a record was refused."""

    MISSING = "missing"
    NOT_A_FILE = "not_a_file"
    SIZE = "size"
    HEADER = "header"
    LAYOUT = "layout"
    SCHEMA = "schema"
    FOREIGN = "foreign"
    CHECKSUM = "checksum"


class DamagedRecord(SegmentError):
    """A cached record is not what was written. It has been put aside; to the caller it is a miss."""

    code = "damaged_record"

    def __init__(self, cause: Damage, detail: str = "") -> None:
        super().__init__(f"A cached record is damaged ({detail or cause.value}).")
        self.cause = cause


_SENTENCES: Final = {
    Problem.DISK_FULL: "The disk is full.",
    Problem.READ_ONLY: "The disk or folder is read-only.",
    Problem.PERMISSION: "Hearth has no permission to use its folder.",
    Problem.VANISHED: "The folder or disk is no longer there.",
    Problem.LOCKED: "The file is in use by another program.",
    Problem.MEMORY: "There is not enough memory.",
    Problem.TOO_MANY_FILES: "Too many files are open.",
    Problem.IN_THE_WAY: "Something else stands in the place of one of Hearth's files or folders.",
    Problem.IO: "The disk reports an error.",
}

UNFORESEEN: Final = "Something went wrong that Hearth did not expect; the log has the details."

_SQLITE_PROBLEMS: Final = {
    sqlite3.SQLITE_PERM: Problem.PERMISSION,
    sqlite3.SQLITE_BUSY: Problem.LOCKED,
    sqlite3.SQLITE_LOCKED: Problem.LOCKED,
    sqlite3.SQLITE_PROTOCOL: Problem.LOCKED,
    sqlite3.SQLITE_NOMEM: Problem.MEMORY,
    sqlite3.SQLITE_READONLY: Problem.READ_ONLY,
    sqlite3.SQLITE_READONLY_DBMOVED: Problem.VANISHED,
    sqlite3.SQLITE_IOERR: Problem.IO,
    sqlite3.SQLITE_IOERR_NOMEM: Problem.MEMORY,
    sqlite3.SQLITE_IOERR_VNODE: Problem.VANISHED,
    sqlite3.SQLITE_IOERR_ACCESS: Problem.PERMISSION,
    sqlite3.SQLITE_IOERR_SHMSIZE: Problem.DISK_FULL,
    sqlite3.SQLITE_FULL: Problem.DISK_FULL,
    sqlite3.SQLITE_CANTOPEN: Problem.VANISHED,
    sqlite3.SQLITE_NOLFS: Problem.IO,
}
"""By SQLite result code. An extended code that is not named here follows its primary one (the low byte)."""

_VAGUE: Final = frozenset({Problem.IO, Problem.VANISHED})
"""What SQLite calls any refusal to write or to open: a disk that is read-only now, a folder without permission."""

_SQLITE_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

_UNREADABLE: Final = "unsupported file format"
"""What SQLite says, with the code of a wrong statement, where a header names a format that was never made."""

_OS_PROBLEMS: Final = {
    errno.ENOSPC: Problem.DISK_FULL,
    errno.EDQUOT: Problem.DISK_FULL,
    errno.EFBIG: Problem.DISK_FULL,
    errno.EROFS: Problem.READ_ONLY,
    errno.EACCES: Problem.PERMISSION,
    errno.EPERM: Problem.PERMISSION,
    errno.ENOENT: Problem.VANISHED,
    errno.ENOTDIR: Problem.VANISHED,
    errno.ENXIO: Problem.VANISHED,
    errno.ENODEV: Problem.VANISHED,
    errno.ESTALE: Problem.VANISHED,
    errno.EAGAIN: Problem.LOCKED,
    errno.EBUSY: Problem.LOCKED,
    errno.EDEADLK: Problem.LOCKED,
    errno.ENOLCK: Problem.LOCKED,
    errno.ENOMEM: Problem.MEMORY,
    errno.EMFILE: Problem.TOO_MANY_FILES,
    errno.ENFILE: Problem.TOO_MANY_FILES,
    errno.EISDIR: Problem.IN_THE_WAY,
    errno.ELOOP: Problem.IN_THE_WAY,
    errno.EIO: Problem.IO,
}


def classify(error: DBAPIError | sqlite3.Error | OSError) -> StorageError:
    """The storage error that `error` means; what is neither the machine's nor the file's problem is our fault."""
    if isinstance(error, OSError):
        return _from_os(error)
    cause = error.orig if isinstance(error, DBAPIError) else error
    return _from_sqlite(cause) if isinstance(cause, sqlite3.Error) else StorageFault(UNFORESEEN)


def _from_os(error: OSError) -> StorageError:
    problem = _OS_PROBLEMS.get(error.errno or 0)
    return EnvironmentProblem(problem) if problem else StorageFault(UNFORESEEN)


def _from_sqlite(error: sqlite3.Error) -> StorageError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE)
    primary = code & 0xFF
    if primary in _SQLITE_DAMAGE or _UNREADABLE in str(error):
        return DamagedDatabase("The database is damaged.")
    problem = _SQLITE_PROBLEMS.get(code) or _SQLITE_PROBLEMS.get(primary)
    return EnvironmentProblem(problem) if problem else StorageFault(UNFORESEEN)


@contextmanager
def classified(folder: Path | None = None) -> Iterator[None]:
    """Inside, every error of SQLite or the operating system leaves as the storage error that it means.

    SQLite often says no more than that the disk refused; then a try in `folder`, where the files lie, says why.
    """
    try:
        yield
    except (DBAPIError, sqlite3.Error, OSError) as error:
        raise _explained(classify(error), folder) from error
    except UnicodeDecodeError as error:  # what SQLite says of a rotten schema quotes it
        raise DamagedDatabase("The database is damaged.") from error


def _explained(found: StorageError, folder: Path | None) -> StorageError:
    if folder is None or not isinstance(found, EnvironmentProblem) or found.problem not in _VAGUE:
        return found
    try:
        try_to_write(folder)
    except OSError as refused:
        reason = _from_os(refused)
        return reason if isinstance(reason, EnvironmentProblem) else found
    return found
