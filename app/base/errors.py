"""The app's error tree, and the sentence that tells the user of any error of the app, the storage or the engine."""

from __future__ import annotations

import errno
import re
from dataclasses import replace
from typing import ClassVar, Final

from resources.language.sentence import Sentence, sentence
from resources.language.text import mark, mark_plural, tr
from storage.errors import DamagedDatabase, EnvironmentProblem, StorageError
from ui.intents.notice import Notice

LOST_FILES: Final = mark_plural(
    "{count} attached file is no longer there.", "{count} attached files are no longer there."
)


class AppError(Exception):
    """The root of the tree. `code` is stable: a class that names none has its own name, in small letters with lines
    between the words. The message is one sentence for people.
    """

    code: ClassVar[str] = "app_error"

    def __init_subclass__(cls) -> None:
        """Give the class its code."""
        if "code" not in cls.__dict__:
            cls.code = re.sub(r"\B(?=[A-Z])", "_", cls.__name__).lower()


class BadArguments(AppError):
    """The command line asks for something that is not possible."""


class OutputRefused(AppError):
    """Stdout takes nothing."""


class BadBatchLine(BadArguments):
    """A line of a batch file is not a question."""


class FolderRefused(AppError):
    """A folder for Hearth's data cannot be made or entered."""


class SettingsRefused(AppError):
    """The settings cannot be written."""


class SettingsNotRead(AppError):
    """The settings file cannot be read, so the defaults hold."""


class AlreadyRunning(AppError):
    """Another Hearth window uses the same data."""


class DisplayRefused(AppError):
    """The window cannot be shown on this display."""


class ValueRefused(AppError):
    """A value that the user typed is not possible."""


class PresetRefused(AppError):
    """A preset cannot be saved, read or written."""


class PromptsRefused(AppError):
    """Prompts cannot be read from a file or written to one."""


class ImportCancelled(AppError):
    """The user has cancelled an import."""


class ReadingStopped(AppError):
    """The window closes, or the user takes an attached document off again, before it is read."""


class ModelNotInspected(AppError):
    """The process that examines models is not there."""


class NotTheLastAnswer(AppError):
    """Only the last answer of a conversation can be continued."""


class StillAnswering(AppError):
    """A message cannot be edited while an answer is made."""


class EngineRefused(AppError):
    """The engine cannot do what the user asks of a chat."""


class OtherSystemPrompt(AppError):
    """The conversation was started with another system prompt."""


class AttachmentRefused(AppError):
    """A file cannot go with a message."""


class ImportRefused(AppError):
    """Hearth cannot read any chat in a file. Nothing of it was imported."""


class ExportRefused(AppError):
    """The chats cannot be written to this file."""


class NothingToRestore(AppError):
    """No copy of the library can be trusted."""


class CacheNotMoved(AppError):
    """The engine did not import or export a prompt cache."""


_ADVICE = {
    "engine_error": mark("Try again; if it happens again, the log has the details."),
    "model_failed": mark("Pick another model."),
    "model_failed_elsewhere": mark("Choose in its settings where it runs, or pick another model."),
    "model_missing": mark("Pick another model, or put the folder back."),
    "model_unreadable": mark("Pick another model, or get the files of this one again."),
    "model_incomplete": mark("Get its files again, or pick another model."),
    "download_unfinished": mark("Let its download finish, or get its files again."),
    "no_tokenizer": mark("Get its files again, or pick another model."),
    "foreign_weights": mark("Look for the same model in MLX's format."),
    "adapter_unfit": mark("Pick the model that it was trained on, or train it again."),
    "adapter_unsupported": mark("Train or convert it with mlx-lm."),
    "adapter_alone": mark("Pick that model, and then the adapter among its variants."),
    "vision_only": mark("Pick a model that answers in text."),
    "quantization_unsupported": mark("Look for the same model in MLX's format."),
    "model_unsupported": mark("Pick another model; a newer version of Hearth may support this one."),
    "model_needs_code": mark("Pick another model."),
    "model_too_large": mark("Close other apps, or pick a smaller model."),
    "model_beyond_machine": mark("Pick a smaller model."),
    "load_cancelled": mark("Pick it again to load it."),
    "model_stuck": mark("Pick another model, or try it again later."),
    "model_unstable": mark("Pick another model; if it happens with every model, the log has the details."),
    "no_chat_template": mark("Pick a model that was made for chat."),
    "template_unusable": mark("Pick another model."),
    "request_failed": mark("Try again; if it happens again, the log has the details."),
    "no_model": mark("Pick a model first."),
    "prompt_refused": mark("Start a new chat, or pick another model."),
    "template_overrun": mark("Start a new chat, or pick another model."),
    "sampling_refused": mark("Correct the presets in settings.json, or take them out to get the built-in ones back."),
    "context_full": mark("Leave out the oldest turns, or go on in a new chat."),
    "message_too_long": mark("Make it shorter, or pick a model that can read more."),
    "instructions_too_long": mark("Make the instructions shorter, or pick a model that can read more."),
    "memory_full": mark("Wait for other answers to end, close other apps, or pick a smaller model."),
    "row_failed": mark("Try again; if it happens again, pick another model."),
    "cache_mismatch": mark("The conversation is read again instead."),
    "cache_refused": mark("Begin a chat with the text instead: it is read again then."),
    "cache_not_written": mark("Pick another place, or make room on the disk."),
    "bad_command": mark("Restart Hearth; the log has the details."),
}


