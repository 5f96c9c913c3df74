"""The groups of Macs that engines of this app lead. Each is a file, which the engine reads when it starts.

`GroupReturn`, on the window's thread, starts a group again that was given up, once a Mac that was away is back. If all
Macs answered when the group was given up, the reason is another one, such as a firewall. Then only the user starts it
again: a group that starts by itself and fails each time would load its model for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec
import xxhash

from app.engine_client.hosting import Group
from app.macs.errors import MacMissing
from app.macs.roster import Mac, folder, workers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.base.paths import Paths
    from app.base.settings import ModelSettings
    from app.engine_client.connection import EngineConnection
    from app.engine_client.hosting import Hosting
    from app.macs.macs import Macs
    from app.macs.reach import MacState


_FILES: Final = "group-*.json"


class Groups:
    """Writes the files to `files`, and keeps only the one of the newest group. The name of a file changes with its
    content, so equal arguments start equal groups.
    """

    def __init__(self, paths: Paths, files: Path) -> None:
        self._paths = paths
        self._files = files

    def form(self, model: str, settings: ModelSettings) -> Group | None:
        """Return the group that the user wants for the model of this name; None for this Mac alone. Raises MacsError
        and OSError.
        """
        group = self._form(model, settings) if settings.macs else None
        self._keep(group)
        return group

    def end(self) -> None:
        """Remove the file of the newest group."""
        self._keep(None)

    def _form(self, model: str, settings: ModelSettings) -> Group:
        from engine.workers.group_file import GroupFile, WorkerEntry  # no start needs it

        macs = self._paired(model, settings)
        named = GroupFile(
            own=str(folder(self._paths)),
            split=settings.split,
            workers=tuple(WorkerEntry(mac.name, mac.address, mac.certificate) for mac in macs),
            shares=settings.shares if len(settings.shares) == 1 + len(macs) else (),
        )
        digest = xxhash.xxh3_64_hexdigest(msgspec.json.encode(named))
        file = self._files / _FILES.replace("*", digest)
        named.write(file)
        return Group(tuple(mac.name for mac in macs), ("--group", str(file)))

    def _paired(self, model: str, settings: ModelSettings) -> tuple[Mac, ...]:
        paired = {mac.fingerprint: mac for mac in workers(self._paths).paired()}
        if not paired.keys() >= set(settings.macs):
            raise MacMissing(model)
        return tuple(paired[one] for one in settings.macs)

    def _keep(self, group: Group | None) -> None:
        for file in self._files.glob(_FILES):
            if group is None or str(file) not in group.arguments:
                file.unlink(missing_ok=True)


LOOK_SECONDS: Final = 5
"""How often the Macs of a group that was given up are asked."""


class GroupReturn:
    """Asks the Macs of a group that was given up and is still wanted, and starts the group again."""

    def __init__(self, macs: Macs, hosting: Hosting, connection: EngineConnection) -> None:
        self._macs = macs
        self._hosting = hosting
        self._connection = connection
        self._seconds = 0
        self._before: Sequence[MacState | None] = ()
        self._was_away = False

    def tick(self) -> None:
        """Every second: ask the Macs, and start the group if all are back."""
        if not self._hosting.lacks_group:
            self._seconds, self._was_away = 0, False
            return
        if self._seconds == 0:
            self._before = self._macs.states_of(self._connection.model)
        if self._seconds % LOOK_SECONDS == 0:
            self._macs.presenter.look_around()
        self._seconds += 1
        self._judge()

    def _judge(self) -> None:
        states = self._macs.states_of(self._connection.model)
        answers = [state for state in states if state is not None and not self._is_old(state)]
        if any(_is_away(state) for state in answers):
            self._was_away = True
        elif self._was_away and len(answers) == len(self._before) and not any(state.leader for state in answers):
            self._connection.use(self._connection.model)

    def _is_old(self, state: MacState) -> bool:
        """Whether a Mac gave this answer before the group was given up."""
        return any(state is old for old in self._before)


def _is_away(state: MacState) -> bool:
    """Whether a Mac does not answer, or works for another one. Its end of the lost group may take some seconds: for
    that long it works for this one.
    """
    from app.macs.pairing import own_name  # no start needs its libraries

    return not state.reachable or state.leader not in {"", own_name()}
