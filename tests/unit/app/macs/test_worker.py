"""A worker with guests of every kind: each gets one clear refusal, and none leaves a thread or a wait behind."""

from __future__ import annotations

import queue
import socket
import threading
from errno import ECONNABORTED, EMFILE
from pathlib import Path

import pytest

from app.base.paths import Paths
from app.macs import follower_process, guest, pairing, reach, receiving
from app.macs.errors import MacsError, WorkerNotStarted
from app.macs.guest import SHARE
from app.macs.pairing import PairingCode
from app.macs.roster import Mac, leaders
from app.macs.worker import Post, Worker
from engine.workers.channel import Channel, client_context, stranger_context
from engine.workers.errors import WorkerRefused
from engine.workers.requests import (
    Ask,
    Begin,
    FileEntry,
    Joined,
    Lead,
    Paired,
    Prove,
    State,
    Take,
    Touch,
    Touched,
    Wanted,
    encode,
)
from engine.workers.versions import versions
from engine.workers.visit import Visit, visit, visit_stranger, welcome
from tests.fakes import macs
from tests.fakes.macs import Other

WAIT = 10.0


def came(here: Paths, mac: Mac) -> Visit:
    return visit(mac.address, mac.name, pairing.own(here), mac.certificate)


@pytest.mark.parametrize(
    "garbage", [b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\0" * 5000, b"\x16\x03\x03\xff\xff" * 999, b""]
)
def test_garbage_before_tls_is_refused(there: Other, garbage: bytes) -> None:
    """The connection ends, and the worker says so in a line."""
    with socket.create_connection(there.address, WAIT) as connection:
        connection.sendall(garbage)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1000):
            pass
    there.worker.stop()
    [line] = there.lines
    assert line.startswith("Refused 127.0.0.1: ")


@pytest.mark.parametrize("fault", [ECONNABORTED, EMFILE, None])
def test_a_connection_that_cannot_be_taken_ends_no_other(
    here: Paths, there: Other, monkeypatch: pytest.MonkeyPatch, fault: int | None
) -> None:
    """One that is gone before it is accepted is an error on some systems, and has no address on macOS."""
    mac = there.pair(here)
    accept, faults = socket.socket.accept, [fault]

    def fail_once(listener: socket.socket) -> tuple[socket.socket, tuple[str, int] | None]:
        connection, address = accept(listener)
        if not faults:
            return connection, address
        faults.clear()
        if fault is None:
            return connection, None
        connection.close()
        raise OSError(fault, "injected")

    monkeypatch.setattr(socket.socket, "accept", fail_once)
    for _ in range(2):  # the worker waits in the real one now
        socket.create_connection(there.address, WAIT).close()
    assert reach.ask(here, mac).reachable
    assert not faults


@pytest.mark.parametrize(
    "garbage",
    [b"\n", b"hello\n", b"{}\n", b'{"type":"nothing"}\n', b"[" * 9999 + b"\n", b"\xff\xfe\n", encode(Touched())],
)
def test_garbage_of_a_paired_mac_is_refused(here: Paths, there: Other, garbage: bytes) -> None:
    """It hears that it is not understood."""
    mac = there.pair(here)
    with came(here, mac) as made:
        made.channel.write(garbage)
        with pytest.raises(WorkerRefused, match="does not understand"):
            made.hear(State)
    assert reach.ask(here, mac).reachable


def test_a_request_out_of_turn_is_refused(here: Paths, there: Other) -> None:
    """A paired Mac need not pair, and a group begins with Lead."""
    mac = there.pair(here)
    for request in (Prove("", "", ""), Begin(()), Touch(-1), Touch(1 << 40)):
        with came(here, mac) as made, pytest.raises(WorkerRefused, match="does not understand"):
            made.ask(request, Wanted)


def test_a_mac_that_is_not_paired_may_only_pair(there: Other) -> None:
    """Also while a code is shown."""
    there.worker.offer.renew()
    channel = Channel(socket.create_connection(there.address, WAIT), stranger_context(), server=False)
    channel.end_within(WAIT)
    channel.shake_hands()
    channel.line()
    channel.write(encode(Ask()))
    assert b"not understood" in channel.line()
    channel.close()
    assert there.worker.offer.code, "no try was used up"


