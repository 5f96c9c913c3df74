"""Computes how much of a disk the caches may take. Pure, except `on_disk`, `free_on` and `held_in`.

The room is the free space plus the bytes that the caches hold. The caches grow only up to a limit that depends on the
room, and well before the disk is full. They shrink later than they would stop growing, and only by the space that other
programs lack. Between these two limits nothing changes, so a disk that fills and empties a little costs no chat its
cache.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final

from storage.errors import classified

MIB: Final = 2**20
GIB: Final = 2**30
SHARE: Final = 5
"""Without a limit from the user, the caches take one part in this many of the room."""
LEAST: Final = 2 * GIB
"""Enough for the most recently used chats; evicted only if other programs lack all space."""
MOST: Final = 100 * GIB
SPARE: Final = 5 * GIB
"""Growing beyond the least, the caches leave this many bytes free for other programs."""
YIELD: Final = 4 * GIB
"""If less than this is free, the caches evict what they hold beyond the least, until this much is free."""
LAST: Final = GIB
"""The least grows only while this much stays free, and takes half of the rest."""
WORDS: Final = 256 * MIB
"""If less than this is free, the least is evicted too, so that the library can still save what the user writes. A
disk that fills up between two looks at it is looked at as soon as it refuses the library's words.
"""


def quota(wanted: int | None, free: int, held: int) -> int:
    """Return the bytes that the caches may take on a disk with `free` bytes left, of which they already hold `held`.

    If `wanted` is None, this is a fifth of the room, at least 2 and at most 100 GiB. Caches that grew larger while the
    room was larger are not evicted for that.
    """
    share = max((free + held) // SHARE, LEAST)
    return min(most(free, held), min(max(share, held), MOST) if wanted is None else wanted)


def on_disk(wanted: int | None, segments: Path, data: Path) -> int:
    """Return the quota of the caches in `segments`. As long as they have no folder, it is on the disk of `data`. Raises
    OSError.
    """
    free = shutil.disk_usage(segments if segments.is_dir() else data).free
    return quota(wanted, free, held_in(segments))


def most(free: int, held: int) -> int:
    """Return the highest limit that has an effect: up to here the caches may grow, or stay if they have
    grown further.
    """
    staying = min(held, max(free + held - YIELD, min(LEAST, free + held - WORDS)))
    return max(_growing(free + held), staying, 0)


def is_tight(wanted: int | None, free: int, held: int) -> bool:
    """Return whether the disk limits the caches, rather than `wanted`."""
    return _growing(free + held) < max(held, LEAST) if wanted is None else most(free, held) < wanted


def _growing(room: int) -> int:
    return max(room - SPARE, min(LEAST, (room - LAST) // 2))


def free_on(folder: Path) -> int:
    """Return the bytes left on the disk of `folder`. Raises EnvironmentProblem: the folder may vanish at any time."""
    with classified():
        return shutil.disk_usage(folder).free


def held_in(folder: Path) -> int:
    """Return the bytes of all files below `folder`; files that vanish meanwhile count nothing."""
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(at, name)).st_size  # noqa: PTH118 - a walk gives strings, ten thousand of them
    return total
