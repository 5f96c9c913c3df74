"""The places where models lie on this machine. Hearth uses the models there and never copies them. Only reads."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.base.errors import reason
from app.models import lm_studio
from resources.language.text import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_DISKS: Final = Path("/Volumes")
"""A Mac shows external disks in this folder."""


class Origin(StrEnum):
    """Who put the models into a folder."""

    BUILT_IN = "built_in"
    HEARTH = "hearth"
    HUGGING_FACE = "hugging_face"
    LM_STUDIO = "lm_studio"
    ADDED = "added"


_WORDS: Final = {
    Origin.HUGGING_FACE: mark("from your Hugging Face cache"),
    Origin.LM_STUDIO: mark("from LM Studio"),
}


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A folder that holds models. It may be away: an external disk comes and goes."""

    origin: Origin
    folder: Path

    @property
    def words(self) -> str:
        """The origin of its models, as the end of a line; empty for Hearth's own."""
        return (
            tr("from {name}", name=self.folder.name)
            if self.origin is Origin.ADDED
            else tr(_WORDS[self.origin])
            if self.origin in _WORDS
            else ""
        )

    @property
    def absence(self) -> str:
        """Why its models cannot be listed now, in one sentence; empty if they can."""
        try:
            os.scandir(self.folder).close()
        except (FileNotFoundError, ValueError):  # no folder can have a name with NUL
            return _away(self.folder)
        except OSError as error:
            return tr("Hearth cannot list it: {reason}.", reason=reason(error))
        return ""


def sources(
    models: Path, added: Iterable[str] = (), environ: Mapping[str, str] = os.environ, home: Path | None = None
) -> tuple[ModelSource, ...]:
    """Return the places to look at, each once. `models` is Hearth's own folder, `added` are the user's."""
    found: dict[str, ModelSource] = {}
    for source in _all(models, added, environ, home or _expanded("~")):
        found.setdefault(_place(source.folder), source)
    return tuple(found.values())


def _all(models: Path, added: Iterable[str], environ: Mapping[str, str], home: Path) -> Iterator[ModelSource]:
    yield ModelSource(Origin.HEARTH, models)
    yield ModelSource(Origin.HUGGING_FACE, _hugging_face(environ, home))
    for folder in lm_studio.folders(home):
        yield ModelSource(Origin.LM_STUDIO, folder)
    for name in added:
        yield ModelSource(Origin.ADDED, Path(name))


def _hugging_face(environ: Mapping[str, str], home: Path) -> Path:
    if cache := environ.get("HF_HUB_CACHE"):
        return _expanded(cache)
    if hugging_face := environ.get("HF_HOME"):
        return _expanded(hugging_face) / "hub"
    return home / ".cache" / "huggingface" / "hub"


def _expanded(path: str) -> Path:
    """The path with the home of its user. A user without a home has no models there."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - the method raises for such a user


def _place(folder: Path) -> str:
    """Return the same text for two names of one folder."""
    try:
        return os.path.realpath(folder)
    except ValueError:
        return str(folder)


def _away(folder: Path) -> str:
    if _DISKS in folder.parents:
        disk = folder.relative_to(_DISKS).parts[0]
        if not os.path.lexists(_DISKS / disk):
            return tr("The disk “{disk}” is not connected. Its models come back with it.", disk=disk)
    return tr("It is not there now. Its models come back with it.")
