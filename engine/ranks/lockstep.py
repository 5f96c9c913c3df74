"""Lockstep: every rank of a group runs the same engine on the same inputs, in the same order.

A model that is split needs all ranks in every forward pass, so all must take the same passes. They do because the
engine is deterministic but for its inputs: commands, the outcomes of its own threads, clocks and free memory. The
leader, rank 0, has these inputs; it tells each one to the followers as it takes it, and a follower uses what it was
told in place of its own. That is state machine replication (F. B. Schneider, ACM Computing Surveys 22(4), 1990).

Only forward passes are collective. Before each, the ranks compare the number of the pass and a digest: of the rows and
prompts of all passes, this one included, and of all text emitted so far. Ranks that differ end before they compute.

This module has the leader's side, `follower` the other. The MLX thread calls all methods but `put`, which any thread
may call, and `hear`.

Invariants:
- Followers use each input once, in the leader's order. An input of another kind than expected ends the group.
- An outcome of a thread that decides what the model computes is taken when every rank has its own.
"""

from __future__ import annotations

import logging
import queue
import secrets
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, NoReturn

import xxhash
from msgspec import structs

from engine.prompt.ledger import today
from engine.protocol.group import GROUP_LOST, GroupReason
from engine.protocol.messages import CancelLoad, Command, FitPrompt, Generate, Shutdown, Warm
from engine.protocol.sampling_settings import MOST_SEED
from engine.protocol.shared import Shared
from engine.ranks.inputs import Abandon, Execute, Figures, Hello, Input, Outcome, RankFailure, RankTurn, Report, Said
from engine.ranks.link import BEAT_SECONDS, SILENT_SECONDS, Link
from resources.language.text import tr
from storage.untrusted import UntrustedDataError

Message = Command | Callable[[], None]

log = logging.getLogger(__name__)

PATIENCE_SECONDS: Final = 10.0
"""How long a rank that runs may take to reach the pass at which the others wait."""

MOST_REPORTS: Final = 100
"""A follower waits for an answer to each report, or for the same pass as the others."""

MOST_OUTCOMES: Final = 10_000
"""So many outcomes may wait for those of other ranks. Some always wait: of lookups that one rank has dropped."""

LOOK_SECONDS: Final = 0.5
"""How often a leader that waits for the shares of others looks for the cancel of the load."""

LOSS_SECONDS: Final = SILENT_SECONDS + BEAT_SECONDS
"""Within this time a link says that its peer is lost."""


class GroupLost(SystemExit):
    """The group cannot continue. Ends the process: no edge of the engine catches it."""

    def __init__(self, reason: str) -> None:
        super().__init__(GROUP_LOST)
        log.error("the group is lost: %s", reason)


class Lockstep(ABC):
    """What the leader and the followers have in common. `abandonable`: a load runs that the app can still cancel.
    `abandoned`: the leader has told this rank to load no further.
    """

    def __init__(self) -> None:
        self._passes = 0
        self._digest = xxhash.xxh3_64()
        self.abandonable = self.abandoned = False

    @abstractmethod
    def figures(self, name: str, own: int, most: int | None = None) -> tuple[int, ...]:
        """The figures that all ranks have under this name, by rank. Raises GroupLost if one has none, or has a figure
        below 0 or above `most`.
        """

    @abstractmethod
    def _compare(self, own: Figures) -> None:
        """Wait until every rank has `own`, too. Raises GroupLost if one has something else."""

    def least(self, name: str, own: int) -> int:
        """The least of the figures that all ranks have under this name."""
        return min(self.figures(name, own))

    def is_same(self, name: str, own: int) -> bool:
        """Whether all ranks have the same figure under this name."""
        return len(set(self.figures(name, own))) == 1

    def note(self, data: bytes) -> None:
        """This rank has planned or emitted `data`."""
        self._digest.update(data)

    def before_pass(self, what: bytes) -> None:
        """Wait until every rank is about to take the same forward pass. Raises GroupLost if one does something else."""
        self._passes += 1
        self.note(what)
        self._compare(Figures(f"pass {self._passes}", (self._digest.intdigest(),)))

    def empty(self) -> bool:
        """True: a load of the group looks for its cancel by `cancelled`."""
        return True


