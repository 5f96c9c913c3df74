"""Messages: reading the active branch, sending, forking, answering, editing, and moving between alternatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from sqlalchemy import case, func, select, update

from resources.language.text import tr
from storage.database import Database
from storage.errors import MessageClosed, NoSuchMessage, ReplyNotEmpty
from storage.library import attachments, conversations, tree
from storage.library.columns import storable
from storage.library.files import Files
from storage.library.rows import NO_DRAFT, Conversation, Message, Page, SavedDraft, Turn, fork_title_from, title_of
from storage.library.schema import attachment, conversation, message

if TYPE_CHECKING:
    from sqlalchemy import Connection

_TEXT: Final = ("content", "reasoning", "tool_calls", "thought_ms")
"""The columns of a reply that grow with it."""
_SAVED: Final = "$.wait.saved_ms"
"""In the figures of an answer: how long its user did not have to wait."""
_MOST_SAVED_MS: Final = 24 * 3600 * 1000


class Messages:
    """The messages of all conversations. `clock` in ms, UTC. All methods raise EnvironmentProblem and DamagedDatabase
    besides what they name. Until it is closed, the library remembers where each branch was left.
    """

    def __init__(self, database: Database, clock: Callable[[], int], files: Files) -> None:
        self._database = database
        self._clock = clock
        self._files = files
        self._left: dict[str, dict[str, None]] = {}

    def branch(self, conversation: str) -> tuple[Message, ...]:
        """The active branch, from root to leaf. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            line = tree.branch(connection, owner.id, tree.branch_end(connection, owner.id, owner.leaf))
            return attachments.with_attachments(connection, line, self._files)

    def page(self, conversation: str, before: str | None, count: int) -> Page:
        """At most `count` messages of the active branch, just before the message `before` (None: the branch's end).

        Queries no other messages, and no ledgers. Raises NoSuchConversation, NoSuchMessage.
        """
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            if before is None:
                end = tree.branch_end(connection, owner.id, owner.leaf)
            else:
                end = tree.get_of(connection, owner.id, before).parent
            found = tree.page(connection, owner.id, end, count)
            return replace(found, messages=attachments.with_attachments(connection, found.messages, self._files))

    def above(self, conversation: str, before: str) -> tuple[Message, ...]:
        """All messages of the branch above the message `before`, without ledgers and attachments. Raises
        NoSuchConversation, NoSuchMessage.
        """
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            return tree.above(connection, owner.id, tree.get_of(connection, owner.id, before).parent)

    def is_longer(self, conversation: str, messages: int, chars: int) -> bool:
        """Whether the active branch has more than so many messages, or more than so many characters in them and their
        text files. Looks at no more messages than that. Raises NoSuchConversation.
        """
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            end = tree.branch_end(connection, owner.id, owner.leaf)
            path = tree.path(connection, owner.id, end, messages + 1)
            row, file, on_it = message.c, attachment.c, tree.among(path)
            texts = select(func.total(func.length(row.content) + func.length(row.reasoning))).where(row.id.in_(on_it))
            files = select(func.total(file.bytes)).where(file.message.in_(on_it), file.text)
            return len(path) > messages or sum(connection.scalars(texts.union_all(files))) > chars

    def saved_ms(self, since: int = 0) -> float:
        """The milliseconds of waiting that kept state saved before all answers since a time (ms, UTC). An answer is
        counted once, also if its chat was forked. Figures that cannot be are not counted.
        """
        usage = select(message.c.usage).where(message.c.created >= since).distinct().subquery().c.usage
        figure = func.json_extract(usage, _SAVED)
        can_be = func.json_type(usage, _SAVED).in_(("real", "integer")) & figure.between(0, _MOST_SAVED_MS)
        counted = case((func.json_valid(usage) == 0, 0.0), (can_be, figure), else_=0.0)
        with self._database.transaction() as connection:
            return float(connection.scalar(select(func.total(counted))) or 0.0)

    def is_shown(self, conversation: str, message_id: str) -> bool:
        """Whether the active branch has this message. Raises NoSuchConversation."""
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            end = tree.branch_end(connection, owner.id, owner.leaf)
            return message_id in tree.path(connection, owner.id, end)

    def show(self, conversation: str, message_id: str) -> str:
        """Activate a branch with this message, unless the active branch has it. Returns the end of the branch that was
        active before, "" if it still is. Raises NoSuchConversation, NoSuchMessage.
        """
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            tree.get_of(connection, owner.id, message_id)
            end = tree.branch_end(connection, owner.id, owner.leaf)
            if message_id in tree.path(connection, owner.id, end):
                return ""
            conversations.change(connection, owner.id, leaf=tree.newest_leaf(connection, message_id))
            return end or ""

    def fork(self, identifier: str, message_id: str, first: str | None = None) -> Conversation:
        """Copy the branch from the message `first` (None: its root) to `message_id` into a new conversation.

        Ledgers, files and settings are copied, but the new conversation is not pinned. Raises NoSuchConversation,
        NoSuchMessage.
        """
        now = self._clock()
        with self._database.transaction() as connection:
            owner = conversations.get(connection, identifier)
            line = tree.branch(connection, owner.id, message_id)
            begins = [place for place, one in enumerate(line) if first in (None, one.id)]
            if not begins:
                raise NoSuchMessage(tr("This message is no longer part of the chat."))
            bare = replace(owner, title=fork_title_from(owner.title), created=now, updated=now, leaf=None, pinned=False)
            made = conversations.add(connection, replace(bare, reads_from=None))
            copies = _copied(connection, line[begins[0] :], made.id)
            attachments.copy(connection, owner.id, copies, made.id)
            start = copies.get(owner.reads_from or "")
            conversations.change(connection, made.id, leaf=copies[message_id], reads_from=start)
            return conversations.get(connection, made.id)

    def begin_turn(
        self,
        conversation: str,
        text: str,
        model: str,
        draft: SavedDraft | None = NO_DRAFT,
        keep: frozenset[str] = frozenset(),
    ) -> Turn:
        """Add the user's message and an open reply below the leaf. Raises NoSuchConversation.

        The reply becomes the leaf. The draft's files go with the message, except for those to `keep`, given by their
        ids, and `draft` becomes the draft. If `draft` is None, the draft stays as it is, with all its files. A
        conversation without a title takes its title from the message.
        """
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            turn = self._send(connection, owner, tree.branch_end(connection, owner.id, owner.leaf), text, model)
            if draft is None:
                return self._titled(connection, owner, turn)
            conversations.change(connection, owner.id, **conversations.draft_columns(draft))
            return self._with_files(connection, owner, turn, keep)

    def edit(
        self, conversation: str, message_id: str, text: str, model: str, keep: frozenset[str] = frozenset()
    ) -> Turn:
        """Send `text` as an alternative to one of the user's messages, which stays with all that follows it.

        The new message gets the old one's files and those of the draft, except for those to `keep` where they are.
        Raises NoSuchConversation, and NoSuchMessage if the conversation has no such message of the user.
        """
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation)
            before = tree.get(connection, message_id)
            if before.role != "user" or before.conversation != owner.id:
                raise NoSuchMessage(tr("Only a message of yours can be edited."))
            self._leave(connection, owner.id)
            turn = self._send(connection, owner, before.parent, text, model)
            attachments.copy(connection, owner.id, {before.id: turn.user.id}, owner.id, keep)
            return self._with_files(connection, owner, turn, keep)

    def _with_files(self, connection: Connection, owner: Conversation, turn: Turn, keep: frozenset[str]) -> Turn:
        row = attachment.c
        of_draft = (row.conversation == owner.id, row.message.is_(None), row.id.not_in(keep))
        connection.execute(update(attachment).where(*of_draft).values(message=turn.user.id))
        return self._titled(connection, owner, turn)

    def _titled(self, connection: Connection, owner: Conversation, turn: Turn) -> Turn:
        user = attachments.with_attachments(connection, (turn.user,), self._files)[0]
        if not owner.title:
            conversations.change(connection, owner.id, title=title_of(user))
        return replace(turn, user=user)

    def _send(self, connection: Connection, owner: Conversation, parent: str | None, text: str, model: str) -> Turn:
        now = self._clock()
        asked = Message(uuid4().hex, parent, "user", storable(text), conversation=owner.id, created=now)
        user = tree.add(connection, asked)
        reply = _add_reply(connection, owner.id, user, model, now)
        conversations.change(connection, owner.id, leaf=reply.id, updated=now, model=model)
        return Turn(user, reply)

    def begin_alternatives(
        self, conversation: str, parent_message_id: str, count: int, model: str
    ) -> tuple[Message, ...]:
        """Add `count` open replies below one of the user's messages; the first becomes the leaf.

        Raises NoSuchConversation, and NoSuchMessage if the conversation has no such message of the user.
        """
        now = self._clock()
        with self._database.transaction() as connection:
            parent = tree.get(connection, parent_message_id)
            self._leave(connection, conversation)
            replies = tuple(_add_reply(connection, conversation, parent, model, now) for _ in range(count))
            conversations.change(connection, conversation, leaf=replies[0].id, updated=now, model=model)
        return replies

    def set_model(self, replies: Sequence[str], model: str) -> None:
        """Another model writes these replies of one conversation, and answers it from now on. Raises NoSuchMessage."""
        with self._database.transaction() as connection:
            owner = tree.get(connection, replies[0]).conversation
            connection.execute(update(message).where(message.c.id.in_(replies)).values(model=model))
            conversations.change_any(connection, owner, model=model)

    def step(self, conversation: str, message_id: str, by: int) -> None:
        """Activate the alternative `by` places after this message (negative: before it), with the branch below it that
        was active last, or else the newest. Stops at the first and the last alternative. Raises NoSuchConversation,
        NoSuchMessage.
        """
        with self._database.transaction() as connection:
            one = tree.get_of(connection, conversation, message_id)
            places = tree.alternatives(connection, one)
            place = min(max(places.index(one.id) + by, 0), len(places) - 1)
            self._leave(connection, conversation)
            leaf = tree.chosen_leaf(connection, places[place], self._left[conversation])
            conversations.change(connection, conversation, leaf=leaf)

    def _leave(self, connection: Connection, conversation: str) -> None:
        """Remember the leaf of the active branch."""
        left, leaf = self._left.setdefault(conversation, {}), conversations.leaf_of(connection, conversation)
        if leaf is not None:
            left.pop(leaf, None)
            left[leaf] = None

    def reopen(self, message_id: str) -> Message:
        """Open an ended reply again, so that it can grow; text and ledger stay. Raises NoSuchMessage."""
        with self._database.transaction() as connection:
            if tree.get(connection, message_id).role != "assistant":
                raise NoSuchMessage(tr("Only a reply can be continued."))
            connection.execute(update(message).where(message.c.id == message_id).values(state="open", error=""))
            return tree.get(connection, message_id)

    def save_progress(self, reply: Message, *, synced: bool = True) -> None:
        """Save the text so far of an open reply. Raises NoSuchMessage, MessageClosed. Unless `synced`, it does not wait
        for the drive: the text is at once safe from a crash, and from a power loss after the next save.
        """
        with self._database.transaction() if synced else self._database.unsynced() as connection:
            _update_open(connection, reply, _TEXT)

    def end(self, reply: Message) -> Message:
        """End an open reply with the text, state, ledger, usage and error of `reply`. Returns it as stored.

        Raises NoSuchMessage, and MessageClosed if the reply has ended already; it then stays as it is.
        """
        with self._database.transaction() as connection:
            _update_open(connection, reply, (*_TEXT, "state", "ledger", "usage", "error"))
            return tree.get(connection, reply.id)

    def interrupt_open(self) -> int:
        """Mark every open reply as interrupted: no reply is being written when the app starts. Returns their number."""
        with self._database.transaction() as connection:
            query = update(message).where(message.c.state == "open").values(state="interrupted")
            return connection.execute(query).rowcount

    def withdraw_turn(self, reply_id: str, back_to: str | None = None) -> str | None:
        """Remove an empty reply and the user's message above it. Returns that message's text, "" if it had files alone.

        The text is put before what was typed, so that a crash cannot lose it, and the message's files return to the
        draft. If the message has other replies, it stays, and None is returned. If the active
        branch ended here, it ends at `back_to` again, or at the newest message that is left. Raises NoSuchMessage,
        ReplyNotEmpty.
        """
        with self._database.transaction() as connection:
            reply = tree.get(connection, reply_id)
            if reply.role != "assistant" or not reply.silent or tree.has_successors(connection, reply.id):
                raise ReplyNotEmpty(tr("This reply has text already."))
            tree.remove(connection, reply.id)
            question = tree.get(connection, reply.parent or "")
            if kept := tree.has_successors(connection, question.id):
                left: str | None = tree.newest_leaf(connection, question.id)
            else:
                owns = attachment.c.message == question.id
                connection.execute(update(attachment).where(owns).values(message=None))
                tree.remove(connection, question.id)
                draft, words = conversation.c.draft, question.content
                joined = case((draft == "", words), else_=words + "\n\n" + draft) if words else draft
                conversations.change_any(connection, question.conversation, draft=joined)
                left = question.parent
            self._restore_leaf(connection, question.conversation, (back_to, left))
        return None if kept else question.content

    def _restore_leaf(self, connection: Connection, conversation: str, candidates: tuple[str | None, ...]) -> None:
        ends = (conversations.leaf_of(connection, conversation), *candidates)
        found = next((end for end in ends if tree.exists(connection, conversation, end)), None)
        conversations.set_leaf(connection, conversation, tree.branch_end(connection, conversation, found))


