"""Attaching: files for the next message, on their way into the library and onto the screen. No Qt."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from app.base.errors import refusal
from app.chat import attachments
from app.documents import reading
from resources.language.text import tr
from ui.state.chat import AttachmentView

if TYPE_CHECKING:
    from app.chat.sessions import Sessions
    from app.conversations.stores import Stores
    from storage.library.rows import Attachment

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
        expected = AttachmentView(uuid4().hex, file.name, tr("reading…"), is_pending=True)
        self._sessions.of(conversation).cost.expect(expected)
        ports.tasks.apart(
            partial(reading.text_of, file),
            partial(self._read, conversation, expected.id, file),
            partial(self._not_read, conversation, expected.id),
        )

    def detach(self, conversation: str, attachment: str) -> None:
        """Remove a file from the draft. One that is still being read is not attached then."""
        session = self._sessions.of(conversation)
        if not session.cost.take_expected(attachment):
            job = partial(attachments.detach, conversation=conversation, attachment=attachment)
            self._stores.run(conversation, job, session.show_files)

    def _read(self, conversation: str, expected: str, file: Path, text: str | None) -> None:
        """A document is attached as its text, any other file as it is."""
        if not self._sessions.of(conversation).cost.expects(expected):
            return
        if text is None:
            job = partial(attachments.attach, conversation=conversation, path=file)
        else:
            job = partial(attachments.attach_text, conversation=conversation, name=file.name, text=text)
        done = partial(self._attached, conversation, expected)
        self._stores.of(conversation).tasks.run(job, done, partial(self._not_read, conversation, expected))

    def _attached(self, conversation: str, expected: str, files: tuple[Attachment, ...]) -> None:
        session = self._sessions.of(conversation)
        session.cost.replace_expected(expected)
        session.show_files(files)

    def _not_read(self, conversation: str, expected: str, error: Exception) -> None:
        if self._sessions.of(conversation).cost.take_expected(expected):
            self._refuse(conversation, error)

    def _refuse(self, conversation: str, error: Exception) -> None:
        """Say why a file is not attached, until another one is."""
        told = refusal(error, conversation)
        if not told.lasting:
            told = replace(told, key=_REFUSED + conversation)
        self._stores.of(conversation).sink.show_notice(told)