_OF_THE_SYSTEM: Final = (
    *(mark("Permission denied"), mark("Operation not permitted"), mark("Read-only file system")),
    *(mark("No space left on device"), mark("Disk quota exceeded"), mark("Input/output error")),
    *(mark("No such file or directory"), mark("Not a directory"), mark("Is a directory"), mark("File exists")),
    *(mark("File name too long"), mark("Too many open files")),
)
"""What systems say most often when they refuse a file. Translations are found by these words."""


def engine_words(code: str, message: Sentence | str) -> str:
    """Say what happened in the engine and what the user can do about it, for any `code`, known or not."""
    return str(advised(message, advice(code)))


def advice(code: str) -> Sentence:
    """Say what the user can do about an error of the engine, for any `code`, known or not."""
    return sentence(_ADVICE.get(code, _ADVICE["engine_error"]))


def advised(message: Sentence | str, what_to_do: Sentence | str) -> Sentence:
    """Say what happened in the engine, and then what the user can do."""
    what = message or sentence("The engine could not do this.")
    both = "{what} {what_to_do}" if str(what).endswith((".", "!", "?")) else "{what}. {what_to_do}"
    return Sentence(both, {"what": what, "what_to_do": what_to_do})


def load_words(model: str, code: str, message: str) -> str:
    """Say why the model named `model` was not loaded, and what the user can do about it."""
    return tr("{model} cannot be loaded. {why}", model=model, why=engine_words(code, message))


def reason(error: OSError) -> str:
    """Return the system's reason for refusing a file."""
    return str(told_reason(error))


def told_reason(error: OSError) -> Sentence | str:
    """Return the system's reason for refusing a file, for a sentence that may be told in another language. Libraries
    also raise OSErrors, with words of their own.
    """
    if error.errno == errno.EFBIG:
        return sentence("the system lets it write no larger file (see ulimit -f)")
    if not error.strerror:
        return sentence("the system does not say why")
    return Sentence(error.strerror) if error.strerror in _OF_THE_SYSTEM else error.strerror


def words(error: Exception) -> str:
    """Return one sentence for people. The sentence for an unexpected error names no internals; the log has them."""
    if isinstance(error, AppError | StorageError):
        return str(error)
    return tr("Something went wrong that Hearth did not expect; the log has the details.")


def notice(error: Exception) -> Notice:
    """Return the notice that shows `error`. A later error of the same kind replaces it."""
    code = getattr(error, "code", "unexpected")
    return Notice(key=f"error:{code}", text=words(error))


REFUSED: Final = "refused"


def refusal(error: Exception, conversation: str = "") -> Notice:
    """Return the notice that shows why the library refused a job, about a chat if one is named. A fault of the disk is
    a state: its notice stays until the library can write again.
    """
    if isinstance(error, EnvironmentProblem):
        return Notice(REFUSED, words(error), lasting=True)
    return replace(notice(error), text=library_words(error), conversation=conversation)


def library_words(error: Exception) -> str:
    """Return one sentence for people about an error of the library. The storage calls each of its files a database."""
    return tr("The library is damaged.") if type(error) is DamagedDatabase else words(error)
