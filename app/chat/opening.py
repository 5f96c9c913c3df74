"""What a tab needs to open: jobs for the library's thread that read no more than is shown. Owns how much that is.

What the model reads is left to `app.chat.turn_jobs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from storage.library.library import Library
    from storage.library.rows import Attachment, Conversation, Message, Page

PAGE: Final = 60
"""Messages that are read and shown at once."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A conversation as its tab begins: the newest part of its branch, and what is written next.

    `earlier` tells that the branch begins before `messages`.
    """

    conversation: Conversation
    messages: tuple[Message, ...]
    earlier: bool
    draft: str = ""
    files: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Earlier:
    """The part of a branch that stands before what is shown."""

    conversation: Conversation
    page: Page


def load(library: Library, conversation: str) -> Opening:
    """Raises NoSuchConversation."""
    owner, page = library.conversations.get(conversation), library.messages.page(conversation, None, PAGE)
    files = library.attachments.of_draft(conversation)
    return Opening(owner, page.messages, page.earlier, library.conversations.draft(conversation), files)


def load_earlier(library: Library, conversation: str, before: str) -> Earlier:
    """The part before the message `before`. Raises NoSuchConversation, NoSuchMessage."""
    return Earlier(library.conversations.get(conversation), library.messages.page(conversation, before, PAGE))
