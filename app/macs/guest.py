"""A guest: one connection of another Mac to this worker. Serves its requests, on the connection's thread.

Invariants:
- A Mac without a certificate may only prove that it knows the code.
- Every wait has a limit.
- At most one group at a time uses this Mac.
- Each Mac copies one model at a time, and no two Macs the same one: either could change what the other has verified.
- A Mac that is removed from the list gets no answer to its next request.

`Connections` keeps strangers from shutting paired Macs out. Any thread may call it. Its invariants:
- A connection that has proved to be of a paired Mac never goes for another one. Each Mac has at most MOST_OF_MAC.
- Of those that have not, at most SHARE come from one address.
- If places run out, the oldest one that has not proved itself goes, first those from an address that never did.
- The last place is for addresses from which a paired Mac has proved itself.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final, Generic, TypeVar

import psutil

from app.base.errors import reason
from app.base.paths import Paths
from app.macs import follower_process
from app.macs.errors import MacsError
from app.macs.pairing import own_name
from app.macs.receiving import Arrival
from app.macs.roster import Mac, Roster, shown_name
from engine.workers import requests
from engine.workers.channel import Channel
from engine.workers.data_address import data_address
from engine.workers.model_copy import LARGEST_PORTION, PORTION_SECONDS
from engine.workers.own_certificate import fingerprint
from engine.workers.versions import differences, versions
from storage.untrusted import UntrustedDataError

if TYPE_CHECKING:
    from app.macs.own_models import OwnModels
    from app.macs.pairing import Offer

C = TypeVar("C")

MOST_OF_MAC: Final = 6
"""A Mac leads one group, copies one model and asks. With more it could shut the others out."""

MOST: Final = 16
SHARE: Final = 4
"""A Mac opens one or two at once, and each proves itself within milliseconds."""


class Connections(Generic[C]):
    """The open connections, the oldest first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hosts: dict[C, str] = {}
        self._proved: dict[C, str] = {}
        self._known: set[str] = set()

    def enter(self, connection: C, host: str) -> C | None:
        """A connection from `host` begins. Returns the one that has to end for it, which is itself if all others have
        proved themselves; None if there is a place.
        """
        with self._lock:
            self._hosts[connection] = host
            leaving = self._surplus(host)
            if leaving is not None:
                del self._hosts[leaving]
            return leaving

    def prove(self, connection: C, mac: str) -> bool:
        """A connection has shown the certificate of a paired Mac. Returns whether that may have another one."""
        with self._lock:
            if connection not in self._hosts or list(self._proved.values()).count(mac) >= MOST_OF_MAC:
                return False
            self._proved[connection] = mac
            self._known.add(self._hosts[connection])
            return True

    def leave(self, connection: C) -> None:
        """A connection has ended, by itself or for another one."""
        with self._lock:
            self._hosts.pop(connection, None)
            self._proved.pop(connection, None)

    def _surplus(self, host: str) -> C | None:
        unproved = [one for one in self._hosts if one not in self._proved]
        of_host = [one for one in unproved if self._hosts[one] == host]
        if len(of_host) > SHARE:
            return of_host[0]
        if len(self._hosts) > (MOST if host in self._known else MOST - 1):
            return min(unproved, key=lambda one: self._hosts[one] in self._known)  # of equals, the oldest
        return None


HANDSHAKE_SECONDS: Final = 5.0
IDLE_SECONDS: Final = 10.0
"""How long a Mac may take to its next request."""
_LISTING_SECONDS: Final = 2.0
_REFUSING_SECONDS: Final = 1.0
_PLACE_SECONDS: Final = 7.0
"""How long a Mac waits for its own former group to end: a lost connection is noticed after some seconds."""
_MOST_TOUCHED: Final = 1 << 26
_PORTION: Final = 1 << 18


NO_LEADER: Final = Mac("", "", "", 0.0, "")


