"""RDMA over Thunderbolt, by MLX's JACCL, in place of the ring. Experimental: it was never tried on a Mac.

MLX names the missing part only in its log, or crashes (ml-explore/mlx#3777). So each rank looks first whether it has
what JACCL needs, and the group ends with a sentence about the Mac that does not. JACCL never notices that another rank
is gone (ml-explore/mlx#4278); the control connection does, and ends the process.

On the main thread, before MLX forms the group.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from typing import TYPE_CHECKING, Final

import mlx.core as mx
import psutil

from engine.ranks import data_paths, readiness
from resources.language.text import tr

if TYPE_CHECKING:
    from pathlib import Path

    from engine.ranks.follower import Follower
    from engine.ranks.lockstep import Leader

LISTING: Final = "ibv_devices"
"""macOS's program that lists the RDMA devices."""
LISTING_SECONDS: Final = 3.0
_MACS: Final = 2
_STEP: Final = "RDMA looked for"


def check(lockstep: Leader | Follower, rank: int, addresses: Path) -> None:
    """Raises GroupLost if a rank cannot use RDMA to the other one."""
    readiness.agree(lockstep, _STEP, problem(data_paths.read(addresses), rank))


def problem(addresses: list[str], rank: int) -> str:
    """Why this machine, which is `rank`, cannot use RDMA; a sentence for people, empty if it can."""
    if len(addresses) != _MACS:
        return tr("RDMA over Thunderbolt connects two Macs, not {count}.", count=len(addresses))
    if not mx.distributed.is_available("jaccl"):
        return tr(
            "This Mac has no RDMA over Thunderbolt: it needs macOS 26.2 or newer, and a Hearth that was set up there "
            "from its sources."
        )
    devices = _devices()
    if not devices:
        return tr(
            "This Mac has no RDMA over Thunderbolt: it needs Thunderbolt 5, and “rdma_ctl enable” once in Recovery."
        )
    interface = _interface(addresses[rank])
    if _device(interface) not in devices:
        return tr(
            "This Mac has no RDMA over Thunderbolt: {interface}, which leads to the other Mac, is no Thunderbolt port "
            "of its own.",
            interface=interface,
        )
    return ""


def environment(addresses: Path, rank: int) -> dict[str, str]:
    """What JACCL reads in the environment of a rank. Writes the list of devices beside the addresses.

    Each rank uses its own row of the list only, but MLX wants all of it. So the other row has this rank's device, too.
    """
    known = data_paths.read(addresses)
    own, ranks = _device(_interface(known[rank])), range(len(known))
    devices = addresses.with_name(f"{addresses.stem}-rdma-{rank}.json")
    devices.write_text(json.dumps([[None if one == other else own for other in ranks] for one in ranks]), "utf-8")
    return {"MLX_RANK": str(rank), "MLX_IBV_DEVICES": str(devices), "MLX_JACCL_COORDINATOR": known[0]}


def _devices() -> set[str]:
    """The RDMA devices of this machine, one for each Thunderbolt port that can have a cable to another Mac."""
    if (program := shutil.which(LISTING)) is None:
        return set()
    try:
        listed = subprocess.run([program], stdout=subprocess.PIPE, text=True, timeout=LISTING_SECONDS, check=False)  # noqa: S603 - macOS's own
    except (OSError, subprocess.TimeoutExpired):
        return set()
    return {words[0] for line in listed.stdout.splitlines() if (words := line.split()) and words[0].startswith("rdma_")}


def _device(interface: str) -> str:
    return f"rdma_{interface}"


def _interface(address: str) -> str:
    """The network interface with this data address; the address itself if there is none."""
    host = address.rpartition(":")[0]
    for name, all_of in psutil.net_if_addrs().items():
        if any(one.family is socket.AF_INET and one.address == host for one in all_of):
            return name
    return host
