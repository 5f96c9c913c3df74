"""Checks the tokenizer of a model folder before a library opens it: that there is one, and that it makes no text grow
beyond measure.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Final

import msgspec

from engine.model.file_checks import MOST_BYTES, TOKENIZER
from engine.protocol.errors import ModelUnreadable, NoTokenizer
from resources.language.text import tr
from storage.untrusted import MissingFileError, UntrustedDataError, decode_json, read_file

if TYPE_CHECKING:
    from pathlib import Path

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
