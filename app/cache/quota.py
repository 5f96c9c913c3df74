"""How much of a disk the caches may take. Owns the rule; who obeys it is the engine. Pure but for `held_in`.

What is free and what the caches hold are one room. How far they may grow depends on that room alone, and ends well
before it does. What they hold already is given up later than they would stop growing, and only as far as others lack
room: between the two nothing moves, so a disk that fills and empties a little costs no chat its warmth.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

MIB: Final = 2**20
GIB: Final = 2**30
SHARE: Final = 5
"""Left to itself, Hearth takes one part in so many of the room that there is."""
LEAST: Final = 2 * GIB
"""Enough for the chats that were used last; goes only where others lack all room."""
MOST: Final = 100 * GIB
SPARE: Final = 5 * GIB
"""What the caches leave free for everybody else when they grow beyond the least."""
YIELD: Final = 4 * GIB
"""With less than this free, what the caches hold beyond the least is given up, as far as that is missing."""
LAST: Final = GIB
"""What even the least leaves free when it grows; and of what is more, half."""
WORDS: Final = 256 * MIB
"""With less than this free, the least is given up as well, so that what the user writes can still be saved."""


def quota(wanted: int | None, free: int, held: int) -> int:
    """The bytes that the caches may take on a disk with `free` bytes left, of which they hold `held` already.

    None wants a share of the room by itself: a fifth, at least 2 and at most 100 GiB; that more is held, as the room
    was larger, is no reason to give it up.
    """
    share = max((free + held) // SHARE, LEAST)
    return min(most(free, held), min(max(share, held), MOST) if wanted is None else wanted)


def most(free: int, held: int) -> int:
    """The most that anybody can want: as far as the caches may grow, or stay where they have grown further."""
    return max(_growing(free + held), _staying(free + held, held), 0)


def is_tight(wanted: int | None, free: int, held: int) -> bool:
    """Whether it is the disk that limits the caches, and not what is wanted."""
    if wanted is None:
        return _growing(free + held) < max(held, LEAST)
    return most(free, held) < wanted


def _growing(room: int) -> int:
    return max(room - SPARE, min(LEAST, (room - LAST) // 2))


def _staying(room: int, held: int) -> int:
    return min(held, max(room - YIELD, min(LEAST, room - WORDS)))


def held_in(folder: Path) -> int:
    """The bytes of all files below `folder`; what goes away meanwhile counts nothing."""
    return sum(_size(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)  # noqa: PTH118 - a walk gives strings, ten thousand of them


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0
