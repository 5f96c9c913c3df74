"""Macs that find each other on the network of this machine, and others that lie."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, closing
from typing import TYPE_CHECKING

import pytest

from app.macs import interfaces
from app.macs import nearby as nearby_macs
from app.macs.nearby import GOODBYE_SECONDS, Announcement, Nearby
from tests.fakes.announcements import packet, send

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncZeroconf

SECONDS = 20.0
ATTEMPTS = 40
FINGERPRINT = "0123456789abcdef" * 4
STUDIO = Announcement.of("studio", "127.0.0.1:42517", FINGERPRINT)
MINI = Announcement.of("mini", "127.0.0.1:42518", "f" * 64)
TRUE = (b"version=1", b"id=" + b"f" * 20, b"name=true")


@pytest.fixture
def nearby() -> Iterator[Nearby]:
    """One that looks, and has heard something already. After the test, its thread ends."""
    made, first = Nearby(), nearby_macs.announcer(STUDIO)
    assert names(made, "studio") == ["studio"]
    first.close(GOODBYE_SECONDS)
    assert names(made) == []
    threads = [thread for thread in threading.enumerate() if thread.name == "nearby"]
    yield made
    made.close()
    for thread in threads:
        thread.join(SECONDS)
        assert not thread.is_alive()


def names(nearby: Nearby, *wanted: str) -> list[str]:
    """The names of the Macs that are found, once they are these."""
    return [mac.name for mac in nearby.wait(lambda macs: [mac.name for mac in macs] == list(wanted), SECONDS)]


def said(nearby: Nearby, packet: bytes, name: str) -> bool:
    """Whether a Mac of this name is found now that it is announced. The system drops packets of a flood."""
    send(packet)
    return any(mac.name == name for mac in nearby.wait(lambda macs: name in {mac.name for mac in macs}, 0.5))


def test_macs_that_come_and_go_are_noticed(nearby: Nearby) -> None:
    """At once, with all that they announce. They are listed by name."""
    announcers = [nearby_macs.announcer(mac) for mac in (STUDIO, MINI)]
    assert nearby.wait(lambda macs: len(macs) == 2, SECONDS) == (MINI, STUDIO)
    announcers[0].close(GOODBYE_SECONDS)
    assert nearby.wait(lambda macs: len(macs) == 1, SECONDS) == (MINI,)
    announcers[1].close(GOODBYE_SECONDS)
    assert names(nearby) == []


def test_a_mac_that_was_there_before_is_found() -> None:
    """It answers the question of one that begins to look. One that looks no more knows nothing."""
    announcer = nearby_macs.announcer(STUDIO)
    with closing(Nearby()) as first, closing(Nearby()) as second:
        assert names(first, "studio") == ["studio"]
        assert names(second, "studio") == ["studio"]
        first.close()
        assert names(first) == []
    announcer.close(GOODBYE_SECONDS)


def test_garbage_is_dropped(nearby: Nearby, service: str, caplog: pytest.LogCaptureFixture) -> None:
    """Packets that are none, records that lack what is needed, addresses of other networks. A record whose own name is
    garbage counts if the rest is right: that name is never shown. Nothing is logged of what others say.
    """
    caplog.set_level(logging.INFO)
    send(
        b"",
        b"\xff" * 1400,
        packet(service, b"a", TRUE)[:-5],
        packet(service, b"\x00\x1b[2J\n", TRUE),
        packet(service, b"\xff\xfe", TRUE),
        packet(service, b"x" * 63, (b"version=1", b"id=" + b"F" * 20)),
        packet(service, b"y", (b"",)),
        packet(service, b"z", (b"=", b"id", b"version=" + b"9" * 200)),
        packet(service, b"far", TRUE, host="8.8.8.8"),
        packet(service, b"port", TRUE, port=0),
    )
    last = Announcement("true", "127.0.0.1:7", "f" * 20)
    send(packet(service, b"true", TRUE, port=7))
    kept = nearby.wait(lambda macs: last in macs, SECONDS)
    assert {(mac.name, mac.address) for mac in kept} <= {("true", "127.0.0.1:1"), ("true", last.address)}
    assert last in kept
    assert "2J" not in caplog.text


def test_thousands_of_announcements_fill_a_short_list(nearby: Nearby, service: str) -> None:
    """The rest is dropped, and the one that looks is still awake: it hears a Mac that takes the place of another."""
    send(*(packet(service, b"%d" % at, (*TRUE[:2], b"name=%d" % at), port=1 + at) for at in range(5000)))
    kept = nearby.wait(lambda macs: len(macs) == 32, SECONDS)
    assert len(kept) == 32
    port = int(kept[0].address.partition(":")[2])
    other = packet(service, b"%d" % (port - 1), (*TRUE[:2], b"name=other"), port=port)
    assert any(said(nearby, other, "other") for _attempt in range(ATTEMPTS)), (
        "the flood took the place of the first ones"
    )
    assert len(nearby.macs) <= 32


def test_what_a_flood_has_left_is_forgotten(service: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """zeroconf keeps a note for each announced name until the announcement expires. After very many records it is
    started anew, and finds the Macs that are there.
    """
    monkeypatch.setattr(nearby_macs, "_TRIAL_SECONDS", 0.05)
    monkeypatch.setattr(nearby_macs, "_MOST_RECORDS", 100)
    browse, begun = Nearby._browse, list[object]()

    def noted(nearby: Nearby, zeroconf: AsyncZeroconf) -> AbstractAsyncContextManager[Callable[[], bool]]:
        begun.append(zeroconf)
        return browse(nearby, zeroconf)

    monkeypatch.setattr(Nearby, "_browse", noted)
    made, announcer = Nearby(), nearby_macs.announcer(STUDIO)
    assert names(made, "studio") == ["studio"]
    assert len(begun) == 1
    for _attempt in range(ATTEMPTS):
        send(*(packet(service, secrets.token_hex(8).encode(), TRUE, host="8.8.8.8") for _ in range(50)))
        if len(begun) > 1:
            break
        made.wait(lambda _: False, 0.1)
    assert len(begun) > 1
    assert names(made, "studio") == ["studio"]
    announcer.close(GOODBYE_SECONDS)
    made.close()


def test_a_mac_that_may_not_speak_to_all_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS refuses to send then. Looking neither fails nor ends: the user may allow it later."""
    tries = threading.Event()
    monkeypatch.setattr(nearby_macs, "may_send", lambda host: tries.wait(SECONDS) and host.startswith("127."))
    made, announcer = Nearby(), nearby_macs.announcer(STUDIO)
    assert made.is_possible, "nothing is known yet"
    tries.set()
    assert names(made, "studio") == ["studio"]
    assert [made.is_possible] == [False]
    announcer.close(GOODBYE_SECONDS)
    made.close()


def test_an_interface_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cable may be pulled at any time, and plugged in again."""
    monkeypatch.setattr(nearby_macs, "_TRIAL_SECONDS", 0.01)
    real, failed = interfaces.addresses, threading.Event()

    def addresses() -> dict[str, str]:
        if failed.is_set():
            return real()
        failed.set()
        raise OSError

    monkeypatch.setattr(interfaces, "addresses", addresses)
    made, announcer = Nearby(), nearby_macs.announcer(STUDIO)
    assert names(made, "studio") == ["studio"]
    announcer.close(GOODBYE_SECONDS)
    made.close()


def test_what_cannot_be_sent_is_known() -> None:
    """An address that is none of this machine's."""
    assert nearby_macs.may_send("127.0.0.1")
    assert not nearby_macs.may_send("192.0.2.77")
