"""The places where models lie on this machine. Hearth uses the models there and never copies them. Only reads.

LM Studio writes the path of its home into `~/.lmstudio-home-pointer`, and the models' folder into the settings there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec

from app.base.errors import reason
from resources.language.text import mark, tr
from storage.untrusted import MEBIBYTE, UntrustedDataError, decode_json, read_file

_DISKS: Final = Path("/Volumes")
"""A Mac shows external disks in this folder."""


_LONGEST_PATH: Final = 4096


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
        if self.origin is Origin.ADDED:
            return tr("from {name}", name=self.folder.name)
        return tr(_WORDS[self.origin]) if self.origin in _WORDS else ""

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


class _LmStudio(msgspec.Struct):
    folder: str = msgspec.field(default="", name="downloadsFolder")


def sources(
    models: Path, added: Iterable[str] = (), environ: Mapping[str, str] = os.environ, home: Path | None = None
) -> tuple[ModelSource, ...]:
    """Return the places to look at, each once. `models` is Hearth's own folder, `added` are the user's."""
    home = home or _expanded("~")
    lm_studio = (folder for one in _homes(home) for folder in (_chosen(one), one / "models"))
    found: dict[str, ModelSource] = {}
    for origin, folder in (
        (Origin.HEARTH, models),
        (Origin.HUGGING_FACE, _hugging_face(environ, home)),
        *((Origin.LM_STUDIO, folder) for folder in lm_studio if folder is not None and folder.is_dir()),
        *((Origin.ADDED, Path(name)) for name in added),
    ):
        found.setdefault(_place(folder), ModelSource(origin, folder))
    return tuple(found.values())


def _hugging_face(environ: Mapping[str, str], home: Path) -> Path:
    if cache := environ.get("HF_HUB_CACHE"):
        return _expanded(cache)
    if hugging_face := environ.get("HF_HOME"):
        return _expanded(hugging_face) / "hub"
    return home / ".cache" / "huggingface" / "hub"


def _homes(home: Path) -> Iterator[Path]:
    """The homes that LM Studio may have."""
    try:
        pointed = Path(read_file(home / ".lmstudio-home-pointer", _LONGEST_PATH).decode().strip())
    except ValueError:
        pass
    else:
        if pointed.is_absolute() and "\0" not in str(pointed):
            yield pointed
    yield home / ".lmstudio"
    yield home / ".cache" / "lm-studio"


def _chosen(lm_studio: Path) -> Path | None:
    """The folder that the user chose in LM Studio."""
    try:
        chosen = Path(decode_json(read_file(lm_studio / "settings.json", MEBIBYTE), _LmStudio).folder)
    except UntrustedDataError:
        return None
    return chosen if chosen.is_absolute() and "\0" not in str(chosen) else None


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
