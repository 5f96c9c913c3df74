"""Asking a worker: its figures, or within the limit one sentence that says why there are none."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from msgspec import structs

from app.base.paths import Paths
from app.macs import pairing, reach
from app.macs.guest import Guest
from app.macs.roster import Mac, workers
from tests.fakes import macs, slow_network
from tests.fakes.macs import Other

WAIT = 10.0


@contextmanager
def program(serve: Callable[[socket.socket], object]) -> Iterator[str]:
    """The address of a program that is no worker."""
    listener = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        with suppress(OSError):
            connection, _ = listener.accept()
            with connection:
                serve(connection)

    serving = threading.Thread(target=accept)
    serving.start()
    yield f"127.0.0.1:{listener.getsockname()[1]}"
    listener.close()
    serving.join(WAIT)
    assert not serving.is_alive()


@pytest.fixture
def mac(here: Paths, there: Other) -> Mac:
    return there.pair(here)


def test_a_worker_tells_what_it_has(here: Paths, mac: Mac) -> None:
    """Memory, versions, models by their sketch, and the speed of the connection."""
    state = reach.ask(here, mac)
    assert state.reachable
    assert 0 < state.free_bytes <= state.memory_bytes
    assert {"mlx", "mlx-lm", "transformers", "protocol"} == set(state.versions)
    assert [model.sketch for model in state.models.values()] == list(state.models)
    assert 0 < state.round_trip < reach.SECONDS
    assert state.bytes_per_second > 0


def test_a_slow_connection_is_measured(here: Paths, mac: Mac) -> None:
    """A round trip passes the delay twice."""
    with slow_network.slow(mac.address) as address:
        state = reach.ask(here, structs.replace(mac, address=address))
    assert state.round_trip >= 2 * slow_network.DELAY_SECONDS


def test_pairing_takes_a_slow_connection(here: Paths, there: Other) -> None:
    """Each answer has its own limit."""
    with slow_network.slow(there.worker.address) as address:
        assert pairing.pair(here, there.worker.offer.renew(), address).address == address


def test_a_program_that_is_silent_is_given_up(here: Paths, mac: Mac, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the limit."""
    monkeypatch.setattr(reach, "SECONDS", 0.2)
    with program(lambda connection: connection.recv(1 << 16) and connection.recv(1)) as address:
        assert "it takes too long" in reach.ask(here, structs.replace(mac, address=address)).problem


def test_a_program_that_trickles_is_given_up(here: Paths, mac: Mac, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is for all of the handshake, not for each byte."""
    monkeypatch.setattr(reach, "SECONDS", 0.2)

    def trickle(connection: socket.socket) -> None:
        for byte in b"\x16\x03\x03\x40\x00" + bytes(1000):
            connection.sendall(bytes([byte]))
            threading.Event().wait(0.01)

    with program(trickle) as address:
        assert "it takes too long" in reach.ask(here, structs.replace(mac, address=address)).problem


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 100, b"SSH-2.0-OpenSSH_9.9\r\n"])
def test_a_program_that_is_no_worker_is_said_so(here: Paths, mac: Mac, answer: bytes) -> None:
    """Another one may have its port."""
    with program(lambda connection: connection.sendall(answer)) as address:
        assert "is not Hearth" in reach.ask(here, structs.replace(mac, address=address)).problem


@pytest.mark.parametrize("lie", [{"memory_bytes": 1 << 60}, {"free_bytes": -1}, {"leader": "W" * 100_000}])
def test_a_mac_that_tells_what_cannot_be_is_not_understood(
    here: Paths, mac: Mac, monkeypatch: pytest.MonkeyPatch, lie: dict[str, object]
) -> None:
    """The page would show it: a name of a megabyte held the window for ten seconds."""
    honest = Guest._state
    monkeypatch.setattr(Guest, "_state", lambda guest, asking: structs.replace(honest(guest, asking), **lie))
    assert "is not Hearth" in reach.ask(here, mac).problem


def test_a_program_that_hangs_up_is_said_so(here: Paths, mac: Mac) -> None:
    """At once."""
    with program(lambda connection: connection.recv(1)) as address:
        assert "does not answer" in reach.ask(here, structs.replace(mac, address=address)).problem


NOWHERE = "127.0.0.1:1"


@pytest.fixture
def moved(here: Paths, mac: Mac) -> Mac:
    """A paired Mac whose address has changed."""
    workers(here).move(mac.fingerprint, NOWHERE)
    return structs.replace(mac, address=NOWHERE)


def test_a_mac_whose_address_has_changed_is_found_again(here: Paths, mac: Mac, moved: Mac) -> None:
    """It is asked there from then on."""
    assert reach.ask_anywhere(here, moved, lambda: [NOWHERE, mac.address]).reachable
    assert workers(here).paired() == (mac,)


def test_a_mac_that_answers_is_looked_for_nowhere(here: Paths, mac: Mac) -> None:
    """Whatever is announced."""
    assert reach.ask_anywhere(here, mac, lambda: pytest.fail("it answers")).reachable
    assert workers(here).paired() == (mac,)


def test_another_mac_at_a_forged_address_is_not_the_paired_one(here: Paths, moved: Mac, tmp_path: Path) -> None:
    """Its certificate is another one. The address stays as it was, and so does the reason."""
    with macs.other_mac(tmp_path / "liar") as liar:
        state = reach.ask_anywhere(here, moved, lambda: [liar.worker.address])
    assert liar.lines, "the handshake has failed there, too"
    assert "does not answer" in state.problem
    assert workers(here).paired() == (moved,)


def test_a_mac_that_was_unpaired_meanwhile_stays_so(here: Paths, mac: Mac, moved: Mac) -> None:
    """The user has removed it while it was looked for."""
    workers(here).remove(mac.fingerprint)
    assert reach.ask_anywhere(here, moved, lambda: [mac.address]).reachable
    assert workers(here).paired() == ()


def test_only_a_few_addresses_are_tried(here: Paths, moved: Mac, mac: Mac) -> None:
    """Anyone can announce thousands."""
    forged = [f"127.0.0.1:{port}" for port in range(2, 2 + reach.MOST_ADDRESSES)]
    assert not reach.ask_anywhere(here, moved, lambda: [*forged, mac.address]).reachable
    assert reach.ask_anywhere(here, moved, lambda: [*forged[1:], mac.address]).reachable
