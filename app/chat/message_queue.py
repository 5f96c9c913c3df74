"""MessageQueue: the messages of one chat that wait for the end of its answer. Pure.

A message that waits is part of the saved draft, so that it survives a crash and a quit. A line that begins with an
invisible sign ends it there and names its files. Edits of earlier messages follow the draft: a line that begins
with another invisible sign names the message of each. A line of the user that begins with such a sign is saved with
two of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from ui.state.chat import QueuedView, QueueView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from storage.library.rows import Attachment, Message
    from ui.state.chat import Edits

_MARK: Final = re.compile("\n\u2063([0-9a-z,]*)\n")
_EDIT: Final = re.compile("\n\u2064([0-9a-z]+)\n")
_EDITS: Final = re.compile("(^|\n)\u2064(?!\u2064).*", re.DOTALL)
_SIGN: Final = re.compile("^[\u2063\u2064]", re.MULTILINE)
_DOUBLE: Final = re.compile("^([\u2063\u2064])\\1", re.MULTILINE)


def shown_draft(saved: str) -> str:
    """A saved draft, or its beginning, for the eye: its messages and what was typed, without edits and the lines
    between them.
    """
    return _plain(_MARK.sub("\n\n", _EDITS.sub("", saved))).strip()


def guarded(text: str) -> str:
    """A text as it is saved in a draft: no line of it is one of the queue."""
    return _SIGN.sub(r"\g<0>\g<0>", text)


def _plain(saved: str) -> str:
    return _DOUBLE.sub(r"\1", saved)


@dataclass(frozen=True, slots=True)
class WaitingMessage:
    """A message that waits, with its files."""

    id: str
    text: str
    files: tuple[Attachment, ...] = ()


def _mark(files: tuple[Attachment, ...]) -> str:
    return f"\n\u2063{','.join(file.id for file in files)}\n"


class MessageQueue:
    """In the order in which they will be sent. While the queue is `paused`, nothing of it is sent.

    `typed` is the draft behind it, `edits` are edits that were not sent, by the messages that they would replace, and
    `files` are those of the draft.
    """

    def __init__(self) -> None:
        self.paused = False
        self.typed = ""
        self.edits: Edits = ()
        self.files: tuple[Attachment, ...] = ()
        self._waiting: tuple[WaitingMessage, ...] = ()
        self._named: tuple[frozenset[str], ...] = ()

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, text: str) -> None:
        """Add a message with the files of the draft at the end."""
        self._waiting = (*self._waiting, WaitingMessage(uuid4().hex, text, self.files))
        self.typed, self.files = "", ()

    def add_first(self, text: str, files: tuple[Attachment, ...]) -> None:
        """Add a message with those of `files` that belong to no other message and not to the draft."""
        others = self.held() | {file.id for file in self.files}
        self.put_back(WaitingMessage(uuid4().hex, text, tuple(file for file in files if file.id not in others)))

    def put_back(self, message: WaitingMessage) -> None:
        """Put a message that could not be sent at the beginning."""
        self._waiting = (message, *self._waiting)

    def move_to_front(self, identifier: str) -> bool:
        """Make a message the next one. Returns False if it is not here any more."""
        if (found := self.remove(identifier)) is None:
            return False
        self.put_back(found)
        return True

    def first(self) -> WaitingMessage | None:
        """Remove and return the next message."""
        return self.remove(self._waiting[0].id) if self._waiting else None

    def remove(self, identifier: str) -> WaitingMessage | None:
        """Remove a message. Returns it, None if it is not here any more."""
        found = next((message for message in self._waiting if message.id == identifier), None)
        self._waiting = tuple(message for message in self._waiting if message is not found)
        self.paused = self.paused and bool(self._waiting)
        return found

    def held(self) -> frozenset[str]:
        """The ids of the files of the messages that wait."""
        return frozenset(file.id for message in self._waiting for file in message.files)

    def take_files(self, files: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
        """Of all files that are attached and not sent, note and return those of the draft."""
        self._restore_files(files)
        held = self.held()
        self.files = tuple(file for file in files if file.id not in held)
        return self.files

    def draft(self) -> str:
        """What to save as the draft: the messages that wait, what was typed, then edits."""
        waiting = (f"{guarded(message.text)}{_mark(message.files)}" for message in self._waiting)
        edits = (f"\n\u2064{message}\n{guarded(words)}" for message, words in self.edits)
        return "".join((*waiting, guarded(self.typed), *edits))

    def take_draft(self, saved: str, messages: Iterable[Message] = ()) -> str:
        """Note and return the typed part of a saved draft. The messages before it wait again, if they are those of an
        earlier run. The words of an edit are typed if its message is not among `messages`, which the user sees.
        """
        draft, *edits = _EDIT.split(saved)
        pairs = tuple(zip(edits[::2], map(_plain, edits[1::2]), strict=True))
        shown = {message.id for message in messages}
        self.edits = tuple(edit for edit in pairs if edit[0] in shown)
        typed = self._take_typed(draft.removesuffix("\n\n") if edits else draft)
        self.typed = "\n\n".join(filter(None, (typed, *(words for message, words in pairs if message not in shown))))
        return self.typed

    def _take_typed(self, saved: str) -> str:
        *before, typed = _MARK.split(saved)
        texts, typed = tuple(map(_plain, before[::2])), _plain(typed)
        if not self._waiting:
            self._waiting = tuple(WaitingMessage(uuid4().hex, text) for text in texts)
            self._named = tuple(frozenset(names.split(",")) for names in before[1::2])
            self.paused = bool(self._waiting)
        elif texts:
            aside = self._put_aside(texts[0])
            typed = aside + typed if typed else aside.rstrip("\n")
        return typed

    def _put_aside(self, first: str) -> str:
        """The words that were put before the first message while no tab was open."""
        own = self._waiting[0].text
        return first.removesuffix(own) if first.endswith(own) else ""

    def _restore_files(self, files: tuple[Attachment, ...]) -> None:
        """Give the messages of an earlier run those of their files that are left."""
        named, self._named = self._named, ()
        if named:
            self._waiting = tuple(
                replace(message, files=tuple(file for file in files if file.id in own))
                for message, own in zip(self._waiting, named, strict=False)
            )

    def view(self) -> QueueView:
        """The queue for the window."""
        shown = (QueuedView(message.id, message.text, len(message.files)) for message in self._waiting)
        return QueueView(tuple(shown), self.paused)