def _copied(connection: Connection, line: Sequence[Message], owner: str) -> dict[str, str]:
    """Copy a branch into the new conversation `owner`. Returns the new ids by the old ones. An open reply is copied as
    stopped.
    """
    fresh = {one.id: uuid4().hex for one in line}
    parent = None
    for one in line:
        state = "stopped" if one.state == "open" else one.state
        copied = replace(one, id=fresh[one.id], conversation=owner, parent=parent, state=state)
        parent = tree.add(connection, copied).id
    return fresh


def _add_reply(connection: Connection, owner: str, under: Message, model: str, now: int) -> Message:
    """Add an open reply below `under`. Raises NoSuchMessage if that is a reply or not in the conversation `owner`."""
    if under.role == "assistant" or under.conversation != owner:
        raise NoSuchMessage(tr("Only a message of the user can be answered."))
    made = Message(uuid4().hex, under.id, "assistant", "", state="open", model=model, conversation=owner, created=now)
    return tree.add(connection, made)


def _update_open(connection: Connection, reply: Message, names: Iterable[str]) -> None:
    """Save these columns of an open reply. Raises NoSuchMessage, MessageClosed."""
    query = update(message).where(message.c.id == reply.id, message.c.state == "open")
    if not connection.execute(query.values({name: getattr(reply, name) for name in names})).rowcount:
        tree.get(connection, reply.id)
        raise MessageClosed(tr("This message is already finished."))
