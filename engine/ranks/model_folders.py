"""Finds the model that the leader of a group loads on each machine: by a sketch of its files, wherever they lie.

A follower on another machine has a file from its worker: the folders of its models, by their sketch. Followers on the
leader's machine have none, and use the leader's folder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from msgspec import structs

from engine.protocol.errors import ModelMissing, ModelUnreadable
from engine.protocol.messages import LoadModel
from engine.ranks.follower import Follower
from engine.ranks.lockstep import Leader
from engine.workers.model_sketch import sketch
from resources.language.text import tr
from storage.untrusted import MEBIBYTE, UntrustedDataError, decode_json, read_file

_LARGEST: Final = 16 * MEBIBYTE
_NONE: Final = ""


def name_to_followers(leader: Leader, command: LoadModel) -> LoadModel:
    """Tell the followers which files the command is about. The leader loads them from its own folders."""
    for folder in (command.path, command.adapter):
        leader.leaders(_sketch(folder))
    return command


def find_here(follower: Follower, models: Path | None, command: LoadModel) -> LoadModel:
    """The command with the folders of this machine. The leader's user insists on the memory of his machine, not of this
    one. Raises ModelMissing and ModelUnreadable.
    """
    wanted = [follower.leaders(_NONE) for _ in range(2)]
    command = structs.replace(command, anyway=False)
    if models is None:
        return command
    known = _known(models)
    path, adapter = (_folder(known, one, at) for one, at in zip(wanted, (command.path, command.adapter), strict=True))
    return structs.replace(command, path=path, adapter=adapter)


def _sketch(folder: str) -> str:
    """That of a model; none if there is no folder, or nothing can be read there: the load says why."""
    try:
        return sketch(Path(folder)) if folder else _NONE
    except (OSError, UntrustedDataError):
        return _NONE


def _known(models: Path) -> dict[str, str]:
    try:
        return decode_json(read_file(models, _LARGEST), dict[str, str])
    except UntrustedDataError as error:
        raise ModelUnreadable(tr("The list of its models cannot be read: {error}.", error=error)) from error


def _folder(known: dict[str, str], wanted: str, there: str) -> str:
    """The folder with the files that the leader has in `there`."""
    if not there:
        return ""
    if wanted not in known:
        raise ModelMissing(tr("The model “{name}” is not there.", name=Path(there).name))
    return known[wanted]
