"""Keeps the token that the user enters in the window, and says where it is. Runs on the window's thread.

A keychain may ask the user, so it is asked on a network thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.base.errors import notice
from app.hub.token import TokenPlace
from ui.state import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.hub.network_thread import NetworkThread
    from app.hub.token import TokenStore

NOTICE: Final = "hub-token"
KEYCHAIN: Final = "Your token is in the system's keychain."
FORGOTTEN: Final = "Hearth has forgotten your token."


class TokenSetting:
    """The user's token for the hub."""

    def __init__(self, store: TokenStore, network: NetworkThread, show: Callable[[Notice], object]) -> None:
        self._store = store
        self._network = network
        self._show = show

    def keep(self, token: str) -> None:
        """Keep the token; "" forgets it."""
        self._network.ask(lambda: self._store.keep(token), self._tell, lambda error: self._show(notice(error)))

    def _tell(self, place: TokenPlace) -> None:
        self._show(Notice(NOTICE, self._words(place)))

    def _words(self, place: TokenPlace) -> str:
        match place:
            case TokenPlace.KEYCHAIN:
                return KEYCHAIN
            case TokenPlace.FILE:
                return f"This system has no keychain, so your token is in {self._store.file}, which only you can read."
            case TokenPlace.NOWHERE:
                return FORGOTTEN
