"""How much of a disk the caches may take. Owns the rule; who obeys it is the engine. Pure but for `held_in`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

GIB: Final = 2**30
SHARE: Final = 5
"""Left to itself, Hearth takes one part in so many of the room that there is."""
LEAST: Final = 2 * GIB
MOST: Final = 100 * GIB
SPARE: Final = 5 * GIB
"""What is always left free on the disk for everybody else."""


def quota(wanted: int | None, free: int, held: int) -> int:
    """The bytes that the caches may take on a disk with `free` bytes left, of which they hold `held` already.

    None wants a share of the room by itself: a fifth, at least 2 and at most 100 GiB. Nothing takes the last 5 GiB.
    """
    room = free + held
    share = min(max(room // SHARE, LEAST), MOST) if wanted is None else wanted
    return max(min(share, most(free, held)), 0)


def most(free: int, held: int) -> int:
    """The most that anybody can want."""
    return max(free + held - SPARE, 0)


def held_in(folder: Path) -> int:
    """The bytes of all files below `folder`; what goes away meanwhile counts nothing."""
    return sum(_size(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)  # noqa: PTH118 - a walk gives strings, ten thousand of them


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0
