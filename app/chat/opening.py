"""Opening: what a tab needs when it opens, and what is above that. Jobs for the library's thread, which load only what
is shown.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from app.chat import views
from storage.errors import NoSuchMessage
from storage.library.library import Library
from storage.library.rows import NO_DRAFT, Attachment, Conversation, Message, Page, SavedDraft
from ui.search import matching
from ui.search.matching import Matcher

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


_MOST: Final = 4000
"""Messages of the active branch that are searched for a hit, the newest ones."""


@dataclass(frozen=True, slots=True)
class FoundPlace:
    """A conversation whose tab opens at `message`. `back_to` is the end of the branch that was active before, "" if it
    still is.
    """

    opening: Opening
    message: str
    back_to: str = ""


def open_at(library: Library, conversation: str, message: str, terms: tuple[str, ...]) -> FoundPlace:
    """Open a conversation at `message`, a hit of `terms`. If the active branch does not have it, prefer a hit on that
    branch; without one, activate the branch of `message`. Raises NoSuchConversation.
    """
    place, back_to = message, ""
    with suppress(NoSuchMessage):  # removed since the search: the chat opens at its end
        if not library.messages.is_shown(conversation, message):
            matchers = [Matcher((term,)) for term in terms]
            newest = map(views.message, reversed(library.messages.page(conversation, None, _MOST).messages))
            found = (view.id for view in newest if all(matching.count(view, matcher) for matcher in matchers))
            place = next(found, message) if terms else message
            back_to = library.messages.show(conversation, place)
    return FoundPlace(load(library, conversation), place, back_to)


def find_earlier(
    library: Library, conversation: str, before: str, terms: tuple[str, ...]
) -> tuple[tuple[str, int], ...]:
    """The messages above `before` on the active branch that have hits of `terms`, in order, each with their number.

    Raises NoSuchConversation, NoSuchMessage.
    """
    matcher = Matcher(terms)
    shown = map(views.message, library.messages.above(conversation, before))
    counts = ((view.id, matching.count(view, matcher)) for view in shown)
    return tuple((message, count) for message, count in counts if count)
