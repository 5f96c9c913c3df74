"""Overflow: what the user can do about a chat that is longer than the model's context. No Qt.

Nothing is left out of a chat unless the user chooses that. `ContextFit` asks the engine which part fits: only the
engine knows the model's chat template. Until it has answered, nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Generic, TypeVar
from uuid import uuid4

from app.base.errors import EngineRefused, advised, engine_words
from app.base.model_state import ModelReady, ModelRefused
from app.base.ports import Ports
from app.chat import status, turn_jobs
from app.chat.answer import Ending
from engine.protocol.messages import FitPrompt, PromptFitted, TurnFinished
from resources.language.sentence import sentence
from resources.language.text import mark, mark_plural, plural, tr
from storage.errors import NoSuchMessage
from storage.library.library import Library
from storage.library.rows import Conversation, Message
from ui.intents.chat import CarryOn, InChat, LeaveOut
from ui.intents.notice import Notice

Changed = TypeVar("Changed")


@dataclass(frozen=True, slots=True)
class ContextChange(Generic[Changed]):
    """A change of what the model reads of a chat. `is_whole`: the engine is asked whether all of the chat fits, with
    room for an answer. Otherwise it is asked from where on it fits: each turn may be the first, and there is room for
    the reply and the next turns, because after each cut the chat is prefilled again. `job` carries the change out,
    given the message of the history from which on it fits.
    """

    is_whole: bool
    job: Callable[[turn_jobs.Branch, int], Callable[[Library], Changed]]


class ContextFit(Generic[Changed]):
    """One question to the engine, then the change. One of three is called, once: `done` with what the change returns,
    `too_long` if no part of the chat fits, or `failed` with the reason why there is no answer.
    """

    def __init__(
        self,
        conversation: str,
        ports: Ports,
        change: ContextChange[Changed],
        done: Callable[[Changed], object],
        too_long: Callable[[], object],
        failed: Callable[[Exception], object],
    ) -> None:
        self._id = conversation
        self._ports = ports
        self._change = change
        self._done = done
        self._too_long = too_long
        self._failed = failed
        self._branch: turn_jobs.Branch | None = None
        self._asked: FitPrompt | None = None
        self._is_over = False

    def begin(self) -> None:
        """Load the chat, then ask the engine."""

        def loaded(branch: turn_jobs.Branch) -> None:
            self._branch = branch
            self.ask()

        job = partial(turn_jobs.read, conversation=self._id, whole=self._change.is_whole)
        self._ports.tasks.run(job, loaded, self._failed)

    def ask(self) -> None:
        """Ask the engine, or wait for a model. A model that has come since is asked anew."""
        branch = self._branch
        if branch is None or self._is_over:
            return
        match self._ports.engine.wake():
            case ModelReady():
                self._send(branch)
            case ModelRefused(notice):
                self.refused(notice.text)

    def _send(self, branch: turn_jobs.Branch) -> None:
        engine = self._ports.engine
        prompt = turn_jobs.ChatPrompt.of(branch.conversation, branch.history, self._ports)
        added = len(prompt.messages) - len(branch.history)
        self._branch = replace(branch, history=prompt.messages, begins=("",) * added + branch.begins)
        starts: tuple[int, ...] = (0,)
        room = min(engine.context_limit // _ANSWER_PART, _ANSWER_ROOM)
        if not self._change.is_whole:
            starts = tuple(place for place, message in enumerate(prompt.messages) if message.role == "user")
            room = min(engine.context_limit // _ROOM_PART, _MOST_ROOM)
        self._asked = FitPrompt(uuid4().hex, self._id, prompt.messages, starts, room, thinking=prompt.thinking)
        engine.send(self._asked)

    def refused(self, reason: str) -> None:
        """No model will answer."""
        if self.stop():
            self._failed(EngineRefused(reason))

    def stop(self) -> bool:
        """Ignore the engine's answer. Returns whether it has not come yet."""
        ends, self._is_over = not self._is_over, True
        return ends

    def fitted(self, event: PromptFitted) -> None:
        """The engine has found the part that fits."""
        branch = self._branch
        if self._asked is None or branch is None or event.request != self._asked.request or not self.stop():
            return
        if event.code:
            self._failed(EngineRefused(engine_words(event.code, event.message)))
        elif event.start < 0:
            self._too_long()
        else:
            self._ports.tasks.run(self._change.job(branch, event.start), self._done, self._failed)


FULL: Final = "context:"
"""The prefix of the key of the notices about the context; the conversation's id follows."""
LEAVE_OUT: Final = mark("Leave out the oldest turns")
NEW_CHAT: Final = mark("New chat from here")

