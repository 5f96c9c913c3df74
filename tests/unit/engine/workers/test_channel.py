"""TLS over a pair of sockets: both sides are known, bytes arrive in order, and everything else is refused in words."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.workers.channel import (
    Channel,
    client_context,
    pairing_context,
    server_context,
    stranger_context,
)
from engine.workers.own_certificate import OwnCertificate, own_certificate
from tests.fakes.macs import foreign_certificate

WAIT = 10.0


class Ends:
    """A client and a server that have not shaken hands."""

    def __init__(self, client: ssl.SSLContext, server: ssl.SSLContext) -> None:
        self.sockets = socket.socketpair()
        self.client = Channel(self.sockets[0], client, server=False)
        self.server = Channel(self.sockets[1], server, server=True)
        self.fault: list[OSError] = []

    def shake_hands(self) -> None:
        """Both at the same time. The server's error is in `fault`."""
        for end in (self.client, self.server):
            end.end_within(WAIT)
        serving = threading.Thread(target=self._serve)
        serving.start()
        try:
            self.client.shake_hands()
        finally:
            serving.join(WAIT)

    def _serve(self) -> None:
        try:
            self.server.shake_hands()
        except OSError as error:
            self.fault.append(error)

    def close(self) -> None:
        """Both."""
        self.client.close()
        self.server.close()


@pytest.fixture(scope="module")
def macs(tmp_path_factory: pytest.TempPathFactory) -> list[OwnCertificate]:
    """The certificates of three Macs."""
    return [own_certificate(tmp_path_factory.mktemp("mac")) for _ in range(3)]


@pytest.fixture
def ends(macs: list[OwnCertificate]) -> Iterator[Ends]:
    """Two Macs that know each other."""
    client, server, other = macs
    ends = Ends(
        client_context(client, server.certificate), server_context(server, [other.certificate, client.certificate])
    )
    yield ends
    ends.close()


def test_both_know_each_other(ends: Ends, macs: list[OwnCertificate]) -> None:
    """Each has the fingerprint of the other's certificate."""
    ends.shake_hands()
    assert ends.fault == []
    assert ends.server.peer == macs[0].fingerprint
    assert ends.client.peer == macs[1].fingerprint
    assert ends.client.peer_certificate == macs[1].certificate


def test_both_may_speak_at_once(ends: Ends) -> None:
    """More than any buffer holds, in both directions, by four threads."""
    ends.shake_hands()
    told = bytes(range(256)) * (1 << 13)
    heard: dict[Channel, bytearray] = {ends.client: bytearray(), ends.server: bytearray()}

    def listen(end: Channel) -> None:
        while len(heard[end]) < len(told):
            heard[end] += end.read(1 << 16)

    threads = [threading.Thread(target=end.write, args=(told,)) for end in heard]
    threads += [threading.Thread(target=listen, args=(end,)) for end in heard]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert heard == {ends.client: told, ends.server: told}


def test_what_follows_a_line_is_read_next(ends: Ends) -> None:
    """An engine's bytes may come together with the last request."""
    ends.shake_hands()
    ends.client.write(b"one\n\ntwo\nbytes")
    assert [ends.server.line(), ends.server.line(), ends.server.line()] == [b"one", b"", b"two"]
    assert ends.server.read(3) + ends.server.read(100) == b"bytes"


def test_the_end_is_no_line(ends: Ends) -> None:
    """And nothing is read after it."""
    ends.shake_hands()
    ends.client.write(b"half a li")
    ends.client.close()
    with pytest.raises(ConnectionError, match="closed"):
        ends.server.line()


def test_a_line_has_an_end(ends: Ends) -> None:
    """Before it fills the memory."""
    ends.shake_hands()
    endless = threading.Thread(target=_send_until_closed, args=(ends.client,))
    endless.start()
    with pytest.raises(ConnectionError):
        ends.server.line()
    ends.server.close()
    endless.join(WAIT)


def _send_until_closed(end: Channel) -> None:
    try:
        while True:
            end.write(b"x" * (1 << 16))
    except OSError:
        return


def test_a_slow_side_is_given_up(ends: Ends) -> None:
    """However slowly it sends: the limit is for all of a line."""
    ends.shake_hands()
    ends.client.write(b"begin")
    ends.server.end_within(0.05)
    with pytest.raises(TimeoutError):
        ends.server.line()


@pytest.mark.parametrize(
    "garbage", [b"GET / HTTP/1.1\r\n\r\n", b"\0" * 300, b"\x16\x03\x01\xff\xff" + b"\xff" * 70_000]
)
def test_garbage_is_refused(ends: Ends, garbage: bytes) -> None:
    """Before TLS, by an error of ssl."""
    sending = threading.Thread(target=ends.sockets[0].sendall, args=(garbage,))
    sending.start()
    ends.server.end_within(WAIT)
    with pytest.raises((ssl.SSLError, ConnectionError)):
        ends.server.shake_hands()
    ends.server.close()
    ends.sockets[0].close()
    sending.join(WAIT)


def test_another_worker_is_refused_by_its_certificate(macs: list[OwnCertificate]) -> None:
    """A Mac sends nothing to it."""
    client, server, other = macs
    ends = Ends(client_context(client, other.certificate), server_context(server, [client.certificate]))
    with pytest.raises(ssl.SSLCertVerificationError):
        ends.shake_hands()
    ends.close()
    assert ends.fault


@pytest.mark.parametrize("offering", [False, True])
def test_another_mac_is_refused_by_its_certificate(macs: list[OwnCertificate], *, offering: bool) -> None:
    """Also while the worker offers a code. The Mac hears that it is not known."""
    client, server, other = macs
    context = (pairing_context if offering else server_context)(server, [other.certificate])
    ends = Ends(client_context(client, server.certificate), context)
    ends.shake_hands()
    assert "certificate" in str(ends.fault[0]).lower()
    with pytest.raises(ssl.SSLError, match=r"(?i)alert"):
        ends.client.read(1)
    ends.close()


def test_a_mac_without_a_certificate_is_heard_only_by_a_worker_that_offers_a_code(macs: list[OwnCertificate]) -> None:
    """It has no fingerprint, so it can only pair."""
    _, server, other = macs
    ends = Ends(stranger_context(), pairing_context(server, [other.certificate]))
    ends.shake_hands()
    assert ends.server.peer == ""
    assert ends.client.peer == server.fingerprint
    ends.close()
    ends = Ends(stranger_context(), server_context(server, [other.certificate]))
    ends.shake_hands()
    assert ends.fault
    ends.close()


@pytest.mark.parametrize("years", [(1960, 1970), (2100, 2200)])
def test_the_dates_of_a_certificate_mean_nothing(
    macs: list[OwnCertificate], tmp_path: Path, years: tuple[int, int]
) -> None:
    """The clock of either Mac may be wrong, and the certificate itself is known."""
    odd = foreign_certificate(tmp_path / "odd.pem", years)
    for client, server in ((macs[0], odd), (odd, macs[0])):
        ends = Ends(client_context(client, server.certificate), server_context(server, [client.certificate]))
        ends.shake_hands()
        ends.close()
        assert ends.fault == []


def test_an_older_tls_is_refused(macs: list[OwnCertificate]) -> None:
    """Both sides speak TLS 1.3 and nothing before it."""
    client, server, _ = macs
    older = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    older.check_hostname, older.verify_mode = False, ssl.CERT_NONE
    older.maximum_version = ssl.TLSVersion.TLSv1_2
    ends = Ends(older, server_context(server, [client.certificate]))
    with pytest.raises(ssl.SSLError):
        ends.shake_hands()
    ends.close()
