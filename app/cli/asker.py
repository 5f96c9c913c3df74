"""Puts questions to conversations by name, without a window: one after another in each conversation, all conversations
at once.

No Qt. Sessions run the turns; this module keeps the queues and the order of the replies.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import msgspec

from app.base.errors import OtherSystemPrompt, load_words, words
from app.base.model_names import name_of
from app.base.ports import Ports, TurnEnd
from app.chat.session import ChatSession
from app.chat.sessions import Sessions
from engine.protocol.messages import Event, ModelFailed, Ready, Usage
from storage.library import columns
from storage.library.library import Library

INTERRUPTED = "The engine stopped in the middle of the answer; what it had said is saved."
UNSAID = "The engine stopped before the answer began."


class AskedQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One prompt for the conversation of this name. A line of a batch file is one."""

    conversation: str
    prompt: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A question and how its answer ended."""

    question: AskedQuestion
    end: TurnEnd


@dataclass(slots=True)
class QuestionQueue:
    """The questions for one conversation, which are asked one after another."""

    name: str
    waiting: deque[tuple[int, AskedQuestion]] = field(default_factory=deque)
    current: tuple[int, AskedQuestion] | None = None
    session: ChatSession | None = None


class Asker:
    """Asks all questions: those of different conversations at once. The engine's connection serves `sessions`.

    `answered` receives the replies in the order of the questions, each as soon as all earlier ones are there. `done` is
    called once, after the last. `system` is the system prompt of conversations that begin here (empty: none).
    """

    def __init__(
        self, ports: Ports, system: str, answered: Callable[[Reply], object], done: Callable[[], object]
    ) -> None:
        self._ports = ports
        asking = replace(ports, ended=self._ended)
        self.sessions = Sessions(lambda _conversation: asking)
        self._system = system
        self._answered = answered
        self._done = done
        self._by_id: dict[str, QuestionQueue] = {}
        self._replies: dict[int, Reply] = {}
        self._count = 0
        self._told = 0
        self._stopping = False
        self._refusal = ""
        self._group_end = ""

    def start(self, questions: Iterable[AskedQuestion]) -> None:
        """Begin with at least one question."""
        threads: dict[str, QuestionQueue] = {}
        for place, question in enumerate(questions):
            thread = threads.setdefault(question.conversation, QuestionQueue(question.conversation))
            thread.waiting.append((place, question))
            self._count += 1
        model = self._ports.model()
        for thread in threads.values():
            self._ports.tasks.run(
                partial(_find_or_create, name=thread.name, system=self._system, model=model),
                partial(self._found, thread),
                partial(self._not_found, thread),
            )

    def stop_all(self) -> None:
        """Stop the running answers, and cancel the questions that were not asked yet."""
        self._stopping = True
        self.sessions.stop_all()

    def give_up(self) -> None:
        """End all answers at once."""
        self._stopping = True
        self.sessions.give_up()

    def engine_event(self, event: Event) -> None:
        """The engine sent an event. No question tries again a model that could not be loaded."""
        if isinstance(event, Ready):
            self._group_end = ""
        if isinstance(event, ModelFailed):
            self._refusal = load_words(name_of(Path(event.path)), event.code, event.message)

    def group_ended(self, reason: str) -> None:
        """Another machine of the engine's group has ended the answers, for a reason in words."""
        self._group_end = reason

    def _found(self, thread: QuestionQueue, conversation: str) -> None:
        thread.session = self.sessions.of(conversation)
        self._by_id[conversation] = thread
        self._next(thread)

    def _not_found(self, thread: QuestionQueue, error: Exception) -> None:
        self._fail_all(thread, words(error))

    def _next(self, thread: QuestionQueue) -> None:
        if self._stopping:
            self._record_all(thread, TurnEnd("", "", "cancelled", Usage()))
        elif self._refusal:
            self._fail_all(thread, self._refusal)
        elif thread.waiting and thread.session is not None:
            thread.current = thread.waiting.popleft()
            thread.session.ask(thread.current[1].prompt)

    def _fail_all(self, thread: QuestionQueue, reason: str) -> None:
        self._record_all(thread, TurnEnd("", "", "failed", Usage(), reason))

    def _record_all(self, thread: QuestionQueue, end: TurnEnd) -> None:
        while thread.waiting:
            self._record(*thread.waiting.popleft(), end)

    def _ended(self, end: TurnEnd) -> None:
        thread = self._by_id[end.conversation]
        asked, thread.current = thread.current, None
        if asked is not None:
            if end.reason is None and not end.error:
                said = INTERRUPTED if end.text or end.reasoning else UNSAID
                end = replace(end, error=f"{self._group_end} {said}".lstrip())
            self._record(*asked, end)
        self._next(thread)

    def _record(self, place: int, question: AskedQuestion, end: TurnEnd) -> None:
        self._replies[place] = Reply(question, end)
        while self._told in self._replies:
            self._answered(self._replies[self._told])
            self._told += 1
        if len(self._replies) == self._count:
            self._done()


def _find_or_create(library: Library, name: str, system: str, model: str) -> str:
    found = library.conversations.find_or_create(name, system, model)
    if system and columns.field(system) != found.system:
        raise OtherSystemPrompt(f"The conversation {name!r} was started with another system prompt.")
    return found.id
