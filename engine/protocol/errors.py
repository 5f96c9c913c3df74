"""The engine's error tree. Each class has a stable code, which crosses the pipe; the app must have words for each.
What other programs raise is listed at the end.

A miss, a cancel and a failed restore are values, not errors: see `engine.cache.segment.MissCause`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, Final

from resources.language.sentence import Sentence
from resources.language.text import tr


class EngineError(Exception):
    """Root. `code` is stable and crosses the pipe. The message is one sentence for users."""

    code: ClassVar[str] = "engine_error"

    @property
    def told(self) -> Sentence | str:
        """The sentence, as a value that can still be told in another language if it was raised with one."""
        return self.args[0] if self.args and isinstance(self.args[0], Sentence) else str(self)


class ModelError(EngineError):
    """A model cannot be loaded."""

    code = "model_failed"


class ModelFailedElsewhere(ModelError):
    """Another machine of the group cannot load its share of the model. This one could."""

    code = "model_failed_elsewhere"


class ModelMissing(ModelError):
    """There is no model folder at the path."""

    code = "model_missing"


class ModelUnreadable(ModelError):
    """The folder exists, but its files are not a model that this engine reads."""

    code = "model_unreadable"


class ModelIncomplete(ModelUnreadable):
    """Files of the model are missing or incomplete."""

    code = "model_incomplete"


class DownloadUnfinished(ModelIncomplete):
    """Not all of the model has arrived yet."""

    code = "download_unfinished"


class NoTokenizer(ModelIncomplete):
    """The model has no tokenizer."""

    code = "no_tokenizer"


class ForeignWeights(ModelUnreadable):
    """The weights are in a format that the engine does not read."""

    code = "foreign_weights"


class AdapterAlone(ModelUnreadable):
    """The folder holds an adapter without the model that it adapts."""

    code = "adapter_alone"


class ModelUnsupported(ModelError):
    """The engine does not run this type of model."""

    code = "model_unsupported"


class VisionOnly(ModelUnsupported):
    """The model works on images or sound, and the engine cannot use its text part."""

    code = "vision_only"


class QuantizationUnsupported(ModelUnsupported):
    """The weights are quantised in a form that the engine does not read."""

    code = "quantization_unsupported"


class ModelNeedsCode(ModelError):
    """The model needs program code from its own folder, which the engine never runs."""

    code = "model_needs_code"


class ModelTooLarge(ModelError):
    """The model does not fit into the free memory."""

    code = "model_too_large"


class ModelBeyondMachine(ModelTooLarge):
    """The model is larger than all memory of this machine."""

    code = "model_beyond_machine"


class LoadCancelled(ModelError):
    """The app cancelled the load."""

    code = "load_cancelled"


class AdapterUnfit(ModelUnreadable):
    """The adapter was not made for this model."""

    code = "adapter_unfit"


class AdapterUnsupported(ModelUnsupported):
    """The adapter is of a kind that mlx-lm does not have."""

    code = "adapter_unsupported"


class ModelStuck(ModelError):
    """A load made no progress, so the app ended the engine, or the load itself ended it. Only the app says this."""

    code = "model_stuck"


class ModelUnstable(ModelError):
    """The model failed twice in a row while it answered."""

    code = "model_unstable"


class NoChatTemplate(ModelError):
    """The model has no chat template, so it cannot hold a conversation."""

    code = "no_chat_template"


class ChatTemplateUnusable(ModelError):
    """The model's chat template refuses the plainest conversation, or takes too much time or memory for a few words."""

    code = "template_unusable"

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence or tr("Its chat template takes too much time or memory."))


class RequestError(EngineError):
    """One request fails; all others continue."""

    code = "request_failed"


class NoModel(RequestError):
    """A request arrived before any model was loaded."""

    code = "no_model"


class PromptRefused(RequestError):
    """The model's chat template cannot express these messages."""

    code = "prompt_refused"


class TemplateOverrun(RequestError):
    """The model's chat template takes too much time or memory, or its output is too long."""

    code = "template_overrun"

    def __init__(self) -> None:
        super().__init__(tr("The model's chat template takes too much time or memory over this conversation."))


class SamplingRefused(RequestError):
    """No token can be drawn with these sampling settings."""

    code = "sampling_refused"


class ContextFull(RequestError):
    """The conversation is longer than the model's context."""

    code = "context_full"


class MessageTooLong(ContextFull):
    """The newest message alone is longer than the model's context, so nothing can be left out."""

    code = "message_too_long"


class InstructionsTooLong(RequestError):
    """The instructions leave no room in the model's context, so neither a shorter chat nor a shorter message helps."""

    code = "instructions_too_long"


class MemoryFull(RequestError):
    """The conversation's state does not fit into the free memory."""

    code = "memory_full"


class RowFailed(RequestError):
    """The model failed while it prefilled or decoded this row."""

    code = "row_failed"


class NotANumber(RowFailed):
    """The model computed no number for this row. The rows beside it go on, so it is no failed call of the model."""


class CacheMismatch(EngineError):
    """Cached records do not fit the model's caches; the caller counts a miss."""

    code = "cache_mismatch"


class CacheRefused(RequestError):
    """The file is not a prompt cache, or not one of this model and this text."""

    code = "cache_refused"


class CacheNotWritten(RequestError):
    """A prompt cache file could not be written. The file that it would have replaced is unchanged."""

    code = "cache_not_written"


class BadCommand(EngineError):
    """A line from the app is not a command of this protocol."""

    code = "bad_command"


FOREIGN: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""The exceptions that programs of others raise for content that they do not expect. They do not say which."""

_PANIC: Final = "PanicException"
"""Each library in Rust has its own class of this name, and none can be imported."""


@contextmanager
def panics_as_errors() -> Iterator[None]:
    """Raise a panic in the block as a RuntimeError. A panic reaches Python as a BaseException, so it would pass every
    edge of the engine and end the process.
    """
    try:
        yield
    except BaseException as error:
        if type(error).__name__ == _PANIC:
            raise RuntimeError(str(error)) from error
        raise
