"""The groups of Macs that engines of this app lead. Each is a file, which the engine reads when it starts."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec
import xxhash

from app.base.paths import Paths
from app.base.settings import ModelSettings
from app.engine_client.hosting import MacGroup
from app.macs.errors import MacMissing
from app.macs.roster import folder, workers

_FILES: Final = "group-*.json"


class Groups:
    """Writes the files to `files`, and keeps only the one of the newest group. The name of a file changes with its
    content, so equal arguments start equal groups.
    """

    def __init__(self, paths: Paths, files: Path) -> None:
        self._paths = paths
        self._files = files

    def form(self, model: str, settings: ModelSettings) -> MacGroup | None:
        """Return the group that the user wants for the model of this name; None for this Mac alone. Raises MacsError
        and OSError.
        """
        group = self._form(model, settings) if settings.macs else None
        self._keep(group)
        return group

    def end(self) -> None:
        """Remove the file of the newest group."""
        self._keep(None)

    def _form(self, model: str, settings: ModelSettings) -> MacGroup:
        from engine.workers.group_file import GroupFile, WorkerEntry  # no start needs it

        paired = {mac.fingerprint: mac for mac in workers(self._paths).paired()}
        if not paired.keys() >= set(settings.macs):
            raise MacMissing(model)
        macs = [paired[one] for one in settings.macs]
        named = GroupFile(
            own=str(folder(self._paths)),
            split=settings.split,
            workers=tuple(WorkerEntry(mac.name, mac.address, mac.certificate) for mac in macs),
            shares=settings.shares if len(settings.shares) == 1 + len(macs) else (),
        )
        digest = xxhash.xxh3_64_hexdigest(msgspec.json.encode(named))
        file = self._files / _FILES.replace("*", digest)
        named.write(file)
        return MacGroup(tuple(mac.name for mac in macs), ("--group", str(file)))

    def _keep(self, group: MacGroup | None) -> None:
        for file in self._files.glob(_FILES):
            if group is None or str(file) not in group.arguments:
                file.unlink(missing_ok=True)
