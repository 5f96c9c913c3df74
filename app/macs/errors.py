"""What goes wrong between this Mac and others. Messages are sentences for people."""

from __future__ import annotations

from app.base.errors import AppError
from resources.language.text import tr


class MacsError(AppError):
    """The root of the tree. It carries the sentence of the engine's own errors, too."""


class PairingFailed(MacsError):
    """The two Macs are not paired."""


class RosterRefused(MacsError):
    """The list of paired Macs cannot be read or written."""


class WorkerNotStarted(MacsError):
    """This Mac cannot wait for others."""


class CopyFailed(MacsError):
    """A model was not copied to another Mac. What arrived stays there, and the next attempt continues."""


class MacMissing(MacsError):
    """A Mac on which a model shall run is not paired any more."""

    def __init__(self, model: str) -> None:
        super().__init__(
            tr("{name} runs on this Mac alone, because a Mac that it ran on is no longer paired.", name=model)
        )
