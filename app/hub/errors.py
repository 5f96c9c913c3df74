"""What can go wrong with the hub and with downloads: the errors, and the one for each status that the hub answers. The
message of each is one sentence for people.
"""

from __future__ import annotations

import os
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from app.base.errors import AppError
from resources.language.sentence import Sentence, sentence
from resources.language.text import mark

NO_CONNECTION: Final = mark("this computer seems to be offline")
_NOT_THERE = frozenset({"RepoNotFound", "RevisionNotFound", "EntryNotFound"})


class HubError(AppError):
    """The root of the package's errors. Its one argument is a sentence for people."""

    @property
    def told(self) -> Sentence | str:
        """The sentence as a value, which can still be told in another language."""
        told = self.args[0]
        return told if isinstance(told, Sentence) else str(self)


class HubUnreachable(HubError):
    """There was no answer."""

    def __init__(self, why: Sentence | str) -> None:
        try:  # HF_ENDPOINT may name another hub
            hub = urlsplit(os.environ.get("HF_ENDPOINT", "")).hostname or "Hugging Face"
        except ValueError:
            hub = "Hugging Face"
        super().__init__(sentence("{hub} cannot be reached: {why}.", hub=hub, why=why))


class HubAnswerUnreadable(HubError):
    """The answer is not what the hub's interface promises, or it is too large."""


class TokenRefused(HubError):
    """The hub does not know the user's token."""

    code = "hub_token_refused"


class ModelGated(HubError):
    """The model needs a token with access to it."""


class NotOnHub(HubError):
    """The hub has no such model, revision or file, or it hides that from this user."""


class TokenNotKept(HubError):
    """The token can be kept neither in the keychain nor in a file, or it is no token."""


class TokenUnreadable(HubError):
    """The token that huggingface_hub keeps cannot be read."""


class HubBusy(HubError):
    """The hub wants fewer requests, or has a fault of its own. `wait` is in seconds, None if the hub names no time."""

    def __init__(self, message: Sentence | str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class HubClosed(HubUnreachable):
    """The hub cannot be reached, and trying again does not help."""


class CommitGone(NotOnHub):
    """The repository has no such branch or commit, or no longer."""


class BadRepositoryName(HubError):
    """The name is not of the form publisher/name."""


class RepositoryRefused(HubError):
    """The repository has nothing that Hearth can use, or something that no repository should have."""


class NotEnoughRoom(HubError):
    """The disk has less free space than the download needs. Nothing was written."""


class DiskRefused(HubError):
    """The disk refuses a write. The downloaded bytes stay."""


class WrongSize(HubError):
    """A file has another size than the hub lists."""


class WrongDigest(HubError):
    """A file has another digest than the hub lists."""


class DownloadInUse(HubError):
    """Another process downloads or changes the same model."""


class FolderTaken(HubError):
    """A folder that Hearth did not download has the model's place."""


class NotDownloaded(HubError):
    """Hearth did not download this model, so it neither verifies nor removes it."""


class ModelInUse(HubError):
    """The model is loaded."""


def refusal(status: int, code: str = "", wait: float | None = None) -> HubError:
    """Return the error for an answer with this HTTP `status`. `code` is the hub's own (its header X-Error-Code), `wait`
    the seconds of its header Retry-After.
    """
    if code == "GatedRepo" or (status == HTTPStatus.FORBIDDEN and not code):
        return _gated(with_token=status == HTTPStatus.FORBIDDEN)
    if status == HTTPStatus.NOT_FOUND or code in _NOT_THERE:
        return NotOnHub(sentence("The hub has no such model, or your token does not show it."))
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return TokenRefused(
            sentence("The hub does not accept your token. Enter it again with “Access token…” on the page Find models.")
        )
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        again = sentence("Try again later.") if wait is None else sentence("Try again in {wait:.0f} s.", wait=wait)
        return HubBusy(sentence("The hub asks for fewer requests. {again}", again=again), wait)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return HubBusy(sentence("The hub has a fault of its own ({status}). Try again later.", status=status), wait)
    return HubError(sentence("The hub refuses this request ({status}).", status=status))


def _gated(*, with_token: bool) -> ModelGated:
    if with_token:
        return ModelGated(sentence("Your token has no access to this model. Ask for access on its page at the hub."))
    return ModelGated(
        sentence(
            "This model is gated: ask for access on its page at the hub, and enter your token with “Access token…”."
        )
    )
