"""The classification of SQLite's and the operating system's errors."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from sqlalchemy.exc import OperationalError

from storage import errors
from storage.errors import (
    DamagedDatabase,
    EnvironmentProblem,
    Problem,
    StorageError,
    StorageFault,
    classified,
    classify,
)

if TYPE_CHECKING:
    from pathlib import Path

_PRIMARY = {
    1: StorageFault,  # ERROR
    2: StorageFault,  # INTERNAL
    3: Problem.PERMISSION,
    4: StorageFault,  # ABORT
    5: Problem.LOCKED,  # BUSY
    6: Problem.LOCKED,
    7: Problem.MEMORY,
    8: Problem.READ_ONLY,
    9: StorageFault,  # INTERRUPT
    10: Problem.IO,
    11: DamagedDatabase,  # CORRUPT
    12: StorageFault,  # NOTFOUND
    13: Problem.DISK_FULL,
    14: Problem.VANISHED,  # CANTOPEN
    15: Problem.LOCKED,  # PROTOCOL
    16: StorageFault,  # EMPTY
    17: StorageFault,  # SCHEMA
    18: StorageFault,  # TOOBIG
    19: StorageFault,  # CONSTRAINT
    20: StorageFault,  # MISMATCH
    21: StorageFault,  # MISUSE
    22: Problem.IO,  # NOLFS
    23: StorageFault,  # AUTH
    24: StorageFault,  # FORMAT
    25: StorageFault,  # RANGE
    26: DamagedDatabase,  # NOTADB
    27: StorageFault,  # NOTICE
    28: StorageFault,  # WARNING
}
_EXTENDED = {
    sqlite3.SQLITE_READONLY_DBMOVED: Problem.VANISHED,
    sqlite3.SQLITE_READONLY_ROLLBACK: Problem.READ_ONLY,
    sqlite3.SQLITE_IOERR_NOMEM: Problem.MEMORY,
    sqlite3.SQLITE_IOERR_VNODE: Problem.VANISHED,
    sqlite3.SQLITE_IOERR_ACCESS: Problem.PERMISSION,
    sqlite3.SQLITE_IOERR_FSYNC: Problem.IO,
    sqlite3.SQLITE_IOERR_SHMSIZE: Problem.DISK_FULL,
    sqlite3.SQLITE_BUSY_SNAPSHOT: Problem.LOCKED,
    sqlite3.SQLITE_CANTOPEN_ISDIR: Problem.VANISHED,
    sqlite3.SQLITE_CORRUPT_INDEX: DamagedDatabase,
    sqlite3.SQLITE_CONSTRAINT_UNIQUE: StorageFault,
}
_ERRNO = {
    errno.ENOSPC: Problem.DISK_FULL,
    errno.EDQUOT: Problem.DISK_FULL,
    errno.EFBIG: Problem.FILE_SIZE,
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
    errno.EIO: Problem.IO,
    errno.EINVAL: StorageFault,
    errno.EEXIST: StorageFault,
    errno.EISDIR: Problem.IN_THE_WAY,
    errno.ELOOP: Problem.IN_THE_WAY,
}


def _meaning(error: StorageError) -> object:
    return error.problem if isinstance(error, EnvironmentProblem) else type(error)


def _sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("refused")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize("code", range(1, 29))
def test_every_primary_sqlite_code_has_one_meaning(code: int) -> None:
    """Each of SQLite's 28 error codes, bare or wrapped, is a problem of the machine, damage, or a bug."""
    error = _sqlite_error(code)
    assert _meaning(classify(error)) == _PRIMARY[code]
    assert _meaning(classify(OperationalError("SELECT", {}, error))) == _PRIMARY[code]


@pytest.mark.parametrize("code", _EXTENDED)
def test_extended_codes_refine_the_primary_one(code: int) -> None:
    """An extended SQLite code means the same as its primary code, unless it is more precise."""
    assert _meaning(classify(_sqlite_error(code))) == _EXTENDED[code]


@pytest.mark.parametrize("number", _ERRNO)
def test_every_listed_errno_has_one_meaning(number: int) -> None:
    """An errno is a problem of the machine, or a bug if the call itself was wrong."""
    assert _meaning(classify(OSError(number, "refused", "file"))) == _ERRNO[number]


def test_no_errno_is_classified_without_a_test() -> None:
    """The code's table and this test's table list the same errnos."""
    assert set(errors._OS_PROBLEMS) == {number for number, meaning in _ERRNO.items() if meaning is not StorageFault}


def test_an_error_without_a_number_is_our_fault() -> None:
    """Errors of the driver and of Python without a code are bugs, not problems of the machine."""
    assert _meaning(classify(OSError("no number"))) is StorageFault
    assert _meaning(classify(sqlite3.ProgrammingError("closed"))) is StorageFault
    assert _meaning(classify(OperationalError("SELECT", {}, ValueError("odd")))) is StorageFault


@pytest.mark.parametrize(
    "error",
    [OSError(number, "refused", "/private/folder") for number in _ERRNO] + [_sqlite_error(n) for n in range(1, 29)],
)
def test_a_sentence_names_no_internals(error: OSError | sqlite3.Error) -> None:
    """A message has no number, no path and no text of SQLite; those are in the cause, for the log."""
    with pytest.raises(StorageError) as caught, classified():
        raise error
    assert not any(word in str(caught.value) for word in ("Errno", "/private", "refused"))
    assert str(caught.value).endswith(".")
    assert caught.value.__cause__ is error


def test_a_real_sqlite_error_is_classified_on_its_way_out() -> None:
    """A SQLite error inside the block becomes a storage error with the SQLite error as its cause."""
    with closing(sqlite3.connect(":memory:")) as connection, pytest.raises(StorageFault) as caught, classified():
        connection.execute("SELECT * FROM nothing")
    assert isinstance(caught.value.__cause__, sqlite3.OperationalError)


@pytest.mark.parametrize("code", [sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_CANTOPEN])
@pytest.mark.parametrize(
    ("refusal", "meaning"),
    [
        (errno.EROFS, Problem.READ_ONLY),
        (errno.EACCES, Problem.PERMISSION),
        (errno.ENOSPC, Problem.DISK_FULL),
        (errno.EMFILE, Problem.TOO_MANY_FILES),
    ],
)
def test_a_vague_sqlite_error_is_explained_by_a_test_write(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int, refusal: int, meaning: Problem
) -> None:
    """An I/O error on a disk that is read-only, full or forbidden is reported as that."""

    def refuse(*_: object, **__: object) -> int:
        raise OSError(refusal, "refused")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(EnvironmentProblem) as caught, classified(tmp_path):
        raise _sqlite_error(code)
    assert caught.value.problem is meaning


def test_a_successful_test_write_changes_nothing(tmp_path: Path) -> None:
    """If the test write succeeds, the error keeps SQLite's meaning, and the folder stays empty."""
    for code, meaning in ((sqlite3.SQLITE_IOERR_READ, Problem.IO), (sqlite3.SQLITE_CANTOPEN, Problem.VANISHED)):
        with pytest.raises(EnvironmentProblem) as caught, classified(tmp_path):
            raise _sqlite_error(code)
        assert caught.value.problem is meaning
    assert not list(tmp_path.iterdir())


def test_every_problem_has_a_code_and_a_sentence() -> None:
    """The code of any other error is the name of its class."""
    assert all(str(EnvironmentProblem(problem)).endswith(".") for problem in Problem)
    assert all(EnvironmentProblem(problem).code == problem.value for problem in Problem)
    assert (DamagedDatabase.code, StorageError.code) == ("damaged_database", "storage_error")
