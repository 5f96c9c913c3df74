"""View state of the settings page about several Macs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Reach(StrEnum):
    """Whether a paired Mac answers."""

    ASKING = "asking"
    HERE = "here"
    AWAY = "away"


class GroupPace(StrEnum):
    """Whether a Mac has more or fewer layers than its memory says, because it is faster or slower than the others."""

    ALIKE = "alike"
    FASTER = "faster"
    SLOWER = "slower"


class PairingStep(StrEnum):
    """How far the pairing with another Mac is."""

    IDLE = "idle"
    BUSY = "busy"
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class MacView:
    """A Mac that this one may use. `id` names it.

    - `problem` says why it is AWAY. The figures are those of its last answer, 0 if there was none.
    - Memory is in bytes, `rate` in bytes per second, `round_trip` in seconds.
    - `holds` are the bytes of the loaded model on it; 0 if it has no part of it. `pace` says why they are so many.
    - `leader` is the other Mac that it works for now; empty if none.
    """

    id: str
    name: str
    address: str = ""
    reach: Reach = Reach.ASKING
    problem: str = ""
    memory: int = 0
    free: int = 0
    rate: float = 0.0
    round_trip: float = 0.0
    holds: int = 0
    leader: str = ""
    pace: GroupPace = GroupPace.ALIKE


@dataclass(frozen=True, slots=True)
class ThisMacView:
    """This Mac as others can use it. `is_on` is what the user wants; `is_busy` while that is being done.

    - `address` is where it waits, and `code` what pairs another Mac with it; both are empty if there is none.
    - `problem` says why it does not wait.
    - `leaders` are the Macs that may use it, by id and name; `leader` is the id of the one that does so now.
    - `holds` are the bytes of the loaded model on it, while other Macs hold the rest. `pace` says why they are so many.
    """

    is_on: bool = False
    is_busy: bool = False
    address: str = ""
    code: str = ""
    problem: str = ""
    leader: str = ""
    leaders: tuple[tuple[str, str], ...] = ()
    holds: int = 0
    pace: GroupPace = GroupPace.ALIKE


@dataclass(frozen=True, slots=True)
class FoundMac:
    """A Mac that is not paired and says on the network that others can use it. `is_understood`: it has a version of
    Hearth with which this one can be paired.
    """

    name: str
    address: str
    is_understood: bool = True


@dataclass(frozen=True, slots=True)
class PairingView:
    """The pairing that the user began last. `text` names the Mac, or says why it failed."""

    step: PairingStep = PairingStep.IDLE
    text: str = ""


@dataclass(frozen=True, slots=True)
class MacsView:
    """The whole page. `model` is the name of the model that runs on several Macs now; empty if none does. `trouble`
    says why the paired Macs cannot be listed. `found` are the Macs on the network; none is found unless `can_find`.
    """

    this: ThisMacView = ThisMacView()
    macs: tuple[MacView, ...] = ()
    model: str = ""
    pairing: PairingView = PairingView()
    trouble: str = ""
    found: tuple[FoundMac, ...] = ()
    can_find: bool = True
