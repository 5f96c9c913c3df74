"""Carries out the intents about several Macs."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from ui.intents import macs

if TYPE_CHECKING:
    from app.desktop.wiring import AppParts
    from ui.intents.macs import MacsIntent


class MacsDispatch:
    """One match for the page of the settings."""

    def __init__(self, parts: AppParts) -> None:
        self._macs = parts.macs

    def handle(self, intent: MacsIntent) -> None:
        """Do what the user asks of the Macs."""
        presenter = self._macs.presenter
        match intent:
            case macs.ShowMacs():
                presenter.look_around()
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
