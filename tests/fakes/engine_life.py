"""A whole engine life on the test's own thread: a real server, a real store and a real tiny model.

A script answers its events with further commands, so that the test chooses every order of events and no test waits for
a clock.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import pytest
from msgspec import structs

from engine.cache.disk.io_thread import IoThread
from engine.cache.manager import CacheManager
from engine.cache.memory.hot_tier import HotTier
from engine.memory.machine import THIS_MACHINE, Machine
from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, Tell, load_model
from engine.prompt.imported_prefixes import ImportedPrefixes
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import (
    CacheChecked,
    CacheMoved,
    CacheSizes,
    CheckCache,
    ImportCache,
    ListCacheSizes,
    ListWarmModels,
    ReportStore,
    SetBudget,
    StoreReport,
    TurnStored,
    WarmModels,
)
from engine.protocol.messages import ChatMessage, Deltas, Generate, LoadModel, Shutdown, TurnFinished
from engine.protocol.sampling_settings import Sampling
from engine.server.model_loads import Inbox, Load
from engine.server.server import Server
from storage.segments.store import SegmentStore

QUOTA = 1 << 30
SYSTEM = ChatMessage("system", "You are a test. Be brief, be exact, and never be late.")
_ASIDE = (
    protocol.Warm
    | SetBudget
    | ReportStore
    | ListCacheSizes
    | CheckCache
    | ListWarmModels
    | protocol.CountTokens
    | protocol.FitPrompt
    | ImportCache
    | protocol.ExportCache
)
_ANSWERS = (
    protocol.Warmed
    | StoreReport
    | CacheSizes
    | CacheChecked
    | WarmModels
    | protocol.TokensCounted
    | protocol.PromptFitted
    | CacheMoved
)
GREEDY = Sampling(temperature=0.0, max_tokens=12)
E = TypeVar("E")

_loaded: dict[tuple[object, ...], LoadedModel] = {}
_MOST_LOADED = 16
_cold: dict[tuple[object, ...], tuple[str, str]] = {}


def _files(folder: str) -> str:
    """The names and times of the files of a model, or of an adapter if there is one."""
    return repr(sorted((file.name, file.stat().st_mtime_ns) for file in Path(folder).glob("*"))) if folder else ""


def load_once(command: LoadModel, digests: WeightDigests, tell: Tell = lambda *_: None) -> LoadedModel:
    """As `load_model`, but the same files in any folder are loaded once for all lives of a test run: files with the
    same names and times are copies of one model (`tiny_models.build`).
    """
    key = (structs.replace(command, path="", adapter=""), _files(command.path), _files(command.adapter))
    if key not in _loaded:
        _loaded[key] = load_model(command, digests, tell)
        for oldest in [*_loaded][:-_MOST_LOADED]:
            del _loaded[oldest]
    model = _loaded[key]
    return replaced(model, command=command, imported_prefixes=ImportedPrefixes())


@dataclass
class Engine:
    """One life of an engine process, without the process."""

    home: Path
    model: Path
    hot_bytes: int = 1 << 30
    kv_bits: protocol.KvBits = 0
    load: Load = load_once
    """`load_model` where a test watches the load itself."""
    machine: Machine = THIS_MACHINE
    first: LoadModel | None = None
    """What is loaded first, if not `model`."""
    events: list[protocol.Event] = field(default_factory=list)
    inbox: Inbox = field(default_factory=queue.SimpleQueue)
    manager: CacheManager = field(init=False)

    def live(
        self,
        *commands: protocol.Command,
        on: Callable[[protocol.Event], None] | None = None,
        then: Callable[[protocol.Event], Generate | None] = lambda _: None,
        stores: int | None = None,
        ends_on_failure: bool = True,
    ) -> Engine:
        """Load the model, run the commands, and end when every request is finished and stored.

        `on` receives every event. A command that `then` returns for an event is sent next. `stores`: how many turns are
        stored, if not one for every cached request. `ends_on_failure`: stop if a model cannot be loaded.
        """
        asked = [c for c in commands if isinstance(c, Generate)]
        waiting = {request for c in asked for request in (c.request, *c.alternatives)}
        unstored = stores if stores is not None else sum(1 + len(c.alternatives) for c in asked if c.cached)
        warming = [c for c in commands if isinstance(c, _ASIDE)]

        def emit(event: protocol.Event) -> None:
            nonlocal unstored
            self.events.append(event)
            if on:
                on(event)
            if following := then(event):
                waiting.update((following.request, *following.alternatives))
                unstored += 1
                self.inbox.put(following)
            if isinstance(event, TurnFinished):
                waiting.discard(event.request)
            unstored -= isinstance(event, TurnStored) or (isinstance(event, TurnFinished) and event.reason == "failed")
            if isinstance(event, _ANSWERS) and warming:
                warming.pop()
            failed = ends_on_failure and isinstance(event, protocol.ModelFailed)
            if failed or not (waiting or unstored > 0 or warming):
                self.inbox.put(Shutdown())

        self.home.mkdir(parents=True, exist_ok=True)  # as the app does before it starts the process
        io = IoThread(lambda: SegmentStore.open(self.home / "segments", QUOTA))
        self.manager = CacheManager(io, HotTier(self.hot_bytes), self.inbox.put)
        for command in (self.first or LoadModel(str(self.model), self.kv_bits), *commands):
            self.inbox.put(command)
        digests = WeightDigests(self.home / "weights.json")
        Server(self.inbox, emit, self.manager, digests, self.load, self.machine).run()
        return self

    def text(self, request: str) -> str:
        rows = [row for e in self.events if isinstance(e, Deltas) for row in e.rows]
        return "".join(row.text for row in rows if row.request == request)

    def play(
        self, *steps: Callable[[], Generate | None], after: type[protocol.Event] = TurnStored, **given: Any
    ) -> Engine:
        """Live through requests. Each one is made at an event of the class `after`, when the one before was made."""
        left = [*steps]
        first = left.pop(0)()
        assert first
        return self.live(
            first, then=lambda event: left.pop(0)() if left and isinstance(event, after) else None, **given
        )

    def once(
        self, moment: Callable[[protocol.Event], object], *commands: protocol.Command
    ) -> Callable[[protocol.Event], None]:
        """For `on`: sends commands at the first event of which `moment` is true."""
        left = [commands]

        def send(event: protocol.Event) -> None:
            if left and moment(event):
                for command in left.pop():
                    self.inbox.put(command)

        return send

    def cancelling(self, request: str, *, letters: int) -> Callable[[protocol.Event], None]:
        """For `on`: cancels a request as soon as it has written so many letters."""
        return self.once(lambda _: len(self.text(request)) >= letters, protocol.Cancel(request))

    def heard(self, kind: type[E]) -> list[E]:
        """The events of one class."""
        return [event for event in self.events if isinstance(event, kind)]

    def finished(self, request: str) -> TurnFinished:
        return next(end for end in self.heard(TurnFinished) if end.request == request)

    def usage(self, request: str) -> protocol.Usage:
        return self.finished(request).usage

    def cold(self, command: Generate) -> str:
        """What an engine without a cache answers to a command. It answers once in a test run."""
        return self.cold_answer(command)[0]

    def cold_answer(self, command: Generate) -> tuple[str, str]:
        """That text, and its ledger."""
        asked = structs.replace(command, request="x", conversation="x", alternatives=(), cached=False, on_disk=True)
        key = (_files(str(self.model)), self.kv_bits, repr(asked))
        if key not in _cold:
            life = Engine(self.home / "cold", self.model, kv_bits=self.kv_bits).live(asked)
            _cold[key] = life.text("x"), life.finished("x").ledger
        return _cold[key]


Start = Callable[..., Engine]
"""Starts a life of an engine; keyword arguments are those of `Engine`."""


@dataclass
class Chat:
    """The app's copy of a conversation."""

    name: str
    messages: list[ChatMessage] = field(default_factory=lambda: [SYSTEM])
    turns: int = 0
    asked: list[Generate] = field(default_factory=list)
    on_disk: bool = True

    def ask(self, text: str, sampling: Sampling = GREEDY, *, cached: bool = True) -> Generate:
        self.messages.append(ChatMessage("user", text))
        self.turns += 1
        command = Generate(f"{self.name}{self.turns}", self.name, tuple(self.messages), sampling, cached)
        self.asked.append(structs.replace(command, on_disk=self.on_disk))
        return self.asked[-1]

    def then(self, life: Engine, text: str, sampling: Sampling = GREEDY) -> Generate:
        """The next question, after the answer that `life` has written to the last one."""
        self.hear(life, self.asked[-1])
        return self.ask(text, sampling)

    def turn(self, life: Engine, text: str, sampling: Sampling = GREEDY, *, cached: bool = True) -> TurnFinished:
        """A question that is all that `life` is asked, and its answer."""
        return self.hear(life.live(command := self.ask(text, sampling, cached=cached)), command)

    def rest(self, request: str, sampling: Sampling = GREEDY) -> Generate:
        """What is said so far goes on: an answer that was stopped, or the question of an answer that is missing."""
        return Generate(request, self.name, tuple(self.messages), sampling)

    def hear(self, engine: Engine, command: Generate) -> TurnFinished:
        done = engine.finished(command.request)
        self.messages.append(ChatMessage("assistant", engine.text(command.request), done.ledger))
        return done


