"""FolderCounts: how many files of an attached folder the model is given, and how many are left out, by reason. Pure.

The library keeps them as parameters of the folder's media type: `inode/directory; files=12; binary=2`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER: Final = "inode/directory"
_PARAMETER: Final = re.compile(r"; (\w+)=([0-9]{1,9})(?=;|$)")
_FILES: Final = "files"


class SkipReason(StrEnum):
    """Why a file of a folder is left out. The values are kept in the library."""

    BINARY = "binary"
    LARGE = "large"
    EMPTY = "empty"
    UNREADABLE = "unreadable"
    IGNORED = "ignored"
    LINK = "link"


class FolderCounts(NamedTuple):
    """`left_out` has only reasons that apply. An ignored folder counts as one file: Hearth does not look into it."""

    files: int
    left_out: Mapping[SkipReason, int]

    def media(self) -> str:
        """The media type of the folder, with these counts."""
        counts = {_FILES: self.files} | {reason.value: self.left_out[reason] for reason in self.left_out}
        return "; ".join((FOLDER, *(f"{name}={count}" for name, count in counts.items())))


def is_folder(media: str) -> bool:
    """Whether this is the media type of a folder."""
    return media.partition(";")[0] == FOLDER


def counts_in(media: str) -> FolderCounts | None:
    """The counts in the media type of a folder, None if it has none."""
    found = {name: int(count) for name, count in _PARAMETER.findall(media)}
    if not is_folder(media) or _FILES not in found:
        return None
    return FolderCounts(found[_FILES], {reason: found[reason] for reason in SkipReason if found.get(reason)})
