"""Decides which engine runs a model: one by itself, or one that leads a `MacGroup` of machines. Runs on the window's
thread.

The machines of an engine are given at its start. So a model that runs elsewhere than the engine has that engine
replaced; the connection asks for the model again as soon as the new one is there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from app.base.program import Program
from app.engine_client.engine_process import EngineProcess
from engine.protocol.group import GroupEnded
from engine.protocol.messages import Command, LoadModel
from resources.language.text import mark, tr
from ui.intents.macs import GroupAgain, RunHere
from ui.intents.notice import Notice
from ui.state.engine import EngineState, EngineView

GROUP_KEY: Final = "engine:group"
"""The notice about a group that is not started again. Its actions are to try again, and to continue on this Mac."""
_REASONS: Final = {
    "lost": mark("The connection to {mac} was lost."),
    "not_started": mark("{mac} does not answer."),
    "other_version": mark("{mac} has another version of Hearth. Install the same version on both."),
    "disagreed": mark("{mac} was about to compute something else than this Mac, so the answer was stopped."),
}


@dataclass(frozen=True, slots=True)
class MacGroup:
    """`macs` are the names of the other machines, rank 1 first. `arguments` start the engine that leads them."""

    macs: tuple[str, ...]
    arguments: tuple[str, ...]

    def leader(self, engine: Program) -> Program:
        """Return this engine as the one that leads the group."""
        return replace(engine, arguments=(*engine.arguments, *self.arguments))


def mac_of(group: MacGroup | None, rank: int) -> str:
    """Return the name of a machine of the group."""
    known = group is not None and 0 < rank <= len(group.macs)
    return group.macs[rank - 1] if group is not None and known else tr("Another Mac")


def regrouping_view(end: GroupEnded, mac: str) -> EngineView:
    """Return the state of an engine whose group is being started again."""
    text = tr("{reason} The model is being started again.", reason=reason_of(end, mac))
    return EngineView(EngineState.RESTARTING, text)


def group_notice(end: GroupEnded, mac: str, *, fits_here: bool) -> Notice:
    """Return the notice about a group that has ended for good. `fits_here`: this Mac can run the model alone."""
    text = tr("{reason} The chats and all their text are safe.", reason=reason_of(end, mac))
    other, run_here = (tr("Continue on this Mac"), RunHere()) if fits_here else ("", None)
    return Notice(GROUP_KEY, text, tr("Try again"), other, intent=GroupAgain(), other_intent=run_here)


def reason_of(end: GroupEnded, mac: str) -> str:
    """What the other machine has said itself, or else the reason in words."""
    return end.detail or tr(_REASONS[end.reason], mac=mac)


@dataclass(eq=False)
class Hosting:
    """Writes the connection's commands to the engine.

    - `program_of` returns the engine of a group, and that of this Mac alone for None.
    - `group_of` returns the group that the user wants for a model, None for this Mac alone.
    - `alone` are the models that run on this Mac alone until `follow`, or until the app ends.
    """

    _process: EngineProcess
    _program_of: Callable[[MacGroup | None], Program]
    _group_of: Callable[[str], MacGroup | None]
    _group: MacGroup | None = field(init=False, default=None)
    alone: set[str] = field(init=False, default_factory=set)

    def prepare(self, model: str) -> None:
        """Have the engine start as the one that runs this model."""
        self._process.move(self._wanted(model))

    def send(self, command: Command) -> None:
        """Send a command. A load that another engine must carry out replaces the engine instead."""
        if isinstance(command, LoadModel):
            wanted = self._wanted(command.subject)
            if wanted != self._process.program:
                self._process.move(wanted)
                return
        self._process.send(command)

    def follow(self, model: str) -> bool:
        """Run this model where the user's settings want it. Returns whether it was kept here."""
        was_kept = model in self.alone
        self.alone.discard(model)
        return was_kept

    @property
    def lacks_group(self) -> bool:
        """Whether the group that the newest load wants was given up."""
        return self._group is not None and self._process.program != self._program_of(self._group)

    def leave_group(self, model: str) -> None:
        """One of the machines may not run this model any more: replace an engine that leads a group at once."""
        if self._process.program != self._program_of(None):
            self.prepare(model)

    def mac_of(self, rank: int) -> str:
        """Return the name of a machine of the group that the newest load wants."""
        return mac_of(self._group, rank)

    def _wanted(self, model: str) -> Program:
        self._group = None if model in self.alone else self._group_of(model)
        return self._program_of(self._group)
