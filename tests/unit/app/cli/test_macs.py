"""`hearth macs` and `hearth worker`: what they print, and what they refuse."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.base import paths
from app.cli import macs as macs_commands
from app.cli.commands import main
from app.macs import interfaces, pairing
from app.macs.roster import Mac, leaders, workers
from app.models.model_folders import FROM_OTHER_MACS
from tests.fakes import macs, tiny_models
from tests.fakes.macs import Other


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Other]:
    """Another Mac with a worker, beside this one's home."""
    paths.prepare(paths.find())
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("HOME", str(tmp_path))
    with macs.other_mac(tmp_path / "there") as other:
        yield other


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(["macs", *arguments]) == status
    said = capsys.readouterr()
    return said.err if status else said.out


def test_macs_are_paired_listed_and_unpaired(capsys: pytest.CaptureFixture[str], there: Other) -> None:
    """Each command says what it did."""
    assert "No Mac is paired" in printed(capsys, "list")
    said = printed(capsys, "pair", there.worker.offer.renew(), there.worker.address)
    assert f"at {there.worker.address}." in said
    assert "The data of a running model is not" in said
    [mac] = workers(paths.find()).paired()
    assert "of memory free, 1 model" in printed(capsys, "list")
    [entry] = json.loads(printed(capsys, "list", "--json"))
    assert (entry["name"], entry["address"], entry["problem"]) == (mac.name, mac.address, "")
    assert "no longer paired" in printed(capsys, "unpair", mac.name)
    assert not leaders(there.places).paired()


def test_a_mac_is_paired_by_its_code_alone(capsys: pytest.CaptureFixture[str], there: Other) -> None:
    """The code says which of the Macs on the network it is."""
    assert f"at {there.worker.address}." in printed(capsys, "pair", there.worker.offer.renew())


def test_macs_on_the_network_are_printed(capsys: pytest.CaptureFixture[str], there: Other) -> None:
    """With what to do next."""
    said = printed(capsys, "pair")
    assert f" at {there.worker.address}\n" in said
    assert "hearth macs pair CODE" in said