@dataclass(slots=True)
class Desk:
    """What all guests share. `leader` is the Mac whose group runs here; NO_LEADER between groups."""

    places: Paths
    leaders: Roster
    offer: Offer
    models: OwnModels
    tell: Callable[[str], object]
    leader: Mac = NO_LEADER
    _copying: dict[str, Mac] = field(default_factory=dict)
    """The Macs that copy a model to this one, by the key of the copy."""
    _free: threading.Condition = field(default_factory=threading.Condition)

    def take_place(self, mac: Mac) -> bool:
        """Whether this Mac may run a group here now. It waits for a group of its own that is about to end."""
        until = time.monotonic() + _PLACE_SECONDS
        with self._free:
            while self.is_led_by(mac) and (left := until - time.monotonic()) > 0:
                self._free.wait(left)
            if self.leader is not NO_LEADER:
                return False
            self.leader = mac
            return True

    def is_led_by(self, mac: Mac) -> bool:
        """Whether this Mac leads the group that runs here. Its name may have changed since the two were paired."""
        return self.leader.fingerprint == mac.fingerprint

    def begin_copy(self, mac: Mac, key: str) -> str:
        """A Mac begins a copy. Returns the name of the Mac whose copy keeps it from that; empty if none does."""
        with self._free:
            others = [one for at, one in self._copying.items() if at == key or one.fingerprint == mac.fingerprint]
            if others:
                return others[0].name
            self._copying[key] = mac
            return ""

    def end_copy(self, key: str) -> None:
        """A copy has ended."""
        with self._free:
            del self._copying[key]

    def leave_place(self) -> None:
        """The group has ended."""
        with self._free:
            self.leader = NO_LEADER
            self._free.notify_all()


