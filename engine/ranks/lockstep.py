"""Lockstep: every rank of a group runs the same engine on the same inputs, in the same order.

A model that is split needs all ranks in every forward pass, so all must take the same passes. They do because the
engine is deterministic but for its inputs: commands, the outcomes of its own threads, clocks and free memory. The
leader, rank 0, has these inputs; it tells each one to the followers as it takes it, and a follower uses what it was
told in place of its own. That is state machine replication (F. B. Schneider, ACM Computing Surveys 22(4), 1990).

Only forward passes are collective. Before each, the ranks compare the number of the pass and a digest: of the rows and
prompts of all passes, this one included, and of all text emitted so far. Ranks that differ end before they compute.

The MLX thread calls all methods but `put`, which any thread may call.

Invariants:
- Followers use each input once, in the leader's order. An input of another kind than expected ends the group.
- What a rank does with its own disk may come at any time: no forward pass depends on it, except by lookups, which
  `shared_lookups` settles.
"""

from __future__ import annotations

import logging
import queue
import secrets
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final, NoReturn

import xxhash
from msgspec import structs

from engine.protocol.group import GROUP_LOST
from engine.protocol.messages import Generate, Shutdown
from engine.protocol.sampling_settings import MOST_SEED
from engine.protocol.shared import Shared
from engine.ranks.inputs import (
    Ended,
    Execute,
    Failure,
    Found,
    Hello,
    Least,
    LookAgain,
    Outcome,
    Own,
    Pass,
    Passing,
    Said,
    Time,
    Turn,
)
from resources.language.text import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.protocol.group import GroupReason
    from engine.protocol.messages import Command
    from engine.ranks.inputs import Input, Report
    from engine.ranks.link import Link

    Message = Command | Callable[[], None]

log = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 10.0
"""How long a rank that runs may take to reach the pass at which the others wait."""

_SHARES: Final = "bytes of weights"


class GroupLost(SystemExit):
    """The group cannot continue. Ends the process: no edge of the engine catches it."""

    def __init__(self, reason: str) -> None:
        super().__init__(GROUP_LOST)
        log.error("the group is lost: %s", reason)


class _Passes:
    """The number of forward passes so far, and the digest of what they were."""

    def __init__(self) -> None:
        self._count = 0
        self._digest = xxhash.xxh3_64()

    def note(self, data: bytes) -> None:
        self._digest.update(data)

    def next(self, what: bytes) -> tuple[int, str]:
        self._count += 1
        self.note(what)
        return self._count, self._digest.hexdigest()


