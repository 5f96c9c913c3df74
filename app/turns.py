"""What a turn reads and writes in the library: jobs for its thread, each one call. Owns the history that a request
carries; when a turn begins and ends is left to the session.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.errors import NotTheLastAnswer
from engine.protocol import ChatMessage
from storage.errors import MessageClosed, NoSuchMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from storage.library.rows import Conversation, Message
    from storage.library.store import Library


@dataclass(frozen=True, slots=True)
class Start:
    """A turn that is on disk. `branch` runs from the root to the open reply.

    `gone` are the messages that left the branch, `fresh` those that joined it.
    """

    conversation: Conversation
    branch: tuple[Message, ...]
    gone: tuple[str, ...] = ()
    fresh: tuple[Message, ...] = ()

    @property
    def reply(self) -> Message:
        """The open reply."""
        return self.branch[-1]


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A turn that was taken back: which messages left the branch, which are `back`, and the title as it is now.

    `draft` is the new draft where the user's message became part of it, else empty.
    """

    title: str
    gone: tuple[str, ...]
    back: tuple[Message, ...]
    draft: str


def begin(library: Library, conversation: str, text: str, model: str) -> Start:
    """Save the user's message and an open reply to it."""
    turn = library.begin_turn(conversation, text, model)
    fresh = (turn.user, turn.reply)
    return Start(library.conversation(conversation), library.branch(conversation), fresh=fresh)


def retry(library: Library, conversation: str, reply: str, model: str) -> Start:
    """Open another reply to the message that `reply` answers; the old one stays in the library as an alternative."""
    before = library.branch(conversation)
    place = _place(before, reply)
    question = before[place].parent
    if question is None:
        raise NoSuchMessage("This answer belongs to no question.")
    fresh = library.begin_reply(conversation, question, model)
    gone = tuple(message.id for message in before[place:])
    return Start(library.conversation(conversation), library.branch(conversation), gone, (fresh,))


def resume(library: Library, conversation: str, reply: str) -> Start:
    """Open the last reply again, to be continued where it stops. Raises NotTheLastAnswer for any other."""
    before = library.branch(conversation)
    if _place(before, reply) != len(before) - 1:
        raise NotTheLastAnswer("Only the last answer of a chat can be continued.")
    library.reopen(reply)
    return Start(library.conversation(conversation), library.branch(conversation))


def _place(branch: tuple[Message, ...], message: str) -> int:
    for place, candidate in enumerate(branch):
        if candidate.id == message:
            return place
    raise NoSuchMessage("This answer is no longer part of the chat.")


def keep(library: Library, reply: str, text: str) -> None:
    """Save the text so far of an open reply."""
    _ours(library, reply, lambda: library.save_progress(reply, text))


def close(library: Library, reply: Message) -> None:
    """Save a reply as it ended."""
    state = reply.state
    assert state != "open"  # the session closes only what has ended
    _ours(
        library,
        reply.id,
        lambda: library.close(reply.id, reply.content, state, reply.ledger, reply.usage, reply.error),
    )


def _ours(library: Library, reply: str, write: Callable[[], object]) -> None:
    """Another Hearth that starts meanwhile takes our open reply for a broken one; whoever writes it knows better."""
    try:
        write()
    except MessageClosed:
        library.reopen(reply)
        write()


def withdraw(library: Library, start: Start) -> Withdrawal:
    """Take a turn back whose reply is empty. The user's new message becomes the draft; an older one stays, and the
    reply that stood before is shown again.
    """
    returned = library.withdraw_turn(start.reply.id)
    conversation = start.conversation.id
    shown = library.branch(conversation)
    kept = {message.id for message in shown}
    return Withdrawal(
        title=library.conversation(conversation).title,
        gone=tuple(message.id for message in start.branch if message.id not in kept),
        back=tuple(message for message in shown if message.id in start.gone),
        draft=library.draft(conversation) if returned else "",
    )


def history(system: str, branch: Iterable[Message]) -> tuple[ChatMessage, ...]:
    """What the model reads. A reply without a word is left out, and its question joins the next one, so that the roles
    always take turns.
    """
    messages = [ChatMessage("system", system)] if system else []
    for message in branch:
        if message.role == "user" and messages and messages[-1].role == "user":
            messages[-1] = ChatMessage("user", f"{messages[-1].content}\n\n{message.content}")
        elif message.role == "user":
            messages.append(ChatMessage("user", message.content))
        elif message.content:
            messages.append(ChatMessage("assistant", message.content, message.ledger))
    return tuple(messages)
