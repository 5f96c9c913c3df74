"""`hearth worker`: lets paired Macs use this one. Prints a line for each thing that happens, until Ctrl+C.

The main thread waits for the signal; `app.macs.worker` has threads of its own.
"""

from __future__ import annotations

import logging
import signal
import threading

from app.base import logs
from app.base.terminal import write, write_lines
from app.cli import home
from app.cli.macs import UNENCRYPTED
from app.macs import interfaces
from app.macs.pairing import VALID_SECONDS
from app.macs.roster import leaders
from app.macs.worker import Worker

_RENEWAL_SECONDS = 1.0
_MINUTE = 60
_log = logging.getLogger(__name__)


def run(interface: str, port: int, *, pair: bool) -> None:
    """Wait at an interface, which is a name or an address, or the usual one."""
    places = home.prepared()
    ended = threading.Event()
    with logs.written(places.logs, "worker"):
        host = interfaces.named(interface) if interface else interfaces.usual()
        worker = Worker(places, host, port, _tell)
        worker.start()
        _end_on_signals(ended)
        try:
            write_lines([f"This Mac waits for paired Macs at {worker.address} until Ctrl+C.", UNENCRYPTED])
            if not worker.own.in_keychain:
                write_lines(["There is no keychain here, so the key of this Mac is in a file that only you can read."])
            pair = pair or not leaders(places).paired()
            while True:  # show a code until a Mac is paired
                if pair and not worker.offer.code and not worker.offer.used:
                    _show_code(worker)
                if ended.wait(_RENEWAL_SECONDS):
                    break
        finally:
            worker.stop()
        write("Ended.\n")


def _tell(line: str) -> None:
    _log.info("%s", line)
    write_lines([line])


def _show_code(worker: Worker) -> None:
    code, minutes = worker.offer.renew(), int(VALID_SECONDS) // _MINUTE
    told = f"To pair another Mac, run this there within {minutes} minutes, or type code and address in its settings:"
    write_lines([told, f"    hearth macs pair {code} {worker.address}"])


def _end_on_signals(ended: threading.Event) -> None:
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, lambda _signal, _frame: ended.set())
