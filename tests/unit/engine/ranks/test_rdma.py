"""RDMA over Thunderbolt: what each rank tells MLX, and the sentence of a machine that has none."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx
import psutil
import pytest

from engine.ranks import rdma
from engine.ranks.lockstep import GroupLost
from tests.fakes.lockstep_rig import Group

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = "127.0.0.1"
ADDRESSES = [f"{HERE}:1", f"{HERE}:2"]
LOOPBACK = next(name for name, all_of in psutil.net_if_addrs().items() if any(one.address == HERE for one in all_of))


@pytest.fixture
def mac(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes this machine one whose MLX has JACCL, and whose program lists these devices."""

    def made(*devices: str, script: str = "") -> None:
        lines = ["device          \t   node GUID", "------          \t----------------"]
        lines += [f"{device}        \t8096a9d9edbaac05" for device in devices]
        (tmp_path / "listing").write_text("\n".join(lines))
        program = tmp_path / rdma.LISTING
        program.write_text(script or f"#!/bin/sh\ncat {tmp_path / 'listing'}\n")
        program.chmod(0o700)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setattr(mx.distributed, "is_available", lambda backend: backend == "jaccl")

    return made


def test_a_machine_whose_mlx_has_no_jaccl_says_so() -> None:
    """As this one, which runs Linux."""
    assert "it needs macOS 26.2 or newer" in rdma.problem(ADDRESSES, 0)


@pytest.mark.parametrize("script", ["", "#!/bin/sh\nexit 1\n", "no program"])
def test_a_mac_without_a_device_says_what_it_needs(mac: Callable[..., None], script: str) -> None:
    """MLX would crash. Macs with Thunderbolt 4 never have one."""
    mac(script=script)
    assert "it needs Thunderbolt 5, and “rdma_ctl enable” once in Recovery" in rdma.problem(ADDRESSES, 0)


def test_a_listing_that_hangs_is_as_good_as_none(mac: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """The group must not wait for it."""
    monkeypatch.setattr(rdma, "LISTING_SECONDS", 0.2)
    mac(script="#!/bin/sh\nexec sleep 60\n")
    assert "it needs Thunderbolt 5" in rdma.problem(ADDRESSES, 0)


def test_macs_that_meet_elsewhere_than_over_the_cable_are_told(mac: Callable[..., None]) -> None:
    """The sentence names the interface: Wi-Fi, or the bridge in which macOS puts all Thunderbolt ports."""
    mac("rdma_en2", "rdma_en3")
    assert f": {LOOPBACK}, which leads to the other Mac, is no Thunderbolt port" in rdma.problem(ADDRESSES, 1)


def test_three_macs_are_refused(mac: Callable[..., None]) -> None:
    """A Mac knows the port to its leader only, and JACCL needs one to each other Mac."""
    mac(f"rdma_{LOOPBACK}")
    assert rdma.problem([*ADDRESSES, f"{HERE}:3"], 0) == "RDMA over Thunderbolt connects two Macs, not 3."


def addresses_file(folder: Path) -> Path:
    file = folder / "ranks.json"
    file.write_text(json.dumps([[one] for one in ADDRESSES]))
    return file


@pytest.mark.parametrize("rank", [0, 1])
def test_each_rank_tells_mlx_its_device_and_where_the_leader_waits(
    mac: Callable[..., None], tmp_path: Path, rank: int
) -> None:
    """By the variables that MLX reads. The list of devices has no device to the rank itself."""
    mac("rdma_en9", f"rdma_{LOOPBACK}")
    file, device = addresses_file(tmp_path), f"rdma_{LOOPBACK}"
    assert rdma.problem(ADDRESSES, rank) == ""
    told = rdma.environment(file, rank)
    assert (told["MLX_RANK"], told["MLX_JACCL_COORDINATOR"]) == (str(rank), ADDRESSES[0])
    assert json.loads(Path(told["MLX_IBV_DEVICES"]).read_text()) == [[None, device], [device, None]]
    assert rdma.environment(file, 1 - rank)["MLX_IBV_DEVICES"] != told["MLX_IBV_DEVICES"]


def test_a_rank_without_rdma_ends_the_group_with_its_name(
    mac: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before MLX is asked, and on all ranks."""
    mac(f"rdma_{LOOPBACK}")
    group, said = Group(), list[str]()
    group.leader.names = {1: "Studio"}
    group.leader.last_words = lambda _rank, _reason, detail: said.append(detail)
    monkeypatch.setattr(rdma, "problem", lambda _known, rank: "It has none." if rank else "")
    file = addresses_file(tmp_path)
    group.run(lambda rank, follower: rdma.check(follower, rank, file))
    with suppress(GroupLost):
        rdma.check(group.leader, 0, file)
    group.join()
    assert said == ["Studio: It has none."]
    assert isinstance(group.ends[1], GroupLost)