class Guest:
    """A connection from `host`. `proved` is called with the fingerprint once the other side has shown the certificate
    of a paired Mac, and says whether that Mac may have another connection.
    """

    def __init__(self, desk: Desk, channel: Channel, host: str, proved: Callable[[str], bool]) -> None:
        self._desk = desk
        self._proved = proved
        self._channel = channel
        self._host = host
        self._leads = False

    def serve(self) -> None:
        """Serve until the connection ends."""
        try:
            self._channel.end_within(HANDSHAKE_SECONDS)
            self._channel.shake_hands()
        except OSError as error:
            self._desk.tell(f"Refused {self._host}: {_reason(error)}.")
            self._channel.refuse(_REFUSING_SECONDS)
            return
        peer = self._channel.peer
        if peer and not (self._is_paired(peer) and self._proved(peer)):
            self._channel.close()
            return
        try:
            self._say(requests.WorkerWelcome(requests.VERSION, own_name()))
            if not self._channel.peer:
                self._meet_stranger()
                return
            mac = next((one for one in self._desk.leaders.paired() if one.fingerprint == self._channel.peer), None)
            while mac is not None and not self._leads:
                self._answer(mac, self._next())
        except UntrustedDataError:
            self._desk.tell(f"Refused {self._host}: it sent something that is no request.")
            self._refuse(requests.Refused("not understood"))
        except MacsError as error:
            self._desk.tell(f"{self._host}: {error}")
            self._refuse(requests.Refused("failed", str(error).rstrip(".")[: requests.MOST_WORDS]))
        except OSError:
            return
        finally:
            self._channel.close()

    def _next(self) -> requests.Request:
        """The next request. Raises OSError if the Mac is not paired any more."""
        self._channel.end_within(IDLE_SECONDS)
        request = requests.decode_request(self._channel.line())
        if self._channel.peer and not self._is_paired(self._channel.peer):
            self._desk.tell(f"{self._host} was refused: it is not paired any more.")
            raise ConnectionAbortedError
        return request

    def _answer(self, mac: Mac, request: requests.Request) -> None:
        match request:
            case requests.Ask():
                self._say(self._state(mac))
            case requests.Touch(size) if 0 <= size <= _MOST_TOUCHED:
                self._say(requests.Touched())
                portion = bytes(min(size, _PORTION))
                for sent in range(0, size, _PORTION):
                    self._channel.write(portion[: size - sent])
            case requests.Forget():
                self._desk.leaders.remove(mac.fingerprint)
                self._desk.tell(f"{mac.name} is no longer paired.")
                self._say(requests.Forgotten())
            case requests.Lead():
                self._lead(mac, request)
            case requests.Take():
                self._take(mac, request)
            case _:
                self._refuse(requests.Refused("not understood"))

    def _state(self, mac: Mac) -> requests.State:
        memory = psutil.virtual_memory()
        free = psutil.disk_usage(str(self._desk.places.data)).free
        models = self._desk.models.listed(_LISTING_SECONDS)
        leader, is_own = self._desk.leader.name, self._desk.is_led_by(mac)
        return requests.State(
            own_name(), memory.total, memory.available, free, versions(), models, leader, is_own_group=is_own
        )

    # --- pairing

    def _meet_stranger(self) -> None:
        request = self._next()
        if not isinstance(request, requests.Prove):
            raise UntrustedDataError("a request before pairing")
        if not self._desk.offer.code:
            self._refuse(requests.Refused("no code"))
        elif not self._desk.offer.accept(request.secret):
            self._desk.tell(f"{self._host} gave a wrong code.")
            self._refuse(requests.Refused("wrong code"))
        else:
            self._pair(request)

    def _pair(self, request: requests.Prove) -> None:
        try:
            known = fingerprint(request.certificate)
            ssl.create_default_context(cadata=request.certificate)
        except (ValueError, ssl.SSLError) as error:
            raise UntrustedDataError("a certificate") from error
        name = shown_name(request.name, self._host)
        self._desk.leaders.add(Mac(name, "", known, time.time(), request.certificate))
        self._desk.tell(f"Paired with {name} ({self._host}).")
        self._say(requests.Paired())

    # --- a group

    def _lead(self, mac: Mac, request: requests.Lead) -> None:
        if other := differences(request.versions, versions()):
            self._refuse(requests.Refused("versions", other))
        elif not self._desk.take_place(mac):
            leader = self._desk.leader.name
            self._desk.tell(f"{mac.name} was refused: {leader} uses this Mac now.")
            self._refuse(requests.Refused("own group" if self._desk.is_led_by(mac) else "busy", leader))
        else:
            try:
                self._join(mac, request)
            finally:
                self._desk.leave_place()

    def _join(self, mac: Mac, request: requests.Lead) -> None:
        self._leads = True
        self._desk.models.forget()
        self._desk.models.listed(_LISTING_SECONDS)
        own = data_address(self._channel.host)
        self._say(requests.Joined(own))
        begin = self._next()
        if not isinstance(begin, requests.Begin) or begin.addresses[request.rank : request.rank + 1] != (own,):
            raise UntrustedDataError("a request within a group")
        self._desk.tell(f"{mac.name} uses this Mac: rank {request.rank} of {len(begin.addresses)}.")
        paired = partial(self._is_paired, mac.fingerprint)
        desk = self._desk
        engine = partial(follower_process.engine, desk.places, mac.fingerprint, desk.models.file, request)
        try:
            status = follower_process.run(engine, begin.addresses, paired, self._channel)
        except OSError as error:
            self._desk.tell(f"The engine cannot be started: {reason(error)}.")
            return
        self._desk.tell(f"{mac.name} no longer uses this Mac (engine's status {status}).")

    def _is_paired(self, mark: str) -> bool:
        try:
            return any(one.fingerprint == mark for one in self._desk.leaders.paired())
        except MacsError:  # a list that cannot be read allows nothing
            return False

    # --- a copy of a model

    def _take(self, mac: Mac, request: requests.Take) -> None:
        if other := self._desk.begin_copy(mac, request.key):
            self._refuse(requests.Refused("busy", other))
            return
        try:
            self._receive(mac, request)
        finally:
            self._desk.end_copy(request.key)

    def _receive(self, mac: Mac, request: requests.Take) -> None:
        arrival = Arrival(self._desk.places.models, request)
        if lacking := arrival.lacking_bytes:
            self._refuse(requests.Refused("disk full", f"{lacking / 1e9:.1f} GB"))
            return
        self._say(requests.Wanted(arrival.arrived))
        while isinstance(part := self._next(), requests.Portion | requests.Check):
            if not 0 <= part.size <= LARGEST_PORTION:
                raise UntrustedDataError("a portion that is too large")
            if isinstance(part, requests.Check):
                self._say(requests.Checked(arrival.check(part)))
                continue
            self._channel.end_within(PORTION_SECONDS)
            if not arrival.keep(part, self._channel.exactly(part.size)):
                self._refuse(requests.Refused("damaged"))
                return
            self._say(requests.Kept())
        if not isinstance(part, requests.Settle):
            raise UntrustedDataError("a request within a copy")
        arrival.settle(mac.name)
        self._desk.models.forget()
        self._desk.models.listed(_LISTING_SECONDS)  # a group that runs here may load it next
        self._desk.tell(f"{mac.name} has copied {request.repository} to this Mac.")
        self._say(requests.Settled())

    # --- words

    def _say(self, answer: requests.Answer) -> None:
        self._channel.write(requests.encode(answer))

    def _refuse(self, refused: requests.Refused) -> None:
        """Say no, and end the connection once the other side has heard it."""
        self._leads = True
        try:
            self._say(refused)
        except OSError:
            return
        self._channel.refuse(_REFUSING_SECONDS)


def _reason(error: OSError) -> str:
    if isinstance(error, TimeoutError):
        return "it takes too long"
    if isinstance(error, ssl.SSLError) and "certificate" in str(error).lower():
        return "it is not paired"
    if isinstance(error, ssl.SSLError):
        return "it does not speak TLS 1.3"
    return "the connection was closed"
