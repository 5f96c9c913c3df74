"""The bytes of attached files, in a folder beside the library or in memory.

A file's name is the hash of its content.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from storage.folders import own_folder, sync, write_durably

_PARTIAL: Final = re.compile(r"[0-9a-f]{32}\.partial")
_DIGEST_BYTES: Final = 16
_NAME: Final = re.compile(r"[0-9a-f]{2}/[0-9a-f]{32}(\.[a-z0-9]{1,8})?")
_SUFFIX: Final = re.compile(r"\.[a-z0-9]{1,8}")


class Folder:
    """Files below a folder, which is created with the first of them, under names made by `name_of`. A file of any other
    name does not exist. Methods raise OSError.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def keep(self, name: str, content: bytes) -> None:
        """Store a file durably, replacing one of the same name."""
        final = self._root / name
        made = not final.parent.is_dir()
        own_folder(self._root)
        own_folder(final.parent)
        write_durably(final, self._root / f"{uuid4().hex}.partial", content)
        if made:
            sync(self._root)
            sync(self._root.parent)

    def read(self, file: str) -> bytes | None:
        """The content of a file. None if it is missing or has changed."""
        path = self.path(file)
        try:
            content = None if path is None else _content(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return content if content is not None and _is_of(content, file) else None

    def path(self, file: str) -> Path | None:
        """The file's path, if it has one."""
        return self._root / file if _NAME.fullmatch(file) else None

    def remove(self, file: str) -> None:
        """Remove a file, if it exists."""
        path = self.path(file)
        if path is not None:
            path.unlink(missing_ok=True)

    def spare(self, name: str) -> None:
        """Count a file as stored now, because it lost its last row: copies of the library may name it."""
        path = self.path(name)
        with suppress(FileNotFoundError, NotADirectoryError):
            if path is not None:
                os.utime(path, follow_symlinks=False)

    def renew(self) -> None:
        """Count all files as stored now."""
        for path in self._own("??/*", _NAME):
            with suppress(FileNotFoundError):
                os.utime(path, follow_symlinks=False)

    def before(self, moment: float) -> Iterator[str]:
        """The names of all files stored before `moment` (s, UTC). Also removes partial files that a crash left."""
        for path in self._own("*", _PARTIAL):
            if path.lstat().st_mtime < moment:
                path.unlink(missing_ok=True)
        for path in self._own("??/*", _NAME):
            if path.lstat().st_mtime < moment:
                yield path.relative_to(self._root).as_posix()

    def _own(self, pattern: str, name: re.Pattern[str]) -> Iterator[Path]:
        """What has such a name, but nothing behind a link: where it leads is the user's."""
        for path in () if self._root.is_symlink() else self._root.glob(pattern):
            if name.fullmatch(path.relative_to(self._root).as_posix()) and not path.parent.is_symlink():
                yield path


def beside(library: Path) -> Folder:
    """The folder of the library's attached files."""
    return Folder(library.with_name("attachments"))


class FilesInMemory:
    """Files in memory only."""

    def __init__(self) -> None:
        self._contents: dict[str, bytes] = {}

    def keep(self, file: str, content: bytes) -> None:
        """Store a file, replacing one of the same name."""
        self._contents[file] = content

    def read(self, file: str) -> bytes | None:
        """The content of a file. None if it is missing."""
        return self._contents.get(file)

    def path(self, file: str) -> None:
        """None: no file is on the disk."""

    def remove(self, file: str) -> None:
        """Remove a file, if it exists."""
        self._contents.pop(file, None)

    spare = remove  # nothing in memory has copies

    def before(self, moment: float) -> Iterator[str]:  # noqa: ARG002 - as Folder
        """Nothing: a crash leaves no files."""
        return iter(())


Files = Folder | FilesInMemory
"""The attached files of a library."""


def _content(path: Path) -> bytes | None:
    """The content of a regular file, None for anything else. Never blocks. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None
    with os.fdopen(handle, "rb") as source:
        return source.read()


def name_of(content: bytes, suffix: str) -> str:
    """The name of a file with this content. Keeps `suffix` (".txt") if it is short and alphanumeric."""
    digest = _digest(content)
    return f"{digest[:2]}/{digest}{suffix.lower() if _SUFFIX.fullmatch(suffix.lower()) else ''}"


def is_text(content: bytes) -> bool:
    """Whether `content` is UTF-8 text without NUL."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in content


def _digest(content: bytes) -> str:
    # A cryptographic hash: a crafted file must not take the name of another one.
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).hexdigest()


def _is_of(content: bytes, file: str) -> bool:
    return file[3 : 3 + 2 * _DIGEST_BYTES] == _digest(content)