@pytest.mark.parametrize("certificate", ["", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_what_is_no_certificate_is_not_pinned(there: Other, certificate: str) -> None:
    """Even with the right code."""
    secret = PairingCode.typed(there.worker.offer.renew()).secret
    channel = Channel(socket.create_connection(there.address, WAIT), stranger_context(), server=False)
    channel.end_within(WAIT)
    channel.shake_hands()
    channel.line()
    channel.write(encode(Prove(secret, certificate, "a")))
    assert b"not understood" in channel.line()
    channel.close()
    assert not leaders(there.places).paired()


@pytest.mark.parametrize("count", [2, 1000])
def test_a_mac_pairs_with_one_certificate(here: Paths, there: Other, count: int) -> None:
    """More of them made a list that was too long to be read again: it refused all Macs, and none could be removed."""
    certificates = pairing.own(here).certificate * count
    secret = PairingCode.typed(there.worker.offer.renew()).secret
    with visit_stranger(there.worker.address) as made:
        welcome(made)
        with pytest.raises(WorkerRefused, match="does not understand"):
            made.ask(Prove(secret, certificates, "a"), Paired)
    assert not leaders(there.places).paired()


def test_a_slow_guest_is_given_up(there: Other, monkeypatch: pytest.MonkeyPatch) -> None:
    """It sends nothing, and costs a thread for a few seconds only."""
    monkeypatch.setattr(guest, "HANDSHAKE_SECONDS", 0.05)
    with socket.create_connection(there.address, WAIT) as connection:
        connection.settimeout(WAIT)
        assert connection.recv(1) == b""
    there.worker.stop()
    assert there.lines == ["Refused 127.0.0.1: it takes too long."]


def test_a_silent_paired_mac_is_given_up(here: Paths, there: Other, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two requests, too."""
    mac = there.pair(here)
    monkeypatch.setattr(guest, "IDLE_SECONDS", 0.05)
    with came(here, mac) as made:
        assert made.channel.read(1) == b""


def test_a_silent_stranger_shuts_no_paired_mac_out(here: Paths, there: Other, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of forty connections that say nothing, the oldest end at once, and a paired Mac is served beside the others."""
    mac = there.pair(here)
    monkeypatch.setattr(guest, "HANDSHAKE_SECONDS", 10 * WAIT)
    silent = [socket.create_connection(there.address, WAIT) for _ in range(40)]
    assert reach.ask(here, mac).reachable
    for one in silent[: 40 - SHARE]:
        assert one.recv(1) == b""
    silent[-1].setblocking(False)  # noqa: FBT003 - a socket's own parameter
    with pytest.raises(BlockingIOError):
        silent[-1].recv(1)
    for one in silent:
        one.close()


def test_a_connection_that_has_proved_itself_stays(here: Paths, there: Other) -> None:
    """Forty newer ones that say nothing do not end it."""
    mac = there.pair(here)
    with came(here, mac) as made:
        silent = [socket.create_connection(there.address, WAIT) for _ in range(40)]
        assert made.ask(Ask(), State).name
    for one in silent:
        one.close()


def test_other_versions_are_refused_in_words(here: Paths, there: Other) -> None:
    """Before an engine starts, with what differs."""
    mac = there.pair(here)
    with came(here, mac) as made, pytest.raises(WorkerRefused, match=r"other versions \(mlx "):
        made.ask(Lead(1, "tensor", versions() | {"mlx": "0.1"}), Joined)


def test_one_group_at_a_time(tmp_path: Path, here: Paths, there: Other, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second leader hears who has this Mac, by name, and may come again afterwards. A Mac that has it itself, in a
    window beside a command, hears that.
    """
    monkeypatch.setattr(guest, "_PLACE_SECONDS", 0.01)
    mac, second = there.pair(here), macs.mac(tmp_path / "second")
    again = there.pair(second)
    lead = Lead(1, "tensor", versions())
    with came(here, mac) as made:
        made.ask(lead, Joined)
        said_of = (f"works for {pairing.own_name()} now", "already works for another Hearth on this Mac")
        for places, other, said in zip((second, here), (again, mac), said_of, strict=True):
            with came(places, other) as late, pytest.raises(WorkerRefused, match=said):
                late.ask(lead, Joined)
        assert there.worker.leader == pairing.own(here).fingerprint
        told = [(state.leader, state.is_own_group) for state in (reach.ask(here, mac), reach.ask(second, again))]
        assert told == [(pairing.own_name(), True), (pairing.own_name(), False)], "all have the same name here"
    monkeypatch.setattr(guest, "_PLACE_SECONDS", WAIT)
    with came(here, mac) as made:
        made.ask(lead, Joined)


def test_an_engine_that_does_not_start_is_said_so(here: Paths, there: Other, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a line on the worker. The leader sees the end of the connection."""
    mac = there.pair(here)

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(follower_process, "run", refuse)
    with came(here, mac) as made:
        own = made.ask(Lead(1, "tensor", versions()), Joined).address
        made.channel.write(encode(Begin(("127.0.0.1:1", own))))
        assert made.channel.read(1) == b""
    there.worker.stop()
    assert there.lines[-1] == "The engine cannot be started: Permission denied."


def test_the_data_address_is_on_the_interface_of_the_connection(here: Paths, there: Other) -> None:
    """Never on all interfaces: MLX does not encrypt what it sends there."""
    mac = there.pair(here)
    with came(here, mac) as made:
        host, _, port = made.ask(Lead(1, "tensor", versions()), Joined).address.rpartition(":")
    assert host == macs.HOST
    assert 0 < int(port) < 1 << 16


@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize("addresses", [("127.0.0.1:1",), ("127.0.0.1:1", "0.0.0.0:1", "0.0.0.0:1")])
def test_a_leader_does_not_choose_the_data_address(
    here: Paths, there: Other, rank: int, addresses: tuple[str, ...]
) -> None:
    """It would have the engine wait on all interfaces, or make a group of one."""
    mac = there.pair(here)
    with came(here, mac) as made:
        made.ask(Lead(rank, "tensor", versions()), Joined)
        made.channel.write(encode(Begin(addresses)))
        with pytest.raises(WorkerRefused, match="does not understand"):
            made.hear(Joined)


def test_a_port_that_is_taken_is_said_so(tmp_path: Path, there: Other) -> None:
    """With the address, and with what may have it: most often another Hearth of the same user."""
    worker = Worker(macs.mac(tmp_path / "second"), *there.address)
    wanted = rf"cannot wait at {there.worker.address}: Hearth waits there already.*[^)]\.$"
    with pytest.raises(WorkerNotStarted, match=wanted):
        worker.start()
    worker.stop()


@pytest.mark.parametrize("name", ["a..b", "a" * 70, "a\N{RIGHT-TO-LEFT OVERRIDE}b"])
def test_an_interface_that_cannot_be_one_is_said_so(tmp_path: Path, name: str) -> None:
    """Pairing says the same of a name that no machine can have."""
    with pytest.raises(WorkerNotStarted, match=r"cannot wait at a.*b?:0: no machine has this name\.$"):
        Worker(macs.mac(tmp_path), name, 0).start()


def test_a_worker_starts_once_its_port_is_free(tmp_path: Path) -> None:
    """Another program may hold it while lending begins."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        post = Post(lambda host: Worker(macs.mac(tmp_path), host, port), lambda: "127.0.0.1")
        with pytest.raises(MacsError):
            post.renew()
    assert post.renew() is post.renew()
    post.stop()


@pytest.mark.parametrize("gap", [False, True])
def test_a_code_is_shown_at_a_new_address_too(tmp_path: Path, gap: bool) -> None:  # noqa: FBT001 - a parameter
    """It went without a word as the network changed, while the user was about to type it on the other Mac."""
    hosts = ["127.0.0.1"]
    post = Post(lambda host: Worker(macs.mac(tmp_path), host, 0), hosts.pop)
    first = post.renew()
    assert first is not None
    assert not first.offer.code
    first.offer.renew()
    if gap:
        hosts.append("no.such.host.invalid")
        with pytest.raises(MacsError):
            post.renew()
    hosts.append("localhost")
    second = post.renew()
    assert second not in (None, first)
    assert second.offer.code
    post.stop()


def test_a_damaged_list_of_macs_refuses_all(here: Paths, there: Other) -> None:
    """And the worker still runs: the list can be mended meanwhile."""
    mac = there.pair(here)
    file = there.places.data / "macs" / "leaders.json"
    good = file.read_bytes()
    file.write_bytes(b"{")
    assert not reach.ask(here, mac).reachable
    file.write_bytes(good)
    assert reach.ask(here, mac).reachable


def test_a_stopped_worker_ends_its_guests(here: Paths, there: Other) -> None:
    """A visit that waits gets the end of the connection, not silence."""
    mac = there.pair(here)
    heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    with came(here, mac) as made:
        reading = threading.Thread(target=lambda: heard.put(made.channel.read(1)))
        reading.start()
        there.worker.stop()
        assert heard.get(timeout=WAIT) == b""
        reading.join(WAIT)
    assert (there.worker.address, there.worker.leader) == ("", "")
    assert "Hearth does not run there" in reach.ask(here, mac).problem


def test_a_certificate_alone_gives_no_place(here: Paths, there: Other) -> None:
    """TLS lets a pinned certificate in; the list of Macs decides what it may do."""
    mac = there.pair(here)
    context = client_context(pairing.own(here), mac.certificate)
    channel = Channel(socket.create_connection(there.address, WAIT), context, server=False)
    channel.end_within(WAIT)
    channel.shake_hands()
    channel.line()
    leaders(there.places).remove(pairing.own(here).fingerprint)
    channel.close()
    assert "not paired" in reach.ask(here, mac).problem


def test_no_mac_changes_what_another_one_copies(tmp_path: Path, here: Paths, there: Other) -> None:
    """A Mac that begins the same copy could replace what the other one has verified."""
    mac, second = there.pair(here), macs.mac(tmp_path / "second")
    again, take = there.pair(second), Take("0" * 32, "maker/name", (FileEntry("config.json", 3),))
    with came(here, mac) as made:
        made.ask(take, Wanted)
        with came(second, again) as other, pytest.raises(WorkerRefused, match="works for"):
            other.ask(take, Wanted)


def test_no_mac_fills_the_list_of_models(here: Paths, there: Other) -> None:
    """Models of a byte each cost no disk. Thousands of them would stop the window, and hide the user's own."""
    mac, taken = there.pair(here), Take("0" * 32, "maker/name", (FileEntry("config.json", 3),))
    for number in range(receiving.MOST_MODELS):
        (there.places.models / "maker" / str(number)).mkdir(parents=True)
    with came(here, mac) as made, pytest.raises(WorkerRefused, match="too many models"):
        made.ask(taken, Wanted)
    (there.places.models / "maker" / "0").rmdir()
    (there.places.models / "maker" / "1").rmdir()
    with came(here, mac) as made:
        assert made.ask(taken, Wanted).arrived == (0,)
