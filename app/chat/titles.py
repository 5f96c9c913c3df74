"""Titles: lets the model name chats after their first answer, as a side job that nothing waits for. No Qt.

- A title is asked for only while no chat is being answered, on a request of its own that neither reads nor writes a
  cache. It is cancelled as soon as a turn begins.
- A chat with a title of the user is never named, nor is a private one. If the answer is no usable title, the chat
  keeps the one that `storage/library/messages.py` gave it: the first words of its first message.
- A model is first asked for a title of `SAMPLE`, once a run. If it finds none, it is asked for no other.
- Everything runs on the window's thread; the library's thread reads the chat.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final
from uuid import uuid4

from app.base.ports import Ports
from engine.protocol.messages import Cancel, ChatMessage, Deltas, Event, Generate, TurnFinished
from engine.protocol.sampling_settings import Sampling
from storage.errors import StorageError
from storage.library.library import Library
from storage.library.rows import title_of

MOST_WORDS: Final = 6
_LONGEST: Final = 60
SAMPLE: Final = (
    "Can you plan a trip of three days to Rome in May?",
    "On the first day, see the Colosseum. On the second day, visit the Vatican. Keep the third for a walk in the city.",
)
"""A question and its answer. A title of it shows that a model can name chats."""
_PART: Final = 1500
"""Characters of the question and of the answer that the model reads."""
_ASK: Final = (
    "Give the conversation below a title of at most six words, in its own language. Answer with the title alone, "
    "without quotation marks.\n\nQuestion: {question}\n\nAnswer: {answer}"
)
_WRAPPING: Final = " \t\"'“”„‘’«»*_#`.!"  # noqa: RUF001 - quotation marks of many languages
_GOES_ON: Final = ("...", *"?,:;…-–")  # noqa: RUF001 - a dash that models write
"""What a question or a piece of a sentence ends with."""
_LEAD: Final = re.compile(r"(?:title|titel|titre)\s*[:\-–]\s*", re.IGNORECASE)  # noqa: RUF001 - a dash that models write
_NO_TITLE: Final = frozenset(("i", "i'm", "sorry", "sure", "hi", "hello", "here", "as", "yes", "no", "you", "we"))
"""Words with which a model begins a sentence to the user."""
_UNFINISHED: Final = frozenset(
    (
        *("a", "an", "and", "are", "by", "can", "for", "from", "in", "is", "of", "on", "or", "that", "the", "to"),
        *("with", "das", "der", "die", "ein", "eine", "für", "ist", "kann", "mit", "oder", "und", "von", "zu"),
    )
)
"""Words with which a piece of a sentence ends, and no title does."""
_WORD: Final = re.compile(r"\w{4,}")
_STEM: Final = 4


def request(question: str, answer: str) -> tuple[ChatMessage, ...]:
    """The prompt for a title. It has only the beginning of a long question or answer."""
    return (ChatMessage("user", _ASK.format(question=question[:_PART].strip(), answer=answer[:_PART].strip())),)


def title_from_answer(said: str, question: str, answer: str) -> str:
    """The title in a model's answer, "" if that is no usable title: several lines, a sentence or a piece of one, a
    refusal, signs that are no text, or words that have nothing to do with the chat.
    """
    line = said.strip().rstrip(_WRAPPING.replace(".", ""))
    if len(line.splitlines()) != 1 or line.endswith(_GOES_ON):
        return ""
    title = " ".join(_LEAD.sub("", line.strip(_WRAPPING), count=1).strip(_WRAPPING).split())
    words = title.split()
    if not 0 < len(words) <= MOST_WORDS or len(title) > _LONGEST or words[0].casefold().strip(",;:") in _NO_TITLE:
        return ""
    if words[-1].casefold() in _UNFINISHED or not title.isprintable() or "\N{REPLACEMENT CHARACTER}" in title:
        return ""
    return title if _is_about(title, f"{question} {answer}") else ""


def _is_about(title: str, chat: str) -> bool:
    """Whether a third of its longer words begin as words of the chat do. Scripts without blanks share two signs."""
    text = chat.casefold()
    if title.isascii() or " " in title:
        known, own = ([word[:_STEM] for word in _WORD.findall(words)] for words in (text, title.casefold()))
        return 0 < len(own) <= 3 * sum(word in known for word in own)
    signs = title.casefold()
    return any(signs[at : at + 2] in text for at in range(len(signs) - 1))


_log = logging.getLogger(__name__)

PAUSE_TICKS: Final = 2
"""Seconds after an answer in which the engine finishes its own work for that chat."""
_GREEDY: Final = Sampling(temperature=0.0, max_tokens=24)


@dataclass(slots=True)
class _Job:
    """One request for a title. `title` is the one that it would replace, `said` what the model has said. If a `model`
    is named, the request is about the sample, and the conversation waits for its outcome.
    """

    conversation: str
    question: str
    answer: str
    title: str
    model: str = ""
    id: str = field(default_factory=lambda: uuid4().hex)
    said: str = ""


class Titles:
    """`busy` returns whether any chat is being answered. `named` is called with a conversation and its new title."""

    def __init__(self, ports: Ports, busy: Callable[[], bool], named: Callable[[str, str], object]) -> None:
        self._ports = ports
        self._busy = busy
        self._named = named
        self._waiting: dict[str, int] = {}
        self._can_name: dict[str, bool] = {}  # by model
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
            if (can_name := self._can_name.get(model := self._ports.model())) is None:
                self._ask(_Job(due, *SAMPLE, title="", model=model))
                return
            del self._waiting[due]
            if can_name:
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
        title = title_from_answer(job.said, job.question, job.answer) if event.reason == "stop" else ""
        if job.model:
            self._can_name[job.model] = bool(title)
        elif title:
            self._ports.tasks.run(
                lambda library: library.labels.suggest_title(job.conversation, title, job.title),
                lambda is_renamed: is_renamed and self._named(job.conversation, title),
                self._failed,
            )

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
