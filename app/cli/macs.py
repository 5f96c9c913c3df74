"""Carries out `hearth macs`: pairs this Mac with others, lists them, and ends pairings."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from app.base.errors import BadArguments
from app.base.paths import Paths
from app.base.terminal import counted, write_lines
from app.cli import home
from app.macs import copying, pairing, reach
from app.macs.errors import PairingFailed
from app.macs.nearby import Announcement, Nearby
from app.macs.pairing import PairingCode
from app.macs.reach import MacState
from app.macs.roster import Mac, leaders, workers
from ui.theme.phrases import size

UNENCRYPTED = (
    "What Macs say to each other is encrypted. The data of a running model is not: use a network that you trust."
)
_NONE_FOUND = (
    "No Mac is found on this network. Start `hearth worker` on the other Mac, and pair by its address if it is still "
    "not found: hearth macs pair CODE ADDRESS"
)
_LOOK_SECONDS = 3.0
_ID_DIGITS = 8
"""As many digits of a certificate name a Mac, if another one has the same name."""


def pair(code: str, address: str) -> None:
    """Pair with the worker at an address, or with the one on this network that shows the code. Without a code, print
    the Macs on this network.
    """
    if code:
        places = home.prepared()
        mac = pairing.pair(places, code, address or _address_of(code))
        write_lines([f"Paired with {mac.name} at {mac.address}.", UNENCRYPTED])
        return
    lines = [f"{mac.name} at {mac.address}" for mac in _found(lambda _macs: False)]
    if lines:
        lines.append("To pair with one, type the code that it shows: hearth macs pair CODE")
    write_lines(lines or [_NONE_FOUND])


def _address_of(code: str) -> str:
    """Where the Mac that shows this code waits. Raises PairingFailed."""
    typed = PairingCode.typed(code)
    for mac in _found(lambda macs: any(typed.names(one.id) for one in macs)):
        if typed.names(mac.id):
            return mac.address
    raise PairingFailed("No Mac with this code is found on this network. Type its address behind the code.")


def _found(enough: Callable[[tuple[Announcement, ...]], bool]) -> tuple[Announcement, ...]:
    """The Macs on this network, once they are `enough`, or after some seconds."""
    with closing(Nearby()) as nearby:
        return nearby.wait(enough, _LOOK_SECONDS)


def list_macs(*, json: bool) -> None:
    """Print the Macs that this one may use, each with its state, and those that may use this one."""
    places = home.prepared()
    states = {mac.fingerprint: _state(places, mac) for mac in workers(places).paired()}
    found = [(mac, states[mac.fingerprint]) for mac in workers(places).paired() if mac.fingerprint in states]
    states_of_all = [{"name": mac.name, "address": mac.address, **asdict(state)} for mac, state in found]
    lines = [_line(mac, state) for mac, state in found]
    lines += [f"{mac.name} may use this Mac" for mac in leaders(places).paired()]
    none = "No Mac is paired. Run `hearth worker` on the other Mac: it prints what to type on this one."
    home.report(states_of_all, lines or [none], json=json)


def _state(places: Paths, mac: Mac) -> MacState:
    """What a Mac has. If it does not answer at its address, it is looked for on this network."""

    def elsewhere() -> list[str]:
        found = _found(lambda macs: any(one.claims(mac.fingerprint) for one in macs))
        return [one.address for one in found if one.claims(mac.fingerprint)]

    return reach.ask_anywhere(places, mac, elsewhere)


def copy(model: str, name: str) -> None:
    """Copy a model to a Mac, and print each tenth of it."""
    places = home.prepared()
    mac = named(name, workers(places).paired())
    local = home.model_named(places, home.saved(places), model)
    shown = [0]

    def show(done: int, total: int) -> bool:
        if tenths := 10 * done // max(total, 1) - shown[0]:
            shown[0] += tenths
            write_lines([f"{10 * shown[0]}% of {size(total)}"])
        return True

    is_new = copying.copy(places, mac, Path(local.folder), local.repository, show)
    already = "already. To copy it anew, delete it there first."
    write_lines([f"{mac.name} has {local.repository} {'now.' if is_new else already}"])


def unpair(name: str) -> None:
    """End the pairing with a Mac, in both directions."""
    places = home.prepared()
    used, using = workers(places).paired(), leaders(places).paired()
    mac = named(name, (*used, *using))
    for worker in used:
        if worker.fingerprint == mac.fingerprint:
            pairing.unpair(places, worker)
    leaders(places).remove(mac.fingerprint)
    write_lines([f"{mac.name} is no longer paired."])


def named(name: str, macs: tuple[Mac, ...]) -> Mac:
    """The Mac that the user means by its name, its address, or the first digits of its certificate."""
    found = {
        mac.fingerprint: mac
        for mac in macs
        if mac.name.casefold() == name.casefold()
        or mac.address == name
        or (len(name) >= _ID_DIGITS and mac.fingerprint.startswith(name.lower()))
    }
    if not found:
        raise BadArguments(f"No Mac of the name {name} is paired; hearth macs list names all.")
    if len(found) > 1:
        numbers = ", ".join(one[:_ID_DIGITS] for one in found)
        raise BadArguments(f"{len(found)} Macs have the name {name}. Give the number of one instead: {numbers}.")
    return next(iter(found.values()))


def _line(mac: Mac, state: MacState) -> str:
    if not state.reachable:
        return f"{mac.name} at {mac.address}: {state.problem}"
    memory = f"{size(state.free_bytes)} of {size(state.memory_bytes)} of memory free"
    speed = f"{size(round(state.bytes_per_second))}/s, {max(0.1, 1000 * state.round_trip):.1f} ms"
    busy = f", works for {state.leader}" if state.leader else ""
    return f"{mac.name} at {mac.address}: {memory}, {counted(len(state.models), 'model')}, {speed}{busy}"
