"""Checks the data connections of a ring, before and after MLX makes them. On the main thread.

- `check_addresses`: each rank reaches the next one at its data address. MLX waits in silence if a firewall is in the
  way, and lets no other thread run. So the ranks try their addresses first, and the group ends with a sentence that
  names the address. Other programs that connect meanwhile are ignored: only the ranks know the word. A follower sends a
  digest of what the leader tells: the leader also tells the addresses, so it could have a follower say anything to any
  program that the follower reaches. A second thread answers the rank before.
- `check_ring`: the ring connects the ranks of this group, and no other program. MLX takes the first connection that
  comes to a data address, whatever program makes it. So before anything else passes the ring, each rank sends a value
  that only the ranks of this group know, and compares what has come from the others. This does not replace encryption:
  a program on the network between the ranks can still read and change their data.
"""

from __future__ import annotations

import faulthandler
import hashlib
import hmac
import secrets
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import mlx.core as mx

from engine.ranks.follower import Follower
from engine.ranks.lockstep import Leader
from resources.language.text import tr
from storage.untrusted import MEBIBYTE, decode_json, read_file

TRYING_SECONDS: Final = 5.0
_STRANGER_SECONDS: Final = 0.5
"""How long a connection may take to say the word."""
_PAUSE_SECONDS: Final = 0.05
_TRIED: Final = "data connections tried"


def check_addresses(lockstep: Leader | Follower, rank: int, addresses: Path) -> None:
    """Raises GroupLost if a rank cannot reach the next one, and UntrustedDataError if the file with the data addresses
    of all ranks is damaged.
    """
    word = hashlib.sha256(lockstep.leaders(secrets.token_hex(16)).encode()).hexdigest().encode()
    known = [one for (one,) in decode_json(read_file(addresses, MEBIBYTE), list[tuple[str]])]
    if problem := _problem(word, known[rank], known[(rank + 1) % len(known)]):
        lockstep.report_failure(problem)
    if not lockstep.least(_TRIED, not problem):
        lockstep.give_up(problem or lockstep.failure() or "another rank reaches no data address")


def _problem(word: bytes, own: str, following: str) -> str:
    """Why the next rank cannot be reached, as a sentence for people; empty if it can."""
    until = time.monotonic() + TRYING_SECONDS
    try:
        listener = socket.create_server(_parts(own))
    except OSError as error:
        return tr("The address {address} cannot be used: {why}.", address=own, why=error.strerror or str(error))
    answering = threading.Thread(target=_answer, args=(listener, word, until), name="data-path", daemon=True)
    answering.start()
    reached = _reach(following, word, until)
    answering.join()
    if reached:
        return ""
    return tr("Nothing answers at {address}. A firewall may keep Hearth from accepting connections.", address=following)


def _answer(listener: socket.socket, word: bytes, until: float) -> None:
    """Repeat the word to the rank before. Other programs that connect are ignored."""
    with listener, suppress(OSError):
        while True:
            listener.settimeout(max(0.001, until - time.monotonic()))
            connection, _ = listener.accept()
            with connection, suppress(ConnectionError, TimeoutError):
                if _heard(connection, word, min(until, time.monotonic() + _STRANGER_SECONDS)):
                    connection.sendall(word)
                    return


def _reach(address: str, word: bytes, until: float) -> bool:
    """Whether the next rank repeats the word. It may listen a moment later than this rank connects."""
    while (left := until - time.monotonic()) > 0:
        with suppress(OSError, UnicodeError), socket.create_connection(_parts(address), left) as connection:
            connection.sendall(word)
            if _heard(connection, word, until):
                return True
        threading.Event().wait(_PAUSE_SECONDS)
    return False


def _heard(connection: socket.socket, word: bytes, until: float) -> bool:
    """Whether the other side says the word."""
    came = b""
    while len(came) < len(word):
        connection.settimeout(max(0.001, until - time.monotonic()))
        data = connection.recv(len(word) - len(came))
        if not data:
            return False
        came += data
    return hmac.compare_digest(came, word)


def _parts(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host, int(port)


CHECKING_SECONDS: Final = 5.0
"""A program that sends nothing keeps the ranks waiting. They then end."""
_NUMBERS: Final = 4


def check_ring(lockstep: Leader | Follower, group: mx.distributed.Group) -> None:
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
