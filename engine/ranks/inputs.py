"""What the ranks of a group tell each other over their control connections: the inputs of the leader, and reports.

Rank 0, the leader, tells each follower everything that its engine decides by, in the order in which it uses it. Lines
of JSON, as between app and engine. Either side also fetches records from the other, in portions: see `exchange`.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.protocol.messages import Command
from engine.ranks.part import Part
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
    """Continue with the outcome of the job that has this ticket."""

    ticket: str


class LookAgain(msgspec.Struct, frozen=True, tag="look_again"):
    """Look the prefix with this ticket up again, below token `limit`: some rank has less of it."""

    ticket: str
    limit: int


class FetchRest(msgspec.Struct, frozen=True, tag="fetch_rest"):
    """Fetch from the leader what this rank lacks of the first `length` tokens of the prefix with this ticket, and look
    it up again.
    """

    ticket: str
    length: int


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


class Found(msgspec.Struct, frozen=True, tag="found"):
    """A follower can restore `length` tokens of the prefix with this ticket."""

    ticket: str
    length: int


class Has(msgspec.Struct, frozen=True, tag="has"):
    """A follower's part of the model that was just loaded; None if its records cannot be joined to whole ones."""

    part: Part | None


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


class Form(msgspec.Struct, frozen=True, array_like=True):
    """The name, type and shape of an array in a record."""

    name: str
    dtype: str
    shape: tuple[int, ...]


class Fetch(msgspec.Struct, frozen=True, tag="fetch"):
    """Send the bytes from `at` of the receiver's share of a record. `segment` is the key of the whole. All portions of
    a record are fetched under one number.
    """

    number: int
    segment: str
    kind: str
    at: int = 0


class Portion(msgspec.Struct, frozen=True, tag="portion"):
    """The bytes from `at` of a record with `size` bytes, the arrays of `forms` one after another. Nothing at all if the
    sender has no such record.
    """

    number: int
    at: int = 0
    size: int = 0
    data: bytes = b""
    forms: tuple[Form, ...] = ()


Carried = Fetch | Portion
"""From any rank to the one at the other end of its link."""

Input = (
    Hello | Execute | Outcome | LookAgain | FetchRest | Turn | Time | Said | Least | Abandon | Pass | Alive | Carried
)
"""From the leader to a follower."""

Report = Hello | Found | Failure | Has | Own | Passing | Alive | Ended | Carried
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
