"""Pairs this Mac with a worker, by the code that the worker shows. Blocks, for a few seconds at most.

The code names the worker's certificate, so another machine at its address is noticed before anything is sent to it.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from app.base.errors import reason
from app.macs.errors import MacsError, PairingFailed
from app.macs.interfaces import PORT
from app.macs.pairing_code import PairingCode
from app.macs.roster import Mac, folder, shown_name, workers
from engine.workers.errors import Unpaired, WorkerError
from engine.workers.own_certificate import own_certificate
from engine.workers.requests import Forget, Forgotten, Paired, Prove
from engine.workers.visit import visit, visit_stranger, welcome
from resources.language.text import tr
from storage.untrusted import UntrustedDataError

if TYPE_CHECKING:
    from app.base.paths import Paths
    from engine.workers.own_certificate import OwnCertificate


def own_name() -> str:
    """The name of this Mac, as others show it."""
    return socket.gethostname().removesuffix(".local") or "Mac"


def own(places: Paths) -> OwnCertificate:
    """This Mac's certificate. Raises MacsError."""
    try:
        return own_certificate(folder(places))
    except OSError as error:
        raise MacsError(tr("This Mac's key cannot be kept: {reason}.", reason=reason(error))) from error
    except UntrustedDataError as error:
        raise MacsError(tr("This Mac's key cannot be read: {reason}.", reason=error)) from error


def pair(places: Paths, code: str, address: str) -> Mac:
    """Pair with the worker at "host:port", or at the usual port of "host". Raises MacsError."""
    typed, certificate = PairingCode.typed(code), own(places)
    address = address if ":" in address else f"{address}:{PORT}"
    if typed.names(certificate.fingerprint):
        raise PairingFailed(tr("This is this Mac's own code. Type the one that the other Mac shows."))
    try:
        with visit_stranger(address) as made:
            if not typed.names(made.channel.peer):
                raise PairingFailed(tr("The Mac at {address} does not show this code.", address=address))
            made.name = name = shown_name(welcome(made), address)
            made.ask(Prove(typed.secret, certificate.certificate, own_name()), Paired)
            mac = Mac(name, address, made.channel.peer, time.time(), made.channel.peer_certificate)
    except Unpaired as error:
        raise PairingFailed(
            tr(
                "The Mac at {address} shows no code now: it was used, or has expired. Let it show a new one.",
                address=address,
            )
        ) from error
    except WorkerError as error:
        raise PairingFailed(str(error)) from error
    workers(places).add(mac)
    return mac


def unpair(places: Paths, mac: Mac) -> None:
    """End the pairing with a worker, and tell it, if it answers. Raises MacsError."""
    workers(places).remove(mac.fingerprint)
    tell_unpaired(places, mac)


def tell_unpaired(places: Paths, mac: Mac) -> None:
    """Tell a worker that it was removed from the list, if it answers. Do not if it was paired again meanwhile. Raises
    MacsError.
    """
    if any(one.fingerprint == mac.fingerprint for one in workers(places).paired()):
        return
    with suppress(WorkerError), visit(mac.address, mac.name, own(places), mac.certificate) as made:
        made.ask(Forget(), Forgotten)
