"""What a worker announces, and what is believed of announcements."""

from __future__ import annotations

from ipaddress import IPv4Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.macs.nearby import Announcement, heard
from app.macs.pairing import PairingCode
from engine.workers.requests import VERSION

FINGERPRINT = "0123456789abcdef" * 4
STUDIO = Announcement.of("Stüdio", "10.0.0.2:42517", FINGERPRINT)
NEAR = (IPv4Network("10.0.0.0/24"), IPv4Network("127.0.0.0/8"))


def test_an_announcement_is_read_as_it_was_written() -> None:
    """A name with umlauts, too."""
    assert heard(STUDIO.fields, ["10.0.0.2"], 42517, NEAR) == STUDIO
    assert STUDIO.is_understood


def test_an_announcement_holds_three_fields() -> None:
    """The version of the messages, a part of the certificate's fingerprint, and a name. Nothing of models."""
    assert STUDIO.fields == {
        b"version": b"%d" % VERSION,
        b"id": FINGERPRINT[:20].encode(),
        b"name": "Stüdio".encode(),
    }


def test_a_long_name_fits_into_a_field() -> None:
    """A field has at most 255 bytes. What is cut in the middle of a letter loses that letter."""
    long = Announcement.of("ü" * 500, "10.0.0.2:42517", FINGERPRINT)
    assert len(b"name=" + long.fields[b"name"]) < 256
    read = heard(long.fields, ["10.0.0.2"], 42517, NEAR)
    assert read is not None
    assert set(read.name) == {"ü"}


def test_a_pairing_code_and_a_certificate_recognise_their_worker() -> None:
    """The code has as many bits of the fingerprint as the announcement."""
    assert PairingCode.made(FINGERPRINT).names(STUDIO.id)
    assert STUDIO.claims(FINGERPRINT)
    other = FINGERPRINT.replace("0", "f")
    assert not PairingCode.made(other).names(STUDIO.id)
    assert not STUDIO.claims(other)


@pytest.mark.parametrize(
    "change",
    [
        {b"id": b""},
        {b"id": b"0123"},
        {b"id": FINGERPRINT[:20].upper().encode()},
        {b"id": FINGERPRINT.encode()},
        {b"id": None},
        {b"version": b"one"},
        {b"version": b"-1"},
        {b"version": b"9" * 5},
        {b"version": None},
    ],
)
def test_what_is_no_announcement_is_dropped(change: dict[bytes, bytes | None]) -> None:
    """Anyone on the network can send anything."""
    assert heard({**STUDIO.fields, **change}, ["10.0.0.2"], 42517, NEAR) is None


@pytest.mark.parametrize("hosts", [[], ["10.0.1.2"], ["8.8.8.8"], ["224.0.0.251"], ["0.0.0.0"], ["fe80::1"], ["x"]])  # noqa: S104 - nothing is bound to it
def test_an_address_outside_of_this_mac_s_networks_is_dropped(hosts: list[str]) -> None:
    """A forged announcement does not have this Mac connect to any machine of the world."""
    assert heard(STUDIO.fields, hosts, 42517, NEAR) is None
    assert heard(STUDIO.fields, [*hosts, "10.0.0.2"], 42517, NEAR) == STUDIO


def test_another_version_is_shown_as_such() -> None:
    """The user then knows which Mac to update."""
    other = heard({**STUDIO.fields, b"version": b"999"}, ["10.0.0.2"], 42517, NEAR)
    assert other is not None
    assert not other.is_understood


def test_a_name_is_cleaned() -> None:
    """Control characters and marks that turn the direction of text are dropped, and what is too long is cut. A worker
    without a name has its address.
    """
    said = {**STUDIO.fields, b"name": b"\x1b[31mst\x00u\ndio\xe2\x80\xae\xff"}
    read = heard(said, ["10.0.0.2"], 42517, NEAR)
    assert read is not None
    assert read.name == "[31mstudio"
    for empty in (b"", b"\n\t", None):
        nameless = heard({**STUDIO.fields, b"name": empty}, ["10.0.0.2"], 42517, NEAR)
        assert nameless is not None
        assert nameless.name == "10.0.0.2:42517"


@given(
    st.dictionaries(st.sampled_from([b"id", b"version", b"name", b"x"]), st.none() | st.binary(max_size=255)),
    st.lists(st.text(max_size=20), max_size=3),
    st.none() | st.integers(0, 65535),
)
def test_garbage_is_no_fault(fields: dict[bytes, bytes | None], hosts: list[str], port: int | None) -> None:
    """Whatever arrives, it is an announcement of a printable name or none."""
    read = heard(fields, [*hosts, "10.0.0.2"], port, NEAR)
    assert read is None or (read.name.isprintable() and read.address.startswith("10.0.0."))
