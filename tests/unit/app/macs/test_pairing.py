"""Pairing two Macs over a real connection, and everything that keeps them from it."""

from __future__ import annotations

import errno
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from app.base.paths import Paths
from app.macs import pairing, reach
from app.macs.errors import PairingFailed, RosterRefused
from app.macs.pairing import MOST_TRIES, PairingCode
from app.macs.roster import Mac, Roster, folder, leaders, workers
from engine.workers.errors import WorkerError
from engine.workers.requests import Ask, State
from engine.workers.visit import visit
from storage.folders import locked
from tests.fakes import macs
from tests.fakes.macs import Other


def wrong(there: Other) -> str:
    """A code that names the worker, with a secret that it does not have."""
    return str(PairingCode.made(pairing.own(there.places).fingerprint))


def test_two_macs_pair_once(here: Paths, there: Other) -> None:
    """Each keeps the other's certificate, the code is used up, and the worker answers from then on."""
    mac = there.pair(here)
    assert workers(here).paired() == (mac,)
    [leader] = leaders(there.places).paired()
    assert leader.fingerprint == pairing.own(here).fingerprint
    assert mac.fingerprint == pairing.own(there.places).fingerprint
    assert not there.worker.offer.code
    assert reach.ask(here, mac).reachable


def test_one_process_at_a_time_changes_the_list(here: Paths, there: Other, monkeypatch: pytest.MonkeyPatch) -> None:
    """`hearth ask` may note the new address of a Mac while the window pairs another one: neither is lost."""
    mac = there.pair(here)
    paired, locks = Roster.paired, []

    def meanwhile(roster: Roster) -> tuple[Mac, ...]:
        with pytest.raises(BlockingIOError):
            locked(folder(here) / "workers.json.lock")
        locks.append(roster)
        return paired(roster)

    with monkeypatch.context() as patch:
        patch.setattr(Roster, "paired", meanwhile)
        workers(here).move(mac.fingerprint, "elsewhere:1")
        workers(here).remove(mac.fingerprint)
        workers(here).add(mac)
    assert (len(locks), workers(here).paired()) == (3, (mac,))


def test_the_key_is_private(here: Paths, there: Other) -> None:
    """Without a keychain it is in a file that only the user can read."""
    there.pair(here)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder(here).iterdir()}
    assert modes == dict.fromkeys(("this-mac.pem", "workers.json", "workers.json.lock"), 0o600)
    assert not there.worker.own.in_keychain


def test_a_mac_whose_key_is_damaged_is_paired_again(here: Paths, there: Other) -> None:
    """Until then the page says why no Mac knows it."""
    mac = there.pair(here)
    key = folder(here) / "this-mac.pem"
    key.write_bytes(key.read_bytes()[:-100])
    assert "lost or damaged" in reach.ask(here, mac).problem
    assert reach.ask(here, there.pair(here)).reachable


def another_sign(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda content: content.replace(old, new, 1)


@pytest.mark.parametrize("list_", ["workers.json", "leaders.json"])
@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda content: content[:-1], "it is not valid JSON"),
        (another_sign(b"\\nMII", b"\\nMIX"), "a certificate is damaged"),
        (another_sign(b"\\nMII", b"\\nMI\xc3\xa9"), "a certificate is damaged"),
        (another_sign(b"\\nMII", b"!MII"), "a certificate is damaged"),
    ],
)
def test_a_damaged_list_is_set_aside_by_the_next_pairing(
    here: Paths, there: Other, list_: str, damage: Callable[[bytes], bytes], why: str
) -> None:
    """It says so until then. One sign of a certificate is enough: TLS would refuse all Macs of the list."""
    there.pair(here)
    file = folder(here if list_ == "workers.json" else there.places) / list_
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(RosterRefused, match=f"{list_}: {why}. Pair the Macs again"):
        Roster(file).paired()
    assert reach.ask(here, there.pair(here)).reachable
    assert file.with_name(f"{list_}.bad").exists()


def test_a_wrong_code_pairs_nothing(here: Paths, there: Other) -> None:
    """And three of them end the code, also for the Mac that has it."""
    code = there.worker.offer.renew()
    for _ in range(MOST_TRIES):
        with pytest.raises(PairingFailed, match="not the one"):
            pairing.pair(here, wrong(there), there.worker.address)
    with pytest.raises(PairingFailed, match="shows no code now"):
        pairing.pair(here, code, there.worker.address)
    assert not leaders(there.places).paired()
    assert not workers(here).paired()


def test_a_mac_is_not_paired_with_itself(there: Other) -> None:
    """Its user typed the code on the Mac that shows it."""
    with pytest.raises(PairingFailed, match="own code"):
        pairing.pair(there.places, there.worker.offer.renew(), there.worker.address)
    assert not workers(there.places).paired()
    assert not leaders(there.places).paired()


def test_a_worker_without_a_code_pairs_nothing(here: Paths, there: Other) -> None:
    """It does not even listen to a Mac that it does not know."""
    with pytest.raises(PairingFailed, match="shows no code now"):
        pairing.pair(here, wrong(there), there.worker.address)


