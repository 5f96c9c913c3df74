"""Attaching: takes files for the next message into the library and onto the screen, and shows and saves what
the model is given of them. No Qt.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final
from uuid import uuid4

from app.base.errors import AttachmentRefused, ExportRefused, ReadingStopped, notice, refusal
from app.base.own_files import write_export
from app.chat import attachments
from app.chat.draft_cost import DraftCost
from app.conversations.chats import Chats
from app.documents import reading
from app.documents.limits import ReadOutcome
from app.documents.plain_text import escaped
from resources.language.text import mark, tr
from storage.errors import NoSuchAttachment, NoSuchConversation
from storage.library.library import Library
from storage.library.rows import Attachment
from ui.intents.notice import Notice
from ui.state.chat import AttachmentView, FileView
from ui.theme.phrases import size

_REFUSED: Final = "attach:"
"""The prefix of the key of the notice about files that are not attached; the conversation's id follows."""

CLOSING_SECONDS: Final = 2.0
"""How long a window that closes waits for documents that are being read. Each may take a minute."""

MOST_FILES: Final = 100
"""Files of one draft. More are a folder that was selected by mistake, or an attempt to stop the window."""
_TOO_MANY: Final = mark("A message can have {most} files. The others were not attached.")
_EMPTY: Final = mark("“{name}” is empty. It gives the model no more than its name.")
_GUESSED: Final = mark(
    "“{name}” was read as Western text. If its letters are wrong, save it as UTF-8, and attach that."
)


_CHATS: Final = (".hearth", ".zip")
"""ChatGPT sends a zip file. Nothing else that is packed so can be attached."""

_Reading = Callable[[Callable[[], bool]], ReadOutcome]
"""Reads a file, and stops soon after what it is given returns True."""


