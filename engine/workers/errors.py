"""What keeps a Mac from using another one. Messages are sentences for people; they name the other Mac."""

from __future__ import annotations

from typing import ClassVar, Final

from engine.workers.requests import Refused
from resources.language.text import mark, tr

_LONGEST: Final = 300
"""Characters of a reason: it may name a file."""


class WorkerError(Exception):
    """The root of the tree. `code` is stable."""

    code: ClassVar[str] = "worker_error"


class NotReached(WorkerError):
    """Nothing answers at the address, or not in time."""

    code = "worker_not_reached"

    def __init__(self, name: str, why: str) -> None:
        super().__init__(tr("{name} does not answer: {why}.", name=name, why=why))


class Unpaired(WorkerError):
    """The two do not have each other's certificate."""

    code = "worker_unpaired"

    def __init__(self, name: str) -> None:
        super().__init__(tr("{name} is not paired with this Mac, or no longer. Pair the two again.", name=name))


class OtherCertificate(WorkerError):
    """Another machine answers."""

    code = "worker_other_certificate"

    def __init__(self, name: str) -> None:
        super().__init__(
            tr(
                "What answers there is not the {name} that was paired. Pair the two again if it was set up anew.",
                name=name,
            )
        )


class NotUnderstood(WorkerError):
    """The other side speaks something else."""

    code = "worker_not_understood"

    def __init__(self, name: str) -> None:
        super().__init__(tr("What answers at {name} is not Hearth, or another version of it.", name=name))


class WorkerRefused(WorkerError):
    """The worker says no."""

    code = "worker_refused"

    def __init__(self, name: str, refused: Refused) -> None:
        detail = " ".join(refused.detail.split())[:_LONGEST]  # another Mac's words within Hearth's sentence
        super().__init__(tr(_REFUSALS[refused.why], name=name, detail=detail))


class OwnKeyLocked(WorkerError):
    """The keychain does not give the secret that opens this Mac's key."""

    code = "own_key_locked"

    def __init__(self) -> None:
        super().__init__(tr("The keychain does not give the key of this Mac. Unlock it and try again."))


class OwnKeyLost(WorkerError):
    """This Mac's key is damaged, or the keychain has lost the secret that opens it."""

    code = "own_key_lost"

    def __init__(self) -> None:
        super().__init__(
            tr("The key of this Mac is lost or damaged, so other Macs no longer know it. Pair them again.")
        )


_REFUSALS: Final = {
    "busy": mark("{name} works for {detail} now."),
    "own group": mark("{name} already works for another Hearth on this Mac. Close that one first."),
    "versions": mark("{name} has other versions ({detail}). Install the same Hearth on both."),
    "wrong code": mark("The code is not the one that {name} shows now. It shows a new one after a few wrong ones."),
    "no code": mark("{name} shows no code now: it was used, has expired, or wrong codes came. Let it show a new one."),
    "not understood": mark("{name} does not understand this Mac. Install the same Hearth on both."),
    "disk full": mark("{name} does not have enough free space: {detail} more is needed."),
    "damaged": mark("A part of the copy arrived damaged at {name}. Try again: what is there stays."),
    "failed": mark("{name} cannot do it: {detail}."),
}
