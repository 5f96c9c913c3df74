"""Finds the folders in which LM Studio keeps models. Only reads.

LM Studio writes the path of its home into `~/.lmstudio-home-pointer`, and the models' folder into the settings there.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from storage.untrusted import MEBIBYTE, UntrustedDataError, decode_json, read_file

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_PATH: Final = 4096


class _Settings(msgspec.Struct):
    folder: str = msgspec.field(default="", name="downloadsFolder")


def folders(home: Path) -> tuple[Path, ...]:
    """Return the folders that may hold LM Studio's models, for the user whose home is `home`."""
    found = (folder for lm_studio in _homes(home) for folder in (_chosen(lm_studio), lm_studio / "models"))
    return tuple(dict.fromkeys(folder for folder in found if folder is not None and folder.is_dir()))


def _homes(home: Path) -> Iterator[Path]:
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
        chosen = Path(decode_json(read_file(lm_studio / "settings.json", MEBIBYTE), _Settings).folder)
    except UntrustedDataError:
        return None
    return chosen if chosen.is_absolute() and "\0" not in str(chosen) else None
