"""Opening: what a tab needs when it opens. Jobs for the library's thread, which load only what is shown."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from app.chat import views
from storage.errors import NoSuchMessage
from storage.library.library import Library
from storage.library.rows import NO_DRAFT, Attachment, Conversation, Message, SavedDraft
from ui.search import matching

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


def load(library: Library, conversation: str) -> Opening:
    """The newest part of a conversation. Raises NoSuchConversation."""
    owner, page = library.conversations.get(conversation), library.messages.page(conversation, None, PAGE)
    files = library.attachments.of_draft(conversation)
    return Opening(owner, page.messages, page.earlier, library.conversations.draft(conversation), files)


_MOST: Final = 4000
"""Messages of the active branch that are searched for a hit, the newest ones."""


FoundPlace = tuple[Opening, str, str]
"""A conversation whose tab opens, the message where it does so, and the end of the branch that was active before, "" if
it still is.
"""


def open_at(library: Library, conversation: str, message: str, terms: tuple[str, ...]) -> FoundPlace:
    """Open a conversation at `message`, a hit of `terms`. If the active branch does not have it, prefer a hit on that
    branch; without one, activate the branch of `message`. Raises NoSuchConversation.
    """
    place, back_to = message, ""
    with suppress(NoSuchMessage):  # removed since the search: the chat opens at its end
        if not library.messages.is_shown(conversation, message):
            matchers = [matching.Matcher((term,)) for term in terms]
            newest = map(views.message, reversed(library.messages.page(conversation, None, _MOST).messages))
            found = (view.id for view in newest if all(matching.count(view, matcher) for matcher in matchers))
            place = next(found, message) if terms else message
            back_to = library.messages.show(conversation, place)
    return load(library, conversation), place, back_to
