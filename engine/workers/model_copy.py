"""Which files of a model folder are copied to another machine, and in which portions. No file that holds a program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from engine.model.file_checks import shown
from engine.model.identity import identified
from engine.workers.requests import FileEntry
from resources.language.text import tr
from storage.untrusted import UntrustedDataError

LARGEST_PORTION: Final = 1 << 23
PORTION_SECONDS: Final = 60.0
"""How long a portion may take: then a network carries 140 kB a second."""
_NAME: Final = re.compile(
    r"((additional_chat_templates|mtp)/)?[A-Za-z0-9_+][A-Za-z0-9_.+ -]{0,199}"
    r"\.(safetensors|json|jinja|model|txt|tiktoken|spm|codes|bpe)|vocab",
    re.ASCII,
)


def is_model_file(name: str) -> bool:
    """Whether a file of this name, relative to its model's folder, is copied."""
    return _NAME.fullmatch(name) is not None


def files_of(folder: Path) -> tuple[FileEntry, ...]:
    """The files that are copied, the small ones first. Raises OSError, and UntrustedDataError for a file without which
    the copy would be another model, and for a link that leads out of the model: a folder from anywhere could have any
    file of the user sent to another Mac.
    """
    found = [*folder.iterdir(), *folder.glob("additional_chat_templates/*"), *folder.glob("mtp/*")]
    named = {file.relative_to(folder).as_posix(): file for file in found if file.is_file()}
    names = {name: file for name, file in named.items() if is_model_file(name)}
    for name, file in names.items():
        if not file.resolve().is_relative_to(_whole(folder)):
            raise UntrustedDataError(tr("{name} is a link that leads out of its folder", name=name))
    for file in identified(folder):
        if (name := file.relative_to(folder).as_posix()) not in names:
            raise UntrustedDataError(tr("{name} has a name that no other Mac takes", name=shown(name)))
    entries = [FileEntry(name, file.stat().st_size) for name, file in names.items()]
    return tuple(sorted(entries, key=lambda entry: (entry.size, entry.name)))


def _whole(folder: Path) -> Path:
    """Where the files of a model lie: its folder. In the cache of Hugging Face that has links to blobs beside it."""
    folder = folder.resolve()
    cached = folder.parent.parent
    return cached if folder.parent.name == "snapshots" and cached.name.startswith("models--") else folder
