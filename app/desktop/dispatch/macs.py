"""Carries out the intents about several Macs."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from ui.intents import macs
from ui.intents.macs import PairingIntent

if TYPE_CHECKING:
    from app.desktop.wiring import AppParts
    from ui.intents.macs import GroupIntent, MacsIntent


class MacsDispatch:
    """One match for the page of the settings, and one for the notices."""

    def __init__(self, parts: AppParts) -> None:
        self._parts = parts
        self._macs = parts.macs

    def handle(self, intent: MacsIntent) -> None:
        """Do what the user asks of the Macs."""
        if isinstance(intent, PairingIntent):
            self._pair(intent)
        else:
            self._group(intent)

    def _group(self, intent: GroupIntent) -> None:
        connection, hosting = self._parts.connection, self._parts.hosting
        match intent:
            case macs.CopyToMac(model):
                self._macs.copies.begin(model)
            case macs.StopCopy(model):
                self._macs.copies.stop(model)
            case macs.GroupAgain():
                hosting.follow(connection.model)
                connection.use(connection.model)
            case macs.RunHere():
                hosting.keep_here(connection.model)
                connection.use(connection.model)
            case _:
                assert_never(intent)

    def _pair(self, intent: PairingIntent) -> None:
        presenter = self._macs.presenter
        match intent:
            case macs.ShowMacs():
                self._macs.look_around()
            case macs.LetOthersUse(on):
                self._macs.lend(on)
            case macs.NewPairingCode():
                self._macs.lending.new_code()
            case macs.PairMac(code, address):
                presenter.pair(code, address)
            case macs.UnpairMac(mac):
                presenter.unpair(mac)
            case macs.UnpairLeader(mac):
                presenter.unpair_leader(mac)
            case _:
                assert_never(intent)
