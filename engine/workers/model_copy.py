"""Which files of a model folder are copied to another machine, and in which portions. No file that holds a program."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engine.workers.requests import FileEntry

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_PORTION: Final = 1 << 23
PORTION_SECONDS: Final = 60.0
"""How long a portion may take: then a network carries 140 kB a second."""
_NAME: Final = re.compile(
    r"((additional_chat_templates|mtp)/)?[A-Za-z0-9_+][A-Za-z0-9_.+ -]{0,199}"
    r"\.(safetensors|json|jinja|model|txt|tiktoken|spm|codes)",
    re.ASCII,
)


def is_model_file(name: str) -> bool:
    """Whether a file of this name, relative to its model's folder, is copied."""
    return _NAME.fullmatch(name) is not None


def files_of(folder: Path) -> tuple[FileEntry, ...]:
    """The files that are copied, the small ones first. Raises OSError."""
    found = [*folder.iterdir(), *folder.glob("additional_chat_templates/*"), *folder.glob("mtp/*")]
    names = {file.relative_to(folder).as_posix(): file for file in found if file.is_file()}
    entries = [FileEntry(name, file.stat().st_size) for name, file in names.items() if is_model_file(name)]
    return tuple(sorted((entry for entry in entries if entry.size), key=lambda entry: (entry.size, entry.name)))
