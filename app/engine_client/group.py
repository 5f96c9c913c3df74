"""The machines that run one model together, and the sentences about a group that has ended. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from resources.language.text import mark, tr
from ui.intents.macs import GroupAgain, RunHere
from ui.intents.notice import Notice
from ui.state.engine import EngineState, EngineView

if TYPE_CHECKING:
    from app.base.program import Program
    from engine.protocol.group import GroupEnded

GROUP_KEY: Final = "engine:group"
"""The notice about a group that is not started again. Its actions are to try again, and to continue on this Mac."""
_REASONS: Final = {
    "lost": mark("The connection to {mac} was lost."),
    "not_started": mark("{mac} does not answer."),
    "other_version": mark("{mac} has another version of Hearth. Install the same version on both."),
    "disagreed": mark("{mac} was about to compute something else than this Mac, so the answer was stopped."),
}


@dataclass(frozen=True, slots=True)
class Group:
    """`macs` are the names of the other machines, rank 1 first. `arguments` start the engine that leads them."""

    macs: tuple[str, ...]
    arguments: tuple[str, ...]

    def leader(self, engine: Program) -> Program:
        """Return this engine as the one that leads the group."""
        return replace(engine, arguments=(*engine.arguments, *self.arguments))


def mac_of(group: Group | None, rank: int) -> str:
    """Return the name of a machine of the group."""
    known = group is not None and 0 < rank <= len(group.macs)
    return group.macs[rank - 1] if group is not None and known else tr("Another Mac")


def regrouping_view(end: GroupEnded, mac: str) -> EngineView:
    """Return the state of an engine whose group is being started again."""
    text = tr("{reason} The model is being started again.", reason=_reason(end, mac))
    return EngineView(EngineState.RESTARTING, text)


def group_notice(end: GroupEnded, mac: str, *, fits_here: bool) -> Notice:
    """Return the notice about a group that has ended for good. `fits_here`: this Mac can run the model alone."""
    text = tr("{reason} The chats and all their text are safe.", reason=_reason(end, mac))
    other, run_here = (tr("Continue on this Mac"), RunHere()) if fits_here else ("", None)
    return Notice(GROUP_KEY, text, tr("Try again"), other, intent=GroupAgain(), other_intent=run_here)


def _reason(end: GroupEnded, mac: str) -> str:
    """What the other machine has said itself, or else the reason in words."""
    return end.detail or tr(_REASONS[end.reason], mac=mac)
