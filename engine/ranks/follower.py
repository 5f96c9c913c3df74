"""The follower's side of the lockstep: inbox and clock of a rank that executes what the leader does. See `lockstep`."""

from __future__ import annotations

import queue
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

from msgspec import structs

from engine.protocol.cache_messages import KeepCached, SetBudget
from engine.protocol.messages import Command, Shutdown
from engine.protocol.shared import Shared
from engine.ranks.inputs import (
    MOST_BYTES,
    Abandon,
    Ended,
    Execute,
    Figures,
    Hello,
    Input,
    Outcome,
    RankFailure,
    RankTurn,
    Said,
    encode,
    needed_bytes,
)
from engine.ranks.link import Link
from engine.ranks.lockstep import GroupLost, Lockstep
from engine.workers.requests import MOST_WORDS
from storage.untrusted import UntrustedDataError

Message = Command | Callable[[], None]

T = TypeVar("T", str, float)

_INPUT_BYTES: Final = 500
"""The least memory that an input takes, and what counts it."""
_NUMBER_BYTES: Final = 40


class Follower(Lockstep):
    """The inbox and the clock of another rank, which `link` connects to the leader. `leader` is that one's name, if
    other machines may lead this one, too.
    """

    def __init__(self, link: Link[Input], leader: str = "") -> None:
        super().__init__()
        self._link = link
        self._leader = leader
        self._arrived: queue.SimpleQueue[Input | Message] = queue.SimpleQueue()
        self._held_bytes = 0
        self._freed: deque[int] = deque()  # any thread adds to it
        self._told: deque[Input] = deque()
        self._outcomes: dict[str, Shared] = {}
        self._own: deque[Callable[[], None]] = deque()

    def hear(self, told: Input) -> None:
        """The leader has sent something. On the link's thread, which ends with what this raises. Raises
        UntrustedDataError if the leader says more than this rank can keep. An input counts until nothing refers to it.
        """
        if isinstance(told, Abandon):
            self.abandoned = True
            return
        if isinstance(told, Execute) and self._leader:
            told = Execute(_owned(told.command, f"{self._leader}/"))
        command = told.command if isinstance(told, Execute) else told
        size = needed_bytes(encode(told)) + _INPUT_BYTES + _NUMBER_BYTES * len(getattr(command, "starts", ()))
        while self._freed:
            self._held_bytes -= self._freed.popleft()
        self._held_bytes += size
        if self._held_bytes > MOST_BYTES:
            raise UntrustedDataError("more inputs than a rank keeps")
        held = next(iter(getattr(command, "messages", ())), command)  # copies of a Generate share its messages
        weakref.finalize(held, self._freed.append, size)
        self._arrived.put(told)

    def meet(self, versions: dict[str, str]) -> None:
        """Wait until all ranks run. Raises GroupLost if the leader has other versions."""
        self._link.send(Hello(versions))
        if (told := self._next()) != Hello(versions):
            self._disagree(f"the leader runs other versions: {told}, not {versions}")

    # --- the inbox

    def put(self, message: Message) -> None:
        """Add a call to the MLX thread. An outcome is taken when the leader says so."""
        self._arrived.put(message)
        if isinstance(message, Shared):
            self._link.send(Outcome(message.ticket))

    def get(self, *, block: bool) -> Message:  # noqa: ARG002 - the leader decides when to wait
        """The leader's next message, or what a thread of this rank has posted for itself. Raises queue.Empty when the
        leader's turn begins.
        """
        while True:
            if self._own:
                return self._own.popleft()
            if self._told:
                return self._message(self._told.popleft())
            self._sort()

    def cancelled(self) -> bool:
        """Whether the leader has abandoned the load that runs."""
        return self.abandoned

    def abandon(self) -> None:
        """This rank does not decide for others."""

    def heed_cancels(self) -> None:
        """The leader looks for cancels."""

    def _message(self, told: Input) -> Message:
        if isinstance(told, RankTurn):
            raise queue.Empty
        if isinstance(told, Execute):
            if isinstance(told.command, Shutdown):
                self._link.expect_end()
            return told.command
        if isinstance(told, Outcome) and told.ticket in self._outcomes:
            return self._outcomes.pop(told.ticket)
        return self._disagree(f"a message or a turn was expected, and {told} came")

    # --- what the engine decides by

    def clock(self) -> float:
        """The seconds of the leader's clock."""
        return self._said(float)

    def leaders(self, _own: str) -> str:
        """What the leader has found out."""
        return self._said(str)

    def _said(self, kind: type[T]) -> T:
        told = self._next()
        if not isinstance(told, Said) or not isinstance(told.value, kind):
            self._disagree(f"something that the leader found out was expected, and {told} came")
        return told.value

    def figures(self, name: str, own: int, most: int | None = None) -> tuple[int, ...]:  # noqa: ARG002 - the leader looks
        """As Lockstep. The leader is another machine, so this rank's own figure must be among those that it tells."""
        self._link.send(Figures(name, (int(own),)))
        told = self._next()
        if not isinstance(told, Figures) or told.name != name or int(own) not in told.values:
            self._disagree(f"the figures of all ranks for {name} were expected, and {told} came")
        return told.values

    def report_failure(self, reason: str) -> None:
        """Tell the leader why this rank fails, before the ranks find out that it does."""
        self._link.send(RankFailure(reason[:MOST_WORDS]))

    def failure(self) -> str:
        """Only the leader hears the others."""
        return ""

    def give_up(self, reason: str) -> NoReturn:
        """End the group."""
        self._disagree(reason)

    # --- agreement

    def _compare(self, own: Figures) -> None:
        self._link.send(own)
        if (told := self._next()) != own:
            self._disagree(f"{own} was expected, and {told} came")

    def model_failed(self) -> NoReturn:
        """End the group: the model has raised an error on this rank, and the leader may wait for its part of a pass.
        Raises GroupLost.
        """
        self._disagree("the model has failed on this rank")

    def _next(self) -> Input:
        """The next input that the engine's work asks for."""
        while not self._told:
            self._sort()
        return self._told.popleft()

    def _sort(self) -> None:
        """Wait for what arrives next, and put it where it belongs."""
        arrived: Any
        arrived = self._arrived.get()
        if isinstance(arrived, Shared):
            self._outcomes[arrived.ticket] = arrived
        elif callable(arrived):
            self._own.append(arrived)
        else:
            self._told.append(arrived)

    def _disagree(self, reason: str) -> NoReturn:
        reason = reason[:MOST_WORDS]  # it may quote a message of any length
        self._link.send(Ended(reason))
        raise GroupLost(reason)


def _owned(command: Command, owner: str) -> Command:
    """The command with the conversations as this machine's store names them: each begins with its owner. So no leader
    pins, keeps or forgets what another one has here.
    """
    if isinstance(command, KeepCached):
        return KeepCached(tuple(owner + one for one in command.conversations), owner)
    if isinstance(command, SetBudget):
        return structs.replace(command, pinned=tuple(owner + one for one in command.pinned))
    conversation = getattr(command, "conversation", "")
    return structs.replace(command, conversation=owner + conversation) if conversation else command
