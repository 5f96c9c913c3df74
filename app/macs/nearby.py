"""The Macs that are near: announces a worker on the local network, and finds those that announce themselves, by DNS-SD
(RFC 6763) over multicast DNS (RFC 6762).

An announcement says where a worker waits, and by which name. It holds nothing secret. Everyone on the network can read
it, and anyone can forge it, so it proves nothing: the pairing code and the certificates decide which Mac answers at an
address. What is heard is bounded: a few Macs are kept, a few are asked at once, and what comes beyond that is dropped.

Invariants of the threads that speak multicast DNS:

- The library is imported on them, so neither a start nor the window waits for it.
- While nothing can be sent, they try again every few seconds: the user may allow it, or join a network, at any time.
- They are daemons: the end of the process does not wait for them.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv4Network
from typing import TYPE_CHECKING, Final

from app.macs import interfaces
from app.macs.roster import shown_name
from engine.workers.requests import VERSION

if TYPE_CHECKING:
    from zeroconf import RecordUpdate, ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

_GROUP: Final = ("224.0.0.251", 5353)
_NO_QUESTIONS: Final = bytes(12)
"""A query without a question. It gets no answer."""
_TRIAL_SECONDS: Final = 5.0
_log = logging.getLogger(__name__)


class Multicast:
    """A thread that speaks multicast DNS from now on, with an event loop of its own.

    `hosts` returns the addresses of the interfaces to use. `part` is what the thread does as long as they stay the
    same: a context that it enters with a Zeroconf and leaves at the end, or when the function that it yields says that
    it has heard too much: then both begin anew. `usable` are those of them at which something can be sent; None before
    the first attempt.
    """

    def __init__(
        self,
        name: str,
        hosts: Callable[[], Iterable[str]],
        part: Callable[[AsyncZeroconf], AbstractAsyncContextManager[Callable[[], bool]]],
    ) -> None:
        self._hosts = hosts
        self._part = part
        self.usable: list[str] | None = None
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def close(self, seconds: float = 0.0) -> None:
        """End. Wait until the thread has ended, `seconds` at most."""
        with suppress(RuntimeError):  # the loop has ended by itself
            self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(seconds)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._live())

    async def _live(self) -> None:
        from zeroconf import Error

        while not self._ended.is_set():
            try:
                self.usable = self._tried()
                await (self._speak(self.usable) if self.usable else self._pause())
            except (OSError, Error) as error:  # an interface that has gone meanwhile
                _log.info("multicast DNS has failed: %s", error)
                await self._pause()

    async def _speak(self, hosts: list[str]) -> None:
        from zeroconf import IPVersion
        from zeroconf.asyncio import AsyncZeroconf

        async with AsyncZeroconf(hosts, ip_version=IPVersion.V4Only) as zeroconf, self._part(zeroconf) as is_full:
            while not self._ended.is_set() and not is_full() and self._tried() == hosts:
                await self._pause()

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_TRIAL_SECONDS):
                await self._ended.wait()

    def _tried(self) -> list[str]:
        return [host for host in self._hosts() if may_send(host)]


def may_send(host: str) -> bool:
    """Whether the system lets this program send to all Macs on the network of an interface. macOS asks the user."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host))
            trial.sendto(_NO_QUESTIONS, _GROUP)
        except OSError:
            return False
        return True


