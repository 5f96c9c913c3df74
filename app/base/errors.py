"""The app's error tree, and the words for every error that reaches the user.

Owns what the app itself can refuse, and turns any error of any room into a notice. Where it is shown is left to
the window and to the command line.
"""

from __future__ import annotations

from typing import ClassVar, Final

from storage.errors import EnvironmentProblem, StorageError
from ui.state import Notice


class AppError(Exception):
    """Root. `code` is stable; the message is one sentence for people."""

    code: ClassVar[str] = "app_error"


class BadArguments(AppError):
    """The command line asks for something that is not possible."""

    code = "bad_arguments"


class BadBatchLine(BadArguments):
    """A line of a batch file is no question."""

    code = "bad_batch_line"


class FolderRefused(AppError):
    """A folder for Hearth's data cannot be made or entered."""

    code = "folder_refused"


class SettingsRefused(AppError):
    """The settings cannot be written."""

    code = "settings_refused"


class SettingsNotRead(AppError):
    """The settings file cannot be read, so the defaults hold."""

    code = "settings_not_read"


class AlreadyRunning(AppError):
    """Another Hearth window uses the same data."""

    code = "already_running"


class ModelRefused(AppError):
    """The engine cannot load the model."""

    code = "model_refused"


class NotTheLastAnswer(AppError):
    """Only the last answer of a conversation can be continued."""

    code = "not_the_last_answer"


class StillAnswering(AppError):
    """A message cannot be edited while an answer is made."""

    code = "still_answering"


class MessageTooLong(AppError):
    """There is nothing left to leave out of a chat that the model cannot read."""

    code = "message_too_long"


class OtherSystemPrompt(AppError):
    """The conversation was started with another system prompt."""

    code = "other_system_prompt"


class AttachmentRefused(AppError):
    """A file cannot go with a message."""

    code = "attachment_refused"


class ImportRefused(AppError):
    """A file holds no chats that Hearth can read. Nothing of it was imported."""

    code = "import_refused"


class ExportRefused(AppError):
    """The chats cannot be written to this file."""

    code = "export_refused"


class NothingToRestore(AppError):
    """There is no copy of the library that can be trusted."""

    code = "nothing_to_restore"


class CacheNotMoved(AppError):
    """The engine did not take a prompt cache in, or did not give one out."""

    code = "cache_not_moved"


class UpdateNotChecked(AppError):
    """Whether there is a newer version is not known: nothing was fetched, or nothing that can be trusted."""

    code = "update_not_checked"


class TourStuck(AppError):
    """Something that the tour waited for did not come about."""

    code = "tour_stuck"


_ADVICE = {
    "engine_error": "Try again; if it happens again, the log has the details.",
    "model_failed": "Pick another model.",
    "model_missing": "Pick another model, or put the folder back.",
    "model_unreadable": "Pick another model, or download this one again.",
    "model_incomplete": "Download it again, or pick another model.",
    "model_unsupported": "Pick another model; a newer version of Hearth may support this one.",
    "model_needs_code": "Pick another model.",
    "model_too_large": "Close other apps, or pick a smaller model.",
    "too_few_files": "Raise the limit of open files (ulimit -n) and start Hearth again, or pick a smaller model.",
    "model_stuck": "Pick another model, or try it again later.",
    "model_unstable": "Pick another model; if it happens with every model, the log has the details.",
    "no_chat_template": "Pick a model that was made for chat.",
    "template_unusable": "Pick another model.",
    "request_failed": "Try again; if it happens again, the log has the details.",
    "no_model": "Pick a model first.",
    "prompt_refused": "Start a new chat, or pick another model.",
    "template_overrun": "Start a new chat, or pick another model.",
    "sampling_refused": "Correct the presets in settings.json, or take them out to get the built-in ones back.",
    "context_full": "Leave out the oldest turns, or go on in a new chat.",
    "memory_full": "Wait for other answers to end, close other apps, or pick a smaller model.",
    "row_failed": "Try again; if it happens again, pick another model.",
    "cache_mismatch": "The conversation is read again instead.",
    "cache_refused": "Ask without the file: the text is read again then.",
    "cache_not_written": "Pick another place, or make room on the disk.",
    "bad_command": "Restart Hearth; the log has the details.",
}


def engine_words(code: str, message: str) -> str:
    """What happened in the engine and what can be done about it, for any `code`, known or not."""
    advice = _ADVICE.get(code, _ADVICE["engine_error"])
    return f"{_sentence(message or 'The engine could not do this.')} {advice}"


def load_words(model: str, code: str, message: str) -> str:
    """Why the model of the name `model` was not loaded, and what can be done about it."""
    return f"{model} cannot be loaded. {engine_words(code, message)}"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def reason(error: OSError) -> str:
    """What the system says of a file that it refused. Libraries raise OSErrors too, with words of their own."""
    return error.strerror or "the system does not say why"


def words(error: Exception) -> str:
    """One sentence for people. Errors that nobody foresaw name no internals: those are in the log."""
    if isinstance(error, AppError | StorageError):
        return str(error)
    return "Something went wrong that Hearth did not expect; the log has the details."


def notice(error: Exception) -> Notice:
    """The notice that shows `error`; a repetition of the same kind replaces the one before."""
    code = getattr(error, "code", "unexpected")
    return Notice(key=f"error:{code}", text=words(error))


REFUSED: Final = "refused"


def refusal(error: Exception) -> Notice:
    """The notice that shows why the library did not do what it was asked. What the disk is to blame for is a state: it
    is said once, until words can be written again.
    """
    if isinstance(error, EnvironmentProblem):
        return Notice(REFUSED, words(error), lasting=True)
    return notice(error)
