"""What the ranks of a group tell each other over their control connections: the inputs of the leader, and reports.

Rank 0, the leader, tells each follower everything that its engine decides by, in the order in which it uses it. Lines
of JSON, as between app and engine.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.protocol.messages import Command
from engine.workers.requests import Words
from storage.untrusted import JsonDecoder


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """The first message of either side: the versions of all software that decides what a rank computes."""

    versions: dict[str, str]


class Execute(msgspec.Struct, frozen=True, tag="execute"):
    """Execute a command of the app. Its text names no more of the command than its kind: ranks that disagree log what
    came, and no text of a chat is ever logged.
    """

    command: Command

    def __repr__(self) -> str:
        return f"Execute({type(self.command).__name__})"


class Outcome(msgspec.Struct, frozen=True, tag="outcome"):
    """Continue with the outcome of the job that has this ticket. All ranks have it."""

    ticket: str


class Turn(msgspec.Struct, frozen=True, tag="turn"):
    """All messages of this turn of the loop have been told: work."""


class Time(msgspec.Struct, frozen=True, tag="time"):
    """The leader's clock, in seconds."""

    seconds: float


class Said(msgspec.Struct, frozen=True, tag="said"):
    """What the leader has found out, for all ranks to use."""

    value: str


class Least(msgspec.Struct, frozen=True, tag="least"):
    """The least of a figure that each rank has measured, by the name of what it is."""

    name: str
    value: int


class Abandon(msgspec.Struct, frozen=True, tag="abandon"):
    """Load no further: the leader's load number `load` was cancelled, or it has failed."""

    load: int


class Pass(msgspec.Struct, frozen=True, tag="pass"):
    """The leader is about to take forward pass number `count`. `digest` is of all that it has fed and emitted."""

    count: int
    digest: str


class Ready(msgspec.Struct, frozen=True, tag="ready"):
    """A follower has the outcome of the job that has this ticket."""

    ticket: str


class Own(msgspec.Struct, frozen=True, tag="own"):
    """A follower's own figure, by the name of what it is."""

    name: str
    value: int


class Failure(msgspec.Struct, frozen=True, tag="failure"):
    """A follower cannot load the model. `reason` is a sentence for people."""

    reason: Words


class Passing(msgspec.Struct, frozen=True, tag="passing"):
    """A follower is about to take forward pass number `count`."""

    count: int
    digest: str


class Alive(msgspec.Struct, frozen=True, tag="alive"):
    """The sender's process runs. Sent every second, by either side."""


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """A follower cannot continue. `reason` is for the log."""

    reason: Words


Input = Hello | Execute | Outcome | Turn | Time | Said | Least | Abandon | Pass | Alive
"""From the leader to a follower."""

Report = Hello | Ready | Failure | Own | Passing | Alive | Ended
"""From a follower to the leader."""

_encoder: Final = msgspec.json.Encoder()
_inputs: Final = JsonDecoder[Input](Input)
_reports: Final = JsonDecoder[Report](Report)


def encode(message: Input | Report) -> bytes:
    """One line, with its newline."""
    return _encoder.encode(message) + b"\n"


def decode_input(line: bytes) -> Input:
    """Raises UntrustedDataError."""
    return _inputs.decode(line)


def decode_report(line: bytes) -> Report:
    """Raises UntrustedDataError."""
    return _reports.decode(line)
