"""Checks that the ring connects the ranks of this group, and no other program.

MLX takes the first connection that comes to a data address, whatever program makes it. So before anything else passes
the ring, each rank sends a value that only the ranks of this group know, and compares what has come from the others.
This does not replace encryption: a program on the network between the ranks can still read and change their data.

On the MLX thread.
"""

from __future__ import annotations

import faulthandler
import hashlib
import secrets
from typing import TYPE_CHECKING, Final

import mlx.core as mx

from resources.language.text import tr

if TYPE_CHECKING:
    from engine.ranks.follower import Follower
    from engine.ranks.lockstep import Leader

CHECKING_SECONDS: Final = 5.0
"""A program that sends nothing keeps the ranks waiting. They then end."""
_NUMBERS: Final = 4


def check(lockstep: Leader | Follower, group: mx.distributed.Group) -> None:
    """Raises GroupLost if another program is part of the ring."""
    secret = lockstep.leaders(secrets.token_hex(16))
    wanted = [number for rank in range(group.size()) for number in _numbers(secret, rank)]
    faulthandler.dump_traceback_later(CHECKING_SECONDS, exit=True)
    try:
        came = mx.distributed.all_gather(mx.array(_numbers(secret, group.rank()), mx.uint32), group=group).tolist()
    except RuntimeError as error:
        lockstep.give_up(tr("The data connections between the machines broke at once: {error}.", error=error))
    if came != wanted:
        lockstep.give_up(tr("Another program has taken a data connection between the machines."))
    faulthandler.cancel_dump_traceback_later()


def _numbers(secret: str, rank: int) -> list[int]:
    """What a rank sends."""
    digest = hashlib.blake2b(f"{secret} {rank}".encode(), digest_size=4 * _NUMBERS).digest()
    return [int.from_bytes(digest[at : at + 4], "big") for at in range(0, len(digest), 4)]
