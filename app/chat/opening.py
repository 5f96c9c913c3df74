"""Opening: what a tab needs when it opens. Jobs for the library's thread, which load only what is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from storage.library.library import Library
from storage.library.rows import NO_DRAFT, Attachment, Conversation, Message, Page, SavedDraft

PAGE: Final = 60
"""Messages that are loaded at once."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A conversation whose tab opens: the newest part of its branch, its draft and the draft's files.

    `earlier`: the branch begins before `messages`.
    """

    conversation: Conversation
    messages: tuple[Message, ...]
    earlier: bool
    draft: SavedDraft = NO_DRAFT
    files: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Earlier:
    """The part of a branch above the message `before`."""

    before: str
    conversation: Conversation
    page: Page


def load(library: Library, conversation: str) -> Opening:
    """The newest part of a conversation. Raises NoSuchConversation."""
    owner, page = library.conversations.get(conversation), library.messages.page(conversation, None, PAGE)
    files = library.attachments.of_draft(conversation)
    return Opening(owner, page.messages, page.earlier, library.conversations.draft(conversation), files)


def load_earlier(library: Library, conversation: str, before: str, until: str = "") -> Earlier:
    """The part above the message `before`, at least up to the message `until`. Raises NoSuchConversation,
    NoSuchMessage.
    """
    page = library.messages.page(conversation, before, PAGE)
    while until and page.earlier and all(one.id != until for one in page.messages):
        above = library.messages.page(conversation, page.messages[0].id, PAGE)
        page = replace(above, messages=above.messages + page.messages)
    return Earlier(before, library.conversations.get(conversation), page)
