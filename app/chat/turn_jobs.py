"""What a turn reads and writes in the library: jobs for its thread, each one call. Owns the history that a request
carries; when a turn begins and ends is left to the session.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from app.base.errors import NotTheLastAnswer
from app.chat import attachments, tool_calls
from engine.protocol.messages import ChatMessage
from storage.errors import MessageClosed, NoSuchConversation, NoSuchMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from storage.library.library import Library
    from storage.library.rows import Attachment, Conversation, Message

_NO_FILES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Branch:
    """What a conversation says: `messages` from the root to the leaf, `history` as the model reads them."""

    conversation: Conversation
    messages: tuple[Message, ...]
    history: tuple[ChatMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnStart:
    """A turn that is on disk. `branch` runs from the root to the first of the open `replies`, `history` is what the
    model reads of it.

    `added` are the messages at its end that are new on the screen, `changed` those that look different now; with
    neither, all of the branch may be new. `files` are those that still wait for the next message, None where that has
    not changed. `back_to` is the leaf before, if the turn is taken back.
    """

    conversation: Conversation
    branch: tuple[Message, ...]
    replies: tuple[Message, ...]
    history: tuple[ChatMessage, ...] = ()
    added: tuple[Message, ...] = ()
    changed: tuple[Message, ...] = ()
    files: tuple[Attachment, ...] | None = None
    back_to: str | None = None

    @classmethod
    def of(cls, now: Branch, replies: tuple[Message, ...], back_to: str | None = None) -> TurnStart:
        """The turn that makes `replies`, at the end of what the conversation says now."""
        return cls(now.conversation, now.messages, replies, now.history, back_to=back_to)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A reply that was taken back, and what is shown now.

    `words` are the user's message where it stands before the draft now, with `files`; else both are empty.
    """

    branch: Branch
    words: str
    files: tuple[Attachment, ...] = ()


def read(library: Library, conversation: str) -> Branch:
    """What a conversation says now, the files that go with it read too."""
    owner, messages = library.conversations.get(conversation), library.messages.branch(conversation)
    return Branch(owner, messages, history(owner, messages, attachments.texts(library, context_part(owner, messages))))


def begin(library: Library, conversation: str, text: str, model: str) -> TurnStart:
    """Save the user's message and an open reply to it."""
    turn = library.messages.begin_turn(conversation, text, model)
    now = read(library, conversation)
    start = TurnStart.of(now, (turn.reply,), turn.user.parent)
    return replace(start, added=now.messages[-2:], files=library.attachments.of_draft(conversation))


def edit(library: Library, conversation: str, message: str, text: str, model: str) -> TurnStart:
    """Save other words for a message of the user, and an open reply to them; the old branch stays."""
    before = library.messages.branch(conversation)
    turn = library.messages.edit(conversation, message, text, model)
    start = TurnStart.of(read(library, conversation), (turn.reply,), before[-1].id if before else None)
    return replace(start, files=library.attachments.of_draft(conversation))


def again(library: Library, conversation: str, reply: str, count: int, model: str) -> TurnStart:
    """Open `count` more replies to the message that `reply` answers; the old one stays as an alternative."""
    before = library.messages.branch(conversation)
    question = before[_place(before, reply)].parent
    if question is None:
        raise NoSuchMessage("This answer belongs to no question.")
    replies = library.messages.begin_alternatives(conversation, question, count, model)
    now = read(library, conversation)
    first = now.messages[-1]
    placed = tuple(replace(one, place=first.place + number, places=first.places) for number, one in enumerate(replies))
    return TurnStart.of(now, placed, before[-1].id)


def extend(library: Library, conversation: str, reply: str) -> TurnStart:
    """Open the last reply again, to be continued where it stops. Raises NotTheLastAnswer for any other."""
    before = library.messages.branch(conversation)
    if _place(before, reply) != len(before) - 1:
        raise NotTheLastAnswer("Only the last answer of a chat can be continued.")
    library.messages.reopen(reply)
    now = read(library, conversation)
    return replace(TurnStart.of(now, now.messages[-1:]), changed=now.messages[-1:])


def step(library: Library, conversation: str, message: str, by: int) -> Branch:
    """Show another alternative of a message."""
    library.messages.step(conversation, message, by)
    return read(library, conversation)


