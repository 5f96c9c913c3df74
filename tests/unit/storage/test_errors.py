"""The classification of SQLite's and the operating system's errors."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

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
from tests.fakes.problems import raising, reported

_MEANINGS = {
    sqlite3.SQLITE_ERROR: StorageFault,
    sqlite3.SQLITE_PERM: Problem.PERMISSION,
    sqlite3.SQLITE_BUSY: Problem.LOCKED,
    sqlite3.SQLITE_NOMEM: Problem.MEMORY,
    sqlite3.SQLITE_READONLY: Problem.READ_ONLY,
    sqlite3.SQLITE_CORRUPT: DamagedDatabase,
    sqlite3.SQLITE_FULL: Problem.DISK_FULL,
    sqlite3.SQLITE_CANTOPEN: Problem.VANISHED,
    sqlite3.SQLITE_CONSTRAINT: StorageFault,
    sqlite3.SQLITE_NOTADB: DamagedDatabase,
    sqlite3.SQLITE_READONLY_DBMOVED: Problem.VANISHED,
    sqlite3.SQLITE_READONLY_ROLLBACK: Problem.READ_ONLY,
    sqlite3.SQLITE_IOERR_FSYNC: Problem.IO,
    sqlite3.SQLITE_IOERR_NOMEM: Problem.MEMORY,
    sqlite3.SQLITE_IOERR_VNODE: Problem.VANISHED,
    sqlite3.SQLITE_IOERR_ACCESS: Problem.PERMISSION,
    sqlite3.SQLITE_IOERR_SHMSIZE: Problem.DISK_FULL,
    sqlite3.SQLITE_CORRUPT_INDEX: DamagedDatabase,
}


def _meaning(error: StorageError) -> object:
    return error.problem if isinstance(error, EnvironmentProblem) else type(error)


def _sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("refused")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize("code", _MEANINGS)
def test_a_sqlite_error_is_a_problem_of_the_machine_damage_or_a_bug(code: int) -> None:
    """Bare or wrapped. An extended code means the same as its primary code, unless it is more precise."""
    error = _sqlite_error(code)
    assert _meaning(classify(error)) == _MEANINGS[code]
    assert _meaning(classify(OperationalError("SELECT", {}, error))) == _MEANINGS[code]


def test_no_other_code_of_sqlite_is_damage() -> None:
    """A damaged index of the caches is erased, and the rescue is offered for a damaged library."""
    damage = {code for code in range(1, 29) if _meaning(classify(_sqlite_error(code))) is DamagedDatabase}
    assert damage == {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


@pytest.mark.parametrize(
    ("number", "problem"),
    [
        (errno.EDQUOT, Problem.DISK_FULL),
        (errno.EFBIG, Problem.FILE_SIZE),
        (errno.ENOENT, Problem.VANISHED),
        (errno.ESTALE, Problem.VANISHED),
        (errno.EBUSY, Problem.LOCKED),
        (errno.ENOMEM, Problem.MEMORY),
        (errno.EMFILE, Problem.TOO_MANY_FILES),
        (errno.EISDIR, Problem.IN_THE_WAY),
    ],
)
def test_a_refusal_of_the_system_is_a_problem_of_the_machine(number: int, problem: Problem) -> None:
    """It is never taken for a bug of Hearth."""
    assert _meaning(classify(OSError(number, "refused", "file"))) is problem


def test_what_the_machine_is_not_to_blame_for_is_our_fault() -> None:
    """A call of the system that was wrong. Errors of the driver and of Python without a code, too."""
    assert _meaning(classify(OSError(errno.ENOSPC, "refused", "file"))) is Problem.DISK_FULL
    assert _meaning(classify(OSError(errno.EINVAL, "refused", "file"))) is StorageFault
    assert _meaning(classify(OSError("no number"))) is StorageFault
    assert _meaning(classify(sqlite3.ProgrammingError("closed"))) is StorageFault
    assert _meaning(classify(OperationalError("SELECT", {}, ValueError("odd")))) is StorageFault


@pytest.mark.parametrize(
    "error",
    [
        *(OSError(number, "refused", "/private/folder") for number in (*errors._OS_PROBLEMS, errno.EINVAL)),
        *(_sqlite_error(code) for code in range(1, 29)),
    ],
)
def test_a_sentence_names_no_internals(error: OSError | sqlite3.Error) -> None:
    """A message has no number, no path and no text of SQLite; those are in the cause, for the log."""
    with pytest.raises(StorageError) as caught, classified():
        raise error
    assert not any(word in str(caught.value) for word in ("Errno", "/private", "refused"))
    assert str(caught.value).endswith(".")
    assert caught.value.__cause__ is error


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
    monkeypatch.setattr(os, "open", raising(OSError(refusal, "refused")))
    with reported(meaning), classified(tmp_path):
        raise _sqlite_error(code)


def test_a_successful_test_write_changes_nothing(tmp_path: Path) -> None:
    """If the test write succeeds, the error keeps SQLite's meaning, and the folder stays empty."""
    for code, meaning in ((sqlite3.SQLITE_IOERR_READ, Problem.IO), (sqlite3.SQLITE_CANTOPEN, Problem.VANISHED)):
        with reported(meaning), classified(tmp_path):
            raise _sqlite_error(code)
    assert not list(tmp_path.iterdir())


def test_every_problem_has_a_code_and_a_sentence() -> None:
    """The code of any other error is the name of its class."""
    assert all(str(EnvironmentProblem(problem)).endswith(".") for problem in Problem)
    assert all(EnvironmentProblem(problem).code == problem.value for problem in Problem)
    assert (DamagedDatabase.code, StorageError.code) == ("damaged_database", "storage_error")
