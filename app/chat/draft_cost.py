"""DraftCost: how many tokens the draft of one chat and its files take, before they are sent. No Qt.

- The engine counts, beside its other work. While no model is loaded, the figure is an estimate.
- A draft that replaces an earlier message keeps the files of that one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from app.base.ports import Ports
from app.chat import attachments, turn_jobs
from app.chat.presenter import ChatPresenter
from engine.protocol.messages import CountTokens, TokensCounted
from storage.library.library import Library
from storage.library.rows import Attachment
from storage.untrusted import MEBIBYTE
from ui.state.chat import AttachmentView, DraftView

_DRAFT: Final = "draft"
_BYTES_PER_TOKEN: Final = 4
"""Of English text. Other scripts take more bytes a character, and about as many a token."""
_MOST_BYTES: Final = 4 * MEBIBYTE
"""A longer text is only estimated: no model reads as much."""


def estimate(text: str) -> int:
    """About how many tokens a text takes."""
    return estimate_bytes(len(text.encode("utf-8", "replace")))


def estimate_bytes(count: int) -> int:
    """About how many tokens so many bytes of text take."""
    return -(-count // _BYTES_PER_TOKEN)


@dataclass(slots=True)
class _Part:
    """A text that costs tokens: so many are shown, which is an estimate unless the engine has counted them."""

    text: str
    tokens: int = 0
    is_counted: bool = False


class DraftCost:
    """`presenter` shows each change. `expected` are the files that are being read."""

    def __init__(self, ports: Ports, presenter: ChatPresenter) -> None:
        self._id = presenter.id
        self._ports = ports
        self._presenter = presenter
        self._parts: dict[str, _Part] = {}
        self._files: tuple[Attachment, ...] = ()
        self.expected: dict[str, AttachmentView] = {}
        self._message = ""
        self._edited: dict[str, str] = {}
        self._without: tuple[str, ...] = ()

    def _changed(self) -> None:
        presenter, draft = self._presenter, self.view()
        if (tab := presenter.tab) is not None:
            tab.show_attachments(self.file_views())
        if draft != presenter.status.draft:
            presenter.show(replace(presenter.status, draft=draft))

    def count(self, text: str, message: str = "", without: tuple[str, ...] = ()) -> None:
        """The text of the draft has changed, or the earlier `message` that it replaces, or which files of that one are
        left out.
        """
        self._without = without
        if message != self._message:
            for part in self._edited:
                self._parts.pop(part, None)
            self._message, self._edited = message, {}
            if message:
                job = partial(_files_of, conversation=self._id, message=message)
                self._ports.tasks.run(job, partial(self._take_edited, message), lambda _: None)
        self._keep(_DRAFT, text)
        self._changed()

    def _take_edited(self, message: str, files: dict[str, str]) -> None:
        if message == self._message:
            self._edited = files
            for part, text in files.items():
                self._keep(part, text)
            self._changed()

    def attach(self, files: tuple[Attachment, ...]) -> None:
        """The files of the draft have changed."""
        for gone in {file.id for file in self._files} - {file.id for file in files}:
            self._parts.pop(gone, None)
        new = tuple(file for file in files if file not in self._files and file.text)
        self._files = files
        if new:

            def read(texts: dict[str, str]) -> None:
                here = {file.id for file in self._files}
                for identifier, text in texts.items():
                    if identifier in here:
                        self._keep(identifier, text)
                self._changed()

            self._ports.tasks.run(lambda library: _blocks(library, new), read, lambda _: None)
        self._changed()

    def counted(self, event: TokensCounted) -> None:
        """The engine has counted a text."""
        if (part := self._parts.get(event.subject.removeprefix(f"{self._id}/"))) is not None:
            part.tokens, part.is_counted = event.tokens, True
            self._changed()

    def recount(self) -> None:
        """Another model is loaded: its tokens may differ."""
        for name, part in self._parts.items():
            part.is_counted = False
            self._ask(name, part)

    def expect(self, files: Iterable[AttachmentView]) -> None:
        """Show files that are being read."""
        self.expected |= {file.id: file for file in files}
        self._changed()

    @property
    def file_count(self) -> int:
        """The files of the draft, and those that are being read."""
        return len(self._files) + len(self.expected)

    def take_expected(self, identifier: str) -> bool:
        """A file was read, or is no longer wanted. Returns whether it was expected still."""
        was_expected = self.expected.pop(identifier, None) is not None
        if was_expected:
            self._changed()
        return was_expected

    def file_views(self) -> tuple[AttachmentView, ...]:
        """The files for the window, each with its tokens, and those that are being read."""
        parts = ((file, self._parts.get(file.id, _Part(""))) for file in self._files)
        known = (attachments.view(file, part.tokens, exact=part.is_counted) for file, part in parts)
        return (*known, *self.expected.values())

    def view(self) -> DraftView:
        """The figures for the window."""
        tokens = sum(part.tokens for name, part in self._parts.items() if name not in self._without)
        rate = self._ports.reading_rate()
        is_exact = all(part.is_counted for part in self._parts.values())
        return DraftView(tokens, is_exact, tokens / rate if rate > 0 else None)

    def _keep(self, name: str, text: str) -> None:
        """A text that has changed shows its former tokens until the engine has counted it."""
        if not text:
            self._parts.pop(name, None)
        elif (part := self._parts.setdefault(name, _Part(""))).text != text:
            part.text, part.is_counted = text, False
            self._ask(name, part)

    def _ask(self, name: str, part: _Part) -> None:
        if self._ports.engine.ready and len(part.text) <= _MOST_BYTES:
            self._ports.engine.send(CountTokens(f"{self._id}/{name}", part.text))
        else:
            part.tokens = estimate(part.text)


def _blocks(library: Library, files: tuple[Attachment, ...]) -> dict[str, str]:
    """The files as the model reads them, by their ids. Their names count, too."""
    return {file.id: attachments.block(file, attachments.text_of(library, file)) for file in files}


def _files_of(library: Library, conversation: str, message: str) -> dict[str, str]:
    """The files of a message. Raises NoSuchMessage if it is not part of the chat as it is shown."""
    branch = library.messages.branch(conversation)
    files = branch[turn_jobs.place_of(branch, message)].attachments
    return _blocks(library, tuple(file for file in files if file.text))
