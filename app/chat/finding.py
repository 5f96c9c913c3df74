"""Finding: where a search has hits in the messages above the screen. A job for the library's thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.chat import views
from ui.search import message_hits
from ui.search.matching import Matcher

if TYPE_CHECKING:
    from storage.library.library import Library


def find_above(library: Library, conversation: str, before: str, terms: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The messages above `before` on the active branch that have hits of `terms`, in order, each with their number.

    Raises NoSuchConversation, NoSuchMessage.
    """
    matcher = Matcher(terms)
    shown = map(views.message, library.messages.above(conversation, before))
    counts = ((view.id, message_hits.count(view, matcher)) for view in shown)
    return tuple((message, count) for message, count in counts if count)
