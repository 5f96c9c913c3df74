"""Finding: opens a chat at a hit, and finds the hits above the screen. Jobs for the library's thread."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.chat import opening, views
from storage.errors import NoSuchMessage
from ui.search import message_hits
from ui.search.matching import Matcher

if TYPE_CHECKING:
    from app.chat.opening import Opening
    from storage.library.library import Library

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
            place = _newest_hit(library, conversation, terms) or message
            back_to = library.messages.show(conversation, place)
    return FoundPlace(opening.load(library, conversation), place, back_to)


def _newest_hit(library: Library, conversation: str, terms: tuple[str, ...]) -> str:
    """The newest message of the active branch that has all terms; "" if there is none."""
    matchers = [Matcher((term,)) for term in terms]
    newest = map(views.message, reversed(library.messages.page(conversation, None, _MOST).messages))
    found = (view.id for view in newest if all(message_hits.count(view, matcher) for matcher in matchers))
    return next(found, "") if matchers else ""


def find_earlier(
    library: Library, conversation: str, before: str, terms: tuple[str, ...]
) -> tuple[tuple[str, int], ...]:
    """The messages above `before` on the active branch that have hits of `terms`, in order, each with their number.

    Raises NoSuchConversation, NoSuchMessage.
    """
    matcher = Matcher(terms)
    shown = map(views.message, library.messages.above(conversation, before))
    counts = ((view.id, message_hits.count(view, matcher)) for view in shown)
    return tuple((message, count) for message, count in counts if count)
