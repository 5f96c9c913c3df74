"""Translates the errors of libraries during a load into the engine's own errors.

mlx-lm, transformers, tokenizers and MLX write for programmers. Their words go to the log; the user reads ours.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError

from engine.protocol import errors
from engine.protocol.errors import (
    EngineError,
    ModelError,
    ModelIncomplete,
    ModelNeedsCode,
    ModelTooLarge,
    ModelUnreadable,
    ModelUnsupported,
    panics_as_errors,
)
from resources.language.text import tr

log = logging.getLogger(__name__)

FOREIGN: Final = (
    *errors.FOREIGN,
    SafetensorError,
    StrictDataclassError,  # transformers found a fault in the configuration; derived from Exception directly
)
"""The exceptions that libraries raise for the content of a foreign folder, or for a cache that a model does not expect.
"""

_NO_MEMORY = re.compile(r"bad_alloc|bad_array|out of memory|malloc|allocat", re.IGNORECASE)
_CODE = re.compile(r"trust_remote_code")
_UNKNOWN_KIND = re.compile(r"^Model type .* not supported|^No module named|does not exist or is not currently imported")
_BROKEN = re.compile(r"safetensors|unable to read|parameters not in model|^Missing \d+ parameters|^Expected shape")


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Translate a library's exception into the ModelError that it means. `path` is for the log."""
    try:
        with panics_as_errors():
            yield
    except EngineError:
        raise
    except FOREIGN as error:
        log.exception("loading %s", path)
        raise meaning(error) from error


def meaning(error: Exception) -> ModelError:
    """The ModelError that `error` means to the user who loads a model."""
    text = str(error)
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and _NO_MEMORY.search(text)):
        return ModelTooLarge(tr("There is not enough free memory to load it."))
    if _CODE.search(text):
        return ModelNeedsCode(tr("It needs program code from its own folder, which Hearth never runs."))
    if isinstance(error, ImportError) or _UNKNOWN_KIND.search(text):
        return ModelUnsupported(tr("This version of Hearth does not support this kind of model."))
    if isinstance(error, PermissionError):
        return ModelUnreadable(tr("Hearth is not allowed to read its files."))
    if isinstance(error, OSError | SafetensorError) or _BROKEN.search(text):
        return ModelIncomplete(tr("Its files are damaged or incomplete."))
    return ModelUnreadable(tr("Its files do not fit together, or this version of Hearth cannot read them."))
