"""Compares the record files on disk with those that the index expects. Changes nothing. Raises OSError."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from storage.errors import Damage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

SUFFIX: Final = ".safetensors"

_FAN: Final = re.compile(r"[0-9a-z_-]{1,2}")


@dataclass(frozen=True, slots=True)
class Swept:
    """`lost` maps expected names that are missing or wrong to the cause, `strays` unexpected names to their bytes."""

    lost: Mapping[str, Damage]
    strays: Mapping[str, int]


def sweep(root: Path, expected: Mapping[str, int]) -> Swept:
    """Compare the files below `root` with `expected`, which maps names relative to `root` to bytes.

    Files without a record's name are ignored: they are not Hearth's.
    """
    lost = dict.fromkeys(expected, Damage.MISSING)
    strays: dict[str, int] = {}
    for name, entry in _entries(root):
        size = entry.stat(follow_symlinks=False).st_size
        if name not in lost:
            strays[name] = size
        elif not entry.is_file(follow_symlinks=False):
            lost[name] = Damage.NOT_A_FILE
        elif size != expected[name]:
            lost[name] = Damage.SIZE
        else:
            del lost[name]
    return Swept(lost, strays)


def _entries(root: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Everything with a name that a record may need, including links and folders."""
    for folder in _listed(root):
        if not _FAN.fullmatch(folder.name):
            continue
        if not folder.is_dir(follow_symlinks=False):
            yield folder.name, folder
            continue
        for entry in _listed(folder.path):
            if entry.name.endswith(SUFFIX):
                yield f"{folder.name}/{entry.name}", entry


def _listed(folder: Path | str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return list(entries)