class Leader(Lockstep):
    """The inbox and the figures of rank 0. `links` are those to its followers, by rank; `inbox` is the engine's own.

    `patience`: the seconds that a follower may take to reach the pass at which this rank waits. None, during a load: as
    long as its process runs and the load is not cancelled. `waits` is called again and again while this rank waits for
    the shares of the others, whose disks may need minutes. `names` are those of the ranks' machines, if they have any,
    and `members` a digest of their certificates. `last_words` gets the rank that ends the group, why, and a
    sentence for people or nothing.
    """

    def __init__(
        self,
        links: dict[int, Link[Report]],
        inbox: queue.SimpleQueue[Message],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        super().__init__()
        self._clock = clock
        self._links = links
        self._inbox = inbox
        self._seen: deque[Message] = deque()
        self._heeded_cancels = 0
        self._failures: dict[int, str] = {}
        self._reports: dict[int, queue.SimpleQueue[Report]] = {rank: queue.SimpleQueue() for rank in links}
        self._ready: dict[str, dict[int, Shared | None]] = {}
        self.names: dict[int, str] = {}
        self.members = ""
        self.patience: float | None = PATIENCE_SECONDS
        self.waits: Callable[[], object] = lambda: None
        self.last_words: Callable[[int, GroupReason, str], object] = lambda _rank, _reason, _detail: None

    def hear(self, rank: int, report: Report) -> None:
        """A follower has reported. On its link's thread, which ends with what this raises. Raises UntrustedDataError if
        the follower says more than was asked: this rank would keep all of it.
        """
        if isinstance(report, Outcome):
            if self._inbox.qsize() + len(self._seen) > MOST_OUTCOMES:
                raise UntrustedDataError("more outcomes than a rank owes")
            self._inbox.put(partial(self._collect, rank, report.ticket))
        elif isinstance(report, RankFailure):
            self._failures[rank] = report.reason
        elif self._reports[rank].qsize() < MOST_REPORTS:
            self._reports[rank].put(report)
        else:
            raise UntrustedDataError("more reports than a rank owes")

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
        """Add a command, or a call to the MLX thread. An outcome is taken when all ranks have theirs."""
        self._inbox.put(partial(self._collect, 0, message.ticket, message) if isinstance(message, Shared) else message)

    def _collect(self, rank: int, ticket: str, own: Shared | None = None) -> None:
        """A rank has the outcome with this ticket. Of this one, it is `own`."""
        ranks = self._ready.setdefault(ticket, {})
        ranks[rank] = own
        if len(ranks) > len(self._links):
            outcome = self._ready.pop(ticket)[0]
            assert outcome, "this rank has one"
            self._inbox.put(outcome)
        elif len(self._ready) > MOST_OUTCOMES:
            self._lose(rank, "disagreed", f"has the outcome {ticket}, beyond {MOST_OUTCOMES} that others lack")

    def get(self, *, block: bool) -> Message:
        """The next message. Raises queue.Empty if there is none and the caller does not wait: then the turn begins."""
        try:
            message = self._seen.popleft() if self._seen else self._inbox.get(block=block)
        except queue.Empty:
            self._tell(RankTurn())
            raise
        if isinstance(message, CancelLoad):
            self._heeded_cancels = max(0, self._heeded_cancels - 1)
        if isinstance(message, Shared):
            self._tell(Outcome(message.ticket))
        elif not callable(message):
            message = _settled(message)
            self._tell(Execute(message))
        if isinstance(message, Shutdown):
            for link in self._links.values():
                link.expect_end()
        return message

    def cancelled(self) -> bool:
        """Whether the app has cancelled the load that runs. Takes nothing from the inbox."""
        while not self._inbox.empty():
            self._seen.append(self._inbox.get())
        return self.abandonable and self._waiting_cancels() > self._heeded_cancels

    def heed_cancels(self) -> None:
        """A load has failed. No cancel that waits to be executed ends the next one."""
        self._heeded_cancels = self._waiting_cancels()

    def _waiting_cancels(self) -> int:
        return sum(isinstance(message, CancelLoad) for message in self._seen)

    def abandon(self) -> None:
        """Let the followers load no further."""
        self._tell(Abandon())

    # --- what the engine decides by

    def clock(self) -> float:
        """The seconds of this rank's clock."""
        seconds = self._clock()
        self._tell(Said(seconds))
        return seconds

    def figures(self, name: str, own: int, most: int | None = None) -> tuple[int, ...]:
        """As Lockstep. A follower is another machine, so its figure may be any."""
        figures = [int(own)]
        for rank in self._links:
            match self._reported(rank, name):
                case Figures(named, (value,)) if named == name and 0 <= value <= (value if most is None else most):
                    figures.append(value)
                case report:
                    self._lose(rank, "disagreed", f"differs: {report}, not its {name}")
        self._tell(Figures(name, tuple(figures)))
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

    # --- agreement

    def _compare(self, own: Figures) -> None:
        self._tell(own)
        for rank in self._links:
            if (report := self._reported(rank, own.name)) != own:
                self._lose(rank, "disagreed", f"differs: {report}, not {own}")

    def model_failed(self) -> NoReturn:
        """End the group: the model has raised an error on this rank, and the others may compute without it. Raises
        GroupLost.

        If a peer is lost, MLX raises the error before the link of that peer says so. The link then ends this process
        with the right words.
        """
        time.sleep(LOSS_SECONDS)
        self._lose(1, "disagreed", "goes on, but the model has failed on this rank")

    def give_up(self, reason: str) -> NoReturn:
        """End the group, which cannot form. `reason` is a sentence for people."""
        self.last_words(1, "not_started", reason)
        raise GroupLost(reason) from None

    def _reported(self, rank: int, what: str) -> Report:
        """The next report of a follower, which owes `what`."""
        patience = self.patience
        while patience is None:
            with suppress(queue.Empty):
                return self._reports[rank].get(timeout=LOOK_SECONDS)
            if self.abandonable:
                self.waits()
            if self.cancelled():
                self.abandon()
                patience = PATIENCE_SECONDS
        try:
            return self._reports[rank].get(timeout=patience)
        except queue.Empty:
            self._lose(rank, "lost", f"did not reach {what} in {patience} s")

    def _lose(self, rank: int, reason: GroupReason, what: str) -> NoReturn:
        self.last_words(rank, reason, "")
        raise GroupLost(f"rank {rank} {what}") from None

    def _tell(self, message: Input) -> None:
        for link in self._links.values():
            link.send(message)


def _settled(command: Command) -> Command:
    """The command with the seed and the day that an engine would otherwise choose by itself. Machines differ in their
    time zones.
    """
    if isinstance(command, Generate | Warm | FitPrompt):
        command = structs.replace(command, day=command.day or today())
    if not isinstance(command, Generate) or command.sampling.seed is not None:
        return command
    return structs.replace(command, sampling=structs.replace(command.sampling, seed=secrets.randbelow(MOST_SEED + 1)))
