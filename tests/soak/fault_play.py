"""One play of chats over two engine lives, with one injected failure.

Four chats answer at once: one is cancelled, one asks for two answers. Each continues in the
same life, and again after a restart, with little memory for warm chats. A chat whose answer failed asks again, as a
user would, and must then get the answer that it gets without a failure. At last a chat is opened, measured, and
forgotten. A model that could not be loaded is loaded again. The server runs on the caller's thread.
"""

from __future__ import annotations

import queue
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from engine.cache.disk.io_thread import IoThread
from engine.cache.manager import CacheManager
from engine.cache.memory.hot_tier import HotTier
from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel
from engine.prompt.imported_prefixes import ImportedPrefixes
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import CacheSizes, Forget, ListCacheSizes
from engine.protocol.messages import ChatMessage, Generate, Shutdown, TurnFinished
from engine.protocol.sampling_settings import Sampling
from engine.server.server import Server
from storage.segments.store import SegmentStore
from tests.soak.entries import Entries
from tests.soak.injected import Injection
from tests.soak.state_truth import StateTruth

_QUOTA: Final = 1 << 30
_LITTLE: Final = 100_000
"""Bytes of warm chats: less than those of all four."""
_SECONDS: Final = 30.0
_MOST_POLLS: Final = 5_000
"""The most looks into an empty inbox. A life here takes some hundred steps."""

_MOST_ATTEMPTS: Final = 9
"""More than the questions and the failure need. A chat that never gets its answer is a problem too."""

_MOST_LOADS: Final = 2

CANCELLED, FORGOTTEN, TWICE = "cancelled", "forgotten", "twice"
CHATS: Final = ("plain", FORGOTTEN, CANCELLED, TWICE)
_SYSTEM: Final = ChatMessage("system", "You are a test. Be brief.")
_CANCEL_AT: Final = 3
_TOKENS: Final = {"plain": 4, FORGOTTEN: 5, CANCELLED: 6, TWICE: 4}
_WORDS: Final = {
    "plain": "Say something, please; anything will do.",
    FORGOTTEN: "Hold on.",
    CANCELLED: "Never mind, whatever it was that you wanted to know about me.",
    TWICE: "Two at once.",
}


class Stuck(BaseException):
    """The engine's loop spins, or waits for nothing. No edge of the engine catches it."""


class WatchedInbox(queue.SimpleQueue[Any]):
    """An inbox that raises Stuck if its reader polls without end, or waits although nothing will come."""

    polls = 0
    is_over = False
    """Shutdown was taken. What fails from now on fails while the engine ends, as it was asked to."""

    def get(self, block: bool = True, timeout: float | None = None) -> Any:  # noqa: FBT001, FBT002 - as in the base class
        """As in the base class."""
        try:
            message = super().get(block, _SECONDS if block else timeout)
        except queue.Empty:
            if block:
                raise Stuck("the engine waits, and requests are open") from None
            self.polls += 1
            if self.polls > _MOST_POLLS:
                raise Stuck("the engine's loop spins") from None
            raise
        self.polls = 0
        self.is_over |= isinstance(message, Shutdown)
        return message


@dataclass
class Chat:
    """The app's copy of a conversation. `texts` are the finished answers, turn by turn."""

    name: str
    messages: list[ChatMessage] = field(default_factory=lambda: [_SYSTEM])
    texts: list[str] = field(default_factory=list)
    attempt: int = 0

    @property
    def done(self) -> bool:
        """Whether its last question is answered."""
        return self.messages[-1].role != "user"

    def ask(self) -> Generate:
        """The next question, or the last one again if it has no answer."""
        if self.done:
            self.messages.append(ChatMessage("user", f"{_WORDS[self.name]} {len(self.texts)}"))
        self.attempt += 1
        request = f"{self.name}.{len(self.texts)}.{self.attempt}"
        more = (f"{request}+",) if self.name == TWICE else ()
        sampling = Sampling(temperature=0.0, max_tokens=_TOKENS[self.name])
        return Generate(request, self.name, tuple(self.messages), sampling, alternatives=more)


