"""What the ranks of a group tell each other over their control connections: the inputs of the leader, and reports.

Rank 0, the leader, tells each follower everything that its engine decides by, in the order in which it uses it. Lines
of JSON, as between app and engine.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from engine.protocol.framing import LONGEST
from engine.protocol.messages import Command
from engine.workers.requests import Name, Words
from storage.untrusted import JsonDecoder, UntrustedDataError


class Hello(msgspec.Struct, frozen=True, weakref=True, tag="hello"):
    """The first message of either side: the versions of all software that decides what a rank computes."""

    versions: dict[str, str]


class Execute(msgspec.Struct, frozen=True, tag="execute"):
    """Execute a command of the app. Its text names no more of the command than its kind: ranks that disagree log what
    came, and no text of a chat is ever logged.
    """

    command: Command

    def __repr__(self) -> str:
        return f"Execute({type(self.command).__name__})"


class Outcome(msgspec.Struct, frozen=True, weakref=True, tag="outcome"):
    """The outcome of the job that has this ticket. A follower sends it when it has its own; the leader, when all ranks
    have theirs: continue with it.
    """

    ticket: Name


class RankTurn(msgspec.Struct, frozen=True, weakref=True, tag="turn"):
    """All messages of this turn of the loop have been told: work."""


class Said(msgspec.Struct, frozen=True, weakref=True, tag="said"):
    """What the leader has found out, for all ranks to use: a text, or the seconds of its clock."""

    value: str | float


class Figures(msgspec.Struct, frozen=True, weakref=True, tag="figures"):
    """The figures that ranks have under a name. Each follower sends its own, and the leader those of all, by rank.

    The number of a forward pass is a name, too. The figure is then a digest of all that the sender has fed and emitted.
    """

    name: Name
    values: Annotated[tuple[int, ...], msgspec.Meta(min_length=1, max_length=1 << 10)]


class Abandon(msgspec.Struct, frozen=True, tag="abandon"):
    """Load no further: the leader's load was cancelled, or it has failed. Precedes the agreement on that load."""


class RankFailure(msgspec.Struct, frozen=True, tag="failure"):
    """A follower cannot load the model. `reason` is a sentence for people."""

    reason: Words


class Alive(msgspec.Struct, frozen=True, tag="alive"):
    """The sender's process runs. Sent every second, by either side."""


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """A follower cannot continue. `reason` is for the log."""

    reason: Words


Input = Hello | Execute | Outcome | RankTurn | Said | Figures | Abandon | Alive
"""From the leader to a follower."""

Report = Hello | Outcome | RankFailure | Figures | Alive | Ended
"""From a follower to the leader."""

MOST_BYTES: Final = 3 * LONGEST
"""The most memory for the inputs that a follower holds. A chat of a million tokens has 8 MB. A leader tells it up to
three times at once: to open it, to fit it and to answer it. A chat template holds the last 18 that it has rendered.
"""

LONGEST_REPORT: Final = 1 << 14
"""The most bytes in the line of a report: enough for any words. Many reports may wait for the MLX thread."""

_encoder: Final = msgspec.json.Encoder()
_decode_input: Final = JsonDecoder[Input](Input).decode
decode_report: Final = JsonDecoder[Report](Report).decode


def encode(message: Input | Report) -> bytes:
    """One line, with its newline."""
    return _encoder.encode(message) + b"\n"


def decode_input(line: bytes) -> Input:
    """The input of a line. Raises UntrustedDataError, before it takes the memory, if it needs more than MOST_BYTES."""
    if needed_bytes(line) > MOST_BYTES:
        raise UntrustedDataError("more texts than a rank keeps")
    return _decode_input(line)


def needed_bytes(line: bytes) -> int:
    """About how many bytes the input of a line takes. However short a text is, it takes some 60 of them."""
    return len(line) + 32 * (line.count(b'"') - line.count(b'\\"'))