def test_a_code_of_no_mac_on_the_network_is_one_line(
    capsys: pytest.CaptureFixture[str], there: Other, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what to type instead."""
    monkeypatch.setattr("app.cli.macs._LOOK_SECONDS", 0.1)
    code = there.worker.offer.renew()
    there.worker.stop()
    line = printed(capsys, "pair", code, status=2)
    assert "Type its address" in line
    assert line.count("\n") == 1


def test_a_network_without_macs_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do about it."""
    monkeypatch.setattr("app.macs.nearby.interfaces.addresses", dict)
    monkeypatch.setattr("app.cli.macs._LOOK_SECONDS", 0.1)
    assert "No Mac is found" in printed(capsys, "pair")


def test_a_mac_whose_address_has_changed_is_listed_at_the_new_one(
    capsys: pytest.CaptureFixture[str], there: Other
) -> None:
    """It says by itself where it is, and its certificate proves it."""
    mac = there.pair(paths.find())
    workers(paths.find()).move(mac.fingerprint, "127.0.0.1:1")
    assert f"at {mac.address}: " in printed(capsys, "list")


def test_a_mac_that_is_away_is_listed_with_the_reason(
    capsys: pytest.CaptureFixture[str], there: Other, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are listed, too."""
    monkeypatch.setattr("app.cli.macs._LOOK_SECONDS", 0.1)
    there.pair(paths.find())
    there.worker.stop()
    assert "Hearth does not run there" in printed(capsys, "list")


def test_a_leader_is_listed_and_unpaired(capsys: pytest.CaptureFixture[str], tmp_path: Path, there: Other) -> None:
    """It may use this Mac until then."""
    there.pair(macs.mac(tmp_path / "leader"))
    [leader] = leaders(there.places).paired()
    leaders(paths.find()).add(leader)
    assert f"{leader.name} may use this Mac" in printed(capsys, "list")
    printed(capsys, "unpair", leader.name)
    assert not leaders(paths.find()).paired()


def test_a_model_is_copied(capsys: pytest.CaptureFixture[str], there: Other) -> None:
    """With its progress in tenths."""
    mac = there.pair(paths.find())
    tiny_models.build(paths.find().models / "maker" / "name")
    said = printed(capsys, "copy", "maker/name", mac.name)
    assert re.search(r"100% of [1-9]\d* KB\n", said), "in a unit that fits its size"
    assert f"{mac.name} has maker/name now." in said
    assert (there.places.models / FROM_OTHER_MACS / "name" / "config.json").is_file()
    assert f"{mac.name} has maker/name already." in printed(capsys, "copy", "maker/name", mac.address)
    assert [one.name for one in there.places.models.glob("[!.]*/*")] == ["name"]


def test_a_mac_with_a_common_name_is_told_apart(
    capsys: pytest.CaptureFixture[str], there: Other, tmp_path: Path
) -> None:
    """Two Macs are often called MacBook Pro. A command that could mean either does nothing, and says what to type."""
    mac = there.pair(paths.find())
    own = pairing.own(macs.mac(tmp_path / "twin"))
    twin = Mac(mac.name.upper(), "10.0.0.9:42517", own.fingerprint, 1.0, own.certificate)
    start = twin.fingerprint[:8]
    workers(paths.find()).add(twin)
    said = printed(capsys, "unpair", mac.name, status=2)
    assert "2 Macs have the name" in said
    assert start in said
    assert workers(paths.find()).paired() == (mac, twin)
    printed(capsys, "unpair", start)
    assert workers(paths.find()).paired() == (mac,)
    printed(capsys, "unpair", mac.name.upper())
    assert not workers(paths.find()).paired()


def test_a_worker_prints_the_command_that_pairs_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is copied to the other Mac as it is: no word and no full stop touches the code or the address."""
    monkeypatch.setattr(macs_commands, "_end_on_signals", threading.Event.set)
    assert main(["worker", "--interface", macs.HOST, "--port", "0"]) == 0
    assert re.search(
        r"^    hearth macs pair (?:[0-9A-Z]{4}-){5}[0-9A-Z]{4} 127\.0\.0\.1:\d+$", capsys.readouterr().out, re.MULTILINE
    )


def test_a_worker_follows_the_address_of_its_machine(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The network may go and come again. The code that it showed is gone, so it shows another one."""
    ends: list[threading.Event] = []
    hosts = [macs.HOST, "", macs.HOST]

    def usual() -> str:
        if len(hosts) == 1:
            ends[0].set()
        return hosts.pop(0)

    monkeypatch.setattr(macs_commands, "_end_on_signals", ends.append)
    monkeypatch.setattr(macs_commands, "_RENEWAL_SECONDS", 0.01)
    monkeypatch.setattr(interfaces, "usual", usual)
    assert main(["worker", "--port", "0"]) == 0
    said = [line.split(" until")[0].rpartition(":")[0] or line for line in capsys.readouterr().out.splitlines()]
    waits = f"This Mac waits for paired Macs at {macs.HOST}"
    told = [line for line in said if "This Mac waits" in line or "no network" in line]
    assert told == [waits, "This Mac is on no network now, so no other Mac can use it.", waits]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pair", "ABCD", "127.0.0.1:1"), "24 letters and digits"),
        (("pair", "ABCD"), "24 letters and digits"),
        (("unpair", "nobody"), "No Mac of the name nobody"),
        (("copy", "model", "nobody"), "No Mac of the name nobody"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    """On stderr, with the exit status of errors."""
    line = printed(capsys, *arguments, status=2)
    assert said in line
    assert line.count("\n") == 1


def test_a_worker_waits_at_an_interface_by_its_name_or_address() -> None:
    """The usual one is one of this machine's; there is none without a network."""
    assert interfaces.usual() in {*interfaces.addresses().values(), ""}
    for name, address in interfaces.addresses().items():
        assert interfaces.named(name) == interfaces.named(address) == address


@pytest.mark.parametrize(
    ("up", "routed", "usual"),
    [
        ({"lo0": "127.0.0.1"}, "", ""),
        ({"lo0": "127.0.0.1", "en0": "10.0.0.5", "en7": "10.0.0.6"}, "10.0.0.6", "10.0.0.6"),
        ({"lo0": "127.0.0.1", "en0": "169.254.1.1"}, "", "169.254.1.1"),
        ({"utun3": "10.8.0.2", "en0": "192.168.1.5", "lo0": "127.0.0.1"}, "10.8.0.2", "192.168.1.5"),
        ({"utun3": "10.8.0.2", "lo0": "127.0.0.1"}, "10.8.0.2", "10.8.0.2"),
    ],
)
def test_a_worker_waits_where_the_macs_around_reach_it(
    monkeypatch: pytest.MonkeyPatch, up: dict[str, str], routed: str, usual: str
) -> None:
    """Not behind a VPN that leads to all other networks, and never at an address that is this machine's alone."""
    monkeypatch.setattr(interfaces, "addresses", lambda: up)
    monkeypatch.setattr(interfaces, "_routed", lambda: routed)
    assert interfaces.usual() == usual


def test_a_worker_at_an_address_of_another_machine_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """It cannot wait there."""
    assert main(["worker", "--interface", "192.0.2.1", "--port", "0"]) == 2
    assert "cannot wait at 192.0.2.1:0" in capsys.readouterr().err