SERVICE: Final = "_hearth._tcp.local."
"""The type of the service, as DNS-SD names it."""
_ID_DIGITS: Final = 20
_ID: Final = re.compile(rb"[0-9a-f]{%d}" % _ID_DIGITS)
_VERSION: Final = re.compile(rb"[0-9]{1,4}")
_LONGEST_NAME: Final = 200
"""In bytes. A field has at most 255, with its key."""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A worker. `address` is "host:port", `id` the beginning of the fingerprint of its certificate, as many bits as a
    pairing code has of it. `version` is that of the messages between Macs.
    """

    name: str
    address: str
    id: str
    version: int = VERSION

    @classmethod
    def of(cls, name: str, address: str, fingerprint: str) -> Announcement:
        """The announcement of this Mac."""
        return cls(name, address, fingerprint[:_ID_DIGITS])

    @property
    def fields(self) -> dict[bytes, bytes]:
        """The text record. What is read from it is the same announcement, apart from the address."""
        name = self.name.encode("utf-8", "ignore")[:_LONGEST_NAME]
        return {b"version": b"%d" % self.version, b"id": self.id.encode("ascii"), b"name": name}

    @property
    def is_understood(self) -> bool:
        """Whether this Mac speaks the same messages."""
        return self.version == VERSION

    def claims(self, fingerprint: str) -> bool:
        """Whether it says that it is the Mac with this certificate."""
        return fingerprint.startswith(self.id)


def heard(
    fields: Mapping[bytes, bytes | None], hosts: Iterable[str], port: int | None, near: Iterable[IPv4Network]
) -> Announcement | None:
    """The announcement of a worker in one of the networks `near`. None for anything else: anyone can send anything."""
    version, id_ = fields.get(b"version") or b"", fields.get(b"id") or b""
    host = next((one for one in hosts if _is_in(one, tuple(near))), "")
    if not (host and port and _ID.fullmatch(id_) and _VERSION.fullmatch(version)):
        return None
    address = f"{host}:{port}"
    name = shown_name((fields.get(b"name") or b"").decode("utf-8", "ignore"), address)
    return Announcement(name, address, id_.decode("ascii"), int(version))


def _is_in(host: str, near: tuple[IPv4Network, ...]) -> bool:
    """A worker that can be heard is on a network of this Mac. Another address in an announcement is an attempt to have
    this Mac connect to some other machine.
    """
    try:
        address = IPv4Address(host)
    except AddressValueError:
        return False
    return any(address in network for network in near)


GOODBYE_SECONDS: Final = 2.0
"""How long the end of an announcer may take to say that the worker has gone."""


def announcer(announcement: Announcement) -> Multicast:
    """Announce a worker on its own interface only, until the end of the thread that is returned."""
    host, _, port = announcement.address.rpartition(":")
    service = SERVICE

    @asynccontextmanager
    async def announced(zeroconf: AsyncZeroconf) -> AsyncIterator[Callable[[], bool]]:
        from zeroconf import ServiceInfo

        name = f"Hearth {announcement.id}-{port}"
        info = ServiceInfo(
            service,
            f"{name}.{service}",
            port=int(port),
            addresses=[socket.inet_aton(host)],
            properties=announcement.fields,
            server=f"{name.replace(' ', '-')}.local.",
        )
        # The id makes the name unique, so other machines need not confirm that it is free.
        announcing = asyncio.ensure_future(await zeroconf.async_register_service(info, cooperating_responders=True))
        try:
            yield lambda: False
        finally:
            announcing.cancel()  # none may follow the goodbye
            await zeroconf.async_unregister_service(info)
            await asyncio.sleep(0)  # the first of three goodbyes: an app that quits does not wait for the others

    return Multicast("announcer", lambda: (host,), announced)


_MOST: Final = 32
_MOST_RECORDS: Final = 100_000
"""zeroconf notes for each announcement when to ask again, and drops no note before its time. After this many records it
is started anew.
"""
_ANSWER_MS: Final = 2000


class Nearby(Multicast):
    """Looks for workers until it is closed, and then forgets what was found. Any thread may call."""

    def __init__(self) -> None:
        self._type = SERVICE
        self._found: dict[str, Announcement] = {}
        self._changed = threading.Condition()
        self._asking: set[asyncio.Task[None]] = set()
        super().__init__("nearby", lambda: interfaces.addresses().values(), self._browse)

    @property
    def is_possible(self) -> bool:
        """Whether this Mac may send multicasts on one of its networks. True until it has tried."""
        return self.usable is None or any(not host.startswith("127.") for host in self.usable)

    @property
    def macs(self) -> tuple[Announcement, ...]:
        """The workers, by name."""
        with self._changed:
            return tuple(sorted(self._found.values(), key=lambda mac: (mac.name.casefold(), mac.address)))

    def wait(self, enough: Callable[[tuple[Announcement, ...]], bool], seconds: float) -> tuple[Announcement, ...]:
        """The workers, once they are `enough`, or after `seconds`."""
        with self._changed:
            self._changed.wait_for(lambda: enough(self.macs), seconds)
            return self.macs

    @asynccontextmanager
    async def _browse(self, zeroconf: AsyncZeroconf) -> AsyncIterator[Callable[[], bool]]:
        from zeroconf import DNSQuestionType, RecordUpdateListener
        from zeroconf.asyncio import AsyncServiceBrowser

        count = 0

        class Count(RecordUpdateListener):
            def async_update_records(self, _zeroconf: Zeroconf, _now: float, records: list[RecordUpdate]) -> None:
                nonlocal count
                count += len(records)

        # Answers to all: of the programs that share the port, the system gives an answer to one only to one of them.
        browser = AsyncServiceBrowser(
            zeroconf.zeroconf, self._type, handlers=[self._heard], question_type=DNSQuestionType.QM
        )
        zeroconf.zeroconf.async_add_listener(Count(), None)
        try:
            yield lambda: count > _MOST_RECORDS
        finally:
            await browser.async_cancel()
            for task in self._asking:
                task.cancel()
            with self._changed:
                self._found.clear()

    def _heard(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:  # noqa: ARG002 - the library's names
        if state_change.name == "Removed":
            self._keep(name, None)
        elif len(self._asking) < _MOST:
            task = asyncio.get_running_loop().create_task(self._ask(zeroconf, name))
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)

    async def _ask(self, zeroconf: Zeroconf, name: str) -> None:
        from zeroconf import DNSQuestionType, Error
        from zeroconf.asyncio import AsyncServiceInfo

        with suppress(Error, ValueError):  # a name that is none, a record that does not fit
            info = AsyncServiceInfo(self._type, name)
            if await info.async_request(zeroconf, _ANSWER_MS, question_type=DNSQuestionType.QM):
                near = interfaces.networks()
                self._keep(name, heard(info.properties, info.parsed_addresses(), info.port, near))

    def _keep(self, name: str, mac: Announcement | None) -> None:
        with self._changed:
            self._found.pop(name, None)
            if mac is not None and len(self._found) < _MOST:
                self._found[name] = mac
            self._changed.notify_all()
