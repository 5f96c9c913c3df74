"""Followers on other machines: the leader visits their workers, collects the data addresses of all ranks, and has each
worker start its engine. From then on the encrypted connection is the rank's link.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from engine.ranks.inputs import LONGEST_REPORT, Report, decode_report
from engine.ranks.link import Link
from engine.workers.data_address import data_address
from engine.workers.errors import NotReached, WorkerError
from engine.workers.group_file import GroupFile
from engine.workers.own_certificate import own_certificate
from engine.workers.requests import Begin, Joined, Lead, encode
from engine.workers.versions import versions
from engine.workers.visit import Visit, visit
from storage.folders import replace_file
from storage.untrusted import UntrustedDataError

GATHERING_SECONDS: Final = 10.0
"""How long all workers together may take to answer."""


class NotGathered(Exception):  # noqa: N818 - what happened
    """Rank `rank` does not join the group. The message is a sentence for people."""

    def __init__(self, rank: int, error: Exception) -> None:
        super().__init__(str(error))
        self.rank = rank


@contextmanager
def _blamed(rank: int) -> Iterator[None]:
    """Raise NotGathered for what goes wrong with this rank."""
    try:
        yield
    except (WorkerError, OSError, UntrustedDataError) as error:
        raise NotGathered(rank, error) from error


def read(file: Path) -> GroupFile:
    """The group that a file names. Raises NotGathered."""
    with _blamed(0):
        return GroupFile.read(file)


def start_followers(group: GroupFile, addresses: Path) -> dict[int, Link[Report]]:
    """Have the workers start ranks 1 and up, and write the data addresses of all. Raises NotGathered."""
    until = time.monotonic() + GATHERING_SECONDS
    visits, told = dict[int, Visit](), list[str]()
    with ExitStack() as stack:
        with _blamed(0):
            own = own_certificate(Path(group.own))
        for rank, worker in enumerate(group.workers, 1):
            with _blamed(rank):
                made = visit(worker.address, worker.name, own, worker.certificate, _left(until))
                visits[rank] = stack.enter_context(made)
                lead = Lead(rank, group.split, versions(), group.shares)
                told.append(made.ask(lead, Joined, _left(until)).address)
        with _blamed(0):
            all_of = (data_address(group.data or visits[1].channel.host), *told)
            replace_file(addresses, json.dumps([[address] for address in all_of]).encode())
        links = {rank: _begun(rank, made, all_of) for rank, made in visits.items()}
        stack.pop_all()
        return links


def _begun(rank: int, made: Visit, addresses: tuple[str, ...]) -> Link[Report]:
    try:
        made.channel.write(encode(Begin(addresses)))
        made.channel.allow_silence(None)  # the link itself notices it
    except OSError as error:
        raise NotGathered(rank, NotReached(made.name, str(error))) from error
    return Link(made.channel, decode_report, longest=LONGEST_REPORT)


def _left(until: float) -> float:
    return max(0.001, until - time.monotonic())
