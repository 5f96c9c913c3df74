"""Overflow: what the user can do about a chat that is longer than the model's context.

Nothing is left out of a chat unless the user chooses that.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.base.errors import MessageTooLong
from app.chat import turn_jobs
from ui.state.notice import Notice

if TYPE_CHECKING:
    from app.chat.turn_jobs import TurnStart
    from storage.library.library import Library
    from storage.library.rows import Conversation, Message

FULL = "context:"
"""The prefix of the notice's key; the conversation's id follows."""
LEAVE_OUT = "Leave out the oldest turns"
NEW_CHAT = "New chat from here"

_CHOICE = "This chat is longer than the model can read. Nothing was left out of it."
_ALONE = (
    "The newest message alone is longer than the model can read. Make it shorter, or pick a model that can read more."
)


def notice(start: TurnStart) -> Notice:
    """The choice for a turn that is too long."""
    key = FULL + start.conversation.id
    if len(_questions(turn_jobs.context_part(start.conversation, start.branch))) > 1:
        return Notice(key, _CHOICE, LEAVE_OUT, NEW_CHAT)
    return Notice(key, _ALONE)


def leave_out(library: Library, conversation: str) -> TurnStart:
    """Leave out the older half of the turns in the context, and open the last reply again.

    Raises MessageTooLong if only the last turn is left.
    """
    before = turn_jobs.read(library, conversation)
    questions = _questions(turn_jobs.context_part(before.conversation, before.messages))
    if len(questions) < 2:  # noqa: PLR2004 - one to leave out, one to keep
        raise MessageTooLong(_ALONE)
    library.labels.read_from(conversation, questions[-(len(questions) // 2)].id)
    start = turn_jobs.extend(library, conversation, before.messages[-1].id)
    return replace(start, changed=())


def carry_on(library: Library, conversation: str) -> Conversation:
    """Copy the last turn to a new chat. A message without an answer becomes its draft, with its files."""
    branch = library.messages.branch(conversation)
    question = _questions(branch)[-1]
    if not branch[-1].silent:
        return library.conversations.fork(conversation, branch[-1].id, question.id)
    fresh = library.conversations.fork(conversation, question.id, question.id)
    asked = library.messages.branch(fresh.id)[-1]
    (reply,) = library.messages.begin_alternatives(fresh.id, asked.id, 1, fresh.model)
    library.messages.withdraw_turn(reply.id)
    return library.conversations.get(fresh.id)


def _questions(branch: tuple[Message, ...]) -> list[Message]:
    return [message for message in branch if message.role == "user"]
