"""Turn jobs: what a turn loads from the library and saves there, and the prompt that it makes of that.

Each function that takes the library is one job for the library's thread. The others are pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from app.base.errors import NotTheLastAnswer
from app.base.ports import Ports
from app.chat import answer, attachments, status
from engine.protocol.messages import ChatMessage
from resources.language.text import tr
from storage.errors import MessageClosed, NoSuchConversation, NoSuchMessage, ReplyNotEmpty
from storage.library.library import Library
from storage.library.rows import NO_DRAFT, Attachment, Conversation, Message, SavedDraft

MOST_WARMED: Final = 5_000
MOST_WARMED_CHARS: Final = 2_000_000
"""Messages, and their characters, of the longest branch that is warmed. 256k tokens of prose have 1.2 million. The
library reads so many messages in 0.15 s, and the engine renders them in 0.15 s.
"""


@dataclass(frozen=True, slots=True)
class Branch:
    """A conversation now: `messages` from the root to the leaf, and `history`, the part in the model's context.

    `begins` has an id for each message of `history`: that of the first of `messages` in it, "" for the system prompt.
    """

    conversation: Conversation
    messages: tuple[Message, ...]
    history: tuple[ChatMessage, ...] = ()
    begins: tuple[str, ...] = ()

    @property
    def next_prefix(self) -> tuple[ChatMessage, ...]:
        """The part of `history` with which the next prompt begins: without a last question that was too long. Empty if
        that is at most a system prompt, or too long to be warmed.
        """
        was_too_long = bool(self.messages) and _was_too_long(self.messages[-1])
        left = self.history[:-1] if was_too_long else self.history
        is_long = len(left) > MOST_WARMED or sum(len(m.content) + len(m.reasoning) for m in left) > MOST_WARMED_CHARS
        return left if left and left[-1].role != "system" and not is_long else ()


@dataclass(frozen=True, slots=True)
class Question:
    """A message to send. `draft` is the draft afterwards, and `keep` has the ids of files that stay with it. If `draft`
    is None, the message does not come from the composer: the draft stays as it is, with all its files.
    """

    text: str
    draft: SavedDraft | None = NO_DRAFT
    keep: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TurnStart:
    """A turn that is on disk. `branch` runs from the root to the first of the open `replies`; `history` is the part of
    it in the model's context.

    `added` are messages at the end that are new on the screen, `changed` those that look different. If both are empty,
    the whole branch may be new. `files` are the draft's remaining attachments, None if they did not change. `back_to`
    is the leaf to return to if the turn is withdrawn. `later` turns stay on the branch of that leaf.
    """

    conversation: Conversation
    branch: tuple[Message, ...]
    replies: tuple[Message, ...]
    history: tuple[ChatMessage, ...] = ()
    added: tuple[Message, ...] = ()
    changed: tuple[Message, ...] = ()
    files: tuple[Attachment, ...] | None = None
    back_to: str | None = None
    later: int = 0

    @classmethod
    def of(cls, now: Branch, replies: tuple[Message, ...], back_to: str | None = None) -> TurnStart:
        """The turn that generates `replies` at the end of the present branch."""
        return cls(now.conversation, now.messages, replies, now.history, back_to=back_to)


Withdrawal = tuple[Branch | None, str | None, tuple[Attachment, ...]]
"""The branch after a reply was withdrawn, None if the chat was deleted meanwhile. Then the user's message if it became
the draft again, with its files; else None. A message of files alone has no words.
"""


def read(library: Library, conversation: str, *, whole: bool = False) -> Branch:
    """A conversation as it is now, with the contents of its files. `whole`: as if the model read all of it."""
    owner = library.conversations.get(conversation)
    owner = replace(owner, reads_from=None) if whole else owner
    messages = library.messages.branch(owner.id)
    contents = attachments.texts(library, read_part(owner, messages))
    prompt = _prompt(owner, messages, contents)
    return Branch(owner, messages, tuple(said for _, said in prompt), tuple(first for first, _ in prompt))


def read_short(library: Library, conversation: str) -> Branch | None:
    """As `read`, but None if the conversation is too long to be warmed: nothing of it is read."""
    is_long = library.messages.is_longer(conversation, MOST_WARMED, MOST_WARMED_CHARS)
    return None if is_long else read(library, conversation)


def submit(library: Library, conversation: str, question: Question, model: str) -> TurnStart:
    """Save the user's message and an open reply to it."""
    turn = library.messages.begin_turn(conversation, question.text, model, question.draft, question.keep)
    now = read(library, conversation)
    start = TurnStart.of(now, (turn.reply,), turn.user.parent)
    return replace(start, added=now.messages[-2:], files=library.attachments.of_draft(conversation))