class Attaching:
    """Adds files to drafts and removes them."""

    def __init__(self, chats: Chats, import_file: Callable[[str], object]) -> None:
        self._chats = chats
        self._import_file = import_file
        self._told: dict[str, Notice] = {}
        self._end = math.inf  # the thread that reads documents asks for it

    def attach(self, conversation: str, paths: Iterable[str]) -> None:
        """Attach files to the draft. Those that are refused are named with the reason, and change nothing. Exports of
        chats are imported, as they are when the system opens them.
        """
        self._begin(conversation)
        files: list[tuple[str, _Reading]] = []
        for path in paths:
            if path.lower().endswith(_CHATS):
                self._import_file(path)
            else:
                file = Path(path)
                files.append((escaped(file.name or path), partial(reading.read, file)))  # the root folder has no name
        self._attach(conversation, files)

    def attach_text(self, conversation: str, text: str) -> None:
        """Attach a text that was pasted."""
        self._begin(conversation)
        name = tr("Pasted text") + ".txt"
        self._attach(conversation, [(name, lambda _: reading.pasted(name, text))])

    def attach_picture(self, conversation: str) -> None:
        """The user pastes a picture that is no file. No model can see it yet."""
        self._begin(conversation)
        self._tell(conversation, AttachmentRefused(tr("No model here can see images yet.")))

    def detach(self, conversation: str, attachment: str) -> None:
        """Remove a file from the draft. One that is still being read is not attached then."""
        if not self._chats.sessions.of(conversation).cost.take_expected(attachment):
            job = partial(attachments.detach, conversation=conversation, attachment=attachment)
            self._chats.run(conversation, job, partial(self._changed, conversation))

    def show_file(self, conversation: str, attachment: str) -> None:
        """Show a file, or why its text cannot be shown."""
        ports = self._chats.of(conversation)

        def show(file: FileView) -> None:
            if (tab := ports.sink.chats.tab(conversation)) is not None:
                tab.show_file(file)

        failed = self._chats.sessions.of(conversation).presenter.show_error
        ports.tasks.run(partial(_view, attachment=attachment), show, failed)

    def save_file(self, conversation: str, attachment: str, path: str) -> None:
        """Write the text of a file to `path`."""
        ports, file = self._chats.of(conversation), Path(path)

        def told(_: None) -> None:
            ports.sink.show_notice(Notice("file", tr("{name} was saved.", name=file.name), passing=True))

        def failed(error: Exception) -> None:
            ports.sink.show_notice(notice(error))

        def write(text: str) -> None:
            ports.tasks.apart(partial(write_export, file, text.encode(), ExportRefused), told, failed)

        ports.tasks.run(lambda library: library.attachments.text_of(attachment), write, failed)

    def close(self) -> None:
        """The window closes: after CLOSING_SECONDS no document is read any more."""
        self._end = time.monotonic() + CLOSING_SECONDS

    def leave_library(self) -> None:
        """Another library takes the place of the one on disk: attach nothing to its chats that is being read now."""
        for session in self._chats.sessions.of_all(""):
            if not self._chats.is_private(session.id):
                session.cost.expected.clear()

    def _begin(self, conversation: str) -> None:
        self._told.pop(conversation, None)
        self._chats.of(conversation).sink.clear_notice(_REFUSED + conversation)

    def _attach(self, conversation: str, files: Sequence[tuple[str, _Reading]]) -> None:
        """Attach files by their names and how each is read. The reading stops if the file is taken off the draft."""
        cost, tasks = self._chats.sessions.of(conversation).cost, self._chats.of(conversation).tasks
        room = max(0, MOST_FILES - cost.file_count)
        expected = [AttachmentView(uuid4().hex, name, tr("reading…"), is_pending=True) for name, _ in files[:room]]
        cost.expect(expected)
        sizes: list[int] = []
        for file, (name, read) in zip(expected, files, strict=False):
            done = partial(self._read, conversation, file.id, name)
            work = partial(_within, sizes, name, read, partial(self._is_needless, cost, file.id))
            tasks.read(work, done, partial(self._not_read, conversation, file.id))
        if len(files) > room:
            self._tell(conversation, AttachmentRefused(tr(_TOO_MANY, most=MOST_FILES)))

    def _is_needless(self, cost: DraftCost, expected: str) -> bool:
        return time.monotonic() >= self._end or expected not in cost.expected

    def _read(self, conversation: str, expected: str, name: str, read: ReadOutcome) -> None:
        if expected in self._chats.sessions.of(conversation).cost.expected:
            if told := _GUESSED if read.guessed else "" if read.text.strip() else _EMPTY:
                self._note(conversation, Notice("", tr(told, name=name), conversation=conversation, passing=True))
            text, media = read.text, read.media
            job = partial(attachments.attach, conversation=conversation, name=name, text=text, media=media)

            def attached(files: tuple[Attachment, ...]) -> None:
                self._chats.sessions.of(conversation).cost.expected.pop(expected, None)
                self._changed(conversation, files)

            self._chats.of(conversation).tasks.run(job, attached, partial(self._not_read, conversation, expected))

    def _changed(self, conversation: str, files: tuple[Attachment, ...]) -> None:
        self._chats.sessions.of(conversation).outbox.show_files(files)
        self._chats.list.refresh()  # the row of a chat counts the files of its draft

    def _not_read(self, conversation: str, expected: str, error: Exception) -> None:
        was_expected = self._chats.sessions.of(conversation).cost.take_expected(expected)
        if was_expected and not isinstance(error, (ReadingStopped, NoSuchConversation)):  # or the chat was erased
            self._tell(conversation, error)

    def _tell(self, conversation: str, error: Exception) -> None:
        """Say why a file is not attached. That stays: nothing else shows that the file is missing."""
        told = refusal(error, conversation)
        if told.lasting:
            self._chats.of(conversation).sink.show_notice(told)
        else:
            self._note(conversation, told)

    def _note(self, conversation: str, told: Notice) -> None:
        """Show a notice below what was said about the files that came with this one."""
        if (before := self._told.get(conversation)) is not None:
            told = replace(told, text=f"{before.text}\n{told.text}", passing=before.passing and told.passing)
        self._told[conversation] = replace(told, key=_REFUSED + conversation)
        self._chats.of(conversation).sink.show_notice(self._told[conversation])


def _within(sizes: list[int], name: str, read: _Reading, stopped: Callable[[], bool]) -> ReadOutcome:
    """Read a file of several, whose characters are counted in `sizes`: not many more are in memory than a draft may
    have.
    """
    outcome = read(stopped)
    if sizes:
        attachments.refuse_much(name, sum(sizes) + len(outcome.text))
    sizes.append(len(outcome.text))
    return outcome


def _view(library: Library, attachment: str) -> FileView:
    file = library.attachments.get(attachment)
    name = escaped(file.name)
    if not file.text:
        note = tr("This file is not text. The model is only given its name.")
        return FileView(file.id, name, size(file.bytes), note=note)
    try:
        text = library.attachments.text_of(attachment)
    except NoSuchAttachment as error:
        return FileView(file.id, name, size(file.bytes), note=str(error))
    copy_name = f"{name}.txt" if attachments.is_extracted(file.name) else name
    length, left_out = attachments.length(file), attachments.left_out(file)
    return FileView(file.id, name, length, text, copy_name=copy_name, left_out=left_out)
