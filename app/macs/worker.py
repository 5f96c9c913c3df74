"""This Mac as a worker: waits at one port of one interface for the Macs that may use it, and announces itself there.

A thread accepts connections, and each connection has a thread of its own (`app.macs.guest`). `tell` gets a line of
English about each thing that happens, on any of these threads.
"""

from __future__ import annotations

import errno
import logging
import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from app.base.errors import reason
from app.base.paths import Paths
from app.macs.errors import MacsError, RosterRefused, WorkerNotStarted
from app.macs.guest import Connections, Desk, Guest
from app.macs.interfaces import PORT
from app.macs.nearby import GOODBYE_SECONDS, Announcement, Multicast, announcer
from app.macs.own_models import OwnModels
from app.macs.pairing import Offer, own, own_name
from app.macs.receiving import sweep
from app.macs.roster import leaders
from engine.workers.channel import Channel, pairing_context, server_context
from engine.workers.errors import WorkerError
from resources.language.text import tr

_CLOSING_SECONDS: Final = 15.0
_PAUSE_SECONDS: Final = 0.1
_log = logging.getLogger(__name__)


class Worker:
    """Waits at `host`, the address of an interface; it is empty without a network. `own` is this Mac's certificate, and
    `offer` has the pairing code to show. Raises MacsError if this Mac's key cannot be used.
    """

    def __init__(self, places: Paths, host: str, port: int = PORT, tell: Callable[[str], object] = _log.info) -> None:
        self._where = (host, port)
        self.own = own(places, tried=True)
        self.offer = Offer(self.own.fingerprint)
        self._desk = Desk(places, leaders(places), self.offer, OwnModels(places), tell)
        self._tell = tell
        self._listener: socket.socket | None = None
        self._accepting: threading.Thread | None = None
        self._announcer: Multicast | None = None
        self._open: dict[threading.Thread, socket.socket] = {}
        self._connections: Connections[socket.socket] = Connections()
        self._lock = threading.Lock()
        self._stopping = threading.Event()

    @property
    def address(self) -> str:
        """The address at which it waits, as "host:port"; empty if it does not run."""
        if self._listener is None:
            return ""
        host, port = self._listener.getsockname()
        return f"{host}:{port}"

    @property
    def leader(self) -> str:
        """The fingerprint of the Mac that uses this one now; empty if none does."""
        return self._desk.leader.fingerprint

    def start(self) -> None:
        """Wait for Macs. Raises WorkerNotStarted."""
        if not self._where[0]:
            raise WorkerNotStarted(tr("This Mac is on no network now, so no other Mac can use it."))
        sweep(self._desk.places.models)
        try:
            socket.getaddrinfo(*self._where, socket.AF_INET)  # for a wrong name the next call has no words
            self._listener = socket.create_server(self._where)
        except (OSError, OverflowError, UnicodeError) as error:
            address = f"{self._where[0]}:{self._where[1]}"
            raise WorkerNotStarted(
                tr("This Mac cannot wait at {address}: {reason}.", address=address, reason=_refusal(error))
            ) from error
        self._desk.models.listed(0.0)
        self._accepting = threading.Thread(target=self._accept, args=(self._listener,), name="worker", daemon=True)
        self._accepting.start()
        self._announcer = announcer(Announcement.of(own_name(), self.address, self.own.fingerprint))

    def stop(self) -> None:
        """End all connections and the engine, and wait no more."""
        listener, self._listener = self._listener, None
        if listener is None or self._accepting is None or self._announcer is None:
            return
        self._stopping.set()
        self._announcer.close(GOODBYE_SECONDS)
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        self._accepting.join(_CLOSING_SECONDS)
        with self._lock:
            open_now = dict(self._open)
        for connection in open_now.values():
            _end(connection)
        for thread in open_now:
            thread.join(_CLOSING_SECONDS)
        self._desk.models.wait(_CLOSING_SECONDS)

    def _accept(self, listener: socket.socket) -> None:
        """Until the listener is stopped. A connection that cannot be taken ends by itself, and no other one with it."""
        while not self._stopping.is_set():
            try:
                connection, address = listener.accept()
            except OSError as error:
                if not self._stopping.wait(_PAUSE_SECONDS):  # there may be no file descriptor left for a while
                    _log.info("a connection cannot be accepted: %s", error)
                continue
            if address:
                self._take(connection, address[0])
            else:  # macOS gives no address, and no error, if the other side has gone already
                connection.close()

    def _take(self, connection: socket.socket, host: str) -> None:
        leaving = self._connections.enter(connection, host)
        if leaving is connection:
            connection.close()
            return
        if leaving is not None:
            _end(leaving)
        thread = threading.Thread(target=self._serve, args=(connection, host), name="worker-guest", daemon=True)
        with self._lock:
            self._open[thread] = connection
        thread.start()

    def _serve(self, connection: socket.socket, host: str) -> None:
        try:
            # A new context for each connection: a Mac that was removed is refused from then on.
            trusted = list[str]()
            with suppress(RosterRefused):  # a damaged list allows nothing, and the next pairing sets it aside
                trusted = [mac.certificate for mac in self._desk.leaders.paired()]
            context = (pairing_context if self.offer.code else server_context)(self.own, trusted)
            channel = Channel(connection, context, server=True)
            Guest(self._desk, channel, host, partial(self._connections.prove, connection)).serve()
        except (MacsError, WorkerError) as error:
            self._tell(f"Refused {host}: {error}")
        finally:
            connection.close()
            self._connections.leave(connection)
            with self._lock:
                del self._open[threading.current_thread()]


class Post:
    """Keeps a worker at the address of this Mac, which changes with the network. `where` returns that, and `made` a
    worker for it that does not run yet. A group that runs is never ended. One thread at a time may call.
    """

    def __init__(self, made: Callable[[str], Worker], where: Callable[[], str]) -> None:
        self._made = made
        self._where = where
        self._host = ""
        self._worker: Worker | None = None
        self._shows_code = False

    def renew(self) -> Worker:
        """Start the worker, anew if the address has changed. Raises MacsError: the next call tries again."""
        host, before = self._where(), self._worker
        if before is not None:
            if host == self._host or before.leader:
                return before
            self._shows_code = bool(before.offer.code)
        self.stop()
        worker = self._made(host)
        worker.start()
        if self._shows_code:
            worker.offer.renew()  # so that no code goes without a word, also if there was no network for a while
        self._host, self._worker = host, worker
        return worker

    def stop(self) -> None:
        """End the worker, if it runs."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()


def _end(connection: socket.socket) -> None:
    """End a connection: the thread that serves it returns."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _refusal(error: OSError | OverflowError | UnicodeError) -> str:
    """Why the system does not let this Mac wait. Python adds the address to the system's words, in its own notation."""
    if isinstance(error, (socket.gaierror, UnicodeError)):  # Python encodes no name with an empty or a long label
        return tr("no machine has this name")
    if isinstance(error, OverflowError):
        return str(error)
    if error.errno == errno.EADDRINUSE:
        return tr("Hearth waits there already, in its window or as a command, or another program does")
    return reason(OSError(error.errno, os.strerror(error.errno))) if error.errno else reason(error)
