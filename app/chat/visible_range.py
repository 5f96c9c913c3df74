"""VisibleRange: which part of a branch is on the screen, and whether the part above is in the model's context.

The functions below it open a chat at a hit and find the hits above the screen, as jobs for the library's thread.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from app.chat import opening, views
from app.chat.opening import PAGE, Opening
from app.chat.turn_jobs import count_left_out
from storage.errors import NoSuchMessage
from storage.library.library import Library
from storage.library.rows import Conversation, Message
from ui.search import matching
from ui.search.matching import Matcher
from ui.state.chat import MessageView


class VisibleRange:
    """The end of a branch, from some message on. `earlier`: the window knows that there are messages before it. `first`
    is the id of the message at its beginning, "" if there is none, and `last` the message at its end, if there is one.
    """

    def __init__(self) -> None:
        self.earlier = False
        self.first = ""
        self.last: Message | None = None
        self._is_read_above = True

    def begin(self, owner: Conversation, part: tuple[Message, ...], *, earlier: bool) -> tuple[MessageView, ...]:
        """Show only this part."""
        self._is_read_above = True
        self.first = ""
        self.earlier = earlier
        self._end(part)
        return self._extend(owner, part)

    def follows(self, messages: tuple[Message, ...]) -> bool:
        """Whether these messages continue what is on the screen. They do not if another process has added something."""
        return messages[0].parent == (self.last.id if self.last else None)

    def add(self, messages: tuple[Message, ...]) -> None:
        """Messages were added below."""
        if messages and not self.first:
            self.first = messages[0].id
        if messages:
            self._end(messages)

    def close(self, reply: Message) -> None:
        """A reply has ended, here or on another branch."""
        if self.last is not None and self.last.id == reply.id:
            self.last = reply

    def above(self, owner: Conversation, part: tuple[Message, ...], *, earlier: bool) -> tuple[MessageView, ...]:
        """Show this part above the present one."""
        self.earlier = earlier
        return self._extend(owner, part)

    def change(self, owner: Conversation, branch: tuple[Message, ...]) -> tuple[MessageView, ...]:
        """Show another branch, given as a whole: from the same first message if the branch has it, else its end."""
        places = (place for place, message in enumerate(branch) if message.id == self.first)
        begin = next(places, max(len(branch) - PAGE, 0))
        left_out = count_left_out(owner, branch) or 0
        self.first = branch[begin].id if branch else ""
        self._is_read_above = left_out < begin or not left_out
        self.earlier = begin > 0
        self._end(branch)
        return views.messages(branch[begin:], left_out - begin)

    def _end(self, messages: tuple[Message, ...]) -> None:
        self.last = messages[-1] if messages else None

    def _extend(self, owner: Conversation, part: tuple[Message, ...]) -> tuple[MessageView, ...]:
        left_out = count_left_out(owner, part)
        count = (0 if self._is_read_above else len(part)) if left_out is None else left_out
        self._is_read_above = self._is_read_above and left_out is None
        self.first = part[0].id if part else self.first
        return views.messages(part, count)


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
    found = (view.id for view in newest if all(matching.count(view, matcher) for matcher in matchers))
    return next(found, "") if matchers else ""


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
