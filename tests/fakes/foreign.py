"""Damage to small files: changed bits, and other things in a file's place.

Each test asserts how its reader reacts.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

LOW, HIGH = 1, 128
DEPTH: Final = 100_000


def never(error: Exception) -> None:
    """Fails the test: no error may be reported to the user here."""
    raise AssertionError(error)


def flipped(content: bytes) -> Iterator[bytes]:
    """`content` with the low or the high bit of one byte flipped, for every byte in turn."""
    for place in range(len(content)):
        for bit in (LOW, HIGH):
            damaged = bytearray(content)
            damaged[place] ^= bit
            yield bytes(damaged)


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.mkdir()
    (path / "file").touch()


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _huge(path: Path) -> None:
    path.touch()
    os.truncate(path, 1 << 40)


def _deep(path: Path) -> None:
    path.write_bytes(b'{"a":' * DEPTH)


def _not_text(path: Path) -> None:
    path.write_bytes(b'{"model":"caf\xe9","model_type":"caf\xe9"}')


IN_THE_WAY: Final[dict[str, Callable[[Path], None]]] = {
    "pipe": _pipe,
    "folder": _folder,
    "endless": _endless,
    "huge": _huge,
    "deep": _deep,
    "not text": _not_text,
}
"""Functions that put something at an empty path."""


def forbid(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the system refuse to open `path`, as it does with another owner's file. (root can read even those.)"""
    opened = os.open

    def refuse(name: Any, *arguments: Any, **options: Any) -> int:
        if os.fspath(name) == os.fspath(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return opened(name, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)
