"""Intents about several Macs: those of the settings page, and those of notices."""

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


class CopyToMac(Struct, frozen=True):
    """Copy a model, given by its id, to the Mac that lacks it."""

    model: str


class StopCopy(Struct, frozen=True):
    """End the copy of a model, given by its id."""

    model: str


class GroupAgain(Struct, frozen=True):
    """Run the model on the Macs of its group again, one of which was lost."""


class RunHere(Struct, frozen=True):
    """Run the model of a group on this Mac alone."""


PairingIntent = ShowMacs | LetOthersUse | NewPairingCode | PairMac | UnpairMac | UnpairLeader
MacsIntent = PairingIntent | CopyToMac | StopCopy | GroupAgain | RunHere