def _place(branch: tuple[Message, ...], message: str) -> int:
    for place, candidate in enumerate(branch):
        if candidate.id == message:
            return place
    raise NoSuchMessage("This answer is no longer part of the chat.")


def keep(library: Library, reply: Message) -> None:
    """Save the words so far of an open reply."""
    _ours(library, reply.id, lambda: library.messages.save_progress(reply.id, reply.content, reply.aside))


def close(library: Library, reply: Message) -> None:
    """Save a reply as it ended."""
    assert reply.state != "open"  # the session closes only what has ended
    _ours(library, reply.id, lambda: library.messages.end(reply))


def _ours(library: Library, reply: str, write: Callable[[], object]) -> None:
    """Another Hearth that starts meanwhile takes our open reply for a broken one; whoever writes it knows better."""
    try:
        write()
    except MessageClosed:
        library.messages.reopen(reply)
        write()


def withdraw(library: Library, reply: Message, back_to: str | None) -> Withdrawal:
    """Take a silent reply back. The user's new message becomes the draft; an older one stays, and the branch that stood
    before is shown again.
    """
    returned = library.messages.withdraw_turn(reply.id, back_to)
    now = read(library, reply.conversation)
    if not returned:
        return Withdrawal(now, "")
    return Withdrawal(now, returned, library.attachments.of_draft(reply.conversation))


def put_aside(library: Library, conversation: str, words: str) -> None:
    """Put words that were not sent before the draft, unless they stand there already, or the chat is gone."""
    with suppress(NoSuchConversation):
        _put_before(library, conversation, words, library.conversations.draft(conversation))


def _put_before(library: Library, conversation: str, words: str, draft: str) -> None:
    if draft != words and not draft.startswith(f"{words}\n\n"):
        library.conversations.save_draft(conversation, f"{words}\n\n{draft}" if draft else words)


def context_part(conversation: Conversation, branch: tuple[Message, ...]) -> tuple[Message, ...]:
    """The messages of a branch that the model reads: all of them, unless the oldest are left out."""
    return branch[count_left_out(conversation, branch) or 0 :]


def count_left_out(conversation: Conversation, messages: tuple[Message, ...]) -> int | None:
    """How many of `messages` stand before the first that the model reads; None where that is not among them."""
    places = (place for place, message in enumerate(messages) if message.id == conversation.reads_from)
    return next(places, None)


def history(
    conversation: Conversation, branch: tuple[Message, ...], contents: Mapping[str, str] = _NO_FILES
) -> tuple[ChatMessage, ...]:
    """What the model reads. A reply without a word is left out, and its question joins the next one, and so do the
    pieces of an imported reply, so that the roles always take turns. `contents` are the texts of files by attachment.
    """
    start = [ChatMessage("system", conversation.system)] if conversation.system else []
    return (*start, *_taking_turns(context_part(conversation, branch), contents))


def _taking_turns(branch: Iterable[Message], contents: Mapping[str, str]) -> list[ChatMessage]:
    messages: list[ChatMessage] = []
    for message in branch:
        if message.role == "user" and messages and messages[-1].role == "user":
            messages[-1] = ChatMessage("user", f"{messages[-1].content}\n\n{attachments.words(message, contents)}")
        elif not (message.role == "assistant" and message.silent):
            _say(messages, _spoken(message, contents))
    return messages


def _say(messages: list[ChatMessage], said: ChatMessage) -> None:
    """A reply goes on where it follows another; a call of a tool ends one."""
    before = messages[-1] if messages else said
    if before.role == said.role == "assistant" and messages and not before.tool_calls:
        reasoning = "\n\n".join(filter(None, (before.reasoning, said.reasoning)))
        content = "\n\n".join(filter(None, (before.content, said.content)))
        messages[-1] = ChatMessage("assistant", content, "", reasoning, said.tool_calls)
    else:
        messages.append(said)


def _spoken(message: Message, contents: Mapping[str, str]) -> ChatMessage:
    if message.role != "assistant":
        return ChatMessage(message.role, attachments.words(message, contents))
    calls = tool_calls.named(tool_calls.decode(message.aside.tool_calls))
    return ChatMessage("assistant", message.content, message.ledger, message.aside.reasoning, calls)