def both(*receivers: Callable[[protocol.Event], None]) -> Callable[[protocol.Event], None]:
    """For `on`: what several of them do."""

    def receive(event: protocol.Event) -> None:
        for receiver in receivers:
            receiver(event)

    return receive


def at(request: str, phase: protocol.Phase, *, part: float = 0.0) -> Callable[[protocol.Event], bool]:
    """For `once`: the progress of a request in a phase, of which at least this part is done."""
    return lambda e: (
        isinstance(e, protocol.Progress) and (e.request, e.phase) == (request, phase) and e.done >= part * e.total
    )


def wrote(request: str, tokens: int) -> Callable[[protocol.Event], bool]:
    """For `once`: text of a request that has so many tokens."""
    return lambda e: isinstance(e, Deltas) and any(r.request == request and r.tokens >= tokens for r in e.rows)


def of(kind: type[protocol.Event]) -> Callable[[protocol.Event], bool]:
    """For `once`: an event of a class."""
    return lambda event: isinstance(event, kind)


def own_tokens(text: str) -> int:
    """The tokens that a message adds after a reply that ended at the length limit. Each letter is one token, and so is
    each mark of the template, including the mark that closes the reply.
    """
    return len(f">\n<user\n{text}>\n<assistant\n")


def counted_passes(monkeypatch: pytest.MonkeyPatch, family: str) -> list[int]:
    """The number of tokens of each forward pass that models of a family make from now on."""
    model = import_module(f"mlx_lm.models.{family}").Model
    call, passes = model.__call__, list[int]()

    def counted(self: Any, tokens: Any, *given: Any, **named: Any) -> Any:
        passes.append(tokens.shape[1])
        return call(self, tokens, *given, **named)

    monkeypatch.setattr(model, "__call__", counted)
    return passes
