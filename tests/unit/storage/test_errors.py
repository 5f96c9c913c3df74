"""The classification of SQLite and operating system errors."""

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
    """Each of SQLite's 28 error codes is a problem of the machine, damage, or our fault, bare or wrapped."""
    error = _sqlite_error(code)
    assert _meaning(classify(error)) == _PRIMARY[code]
    assert _meaning(classify(OperationalError("SELECT", {}, error))) == _PRIMARY[code]


@pytest.mark.parametrize("code", _EXTENDED)
def test_extended_codes_refine_the_primary_one(code: int) -> None:
    """An extended SQLite code means what its primary one means, unless it tells more."""
    assert _meaning(classify(_sqlite_error(code))) == _EXTENDED[code]


@pytest.mark.parametrize("number", _ERRNO)
def test_every_listed_errno_has_one_meaning(number: int) -> None:
    """An operating system error is a problem of the machine, or our fault when the call itself was wrong."""
    assert _meaning(classify(OSError(number, "refused", "file"))) == _ERRNO[number]


def test_no_errno_is_classified_without_a_test() -> None:
    """The table of the code and the table of this test name the same errnos."""
    assert set(errors._OS_PROBLEMS) == {number for number, meaning in _ERRNO.items() if meaning is not StorageFault}


def test_an_error_without_a_number_is_our_fault() -> None:
    """Errors of the driver and of Python that carry no code are not blamed on the machine."""
    assert _meaning(classify(OSError("no number"))) is StorageFault
    assert _meaning(classify(sqlite3.ProgrammingError("closed"))) is StorageFault
    assert _meaning(classify(OperationalError("SELECT", {}, ValueError("odd")))) is StorageFault


@pytest.mark.parametrize(
    "error",
    [OSError(number, "refused", "/private/folder") for number in _ERRNO] + [_sqlite_error(n) for n in range(1, 29)],
)
def test_a_sentence_names_no_internals(error: OSError | sqlite3.Error) -> None:
    """No number, no path and no words of SQLite's: those are the cause, which the log tells."""
    with pytest.raises(StorageError) as caught, classified():
        raise error
    assert not any(word in str(caught.value) for word in ("Errno", "/private", "refused"))
    assert str(caught.value).endswith(".")
    assert caught.value.__cause__ is error


def test_a_real_sqlite_error_is_classified_on_its_way_out() -> None:
    """What SQLite itself raises inside the block leaves as a storage error with the first one as its cause."""
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
def test_what_sqlite_does_not_tell_is_asked_of_the_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: int, refusal: int, meaning: Problem
) -> None:
    """An error of input or output on a disk that is read-only, full or forbidden is told as that."""

    def refuse(*_: object, **__: object) -> int:
        raise OSError(refusal, "refused")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(EnvironmentProblem) as caught, classified(tmp_path):
        raise _sqlite_error(code)
    assert caught.value.problem is meaning


def test_a_folder_that_takes_a_file_changes_no_meaning(tmp_path: Path) -> None:
    """Where nothing is wrong with writing, the error stays what SQLite said, and nothing is left there."""
    for code, meaning in ((sqlite3.SQLITE_IOERR_READ, Problem.IO), (sqlite3.SQLITE_CANTOPEN, Problem.VANISHED)):
        with pytest.raises(EnvironmentProblem) as caught, classified(tmp_path):
            raise _sqlite_error(code)
        assert caught.value.problem is meaning
    assert not list(tmp_path.iterdir())


def test_every_error_has_a_code_of_its_own() -> None:
    """Codes are stable names: no two classes share one, and every problem has a sentence."""
    classes = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, StorageError)]
    codes = [kind.code for kind in classes if kind is not EnvironmentProblem] + [problem.value for problem in Problem]
    assert len(codes) == len(set(codes))
    assert all(str(EnvironmentProblem(problem)).endswith(".") for problem in Problem)
    assert all(EnvironmentProblem(problem).code == problem.value for problem in Problem)
