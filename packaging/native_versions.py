"""Finds the versions of the libraries that CPython brings along: maps each to its project and asks it."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import contents

PROJECTS: Final = {
    "libbz2": "bzip2",
    "libcrypto": "openssl",
    "libffi": "libffi",
    "liblzma": "xz",
    "libmpdec": "mpdecimal",
    "libsqlite3": "sqlite",
    "libssl": "openssl",
}
_OPENSSL_VERSION_STRING: Final = 6
_QUESTIONS: Final[Mapping[str, tuple[str, tuple[int, ...]]]] = {
    "libbz2": ("BZ2_bzlibVersion", ()),
    "libcrypto": ("OpenSSL_version", (_OPENSSL_VERSION_STRING,)),
    "libffi": ("ffi_get_version", ()),
    "liblzma": ("lzma_version_string", ()),
    "libmpdec": ("mpd_version", ()),
    "libsqlite3": ("sqlite3_libversion", ()),
}


def version(path: Path) -> str:
    """The version that the library reports, or the number in its name: libffi reports none before 3.5."""
    name = contents.library_name(path.name)
    question, arguments = _QUESTIONS[name]
    answer = getattr(ctypes.CDLL(str(path)), question, None)
    if answer is None:
        return re.sub(r"\.(so|dylib)", "", path.name.removeprefix(name)).strip(".")
    answer.restype = ctypes.c_char_p
    said: bytes = answer(*arguments)
    return said.decode().partition(",")[0]


def of_project(paths: list[Path]) -> str:
    """The version of a project, from those of its libraries that report one."""
    return version(next(path for path in paths if contents.library_name(path.name) in _QUESTIONS))
