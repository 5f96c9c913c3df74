"""`hearth worker`: lets paired Macs use this one. Prints a line for each thing that happens, until Ctrl+C.

The main thread waits for the signal; `app.macs.worker` has threads of its own.
"""

from __future__ import annotations

import logging
import signal
import threading
from types import FrameType

from app.base import logs
from app.base.terminal import plain, write, write_lines
from app.cli import home
from app.cli.macs import UNENCRYPTED
from app.macs import interfaces
from app.macs.pairing import VALID_SECONDS
from app.macs.roster import leaders
from app.macs.worker import Worker

_RENEWAL_SECONDS = 1.0
_MINUTE = 60
_log = logging.getLogger(__name__)


def run(interface: str, port: int, *, pair: bool) -> int:
    """Wait at an interface, which is a name or an address, or the usual one. Returns 0."""
    places = home.prepared()
    ended = threading.Event()
    with logs.written(places.logs, "worker"):
        host = interfaces.named(interface) if interface else interfaces.usual()
        worker = Worker(places, host, port, _tell)
        worker.start()
        _end_on_signals(ended)
        try:
            _greet(worker)
            _wait(worker, ended, pair=pair or not leaders(places).paired())
        finally:
            worker.stop()
        write("Ended.\n")
    return 0


def _tell(line: str) -> None:
    _log.info("%s", line)
    write(f"{plain(line)}\n")


def _greet(worker: Worker) -> None:
    lines = [
        f"This Mac waits for paired Macs at {worker.address} until Ctrl+C.",
        UNENCRYPTED,
    ]
    if not worker.own.in_keychain:
        lines.append("There is no keychain here, so the key of this Mac is in a file that only you can read.")
    write_lines(lines)


def _wait(worker: Worker, ended: threading.Event, *, pair: bool) -> None:
    """Wait for the end. With `pair`, show a code until a Mac is paired."""
    if pair:
        _show(worker)
    paired = not pair
    while not ended.wait(_RENEWAL_SECONDS):
        if not paired and not worker.offer.code:
            paired = worker.offer.used
            if not paired:
                _show(worker)


def _show(worker: Worker) -> None:
    code, minutes = worker.offer.renew(), int(VALID_SECONDS) // _MINUTE
    lines = [
        f"To pair another Mac, run this there within {minutes} minutes, or type code and address in its settings:",
        f"    hearth macs pair {code} {worker.address}",
    ]
    write_lines(lines)


def _end_on_signals(ended: threading.Event) -> None:
    def end(_signal: int, _frame: FrameType | None) -> None:
        ended.set()

    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, end)
