"""Intents of the settings page about several Macs."""

from __future__ import annotations

from msgspec import Struct


class ShowMacs(Struct, frozen=True):
    """Ask the paired Macs what they have, look for others on the network, and show both. The page repeats this while it
    is open.
    """


class LetOthersUse(Struct, frozen=True):
    """Wait for other Macs from now on, or do so no longer."""

    on: bool


class NewPairingCode(Struct, frozen=True):
    """Show a new code by which another Mac can be paired with this one."""


class PairMac(Struct, frozen=True):
    """Pair with the Mac at this address, which shows this code."""

    code: str
    address: str


class UnpairMac(Struct, frozen=True):
    """Use this Mac no longer."""

    mac: str


class UnpairLeader(Struct, frozen=True):
    """Let this Mac use this one no longer."""

    mac: str


MacsIntent = ShowMacs | LetOthersUse | NewPairingCode | PairMac | UnpairMac | UnpairLeader
