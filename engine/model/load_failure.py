"""What the errors of libraries mean while a model is loaded. Owns the translation into the engine's own errors.

mlx-lm, transformers, tokenizers and MLX speak to programmers. Their words go to the log; a person reads one of ours.
"""

from __future__ import annotations

import logging
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError

from engine.protocol.errors import (
    EngineError,
    ModelError,
    ModelIncomplete,
    ModelNeedsCode,
    ModelTooLarge,
    ModelUnreadable,
    ModelUnsupported,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

log = logging.getLogger(__name__)

FOREIGN: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SafetensorError,
    StrictDataclassError,  # a configuration that transformers finds fault with; derived from Exception itself
    SyntaxError,
    TypeError,
    ValueError,
)
"""What libraries raise for whatever a foreign folder, or a cache that a model does not expect, led to."""

_NO_MEMORY = re.compile(r"bad_alloc|bad_array|out of memory|malloc|allocat", re.IGNORECASE)
_CODE = re.compile(r"trust_remote_code")
_UNKNOWN_KIND = re.compile(r"^Model type .* not supported|^No module named|does not exist or is not currently imported")
_BROKEN = re.compile(r"safetensors|unable to read|parameters not in model|^Missing \d+ parameters|^Expected shape")


@contextmanager
def translated(path: str) -> Iterator[None]:
    """Raise what a library raises inside as the ModelError that it means. `path` is for the log."""
    try:
        yield
    except EngineError:
        raise
    except FOREIGN as error:
        log.exception("loading %s", path)
        raise meaning(error) from error


def meaning(error: Exception) -> ModelError:
    """What `error` means for whoever wants to load a model."""
    text = str(error)
    if isinstance(error, MemoryError) or (isinstance(error, RuntimeError) and _NO_MEMORY.search(text)):
        return ModelTooLarge("There is not enough free memory to load it.")
    if _CODE.search(text):
        return ModelNeedsCode("It needs program code from its own folder, which Hearth never runs.")
    if isinstance(error, ImportError) or _UNKNOWN_KIND.search(text):
        return ModelUnsupported("This version of Hearth does not support this kind of model.")
    if isinstance(error, PermissionError):
        return ModelUnreadable("Hearth is not allowed to read its files.")
    if isinstance(error, OSError | SafetensorError) or _BROKEN.search(text):
        return ModelIncomplete("Its files are damaged or incomplete.")
    return ModelUnreadable("Its files do not fit together, or this version of Hearth cannot read them.")
