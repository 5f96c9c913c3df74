"""Carries out `hearth macs`: pairs this Mac with others, lists them, and ends pairings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from app.base import paths, settings
from app.base.errors import BadArguments
from app.base.terminal import complain, counted, write, write_lines
from app.macs import copying, pairing, reach
from app.macs.roster import leaders, workers
from app.models.named import model_named

if TYPE_CHECKING:
    from app.base.paths import Paths
    from app.macs.reach import MacState
    from app.macs.roster import Mac

UNENCRYPTED = (
    "What Macs say to each other is encrypted. The data of a running model is not: use a network that you trust."
)
_GIB = 1 << 30


def pair(code: str, address: str) -> int:
    """Pair with the worker at an address. Returns 0."""
    places = _places()
    mac = pairing.pair(places, code, address)
    write_lines([f"Paired with {mac.name} at {mac.address}.", UNENCRYPTED])
    return 0


def list_macs(*, json: bool) -> int:
    """Print the Macs that this one may use, each with its state, and those that may use this one. Returns 0."""
    places = _places()
    found = [(mac, reach.ask(places, mac)) for mac in workers(places).paired()]
    if json:
        write(msgspec.json.encode([_entry(mac, state) for mac, state in found]).decode() + "\n")
        return 0
    lines = [_line(mac, state) for mac, state in found]
    lines += [f"{mac.name} may use this Mac" for mac in leaders(places).paired()]
    write_lines(lines or ["No Mac is paired. Start `hearth worker` on the other Mac, and type its code here."])
    return 0


def copy(model: str, name: str) -> int:
    """Copy a model to the Mac of this name, and print each tenth of it. Returns 0."""
    places = _places()
    macs = [mac for mac in workers(places).paired() if mac.name == name]
    if not macs:
        raise BadArguments(f"No Mac of the name {name} is paired.")
    local = model_named(places, settings.load(places.settings, lambda error: complain(str(error))), model)
    shown = [0]

    def show(done: int, total: int) -> bool:
        if tenths := 10 * done // max(total, 1) - shown[0]:
            shown[0] += tenths
            write_lines([f"{10 * shown[0]} % of {total / 1e9:.1f} GB"])
        return True

    copying.copy(places, macs[0], Path(local.folder), local.repository, show)
    write_lines([f"{name} has {local.repository} now."])
    return 0


def unpair(name: str) -> int:
    """End the pairings with the Macs of this name. Returns 0."""
    places = _places()
    used = [mac for mac in workers(places).paired() if mac.name == name]
    using = [mac for mac in leaders(places).paired() if mac.name == name]
    if not used and not using:
        raise BadArguments(f"No Mac of the name {name} is paired.")
    for mac in used:
        pairing.unpair(places, mac)
    for mac in using:
        leaders(places).remove(mac.fingerprint)
    write_lines([f"{name} is no longer paired."])
    return 0


def _places() -> Paths:
    places = paths.find()
    paths.prepare(places)
    return places


def _entry(mac: Mac, state: MacState) -> dict[str, object]:
    return {"name": mac.name, "address": mac.address, **asdict(state)}


def _line(mac: Mac, state: MacState) -> str:
    if not state.reachable:
        return f"{mac.name} at {mac.address}: {state.problem}"
    memory = f"{state.free_bytes / _GIB:.0f} of {state.memory_bytes / _GIB:.0f} GiB of memory free"
    speed = f"{state.bytes_per_second / 1e6:.0f} MB/s, {1000 * state.round_trip:.1f} ms"
    busy = f", works for {state.leader}" if state.leader else ""
    return f"{mac.name} at {mac.address}: {memory}, {counted(len(state.models), 'model')}, {speed}{busy}"
