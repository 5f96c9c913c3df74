"""The engine's error tree. Owns the codes that cross the process border; the app turns each into words to act on.

A miss, a cancel and a failed restore are values, not errors: see `engine.cache.planner.MissCause`.
"""

from __future__ import annotations

from typing import ClassVar


class EngineError(Exception):
    """Root. `code` is stable and crosses the pipe; the message is one sentence for people."""

    code: ClassVar[str] = "engine_error"


class ModelError(EngineError):
    """A model cannot be loaded."""

    code = "model_failed"


class ModelMissing(ModelError):
    """There is no model folder at the path."""

    code = "model_missing"


class ModelUnreadable(ModelError):
    """The folder is there, but its files are not a model that this engine reads."""

    code = "model_unreadable"


class ModelTooLarge(ModelError):
    """The weights do not fit into the memory that is free now."""

    code = "model_too_large"


class TooFewFiles(ModelError):
    """The system lets the engine open fewer files at once than the model has."""

    code = "too_few_files"


class ModelUnstable(ModelError):
    """The model failed twice in a row while it was answering."""

    code = "model_unstable"


class NoChatTemplate(ModelError):
    """The model brings no chat template, so it cannot hold a conversation."""

    code = "no_chat_template"


class RequestError(EngineError):
    """One request cannot be served; all others go on."""

    code = "request_failed"


class NoModel(RequestError):
    """A request came before any model was loaded."""

    code = "no_model"


class PromptRefused(RequestError):
    """The model's chat template cannot express these messages."""

    code = "prompt_refused"


class ContextFull(RequestError):
    """The conversation is longer than the model can read."""

    code = "context_full"


class MemoryFull(RequestError):
    """The conversation's state does not fit into the memory that is free."""

    code = "memory_full"


class RowFailed(RequestError):
    """The model failed while it read or wrote this row."""

    code = "row_failed"


class CacheMismatch(EngineError):
    """Cached records do not fit the model's caches; the caller counts a miss."""

    code = "cache_mismatch"


class CacheRefused(RequestError):
    """A prompt cache file is not one of this model and this text, or not one at all."""

    code = "cache_refused"


class CacheNotWritten(RequestError):
    """A prompt cache file could not be written; what stood in its place still does."""

    code = "cache_not_written"


class BadCommand(EngineError):
    """A line from the app that is no command of this protocol."""

    code = "bad_command"


CODES: frozenset[str] = frozenset(
    error.code
    for error in (
        EngineError,
        ModelError,
        ModelMissing,
        ModelUnreadable,
        ModelTooLarge,
        ModelUnstable,
        TooFewFiles,
        NoChatTemplate,
        RequestError,
        NoModel,
        PromptRefused,
        ContextFull,
        MemoryFull,
        RowFailed,
        CacheMismatch,
        CacheRefused,
        CacheNotWritten,
        BadCommand,
    )
)
"""Every code that can reach the app: it must have words for each."""
