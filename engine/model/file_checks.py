"""Checks the files of a model folder before any library opens them, so that a load cannot hang or grow without limit.

It accepts only regular files of limited sizes, and a tokenizer that makes no text grow beyond measure.
"""

from __future__ import annotations

import stat
from math import prod
from typing import TYPE_CHECKING, Any, Final

import msgspec

from engine.model.configuration import MOST_BYTES as MOST_CONFIG_BYTES
from engine.protocol.errors import ModelIncomplete, ModelMissing, ModelUnreadable, NoTokenizer
from resources.language.text import tr
from storage.untrusted import MissingFileError, UntrustedDataError, decode_json, read_file

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


_VOCABULARIES: Final = (TOKENIZER, "*.model", "*.spm", "*.tiktoken", "tekken.json", "vocab*", "bpe.codes")
"""Name patterns of the files of which every tokenizer has at least one."""

_MOST_GROWTH: Final = 1000
"""How many times longer a normalizer may make a text. Published ones put one letter in place of another."""


class _Steps(msgspec.Struct):
    normalizer: Any = None
    decoder: Any = None


def check_tokenizer(folder: Path) -> None:
    """Raises NoTokenizer if `folder` has no vocabulary, ModelUnreadable if that is not JSON (libraries take long to
    notice) or if its steps make a text grow too much.
    """
    if not any(any(folder.glob(pattern)) for pattern in _VOCABULARIES):
        raise NoTokenizer(tr("Its folder has no tokenizer, which turns text into numbers for the model."))
    try:
        steps = decode_json(read_file(folder / TOKENIZER, MOST_BYTES), _Steps)
    except MissingFileError:
        return
    except UntrustedDataError as error:
        raise ModelUnreadable(tr("Its file {name} cannot be read.", name=TOKENIZER)) from error
    if max(_growth(steps.normalizer), _growth(steps.decoder)) > _MOST_GROWTH:
        raise ModelUnreadable(tr("Its tokenizer would make texts so long that they fill the memory."))


def _growth(step: object) -> float:
    """How many times longer `step`, as tokenizer.json describes it, makes a text of one letter at most."""
    if not isinstance(step, dict):
        return 1
    parts = step.get("normalizers", step.get("decoders"))
    if isinstance(parts, list):
        return prod(map(_growth, parts))
    added, pattern = step.get("content", step.get("prepend")), step.get("pattern")
    if not isinstance(added, str):
        return 1
    replaced = pattern.get("String") if isinstance(pattern, dict) else None
    return max(1, len(added) / len(replaced)) if isinstance(replaced, str) and replaced else 1 + len(added)
