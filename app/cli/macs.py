"""Carries out `hearth macs` and `hearth worker`: pairs this Mac with others, lists them, ends pairings, and lets paired
Macs use this one. The main thread then waits for Ctrl+C; `app.macs.worker` has threads of its own.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from app.base import logs
from app.base.paths import Paths
from app.base.terminal import counted, write_lines
from app.cli import home
from app.macs import interfaces, pairing, reach
from app.macs.errors import MacsError, PairingFailed
from app.macs.nearby import Announcement, Nearby
from app.macs.pairing import PairingCode
from app.macs.reach import MacState
from app.macs.roster import Mac, leaders, workers
from app.macs.worker import Post, Worker
from ui.theme.phrases import size

UNENCRYPTED = (
    "What Macs say to each other is encrypted. The data of a running model is not: use a network that you trust."
)
_NONE_FOUND = (
    "No Mac is found on this network. Start `hearth worker` on the other Mac, and pair by its address if it is still "
    "not found: hearth macs pair CODE ADDRESS"
)
_LOOK_SECONDS = 3.0
_RENEWAL_SECONDS = 1.0
_MINUTE = 60
_log = logging.getLogger(__name__)


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
    mac = home.mac_named(name, workers(places).paired())
    local = home.model_named(places, home.saved(places), model)
    shown = [0]

    def show(done: int, total: int) -> bool:
        if tenths := 10 * done // max(total, 1) - shown[0]:
            shown[0] += tenths
            write_lines([f"{10 * shown[0]}% of {size(total)}"])
        return True

    is_new = reach.copy(places, mac, Path(local.folder), local.repository, show)
    already = "already. To copy it anew, delete it there first."
    write_lines([f"{mac.name} has {local.repository} {'now.' if is_new else already}"])


def unpair(name: str) -> None:
    """End the pairing with a Mac, in both directions."""
    places = home.prepared()
    used, using = workers(places).paired(), leaders(places).paired()
    mac = home.mac_named(name, (*used, *using))
    for worker in used:
        if worker.fingerprint == mac.fingerprint:
            pairing.unpair(places, worker)
    leaders(places).remove(mac.fingerprint)
    write_lines([f"{mac.name} is no longer paired."])


def _line(mac: Mac, state: MacState) -> str:
    if not state.reachable:
        return f"{mac.name} at {mac.address}: {state.problem}"
    memory = f"{size(state.free_bytes)} of {size(state.memory_bytes)} of memory free"
    speed = f"{size(round(state.bytes_per_second))}/s, {max(0.1, 1000 * state.round_trip):.1f} ms"
    busy = f", works for {state.leader}" if state.leader else ""
    return f"{mac.name} at {mac.address}: {memory}, {counted(len(state.models), 'model')}, {speed}{busy}"


def work(interface: str, port: int, *, pair: bool) -> None:
    """Wait at an interface, which is a name or an address, or the usual one. Its address may change."""
    places = home.prepared()
    ended = threading.Event()
    post = Post(
        lambda host: Worker(places, host, port, _tell),
        lambda: interfaces.named(interface) if interface else interfaces.usual(),
    )
    with logs.written(places.logs, "worker"):
        worker: Worker | None = post.renew()
        _end_on_signals(ended)
        try:
            write_lines([UNENCRYPTED])
            if worker is not None and not worker.own.in_keychain:
                write_lines(["There is no keychain here, so the key of this Mac is in a file that only you can read."])
            pair, address, problem = pair or not leaders(places).paired(), "", ""
            while True:  # show a code until a Mac is paired
                if worker is not None and worker.address != address:
                    address = worker.address
                    _tell(f"This Mac waits for paired Macs at {address} until Ctrl+C.")
                if worker is not None and pair and not worker.offer.code and not worker.offer.used:
                    _show_code(worker)
                if ended.wait(_RENEWAL_SECONDS):
                    break
                pair = pair and not (worker is not None and worker.offer.used)
                try:
                    worker, problem = post.renew(), ""
                except MacsError as error:  # it is tried again, and said once
                    if str(error) != problem:
                        _tell(str(error))
                    worker, problem = None, str(error)
        finally:
            post.stop()
        write_lines(["Ended."])


def _tell(line: str) -> None:
    _log.info("%s", line)
    write_lines([line])


def _show_code(worker: Worker) -> None:
    code, minutes = worker.offer.renew(), int(pairing.VALID_SECONDS) // _MINUTE
    told = f"To pair another Mac, run this there within {minutes} minutes, or type code and address in its settings:"
    write_lines([told, f"    hearth macs pair {code} {worker.address}"])


def _end_on_signals(ended: threading.Event) -> None:
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, lambda _signal, _frame: ended.set())
