"""Keeps the token that the user enters in the window, and says where it is. Runs on the window's thread.

A keychain may ask the user, so it is asked on a network thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.base.background import Background
from app.base.errors import notice
from app.base.ports import ViewSink
from app.hub.token import TokenPlace, TokenStore
from resources.language.text import mark, tr
from ui.intents.notice import Notice

NOTICE: Final = "hub-token"
_TOLD: Final = {
    TokenPlace.NOWHERE: mark("Hearth has forgotten your token."),
    TokenPlace.KEYCHAIN: mark("Your token is in the system's keychain."),
    TokenPlace.FILE: mark("This system has no keychain, so your token is in {file}, which only you can read."),
}
_PLACES: Final = {
    TokenPlace.NOWHERE: "",
    TokenPlace.KEYCHAIN: mark("the keychain"),
    TokenPlace.FILE: mark("a file that only you can read"),
}


class TokenSetting:
    """The user's token for the hub. `kept` is called when the user has given one."""

    def __init__(self, store: TokenStore, network: Background, sink: ViewSink, kept: Callable[[], object]) -> None:
        self._kept = kept
        self._store = store
        self._network = network
        self._sink = sink
        self._has_looked = False
        self._place = TokenPlace.NOWHERE

    def look(self) -> None:
        """Show whether a token is kept. Later calls do nothing, because a keychain may ask the user."""
        if not self._has_looked:
            self._has_looked = True
            self._network.run(self._store.place, self._show_place, self._complain)

    def keep(self, token: str) -> None:
        """Keep the token; "" forgets it."""
        self._network.run(lambda: self._store.keep(token), self._tell, self._complain)

    def _tell(self, place: TokenPlace) -> None:
        self._sink.show_notice(Notice(NOTICE, tr(_TOLD[place], file=self._store.file), passing=True))
        self._show_place(place)
        if place is not TokenPlace.NOWHERE:
            self._kept()

    def _show_place(self, place: TokenPlace) -> None:
        self._place = place
        self.show_again()

    def show_again(self) -> None:
        """Show where the token is kept."""
        self._sink.store.token_place.put(tr(_PLACES[self._place]) if _PLACES[self._place] else "")

    def _complain(self, error: Exception) -> None:
        self._sink.show_notice(notice(error))
