"""Lets a second start of Hearth pass its files and links to the open window, through a local socket.

The server runs on the window's thread. `app.base.locks` decides which process is the window.
"""

from __future__ import annotations

import logging
import socket
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from app.base.paths import Paths
from storage.untrusted import UntrustedDataError, decode_json

_log = logging.getLogger(__name__)

ANSWER_S: Final = 2.0
"""A window that does not answer within this time counts as not there."""
LARGEST: Final = 8 << 20
"""Bytes that one start can send."""
_LONGEST_NAME: Final = 100
"""Bytes in the path of a socket that every system takes. A home with a longer path has no server."""
_RECEIVED: Final = b"heard\n"


class InstanceServer(QLocalServer):
    """Listens in the data folder, which only its owner may enter. `notified` carries the files and links that another
    start brought, a tuple of texts.
    """

    notified = Signal(object)

    def __init__(self, paths: Paths, parent: QObject) -> None:
        """Needs the window's lock: a socket that an earlier window left behind is removed. `parent` outlives the event
        loop: Qt crashes if Python deletes a server whose connections the loop has still to end.
        """
        super().__init__(parent, socketOptions=QLocalServer.SocketOption.UserAccessOption)
        self.newConnection.connect(self._welcome)
        name = _name(paths)
        self.removeServer(str(name))
        if name is None or not self.listen(str(name)):
            _log.warning("a second start cannot reach this window: %s", self.errorString() or "long path")

    def _welcome(self) -> None:
        while (client := self.nextPendingConnection()) is not None:
            listen = partial(self._listen, client, bytearray())
            client.readyRead.connect(listen)
            client.disconnected.connect(client.deleteLater)
            listen()

    def _listen(self, client: QLocalSocket, received: bytearray) -> None:
        received += client.readAll().data()
        if len(received) > LARGEST:
            client.abort()
        elif received.endswith(b"\n"):
            try:
                brought = decode_json(received, tuple[str, ...])
            except UntrustedDataError as error:
                _log.warning("a second start was not understood: %s", error)
                client.abort()
            else:
                client.write(_RECEIVED)
                client.flush()
                self.notified.emit(brought)


def notify_open_window(paths: Paths, brought: tuple[str, ...], answer_s: float = ANSWER_S) -> bool:
    """Pass files and links to the open window, which comes to the front. Returns whether a window has received them.

    If there is no window, this returns at once. Needs no event loop.
    """
    name = _name(paths)
    if name is None:
        return False
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(answer_s)
        try:
            line.connect(str(name))
            line.sendall(msgspec.json.encode(brought) + b"\n")
            heard = b""
            while len(heard) < len(_RECEIVED) and (more := line.recv(len(_RECEIVED))):
                heard += more
        except OSError:
            return False
    return heard == _RECEIVED


def _name(paths: Paths) -> Path | None:
    name = paths.data / "window.bell"
    return name if len(bytes(name)) <= _LONGEST_NAME else None