def test_another_machine_at_the_address_learns_nothing(
    here: Paths, there: Other, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its certificate is compared before anything is sent."""
    there.worker.offer.renew()
    asked: list[object] = []
    monkeypatch.setattr("engine.workers.visit.Visit.ask", lambda *given: asked.append(given))
    with pytest.raises(PairingFailed, match="does not show this code"):
        pairing.pair(here, str(PairingCode.made("ab" * 32)), there.worker.address)
    assert asked == []


def test_unpairing_here_ends_it_on_both_sides(here: Paths, there: Other) -> None:
    """If the worker answers."""
    mac = there.pair(here)
    pairing.unpair(here, mac)
    assert not workers(here).paired()
    assert not leaders(there.places).paired()
    assert "not paired" in reach.ask(here, mac).problem


def test_a_mac_that_was_paired_again_meanwhile_stays_so(here: Paths, there: Other) -> None:
    """The other Mac did not answer when it was removed, so it hears of that after it was paired again."""
    mac = there.pair(here)
    pairing.tell_unpaired(here, mac)
    assert reach.ask(here, mac).reachable


def test_unpairing_there_ends_it_at_once(here: Paths, there: Other) -> None:
    """The worker need not start again."""
    mac = there.pair(here)
    leaders(there.places).remove(pairing.own(here).fingerprint)
    assert "not paired" in reach.ask(here, mac).problem
    there.worker.stop()
    assert any("not paired" in line for line in there.lines)


def test_a_mac_that_is_away_is_unpaired_here(tmp_path: Path, here: Paths) -> None:
    """It learns it when this Mac connects to it no more."""
    with macs.other_mac(tmp_path / "there") as there:
        mac = there.pair(here)
    pairing.unpair(here, mac)
    assert not workers(here).paired()


def test_a_strangers_certificate_is_refused(tmp_path: Path, here: Paths, there: Other) -> None:
    """Also while a code is offered: only a Mac that shows no certificate may use it."""
    mac = there.pair(here)
    there.worker.offer.renew()
    stranger = macs.mac(tmp_path / "stranger")
    assert "not paired" in reach.ask(stranger, mac).problem


def test_a_stranger_in_the_place_of_a_worker_is_refused(tmp_path: Path, here: Paths, there: Other) -> None:
    """The Mac sends it no request."""
    mac = there.pair(here)
    with macs.other_mac(tmp_path / "stranger") as stranger:
        moved = type(mac)(mac.name, stranger.worker.address, mac.fingerprint, mac.paired_at, mac.certificate)
        assert "not the" in reach.ask(here, moved).problem


def test_a_paired_certificate_vouches_for_no_other_one(tmp_path: Path, here: Paths, there: Other) -> None:
    """A paired Mac's certificate may be able to sign others. Neither side accepts a Mac that shows one of those."""
    paired = macs.foreign_certificate(tmp_path / "paired.pem")
    signed = macs.foreign_certificate(tmp_path / "signed.pem", by=paired.file)
    leaders(there.places).add(Mac("studio", "", paired.fingerprint, 1.0, paired.certificate))
    with pytest.raises(WorkerError):
        visit(there.worker.address, "there", signed, there.worker.own.certificate)
    there.pair(here)
    there.worker.own = signed
    mac = Mac("studio", there.worker.address, paired.fingerprint, 1.0, paired.certificate)
    assert "not the" in reach.ask(here, mac).problem


def test_a_paired_mac_pairs_no_other_one(here: Paths, there: Other) -> None:
    """The worker has one kind of conversation with a Mac that it knows, and another with one that shows a code."""
    mac = there.pair(here)
    with visit(mac.address, mac.name, pairing.own(here), mac.certificate) as made:
        assert made.ask(Ask(), State).leader == ""


@pytest.mark.parametrize("address", ["", "127.0.0.1:99999", "127.0.0.1:\u0661", ":1"])
def test_what_is_no_address_is_said_so(here: Paths, address: str) -> None:
    """With a sentence."""
    with pytest.raises(PairingFailed, match="no address with a port"):
        pairing.pair(here, str(PairingCode.made("ab" * 32)), address)


def test_an_address_without_a_port_has_the_usual_one(
    here: Paths, there: Other, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People type what the other Mac shows, or only the first half of it."""
    host, port = there.address
    monkeypatch.setattr(pairing, "PORT", port)
    mac = pairing.pair(here, there.worker.offer.renew(), host)
    assert mac.address == there.worker.address
    assert reach.ask(here, mac).reachable


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (socket.gaierror(-2, "Name or service not known"), "no machine has this name"),
        (OSError(errno.EHOSTUNREACH, "No route to host"), "let Hearth use the local network"),
    ],
)
def test_an_address_with_a_typing_error_is_said_in_words(
    here: Paths, monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    """Not in those of the resolver, nor in those of the network."""

    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(PairingFailed, match=said):
        pairing.pair(here, str(PairingCode.made("ab" * 32)), "studio.locl")


@pytest.mark.parametrize("address", [".:1", "a..b:1", f"{'a' * 64}:1"])
def test_what_is_no_name_of_a_machine_is_said_so(here: Paths, address: str) -> None:
    """Not in the words of the codec that Python encodes names by."""
    with pytest.raises(PairingFailed, match="no machine has this name"):
        pairing.pair(here, str(PairingCode.made("ab" * 32)), address)


def test_a_code_that_was_used_is_said_so(here: Paths, there: Other) -> None:
    """It is the first thing to think of when a code is typed twice."""
    code = there.worker.offer.renew()
    pairing.pair(here, code, there.worker.address)
    with pytest.raises(PairingFailed, match="it was used"):
        pairing.pair(here, code, there.worker.address)


def test_nothing_at_the_address_is_said_so(here: Paths) -> None:
    """At once, if the machine is there."""
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(PairingFailed, match="Hearth does not run there"):
        pairing.pair(here, str(PairingCode.made("ab" * 32)), f"127.0.0.1:{port}")