class Leader:
    """The inbox and the figures of rank 0. `links` are those to its followers, by rank; `inbox` is the engine's own.

    `patience`: the seconds that a follower may take to reach the pass at which this rank waits. None: as long as its
    process runs. `names` are those of the ranks' machines, if they have any, and `shares` the bytes of the loaded model
    that each rank has. `last_words` gets the rank that ends the group, and why.
    """

    def __init__(
        self,
        links: dict[int, Link[Report]],
        inbox: queue.SimpleQueue[Message],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._clock = clock
        self._links = links
        self._inbox = inbox
        self._passes = _Passes()
        self._failures: dict[int, str] = {}
        self._reports: dict[int, queue.SimpleQueue[Report]] = {rank: queue.SimpleQueue() for rank in links}
        self.found: Callable[[int, Found], None] = lambda _rank, _found: None
        self.names: dict[int, str] = {}
        self.patience: float | None = PATIENCE_SECONDS
        self.shares: tuple[int, ...] = ()
        self.last_words: Callable[[int, GroupReason], object] = lambda _rank, _reason: None

    @property
    def followers(self) -> tuple[int, ...]:
        """Their ranks."""
        return tuple(self._links)

    def hear(self, rank: int, report: Report) -> None:
        """A follower has reported. On its link's thread."""
        if isinstance(report, Found):
            self._inbox.put(lambda: self.found(rank, report))
        elif isinstance(report, Failure):
            self._failures[rank] = report.reason
        else:
            self._reports[rank].put(report)

    def meet(self, versions: dict[str, str], seconds: float) -> None:
        """Wait until every follower runs. Raises GroupLost if one takes longer, or has other versions."""
        until = time.monotonic() + seconds
        for rank, reports in self._reports.items():
            try:
                report = reports.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                self._lose(rank, "not_started", f"did not start in {seconds:.0f} s")
            if report != Hello(versions):
                self._lose(rank, "other_version", f"runs other versions: {report}, not {versions}")
        self._tell(Hello(versions))

    # --- the inbox

    def put(self, message: Message) -> None:
        """Add a command, or a call to the MLX thread."""
        self._inbox.put(message)

    def get(self, *, block: bool) -> Message:
        """The next message. Raises queue.Empty if there is none and the caller does not wait: then the turn begins."""
        try:
            message = self._inbox.get(block=block)
        except queue.Empty:
            self._tell(Turn())
            raise
        if isinstance(message, Shared):
            self._tell(Outcome(message.ticket))
        elif not callable(message):
            message = _seeded(message)
            self._tell(Execute(message))
        if isinstance(message, Shutdown):
            for link in self._links.values():
                link.expect_end()
        return message

    def empty(self) -> bool:
        """True: a load, which looks for its cancel here, cannot be cancelled in a group."""
        return True

    # --- what the engine decides by

    def clock(self) -> float:
        """The seconds of this rank's clock."""
        seconds = self._clock()
        self._tell(Time(seconds))
        return seconds

    def least(self, name: str, own: int) -> int:
        """The least of the figures that all ranks have under this name. Raises GroupLost if one has none."""
        return min(self._figures(name, own))

    def note_shares(self, own: int) -> None:
        """All ranks have loaded a model: remember how many bytes of its weights each has."""
        self.shares = self._figures(_SHARES, own)

    def _figures(self, name: str, own: int) -> tuple[int, ...]:
        """The figures that all ranks have under this name, by rank."""
        figures = [int(own)]
        for rank in self._links:
            report = self._reported(rank, name)
            if not isinstance(report, Own) or report.name != name:
                self._lose(rank, "disagreed", f"differs: {report}, not its {name}")
            figures.append(report.value)
        self._tell(Least(name, min(figures)))
        return tuple(figures)

    def leaders(self, own: str) -> str:
        """What this rank has found out. All ranks use it."""
        self._tell(Said(own))
        return own

    def report_failure(self, reason: str) -> None:
        """This rank tells the app itself why it fails."""

    def failure(self) -> str:
        """Why another rank has failed what they did together, with its machine's name; empty if none says."""
        reasons = [
            f"{self.names.get(rank) or tr('Another machine')}: {reason}" for rank, reason in self._failures.items()
        ]
        self._failures.clear()
        return " ".join(reasons)

    def look_again(self, ticket: str, limit: int) -> None:
        """All ranks look a prefix up again."""
        self._tell(LookAgain(ticket, limit))

    # --- agreement

    def note(self, data: bytes) -> None:
        """This rank has planned or emitted `data`."""
        self._passes.note(data)

    def before_pass(self, what: bytes) -> None:
        """Wait until every follower is about to take the same forward pass. Raises GroupLost if one does not."""
        count, digest = self._passes.next(what)
        self._tell(Pass(count, digest))
        own = Passing(count, digest)
        for rank in self._links:
            if (report := self._reported(rank, f"pass {count}")) != own:
                self._lose(rank, "disagreed", f"differs: {report}, not {own}")

    def _reported(self, rank: int, what: str) -> Report:
        """The next report of a follower, which owes `what`."""
        try:
            return self._reports[rank].get(timeout=self.patience)
        except queue.Empty:
            self._lose(rank, "lost", f"did not reach {what} in {self.patience} s")

    def _lose(self, rank: int, reason: GroupReason, what: str) -> NoReturn:
        self.last_words(rank, reason)
        raise GroupLost(f"rank {rank} {what}") from None

    def _tell(self, message: Input) -> None:
        for link in self._links.values():
            link.send(message)


def _seeded(command: Command) -> Command:
    """The command with a seed, if it asks for an answer: an engine that gets none would draw one of its own."""
    if not isinstance(command, Generate) or command.sampling.seed is not None:
        return command
    return structs.replace(command, sampling=structs.replace(command.sampling, seed=secrets.randbelow(MOST_SEED + 1)))


class Follower:
    """The inbox and the clock of another rank, which `link` connects to the leader."""

    def __init__(self, link: Link[Input]) -> None:
        self._link = link
        self._arrived: queue.SimpleQueue[Input | Message] = queue.SimpleQueue()
        self._told: deque[Input] = deque()
        self.shares: tuple[int, ...] = ()
        self._outcomes: dict[str, Shared] = {}
        self._own: deque[Callable[[], None]] = deque()
        self._passes = _Passes()
        self.look_again: Callable[[LookAgain], None] = lambda _: None

    def hear(self, told: Input) -> None:
        """The leader has told something. On the link's thread."""
        self._arrived.put(told)

    def report_found(self, found: Found) -> None:
        """Tell the leader what this rank can restore."""
        self._link.send(found)

    def meet(self, versions: dict[str, str]) -> None:
        """Wait until all ranks run. Raises GroupLost if the leader has other versions."""
        self._link.send(Hello(versions))
        if (told := self._next()) != Hello(versions):
            self._disagree(f"the leader runs other versions: {told}, not {versions}")

    # --- the inbox

    def put(self, message: Message) -> None:
        """Add a call to the MLX thread."""
        self._arrived.put(message)

    def get(self, *, block: bool) -> Message:  # noqa: ARG002 - the leader decides when to wait
        """The leader's next message, or what a thread of this rank has posted for itself. Raises queue.Empty when the
        leader's turn begins.
        """
        while True:
            if self._own:
                return self._own.popleft()
            if self._told:
                return self._message(self._told.popleft())
            self._sort(self._arrived.get())

    def empty(self) -> bool:
        """True, as for the leader."""
        return True

    def _message(self, told: Input) -> Message:
        if isinstance(told, Turn):
            raise queue.Empty
        if isinstance(told, Execute):
            if isinstance(told.command, Shutdown):
                self._link.expect_end()
            return told.command
        if isinstance(told, Outcome):
            return self._outcome(told.ticket)
        if isinstance(told, LookAgain):
            return lambda: self.look_again(told)
        return self._disagree(f"a message or a turn was expected, and {told} came")

    def _outcome(self, ticket: str) -> Shared:
        """The outcome with this ticket, as soon as this rank has it too."""
        while ticket not in self._outcomes:
            self._sort(self._arrived.get())
        return self._outcomes.pop(ticket)

    # --- what the engine decides by

    def clock(self) -> float:
        """The seconds of the leader's clock."""
        told = self._next()
        if not isinstance(told, Time):
            self._disagree(f"a time was expected, and {told} came")
        return told.seconds

    def least(self, name: str, own: int) -> int:
        """The least of the figures that all ranks have under this name."""
        self._link.send(Own(name, int(own)))
        told = self._next()
        if not isinstance(told, Least) or told.name != name:
            self._disagree(f"the least {name} was expected, and {told} came")
        return told.value

    def note_shares(self, own: int) -> None:
        """This rank has loaded a model: tell the leader how many bytes of its weights this rank has."""
        self.least(_SHARES, own)

    def leaders(self, _own: str) -> str:
        """What the leader has found out."""
        told = self._next()
        if not isinstance(told, Said):
            self._disagree(f"something that the leader found out was expected, and {told} came")
        return told.value

    def report_failure(self, reason: str) -> None:
        """Tell the leader why this rank fails, before the ranks find out that it does."""
        self._link.send(Failure(reason))

    def failure(self) -> str:
        """Only the leader hears the others."""
        return ""

    # --- agreement

    def note(self, data: bytes) -> None:
        """This rank has planned or emitted `data`."""
        self._passes.note(data)

    def before_pass(self, what: bytes) -> None:
        """Wait until the leader is about to take the same forward pass. Raises GroupLost if it does something else."""
        own = Pass(*self._passes.next(what))
        self._link.send(Passing(own.count, own.digest))
        told = self._next()
        if told != own:
            self._disagree(f"{own} was expected, and {told} came")

    def _next(self) -> Input:
        while not self._told:
            self._sort(self._arrived.get())
        return self._told.popleft()

    def _sort(self, arrived: Any) -> None:
        if isinstance(arrived, Shared):
            self._outcomes[arrived.ticket] = arrived
        elif callable(arrived):
            self._own.append(arrived)
        else:
            self._told.append(arrived)

    def _disagree(self, reason: str) -> NoReturn:
        self._link.send(Ended(reason))
        raise GroupLost(reason)
