"""A pytest plugin that runs the stores on a later version of SQLite than this Python's own.

The query planner changes from version to version, and a Mac's Python has a later one than Debian's. Load it with `-p`,
so that it is installed before anything imports `sqlite3`.
"""

from __future__ import annotations

import ctypes
import sqlite3
import sys
from functools import partial
from sqlite3 import dbapi2

import pysqlite3
from pysqlite3 import _sqlite3 as later_c
from pysqlite3 import dbapi2 as later_dbapi2


def pytest_report_header() -> str:
    return f"SQLite {pysqlite3.sqlite_version} in the place of {sqlite3.sqlite_version}"


class _Connection(later_dbapi2.Connection):  # type: ignore[misc] # pysqlite3 has no types
    """With the method of Python 3.11 that pysqlite3 lacks."""

    def setlimit(self, category: int, limit: int) -> int:
        """As `sqlite3.Connection.setlimit`. SQLite's handle is the first field behind those of every object."""
        handle = ctypes.c_void_p.from_address(id(self) + object.__basicsize__)
        return int(ctypes.CDLL(later_c.__file__).sqlite3_limit(handle, category, limit))


def _replace(name: str, own: object, later: object) -> None:
    """Import `later` under `name`, with the constants that it lacks. They are SQLite's and never change."""
    for constant in (each for each in dir(own) if each.startswith("SQLITE_") and not hasattr(later, each)):
        setattr(later, constant, getattr(own, constant))
    sys.modules[name] = later  # type: ignore[assignment]  # a module, as `own` is


pysqlite3.connect = later_dbapi2.connect = partial(pysqlite3.connect, factory=_Connection)
_replace("sqlite3", sqlite3, pysqlite3)
_replace("sqlite3.dbapi2", dbapi2, later_dbapi2)
