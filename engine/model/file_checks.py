"""Checks the files of a model folder before any library opens them, so that a load cannot hang or grow without limit.

It accepts only regular files of limited sizes.
"""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, Final

from engine.model.configuration import MOST_BYTES as MOST_CONFIG_BYTES
from engine.protocol.errors import ModelIncomplete, ModelMissing, ModelUnreadable
from resources.language.text import tr

if TYPE_CHECKING:
    from pathlib import Path

_READ: Final = frozenset({".jinja", ".json", ".jsonl", ".model", ".safetensors", ".tiktoken", ".txt"})
"""The suffixes of files that libraries open."""

_TEMPLATES = "additional_chat_templates"
MOST_BYTES: Final = 128 << 20
"""The limit for a file that is read as a whole. The largest tokenizers take some tens of megabytes."""

TOKENIZER: Final = "tokenizer.json"
_LONGEST_NAME = 80


def check_files(folder: Path) -> None:
    """Raises ModelMissing or ModelUnreadable unless `folder` holds only regular files and folders."""
    if not folder.is_dir():
        raise ModelMissing(tr("There is no model folder at {folder}.", folder=shown(str(folder))))
    for entry in folder.iterdir():
        check_regular(entry)
    if (templates := folder / _TEMPLATES).is_dir():
        for entry in templates.iterdir():
            check_regular(entry)


def check_regular(entry: Path) -> None:
    """Raises ModelIncomplete or ModelUnreadable if `entry` is one that a library opens, and not a file of a limited
    size.
    """
    wanted = entry.suffix in _READ
    try:
        found = entry.stat()
    except OSError as error:
        if wanted:
            raise ModelIncomplete(tr("Its file {name} is missing.", name=shown(entry.name))) from error
        return
    if stat.S_ISDIR(found.st_mode) and not wanted:
        return
    if not stat.S_ISREG(found.st_mode):
        raise ModelUnreadable(tr("{name} in its folder is not a file.", name=shown(entry.name)))
    most = MOST_CONFIG_BYTES if entry.name == "config.json" else MOST_BYTES
    if wanted and entry.suffix != ".safetensors" and found.st_size > most:
        raise ModelUnreadable(tr("Its file {name} is too large.", name=shown(entry.name)))


def shown(name: str) -> str:
    """A file name from a foreign folder, escaped for display."""
    text = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "?" for c in text)[:_LONGEST_NAME]
