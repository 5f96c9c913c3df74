"""An engine life without its process: the loop, the store and the clock, for benchmarks."""

from __future__ import annotations

import copy
import os
import queue
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import mlx.core as mx

from engine.cache.disk.io_thread import IoThread, Priority
from engine.cache.memory.hot_tier import HotTier
from engine.model.loader import LoadedModel
from engine.protocol import messages as protocol
from engine.protocol.messages import Generate
from engine.protocol.shared import Shared
from engine.server.generation import Generation
from engine.server.model_loads import Inbox
from engine.server.server import Parts, alone
from storage.segments.store import SegmentStore

Emit = Callable[[protocol.Event], None]

SENTENCE = "The harbour was quiet in the morning, and the boats lay still. "
LONGEST = int(os.environ.get("BENCH_LONGEST", "16384"))
"""The tokens of the longest conversation that is measured."""

_QUOTA = 1 << 36


class Life:
    """An engine over the folder `home`, from start to close. Its store is open, as after the load of a model."""

    def __init__(self, model: LoadedModel, home: Path, parts: Callable[[Inbox, Emit], Parts] = alone) -> None:
        self.events: list[protocol.Event] = []
        own = parts(queue.SimpleQueue(), self.events.append)
        self._inbox = own.inbox
        io = IoThread(lambda: SegmentStore.open(home, _QUOTA))
        self._manager = own.manager(io, HotTier(1 << 34))
        self.generation = Generation(just_loaded(model), self._manager, own.emit, own.inbox.put, "", own.machine)
        self._open_store(io)

    def _open_store(self, io: IoThread) -> None:
        """Wait until the store is open: on all ranks of a group, since a rank that went ahead would be told outcomes
        that it cannot have yet.
        """
        opened: list[object] = []
        told = Shared("store", lambda: opened.append(None))
        io.submit(Priority.RESTORE, lambda _store: None, lambda _: self._inbox.put(told))
        while not opened:
            self._inbox.get(block=True)()

    def send(self, command: Generate) -> None:
        """Let a request arrive. The next turn of the loop handles it."""
        self._inbox.put(lambda: self.generation.admit(command))

    def turn(self) -> None:
        """Run one turn of the loop: handle what arrived, then a step. Waits for a limited time if there is nothing to
        do.
        """
        self.receive()
        self.generation.step()

    def receive(self) -> None:
        """Handle what arrived, at least until a step would do something."""
        with suppress(queue.Empty):
            while True:
                self._inbox.get(block=not self.generation.busy)()

    def ask(self, command: Generate) -> protocol.TurnFinished:
        """Answer one request to its end."""
        self.generation.admit(command)
        while self.generation.running:
            self.turn()
        return self.finished(command.request)

    def open(self, command: protocol.Warm) -> None:
        """Let a conversation be opened, and wait until its caches are in memory."""
        before = len(self.events)
        self.generation.speculative.warm(command)
        while not any(isinstance(event, protocol.Warmed) for event in self.events[before:]):
            self._inbox.get(block=True)()
        while self.generation.busy:
            self.generation.step()

    def finished(self, request: str) -> protocol.TurnFinished:
        """The end of a request."""
        return next(e for e in self.events if isinstance(e, protocol.TurnFinished) and e.request == request)

    def text(self, request: str) -> str:
        """The answer to a request."""
        rows = [row for e in self.events if isinstance(e, protocol.Deltas) for row in e.rows]
        return "".join(row.text for row in rows if row.request == request)

    def close(self) -> None:
        """Finish all writes and end."""
        self._manager.close(600)


def just_loaded(model: LoadedModel) -> LoadedModel:
    """The model without what earlier lives remember of its prompts: the memo of tokens belongs to the template."""
    return replace(model, template=copy.copy(model.template))


def endless(model: LoadedModel) -> LoadedModel:
    """The model with prompts and answers of unlimited length: the built-in model ends its answers too soon to measure
    steps.
    """
    tokenizer = copy.copy(model.tokenizer)
    tokenizer.eos_token_ids = ()
    return replace(model, tokenizer=tokenizer, context_limit=0)


def on_cpu() -> bool:
    """Whether MLX computes on the CPU, where long prompts take minutes and no kernel is compiled."""
    return mx.default_device() == mx.Device(mx.cpu)
