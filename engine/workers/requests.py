"""The messages of a Mac and a worker over a channel, before an engine's own messages begin. Lines of JSON.

The worker speaks first: it says Welcome. Then each request gets one answer. A request can be followed by bytes, which
its text describes.

The other side may be any program by now, so figures and words have limits: a figure is one that a computer can have,
and words are as many as a window can show.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from engine.protocol.inspection import Split
from storage.untrusted import JsonDecoder

VERSION: Final = 1
"""Of these messages."""

LONGEST: Final = 1 << 20
"""The most bytes in a line."""

MOST_WORDS: Final = 2000
"""The most characters of a text for people."""

Size = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
Name = Annotated[str, msgspec.Meta(max_length=300)]
Words = Annotated[str, msgspec.Meta(max_length=MOST_WORDS)]
Address = Annotated[str, msgspec.Meta(pattern="^[0-9.]{7,15}:[0-9]{1,5}$")]
Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]

Why = Literal[
    "busy", "own group", "versions", "wrong code", "no code", "not understood", "disk full", "damaged", "failed"
]


class WorkerWelcome(msgspec.Struct, frozen=True, tag="welcome"):
    """The worker's first words."""

    version: int
    name: Name


class Prove(msgspec.Struct, frozen=True, tag="prove"):
    """Pair with the Mac that knows the secret of the code. `certificate` is its own, as PEM."""

    secret: str
    certificate: Annotated[str, msgspec.Meta(max_length=1 << 13)]
    name: Name


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """Tell what the worker has."""


class Touch(msgspec.Struct, frozen=True, tag="touch"):
    """Answer at once, to measure a round trip. The answer is followed by `size` bytes, to measure the rate."""

    size: Size


class Forget(msgspec.Struct, frozen=True, tag="forget"):
    """The Mac that asks is no longer paired."""


class Lead(msgspec.Struct, frozen=True, tag="lead"):
    """Become a rank of the group that the Mac leads. `shares`: the layers of each rank; empty if mlx-lm decides."""

    rank: Annotated[int, msgspec.Meta(ge=1, lt=1 << 10)]
    split: Split
    versions: dict[str, str]
    shares: tuple[int, ...] = ()


class Begin(msgspec.Struct, frozen=True, tag="begin"):
    """Start the engine of the rank. `addresses` are the data addresses of all, by rank. Its bytes follow."""

    addresses: tuple[Address, ...]


class FileEntry(msgspec.Struct, frozen=True):
    """A file of a model, by its name relative to the model's folder."""

    name: str
    size: Size


class Take(msgspec.Struct, frozen=True, tag="take"):
    """Take a copy of a model, which gets the name `repository`. `key` is the same for every attempt."""

    key: str
    repository: str
    files: tuple[FileEntry, ...]


class Portion(msgspec.Struct, frozen=True, tag="portion"):
    """The `size` bytes of a file from `at`, which follow. `digest` is their SHA-256 in hexadecimal."""

    name: str
    at: Size
    size: Size
    digest: Digest


class Check(msgspec.Struct, frozen=True, tag="check"):
    """Compare the `size` bytes of a file from `at`, which an earlier attempt left. `digest` is as in Portion."""

    name: str
    at: Size
    size: Size
    digest: Digest


class Settle(msgspec.Struct, frozen=True, tag="settle"):
    """All files were sent."""


class Model(msgspec.Struct, frozen=True):
    """A model on a worker. `sketch` is equal for equal files (`engine.workers.model_sketch`)."""

    name: str
    repository: str
    sketch: str
    weight_bytes: Size


class State(msgspec.Struct, frozen=True, tag="state"):
    """The figures of a worker. `leader` is the name of the Mac that it works for; empty if none. `is_own_group`: it is
    the one that asks.
    """

    name: Name
    memory_bytes: Size
    free_bytes: Size
    disk_free_bytes: Size
    versions: dict[str, str]
    models: tuple[Model, ...]
    leader: Name
    is_own_group: bool


class Paired(msgspec.Struct, frozen=True, tag="paired"):
    """The worker has kept the certificate."""


class Touched(msgspec.Struct, frozen=True, tag="touched"):
    """The answer to Touch."""


class Wanted(msgspec.Struct, frozen=True, tag="wanted"):
    """The answer to Take: how many bytes of each file are there already. They have to be checked."""

    arrived: tuple[Size, ...]


class Kept(msgspec.Struct, frozen=True, tag="kept"):
    """A portion is verified and on disk."""


class Checked(msgspec.Struct, frozen=True, tag="checked"):
    """The answer to Check. Bytes that are not the same were dropped, with what followed them."""

    same: bool


class Settled(msgspec.Struct, frozen=True, tag="settled"):
    """The copy is one of the worker's models."""


class Forgotten(msgspec.Struct, frozen=True, tag="forgotten"):
    """The answer to Forget."""


class Joined(msgspec.Struct, frozen=True, tag="joined"):
    """The worker is free. `address` is its own data address."""

    address: Address


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The worker does not do it. `detail` is for people, in the words of the worker."""

    why: Why
    detail: Words = ""


Request = Prove | Ask | Touch | Forget | Lead | Begin | Take | Portion | Check | Settle
Answer = WorkerWelcome | Paired | State | Touched | Forgotten | Joined | Wanted | Kept | Checked | Settled | Refused

_encoder: Final = msgspec.json.Encoder()
_requests: Final = JsonDecoder[Request](Request)
_answers: Final = JsonDecoder[Answer](Answer)


def encode(message: Request | Answer) -> bytes:
    """One line, with its newline."""
    return _encoder.encode(message) + b"\n"


def decode_request(line: bytes) -> Request:
    """Raises UntrustedDataError."""
    return _requests.decode(line)


def decode_answer(line: bytes) -> Answer:
    """Raises UntrustedDataError."""
    return _answers.decode(line)