def edit(library: Library, conversation: str, message: str, question: Question, model: str) -> TurnStart:
    """Save new text for a user message on a new branch, and an open reply to it."""
    before = library.messages.branch(conversation)
    turn = library.messages.edit(conversation, message, question.text, model, question.keep)
    start = TurnStart.of(read(library, conversation), (turn.reply,), before[-1].id if before else None)
    return replace(start, files=library.attachments.of_draft(conversation), later=_later(before, message))


def regenerate(library: Library, conversation: str, reply: str, count: int, model: str) -> TurnStart:
    """Open `count` more replies to the question that `reply` answers. The old reply stays as an alternative, unless it
    failed before its first word.
    """
    before = library.messages.branch(conversation)
    old = before[place_of(before, reply)]
    question = old.parent
    if question is None:
        raise NoSuchMessage(tr("This answer belongs to no question."))
    replies = library.messages.begin_alternatives(conversation, question, count, model)
    if old.silent and old.state == "failed":
        with suppress(ReplyNotEmpty):  # something follows it
            library.messages.withdraw_turn(old.id)
    now = read(library, conversation)
    first = now.messages[-1]
    placed = tuple(replace(one, place=first.place + number, places=first.places) for number, one in enumerate(replies))
    return replace(TurnStart.of(now, placed, before[-1].id), later=_later(before, reply))


def extend(library: Library, conversation: str, reply: str) -> TurnStart:
    """Open the last reply again, to be continued. Raises NotTheLastAnswer for any other reply."""
    before = library.messages.branch(conversation)
    if place_of(before, reply) != len(before) - 1:
        raise NotTheLastAnswer(tr("Only the last answer of a chat can be continued."))
    library.messages.reopen(reply)
    now = read(library, conversation)
    return replace(TurnStart.of(now, now.messages[-1:]), changed=now.messages[-1:])


def write_with(library: Library, replies: tuple[str, ...], model: str) -> None:
    """Note the model that writes these replies. Their chat is gone if it was erased meanwhile."""
    with suppress(NoSuchMessage):
        library.messages.set_model(replies, model)


def step(library: Library, conversation: str, message: str, by: int) -> Branch:
    """Show another alternative of a message."""
    library.messages.step(conversation, message, by)
    return read(library, conversation)


def place_of(branch: tuple[Message, ...], message: str) -> int:
    """The place of a message in a branch. Raises NoSuchMessage."""
    for place, candidate in enumerate(branch):
        if candidate.id == message:
            return place
    raise NoSuchMessage(tr("This answer is no longer part of the chat."))


def _later(branch: tuple[Message, ...], message: str) -> int:
    """How many turns begin after a message of a branch."""
    place = next((place for place, one in enumerate(branch) if one.id == message), len(branch))
    return sum(one.role == "user" for one in branch[place + 1 :])


def keep(library: Library, reply: Message, *, synced: bool) -> None:
    """Save the text so far of an open reply. Wait for the drive if it shall be `synced`."""
    _ours(library, reply.id, lambda: library.messages.save_progress(reply, synced=synced))


def close(library: Library, reply: Message) -> None:
    """Save a reply that has ended."""
    assert reply.state != "open"  # the session closes only what has ended
    _ours(library, reply.id, lambda: library.messages.end(reply))


def _ours(library: Library, reply: str, write: Callable[[], object]) -> None:
    """A second Hearth that starts meanwhile marks our open reply as interrupted. Reopen it, because it is still being
    written.
    """
    try:
        write()
    except MessageClosed:
        library.messages.reopen(reply)
        write()


def withdraw(library: Library, reply: Message, back_to: str | None) -> Withdrawal:
    """Withdraw a reply without text. A new message of the user becomes the draft again; an older one stays, and the
    branch from before is shown.
    """
    returned = library.messages.withdraw_turn(reply.id, back_to)
    now: Branch | None = None
    files: tuple[Attachment, ...] = ()
    with suppress(NoSuchConversation):  # the chat was deleted meanwhile
        now = read(library, reply.conversation)
        files = library.attachments.of_draft(reply.conversation) if returned is not None else ()
    return now, returned, files


