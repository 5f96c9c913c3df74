"""A visit: a connection of this Mac to a worker, for requests and their answers. Blocks, with a limit. Raises errors in
words for people.
"""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Self, TypeVar

from engine.workers.channel import Channel, client_context, stranger_context
from engine.workers.errors import NotReached, NotUnderstood, OtherCertificate, Unpaired, WorkerRefused
from engine.workers.own_certificate import OwnCertificate, fingerprint
from engine.workers.requests import VERSION, Answer, Refused, Request, WorkerWelcome, decode_answer, encode
from resources.language.text import tr
from storage.untrusted import UntrustedDataError

ANSWER_SECONDS: Final = 5.0
"""How long a worker may take to connect and welcome, and to each answer."""
_LARGEST_PORT: Final = 65535
_UNREACHABLE: Final = frozenset((errno.EHOSTUNREACH, errno.EHOSTDOWN, errno.ENETUNREACH))
"""macOS also refuses in this way if the user has not allowed the local network."""

Wanted = TypeVar("Wanted", bound="Answer")


class Visit:
    """A connection to the worker `name` on which it has said Welcome. Close it, or use it as a context."""

    def __init__(self, name: str, channel: Channel) -> None:
        self.name = name
        self.channel = channel

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self.channel.close()

    def ask(self, request: Request, wanted: type[Wanted], seconds: float = ANSWER_SECONDS, data: bytes = b"") -> Wanted:
        """The answer to a request, which `data` follows. Raises WorkerError."""
        with _in_words(self.name):
            self.channel.end_within(seconds)
            self.channel.write(encode(request))
            self.channel.write(data)
            return self.hear(wanted)

    def hear(self, wanted: type[Wanted]) -> Wanted:
        """The next message of the worker. Raises WorkerError."""
        with _in_words(self.name):
            answer = decode_answer(self.channel.line())
        if isinstance(answer, Refused):
            raise WorkerRefused(self.name, answer)
        if not isinstance(answer, wanted):
            raise NotUnderstood(self.name)
        return answer

    def skip(self, size: int) -> None:
        """Take `size` bytes that follow an answer. Raises WorkerError."""
        with _in_words(self.name):
            self.channel.exactly(size)


def visit(address: str, name: str, own: OwnCertificate, certificate: str, seconds: float = ANSWER_SECONDS) -> Visit:
    """Connect to the worker with this certificate, as PEM. Raises WorkerError."""
    made = _connected(address, name, client_context(own, certificate), seconds)
    if made.channel.peer != fingerprint(certificate):  # TLS also accepts another one that this one has signed
        made.close()
        raise OtherCertificate(name)
    try:
        welcome(made)
    except BaseException:
        made.close()
        raise
    return made


def visit_stranger(address: str, seconds: float = ANSWER_SECONDS) -> Visit:
    """Connect to a worker that is not paired yet, and send nothing. Compare its fingerprint first, then have it
    `welcome`. Raises WorkerError.
    """
    return _connected(address, address, stranger_context(), seconds)


def welcome(made: Visit) -> str:
    """The name by which a worker welcomes a visit. Raises WorkerError."""
    said = made.hear(WorkerWelcome)
    if said.version != VERSION:
        raise NotUnderstood(made.name)
    return said.name


def _connected(address: str, name: str, context: ssl.SSLContext, seconds: float) -> Visit:
    with _in_words(name):
        connection = socket.create_connection(_parts(address, name), seconds)
        channel = Channel(connection, context, server=False)
        try:
            channel.end_within(seconds)
            channel.shake_hands()
        except BaseException:
            channel.close()
            raise
    return Visit(name, channel)


def _parts(address: str, name: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > _LARGEST_PORT:
        raise NotReached(name, tr("“{address}” is no address with a port", address=address))
    return host, int(port)


@contextmanager
def _in_words(name: str) -> Iterator[None]:
    """Translate what connections raise. An alert of the worker comes in place of its Welcome."""
    try:
        yield
    except ssl.SSLCertVerificationError as error:
        raise OtherCertificate(name) from error
    except ssl.SSLError as error:
        if "ALERT" in (error.reason or ""):
            raise Unpaired(name) from error
        raise NotUnderstood(name) from error
    except UntrustedDataError as error:
        raise NotUnderstood(name) from error
    except TimeoutError as error:
        raise NotReached(name, tr("it takes too long")) from error
    except (OSError, UnicodeError) as error:
        raise NotReached(name, _reason(error)) from error


def _reason(error: Exception) -> str:
    if isinstance(error, ConnectionRefusedError):
        return tr("Hearth does not run there, or lets no other Mac use it")
    if isinstance(error, (socket.gaierror, UnicodeError)):  # Python encodes no name with an empty or a long label
        return tr("no machine has this name")
    if getattr(error, "errno", None) in _UNREACHABLE:
        return tr("no machine is there, or the system does not let Hearth use the local network")
    return str(getattr(error, "strerror", None) or error)