_CHOICE = mark("This chat is longer than the model can read. Nothing was left out of it.")
ALONE = mark(
    "The newest message alone is longer than the model can read. Make it shorter, or pick a model that can read more."
)
_SKIPPED = mark("Make it shorter, or pick a model that can read more. Your next messages are answered without it.")
SHORTER = mark("Ask for a shorter answer, or pick a model that can read more.")
FILLED = mark("This answer has filled all that the model can read at once.")
_FITS = mark("The model can read all of this chat, so nothing was left out.")
READS_ALL = mark("From now on, the model reads all of this chat again.")
STILL_LONG = mark(
    "All of this chat is still longer than the model can read, so the oldest turns stay left out. "
    "Delete some turns, or pick a model that can read more."
)
_LEFT_OUT = mark_plural(
    "{count} older message of this chat will not be read from now on, to make room. A line in the chat shows "
    "where the model begins to read.",
    "{count} older messages of this chat will not be read from now on, to make room. A line in the chat shows "
    "where the model begins to read.",
)
_CUT_HELPS = status.LENGTH_CODES - {status.TOO_LONG}
_ROOM_PART = 4
_MOST_ROOM = 16_384
_ANSWER_PART = 16
_ANSWER_ROOM = 1_024


def notice(conversation: str) -> Notice:
    """The choice for a chat that is too long."""
    return Notice(
        FULL + conversation,
        tr(_CHOICE),
        tr(LEAVE_OUT),
        tr(NEW_CHAT),
        intent=InChat(conversation, LeaveOut()),
        other_intent=InChat(conversation, CarryOn()),
        conversation=conversation,
    )


def told(conversation: str, text: str, *, passing: bool = False) -> Notice:
    """Say something else about the context."""
    return Notice(FULL + conversation, text, conversation=conversation, passing=passing)


def can_leave_out(owner: Conversation, branch: tuple[Message, ...]) -> bool:
    """Whether there are turns before the last one that the model shall read."""
    return len(_questions(turn_jobs.read_part(owner, branch))) > 1


def can_be_mended(event: TurnFinished, start: turn_jobs.TurnStart) -> bool:
    """Whether a prompt did not fit that may fit once its oldest turns are left out."""
    return event.code in _CUT_HELPS and can_leave_out(start.conversation, start.branch)


def failed_for_length(owner: Conversation, messages: tuple[Message, ...]) -> bool:
    """Whether the last answer of a stored chat failed since its prompt did not fit, and turns can be left out."""
    failed = bool(messages) and status.stored_code(messages[-1].usage) in _CUT_HELPS
    return failed and messages[-1].state == "failed" and can_leave_out(owner, messages)


def ending(event: TurnFinished, start: turn_jobs.TurnStart) -> Ending:
    """The ending of a prompt that does not fit, with the advice for this chat."""
    end = Ending.of(event)
    if can_be_mended(event, start):
        return end
    if start.branch[-1].silent:
        return replace(end, code=status.TOO_LONG, error=advised(event.told or event.message, sentence(_SKIPPED)))
    return replace(end, error=advised(event.told or event.message, sentence(SHORTER)))


def read_all(library: Library, conversation: str) -> turn_jobs.Branch:
    """Let the model read the chat from its first message on."""
    library.labels.read_from(conversation, None)
    return turn_jobs.read(library, conversation)


def leave_out(library: Library, conversation: str, first: str, reply: str) -> turn_jobs.TurnStart:
    """Let the model read the chat from the message `first` on, and open its last reply again. Raises NoSuchMessage if
    the user has turned to another branch since, or if that reply is whole.
    """
    last = library.messages.branch(conversation)[-1]
    if last.id != reply or last.state == "done":
        raise NoSuchMessage(tr("This answer is no longer part of the chat."))
    library.labels.read_from(conversation, first)
    return replace(turn_jobs.extend(library, conversation, reply), changed=())


CUT: Final = ContextChange(
    is_whole=False,
    job=lambda branch, start: partial(
        leave_out, conversation=branch.conversation.id, first=branch.begins[start], reply=branch.messages[-1].id
    ),
)
"""Leaves out the oldest turns of a chat, so many that the rest fits."""
RETURN: Final = ContextChange(
    is_whole=True, job=lambda branch, _: partial(read_all, conversation=branch.conversation.id)
)
"""Lets the model read all of a chat again, if all of it fits now."""


def left_out(start: turn_jobs.TurnStart) -> Notice:
    """Say how many messages of a chat are left out from now on."""
    count = turn_jobs.count_left_out(start.conversation, start.branch) or 0
    return told(start.conversation.id, plural(*_LEFT_OUT, count) if count else tr(_FITS), passing=True)


def carry_on(library: Library, conversation: str) -> Conversation:
    """Copy the last turn to a new chat. A message without an answer becomes its draft, with its files. Raises
    NoSuchMessage if the chat has none any more.
    """
    branch = library.messages.branch(conversation)
    if not (questions := _questions(branch)):
        raise NoSuchMessage(tr("This message is no longer part of the chat."))
    question = questions[-1]
    if not branch[-1].silent:
        return library.messages.fork(conversation, branch[-1].id, question.id)
    fresh = library.messages.fork(conversation, question.id, question.id)
    asked = library.messages.branch(fresh.id)[-1].id
    (reply,) = library.messages.begin_alternatives(fresh.id, asked, 1, fresh.model)
    library.messages.withdraw_turn(reply.id)
    return library.conversations.get(fresh.id)


def _questions(branch: tuple[Message, ...]) -> list[Message]:
    return [message for message in branch if message.role == "user"]