def put_aside(library: Library, conversation: str, words: str) -> None:
    """Insert text that could not be sent before what was typed, unless it is there already or the chat was erased."""
    with suppress(NoSuchConversation):
        draft = library.conversations.draft(conversation)
        if draft.typed != words and not draft.typed.startswith(f"{words}\n\n"):
            typed = f"{words}\n\n{draft.typed}" if draft.typed else words
            library.conversations.save_draft(conversation, replace(draft, typed=typed))


def read_part(conversation: Conversation, branch: tuple[Message, ...]) -> tuple[Message, ...]:
    """The part of the context without questions that were too long for the model, unless one of them comes last. The
    last one may be asked again; any other would make the questions after it too long as well.
    """
    part = branch[count_left_out(conversation, branch) or 0 :]
    return (*answerable(part[:-1]), *part[-1:])


def answerable(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The messages that the next prompt has: those without questions that were too long for the model."""
    kept: list[Message] = []
    for message in messages:
        if not _was_too_long(message):
            kept.append(message)
            continue
        while kept and (kept[-1].role == "user" or kept[-1].silent):
            kept.pop()
    return tuple(kept)


def _was_too_long(reply: Message) -> bool:
    return reply.state == "failed" and reply.silent and status.stored_code(reply.usage) in status.LENGTH_CODES


def count_left_out(conversation: Conversation, messages: tuple[Message, ...]) -> int | None:
    """How many of `messages` come before the model's context; None if its first message is not among them."""
    return next((place for place, message in enumerate(messages) if message.id == conversation.reads_from), None)


def _prompt(
    conversation: Conversation, branch: tuple[Message, ...], contents: Mapping[str, str]
) -> list[tuple[str, ChatMessage]]:
    """The prompt's messages, each with the id of the first message in it. Roles always alternate: a reply without text
    is left out and its question joins the next one, and the pieces of an imported reply are joined. `contents` are the
    texts of files by attachment id.
    """
    start = [("", ChatMessage("system", conversation.system))] if conversation.system else []
    return [*start, *_taking_turns(read_part(conversation, branch), contents)]


def _taking_turns(branch: Iterable[Message], contents: Mapping[str, str]) -> list[tuple[str, ChatMessage]]:
    """The messages of the prompt, each with the id of the first message in it."""
    runs: list[list[Message]] = []
    for message in branch:
        if message.role == "assistant" and message.silent:
            continue
        if runs and _goes_on(runs[-1][-1], message):
            runs[-1].append(message)
        else:
            runs.append([message])
    return [(run[0].id, _joined(run, contents)) for run in runs]


def _goes_on(before: Message, message: Message) -> bool:
    """Whether a message is a part of the one before it. A tool call ends a reply."""
    is_reply = message.role == "assistant"
    return message.role == before.role and (message.role == "user" or (is_reply and not _calls(before)))


def _calls(reply: Message) -> answer.Calls:
    return answer.named_calls(answer.decode_calls(reply.tool_calls))


def _joined(run: Sequence[Message], contents: Mapping[str, str]) -> ChatMessage:
    """Messages of one role as one. They are joined at once: an import may have a hundred thousand in a row."""
    first, last = run[0], run[-1]
    if first.role != "assistant":
        return ChatMessage(first.role, "\n\n".join(attachments.words(message, contents) for message in run))
    content, reasoning = (
        "\n\n".join(filter(None, texts)) for texts in ((one.content for one in run), (one.reasoning for one in run))
    )
    return ChatMessage("assistant", content, first.ledger if first is last else "", reasoning, _calls(last))


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """What each request about a chat tells the engine to read. To send, to warm, to fit and to count a chat must name
    the same messages: the engine finds what is cached by them.

    The messages with the system prompt that holds, whether the model may reason, and whether the chat's state is
    kept on disk.
    """

    messages: tuple[ChatMessage, ...]
    thinking: bool
    on_disk: bool

    @classmethod
    def of(cls, owner: Conversation, history: tuple[ChatMessage, ...], ports: Ports) -> ChatPrompt:
        """The prompt of a chat with this history, for the model that will answer it."""
        messages = with_system(history, ports.model_settings().system)
        return cls(messages, owner.switches.thinking or ports.thinking, ports.on_disk() and owner.switches.cached)


def with_system(history: tuple[ChatMessage, ...], system: str) -> tuple[ChatMessage, ...]:
    """The prompt's messages, led by the system prompt of the model unless the chat has its own."""
    has_own = bool(history) and history[0].role == "system"
    return history if has_own or not system else (ChatMessage("system", system), *history)
