"""Attaching: files for the next message, on their way into the library and onto the screen. No Qt."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.base.errors import refusal
from app.chat import attachments
from app.documents import reading

if TYPE_CHECKING:
    from app.chat.sessions import Sessions
    from app.conversations.stores import Stores

_REFUSED: Final = "attach:"
"""The prefix of the key of the notice about a file that is not attached; the conversation's id follows."""


class Attaching:
    """Adds files to drafts and removes them."""

    def __init__(self, stores: Stores, sessions: Sessions) -> None:
        self._stores = stores
        self._sessions = sessions

    def attach(self, conversation: str, path: str) -> None:
        """Attach a file to the draft. If the file is refused, the reason is shown and nothing changes."""
        ports, file = self._stores.of(conversation), Path(path)
        ports.sink.clear_notice(_REFUSED + conversation)
        done = partial(self._read, conversation, file)
        ports.tasks.apart(partial(reading.text_of, file), done, partial(self._refuse, conversation))

    def _read(self, conversation: str, file: Path, text: str | None) -> None:
        """A document is attached as its text, any other file as it is."""
        if text is None:
            job = partial(attachments.attach, conversation=conversation, path=file)
        else:
            job = partial(attachments.attach_text, conversation=conversation, name=file.name, text=text)
        done = self._sessions.of(conversation).show_files
        self._stores.of(conversation).tasks.run(job, done, partial(self._refuse, conversation))

    def _refuse(self, conversation: str, error: Exception) -> None:
        """Say why a file is not attached, until another one is."""
        told = refusal(error, conversation)
        if not told.lasting:
            told = replace(told, key=_REFUSED + conversation)
        self._stores.of(conversation).sink.show_notice(told)

    def detach(self, conversation: str, attachment: str) -> None:
        """Remove a file from the draft."""
        job = partial(attachments.detach, conversation=conversation, attachment=attachment)
        self._stores.run(conversation, job, self._sessions.of(conversation).show_files)
