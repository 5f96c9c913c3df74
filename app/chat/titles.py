"""Titles: lets the model name chats after their first answer, as a side job that nothing waits for. No Qt.

- A title is asked for only while no chat is being answered, on a request of its own that neither reads nor writes a
  cache. It is cancelled as soon as a turn begins.
- A chat with a title of the user is never named, nor is a private one. If the answer is no usable title, the first
  words of the chat stay its title.
- Everything runs on the window's thread; the library's thread reads the chat.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from app.chat.title_words import request, title_from_answer
from engine.protocol.messages import Cancel, Deltas, Generate, TurnFinished
from engine.protocol.sampling_settings import Sampling
from storage.errors import StorageError
from storage.library.rows import title_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports
    from engine.protocol.messages import Event
    from storage.library.library import Library

_log = logging.getLogger(__name__)

PAUSE_TICKS: Final = 2
"""Seconds after an answer in which the engine finishes its own work for that chat."""
_GREEDY: Final = Sampling(temperature=0.0, max_tokens=24)


@dataclass(slots=True)
class _Job:
    """One request for a title. `title` is the one that it would replace, `said` what the model has said."""

    conversation: str
    question: str
    answer: str
    title: str
    id: str = field(default_factory=lambda: uuid4().hex)
    said: str = ""


class Titles:
    """`busy` returns whether any chat is being answered. `named` is called with a conversation and its new title."""

    def __init__(self, ports: Ports, busy: Callable[[], bool], named: Callable[[str, str], object]) -> None:
        self._ports = ports
        self._busy = busy
        self._named = named
        self._waiting: dict[str, int] = {}
        self._job: _Job | None = None
        self._is_reading = False

    def answered(self, conversation: str) -> None:
        """A chat was answered: name it soon, if it has only its first words for a title."""
        if self._ports.preferences().titles:
            self._waiting[conversation] = PAUSE_TICKS

    def begun(self) -> None:
        """A turn begins: stop at once, and try again after it."""
        self._waiting = dict.fromkeys(self._waiting, PAUSE_TICKS)
        if self._job is not None:
            self._waiting[self._job.conversation] = PAUSE_TICKS
            self._ports.engine.send(Cancel(self._job.id))
            self._job = None

    def tick(self) -> None:
        """Every second: ask for the next title, if nothing else is to be done."""
        if not self._waiting or self._busy() or self._job is not None or self._is_reading:
            return
        self._waiting = {conversation: ticks - 1 for conversation, ticks in self._waiting.items()}
        due = next((conversation for conversation, ticks in self._waiting.items() if ticks <= 0), "")
        if due and self._ports.engine.ready:
            del self._waiting[due]
            self._is_reading = True
            self._ports.tasks.run(partial(_read, conversation=due), self._ask, self._failed)

    def engine_event(self, event: Event) -> None:
        """Take what belongs to the request for a title."""
        job = self._job
        if job is None:
            return
        if isinstance(event, Deltas):
            job.said += "".join(row.text for row in event.rows if row.request == job.id and row.channel == "answer")
        elif isinstance(event, TurnFinished) and event.request == job.id:
            self._job = None
            self._finished(job, event)

    def engine_lost(self) -> None:
        """The engine ended, and the request with it."""
        self._job = None

    def _ask(self, job: _Job | None) -> None:
        """A turn may have begun meanwhile: then the chat waits again."""
        self._is_reading = False
        if job is None:
            return
        if self._busy() or not self._ports.engine.ready:
            self._waiting[job.conversation] = PAUSE_TICKS
            return
        self._job = job
        messages = request(job.question, job.answer)
        self._ports.engine.send(Generate(job.id, f"title:{job.id}", messages, _GREEDY, cached=False))

    def _finished(self, job: _Job, event: TurnFinished) -> None:
        lines = {"stop": job.said, "length": job.said.rpartition("\n")[0]}  # the limit cuts the last line
        title = title_from_answer(lines.get(event.reason, ""), job.question, job.answer)
        if title:
            work = partial(_rename, conversation=job.conversation, title=title, before=job.title)
            self._ports.tasks.run(work, partial(self._renamed, job.conversation, title), self._failed)

    def _renamed(self, conversation: str, title: str, is_renamed: bool) -> None:  # noqa: FBT001 - a job's result
        if is_renamed:
            self._named(conversation, title)

    def _failed(self, error: Exception) -> None:
        """The first words stay the title."""
        self._is_reading = False
        _log.info("a chat was not named: %s", type(error).__name__)


def _read(library: Library, conversation: str) -> _Job | None:
    """The words that a title is made of; None if the chat is gone or has a better title."""
    try:
        owner, branch = library.conversations.get(conversation), library.messages.branch(conversation)
    except StorageError:
        return None
    question = next((message for message in branch if message.role == "user"), None)
    answer = next((message for message in branch if message.role == "assistant" and message.content), None)
    if owner.titled or question is None or answer is None or owner.title != title_of(question):
        return None
    return _Job(conversation, question.content or owner.title, answer.content, owner.title)


def _rename(library: Library, conversation: str, title: str, before: str) -> bool:
    return library.labels.suggest_title(conversation, title, before)
