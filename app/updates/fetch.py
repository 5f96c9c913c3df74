"""Fetches one small file from the net, with limits on size and time. Runs on the window's thread and
never blocks it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, QUrl
from PySide6.QtNetwork import QNetworkAccessManager, QNetworkReply, QNetworkRequest

from app.base.errors import UpdateNotChecked
from resources.language.text import tr

if TYPE_CHECKING:
    from collections.abc import Callable

ADDRESS: Final = "https://updates.hearth.invalid/release.json"
"""The address of the file about the newest release. Publishers of Hearth replace it, together with the key;
`packaging/sign_release.py` signs nothing before that. `HEARTH_UPDATE_URL` overrides it.
"""
LARGEST: Final = 256 * 1024
"""Bytes of the file."""
PATIENCE_S: Final = 20.0
_SCHEMES: Final = frozenset({"http", "https"})
_REDIRECTS: Final = 3
_OK: Final = 200
_Attribute = QNetworkRequest.Attribute


def address() -> str:
    """Return the address to fetch."""
    return os.environ.get("HEARTH_UPDATE_URL") or ADDRESS


class Fetcher(QObject):
    """Fetches one file at a time. The request carries Hearth's name and nothing else: no version, no language, no
    cookie.
    """

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        super().__init__()
        self._net: QNetworkAccessManager | None = None
        self._patience = QTimer(self, singleShot=True, interval=round(patience_s * 1000))
        self._patience.timeout.connect(self._give_up)
        self._reply: QNetworkReply | None = None
        self._read = bytearray()
        self._done: Callable[[bytes], object] = lambda _: None
        self._failed: Callable[[UpdateNotChecked], object] = lambda _: None

    @property
    def is_busy(self) -> bool:
        """Whether a file is being fetched."""
        return self._reply is not None

    def begin(self, url: str, done: Callable[[bytes], object], failed: Callable[[UpdateNotChecked], object]) -> None:
        """Request the file at `url`. Later exactly one of the two is called: `done` with its bytes, or `failed` with
        the fault.
        """
        assert self._reply is None, "one file at a time"
        self._done, self._failed = done, failed
        self._read.clear()
        self._net = self._net or QNetworkAccessManager(self)
        self._reply = self._net.get(_request(url))
        self._reply.readyRead.connect(self._take)
        self._reply.finished.connect(self._finish)
        self._patience.start()

    def close(self) -> None:
        """Abort the request; neither function is called any more."""
        self._patience.stop()
        if self._reply is not None:
            self._reply.finished.disconnect(self._finish)
            self._reply.abort()
            self._reply = None

    def _give_up(self) -> None:
        if self._reply is not None:
            self._reply.abort()

    def _take(self) -> None:
        if self._reply is not None:
            self._read += self._reply.read(LARGEST + 1 - len(self._read)).data()
            if len(self._read) > LARGEST:
                self._reply.abort()

    def _finish(self) -> None:
        reply, self._reply = self._reply, None
        assert reply is not None, "what was not begun does not finish"
        self._patience.stop()
        self._read += reply.readAll().data() if reply.isOpen() else b""
        fault = _fault(reply, len(self._read))
        reply.deleteLater()
        if fault:
            self._failed(UpdateNotChecked(fault))
        else:
            self._done(bytes(self._read))


def _request(url: str) -> QNetworkRequest:
    parsed = QUrl(url, QUrl.ParsingMode.StrictMode)
    request = QNetworkRequest(parsed if parsed.scheme() in _SCHEMES else QUrl())
    request.setMaximumRedirectsAllowed(_REDIRECTS)
    request.setAttribute(_Attribute.RedirectPolicyAttribute, QNetworkRequest.RedirectPolicy.NoLessSafeRedirectPolicy)
    request.setAttribute(_Attribute.CacheLoadControlAttribute, QNetworkRequest.CacheLoadControl.AlwaysNetwork)
    for attribute in (_Attribute.CookieLoadControlAttribute, _Attribute.CookieSaveControlAttribute):
        request.setAttribute(attribute, QNetworkRequest.LoadControl.Manual)
    for header, value in ((b"User-Agent", b"Hearth"), (b"Accept-Encoding", b"identity"), (b"Accept-Language", b"*")):
        request.setRawHeader(header, value)  # identity: what is counted is what comes
    return request


def _fault(reply: QNetworkReply, count: int) -> str:
    """Return the fault of an answer, or an empty string. Qt's own message may contain anything, so it is not used."""
    if count > LARGEST:
        return tr("The file about updates is too large.")
    if reply.error() is not QNetworkReply.NetworkError.NoError:
        return tr("The file about updates cannot be fetched ({name}).", name=reply.error().name)
    if reply.attribute(_Attribute.HttpStatusCodeAttribute) != _OK:
        return tr("The file about updates is not there.")
    return ""
