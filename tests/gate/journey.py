"""A fixed journey of a chat through the engine in this process, with a tiny model: the counts of each of its stages."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import mlx.core as mx

from engine.memory.machine import Machine
from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, load_model
from engine.protocol.cache_messages import Forget
from engine.protocol.messages import ChatMessage, Command, Generate, LoadModel
from tests.fakes.engine_life import GREEDY, Chat
from tests.fakes.tiny_models import build
from tests.gate.lockstep import SteadyEngine
from tests.gate.seams import HELD, Tally, counted

Counts = dict[str, Counter[str]]
"""The counts of each stage."""

FAMILIES: Final = {"lfm2": "recurrent state and attention", "llama": "attention only"}
"""The models that travel, and what state they have."""

_QUESTION: Final = "The harbour was quiet in the morning, and the boats lay still. " * 12
_STEADY: Final = Machine(free_bytes=lambda: 1 << 40, clock=lambda: 0.0)
"""A machine with memory for everything, on which nothing takes time."""


def travelled(family: str) -> Counts:
    """The counts of a second journey; the first one warms up what a process does once.

    Two things make each machine count the same: MLX computes on the CPU, and the model has a fixed identity, from which
    follow the names of records and so their folders.
    """
    with tempfile.TemporaryDirectory() as folder, _on_cpu():
        home = Path(folder)
        loaded = load_model(LoadModel(str(build(home / "model", family))), WeightDigests(home / "weights.json"))
        model = replace(loaded, identity=replace(loaded.identity, model=family))
        Journey(model, home / "first").travel()
        return Journey(model, home / "second").travel()


@contextmanager
def _on_cpu() -> Iterator[None]:
    before = mx.default_device()
    mx.set_default_device(mx.Device(mx.cpu))
    try:
        yield
    finally:
        mx.set_default_device(before)


class Journey:
    """One journey. Its store is in the folder `home`."""

    def __init__(self, model: LoadedModel, home: Path) -> None:
        self._model = model
        self._home = home
        home.mkdir()
        self._tally = Tally()
        self._counts = Counts()
        self._chat = Chat("chat")
        self._engine = self._started()

    def travel(self) -> Counts:
        """The counts of each stage."""
        with counted(type(self._model.model), self._tally):
            self._engine.travel(self._before_restart())
            self._engine = self._started()
            self._engine.travel(self._after_restart())
        return self._counts

    def _started(self) -> SteadyEngine:
        return SteadyEngine(self._home, Path(self._model.path), load=lambda *_: self._model, machine=_STEADY)

    def _before_restart(self) -> Iterator[Iterable[Command]]:
        yield [LoadModel(self._model.path)]
        self._tally.taken()
        yield from self._turn("cold question", _QUESTION)
        yield from self._turn("next turn", "And then?")
        yield from self._turn("third turn", "Tell me more.")
        yield from self._turn("fourth turn", "What came next?")
        yield from self._aside("same prompt again", self._chat.messages[:-1])
        yield from self._aside("edit of the last message", self._edited(turns=1))
        yield from self._aside("edit two turns back", self._edited(turns=3))

    def _after_restart(self) -> Iterator[Iterable[Command]]:
        self._tally.taken()
        yield from self._turn("clean restart", "Go on.", LoadModel(self._model.path))
        yield [Chat(f"other {n}").ask("Why? " * (3 + n)) for n in range(4)]
        self._enter("four at once")
        yield [Forget("chat")]
        self._enter("forget")

    def _turn(self, stage: str, question: str, *before: Command) -> Iterator[Iterable[Command]]:
        """The chat's next turn."""
        asked = self._chat.ask(question)
        yield [*before, asked]
        self._enter(stage)
        self._chat.hear(self._engine, asked)

    def _aside(self, stage: str, messages: list[ChatMessage]) -> Iterator[Iterable[Command]]:
        """A turn on another branch of the chat."""
        yield [Generate(stage, self._chat.name, tuple(messages), GREEDY)]
        self._enter(stage)

    def _edited(self, turns: int) -> list[ChatMessage]:
        """The chat up to the question of so many turns ago, with another question in its place."""
        return [*self._chat.messages[: -2 * turns], ChatMessage("user", "Or rather not?")]

    def _enter(self, stage: str) -> None:
        held = sum(file.stat().st_size for file in self._home.rglob("*.safetensors"))
        self._counts[stage] = self._tally.taken() + Counter({HELD: held})
