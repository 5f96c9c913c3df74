"""Decides which engine runs a model: one by itself, or one that leads a group of machines. Runs on the window's thread.

The machines of an engine are given at its start. So a model that runs elsewhere than the engine has that engine
replaced; the connection asks for the model again as soon as the new one is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine_client.group import mac_of
from engine.protocol.messages import LoadModel

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.program import Program
    from app.engine_client.engine_process import EngineProcess
    from app.engine_client.group import Group
    from engine.protocol.messages import Command


class Hosting:
    """Writes the connection's commands to the engine.

    - `program_of` returns the engine of a group, and that of this Mac alone for None.
    - `group_of` returns the group that the user wants for a model, None for this Mac alone.
    """

    def __init__(
        self,
        process: EngineProcess,
        program_of: Callable[[Group | None], Program],
        group_of: Callable[[str], Group | None],
    ) -> None:
        self._process = process
        self._program_of = program_of
        self._group_of = group_of
        self._group: Group | None = None
        self._alone: set[str] = set()

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

    def keep_here(self, model: str) -> None:
        """Run this model on this Mac alone until `follow`, or until the app ends."""
        self._alone.add(model)

    def follow(self, model: str) -> bool:
        """Run this model where the user's settings want it. Returns whether it was kept here."""
        was_kept = model in self._alone
        self._alone.discard(model)
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
        self._group = None if model in self._alone else self._group_of(model)
        return self._program_of(self._group)