@dataclass
class Play:
    """The chats, and the problems that were found."""

    model: LoadedModel
    folder: Path
    injection: Injection | Entries
    truth: StateTruth
    expected: dict[str, list[str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    chats: dict[str, Chat] = field(default_factory=lambda: {name: Chat(name) for name in CHATS})

    def run(self) -> None:
        """Two turns in one life, one more after a restart, then a check of everything that was stored."""
        with self.truth.noting():
            self._live(turns=2, hot_bytes=_QUOTA, last=False)
            self._live(turns=1, hot_bytes=_LITTLE, last=True)
        self.problems += self.truth.wrong_on_disk(self.folder / "segments")
        self.problems += [f"{chat.name} has {len(chat.texts)} answers" for chat in self.chats.values() if not chat.done]

    def _live(self, turns: int, hot_bytes: int, *, last: bool) -> None:
        life = _Life(self, turns, hot_bytes, last=last)
        try:
            life.run()
        except Stuck as stuck:
            self.problems.append(f"{stuck}; open: {sorted(life.open)}")
        except Exception as error:  # noqa: BLE001 - any exception that escapes the server while it serves is a finding
            if not life.inbox.is_over:
                self.problems.append(f"the engine ended with {error!r}")
        finally:
            life.manager.close(_SECONDS)
        self.problems += [f"{request} ended {n} times" for request, n in life.ends.items() if n != 1]
        self.problems += self.truth.wrong_in_memory(life.manager.hot)
        for chat in CHATS:
            life.manager.hot.forget(chat)
        if life.manager.hot.bytes or life.manager.hot.arrays:
            self.problems.append(f"{life.manager.hot.bytes} bytes stay hot that no chat owns")


class _Life:
    """One engine life: its events are answered with the next commands."""

    def __init__(self, play: Play, turns: int, hot_bytes: int, *, last: bool) -> None:
        self._play = play
        self._until = {chat.name: len(chat.texts) + turns for chat in play.chats.values()}
        self._said: dict[str, str] = {}
        self.open: dict[str, Chat] = {}
        self.ends: Counter[str] = Counter()
        self.inbox = WatchedInbox()
        io = IoThread(lambda: SegmentStore.open(play.folder / "segments", _QUOTA))
        self.manager = CacheManager(io, HotTier(hot_bytes), self.inbox.put)
        self._is_last = last
        self._loads = 1
        self._awaited: set[type[protocol.Event]] = set()

    def run(self) -> None:
        """Run until every chat has its answers."""
        self.inbox.put(self._play.model.command)
        if self._is_last:
            self.inbox.put(protocol.Warm("plain", tuple(self._play.chats["plain"].messages)))
        for chat in self._play.chats.values():
            self._ask(chat)
        digests = WeightDigests(self._play.folder / "weights.json")
        server = Server(self.inbox, self._hear, self.manager, digests, self._load)
        with self._play.injection.into(self._play.model.model):
            server.run()

    def _load(self, *_: object) -> LoadedModel:
        return replace(self._play.model, imported_prefixes=ImportedPrefixes())

    def _ask(self, chat: Chat) -> None:
        command = chat.ask()
        for request in command.requests:
            self.open[request] = chat
            self._said[request] = ""
        self.inbox.put(command)

    def _hear(self, event: protocol.Event) -> None:
        if isinstance(event, protocol.Deltas):
            for row in event.rows:
                self._said[row.request] += row.text
                self._act(row)
        elif isinstance(event, TurnFinished):
            self._ended(event)
        elif isinstance(event, protocol.ModelFailed) and self._loads < _MOST_LOADS:
            self._loads += 1
            self.inbox.put(self._play.model.command)
        elif isinstance(event, protocol.ModelFailed) or (isinstance(event, protocol.ModelUnloaded) and event.path):
            self._play.problems.append(f"{type(event).__name__}: {event.message}")
            self.inbox.put(Shutdown())
        elif type(event) in self._awaited:
            self._awaited.remove(type(event))
            if isinstance(event, CacheSizes) and FORGOTTEN in {row.conversation for row in event.rows}:
                self._play.problems.append("a forgotten chat is on disk")
            if not self._awaited:
                self.inbox.put(Shutdown())

    def _act(self, row: protocol.Delta) -> None:
        if row.conversation == CANCELLED and row.tokens == _CANCEL_AT:
            self.inbox.put(protocol.Cancel(row.request))

    def _ended(self, event: TurnFinished) -> None:
        self.ends[event.request] += 1
        chat = self.open.pop(event.request, None)
        if chat is None:
            return
        if not event.request.endswith("+"):
            self._note(chat, event)
        if any(other is chat for other in self.open.values()):
            return
        if len(chat.texts) < self._until[chat.name] and chat.attempt < _MOST_ATTEMPTS:
            self._ask(chat)
        elif not self.open:
            self._leave()

    def _leave(self) -> None:
        """End the life. The last one first opens a chat, measures it, and forgets another one."""
        if not self._is_last:
            self.inbox.put(Shutdown())
            return
        messages = tuple(self._play.chats["plain"].messages)
        self._awaited = {protocol.Warmed, protocol.PromptFitted, CacheSizes}
        self.inbox.put(protocol.CountTokens("draft", _WORDS["plain"]))
        self.inbox.put(protocol.Warm("plain", messages))
        self.inbox.put(protocol.FitPrompt("fit", "plain", messages, starts=tuple(range(len(messages))), room=8))
        self.inbox.put(Forget(FORGOTTEN))
        self.inbox.put(ListCacheSizes())

    def _note(self, chat: Chat, event: TurnFinished) -> None:
        """Record a finished answer, and compare any text with the expected answer."""
        said, expected = self._said[event.request], self._play.expected.get(chat.name, [])
        turn = len(chat.texts)
        right = expected[turn] if turn < len(expected) else None
        if event.reason != "failed":
            chat.messages.append(ChatMessage("assistant", said, event.ledger))
            chat.texts.append(said)
        if right is not None and (not right.startswith(said) if event.reason == "failed" else right != said):
            self._play.problems.append(f"{event.request} ({event.reason}): said {said!r}, not {right!r}")
