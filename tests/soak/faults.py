"""The fault sweep: plays the same chats again and again, and each time makes another call fail.

Each family is first played without a failure, which gives the answers and the number of calls. A failure must not cause
a wrong token, a wrong record in memory or on disk, a request that ends twice or never, a command without its answer, or
a loop that spins or ends. What fails is a call into MLX, or a function of the engine (`Entries`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, load_model
from engine.protocol.messages import KvBits, LoadModel
from tests.fakes import tiny_models
from tests.soak import entries
from tests.soak.entries import Entries
from tests.soak.fault_play import Play
from tests.soak.injected import ERRORS, PLACES, Injection, Where
from tests.soak.state_truth import StateTruth


@dataclass(frozen=True)
class Family:
    """A tiny model, and the precision of its keys and values."""

    name: str
    kv_bits: KvBits = 0
    changes: tuple[tuple[str, Any], ...] = ()


FAMILIES: Final = {
    "qwen3_5": Family("qwen3_5"),
    "falcon_h1": Family("falcon_h1"),
    "lfm2": Family("lfm2"),
    "llama": Family("llama"),
    "quantised": Family("llama", 8, (("hidden_size", 128),)),
    "gemma3_text": Family("gemma3_text"),
    "gemma2": Family("gemma2"),
    "mamba": Family("mamba"),
    "llama4": Family("llama4"),
}
"""Every kind of cache: recurrent beside attention, nested in one layer, growing, quantised, sliding, padded by mlx-lm,
recurrent alone, chunked.
"""


class Sweep:
    """The plays of one family."""

    def __init__(self, family: str, folder: Path) -> None:
        self._folder = folder
        self._model = _loaded(FAMILIES[family], folder / "model")
        self._truth = StateTruth(self._model)
        self._expected: dict[str, list[str]] = {}
        self.plays = 0
        first = self._play(Injection())
        assert not first.problems, first.problems
        self._expected = {name: chat.texts for name, chat in first.chats.items()}

    def calls(self, where: Where) -> list[tuple[str, ...]]:
        """The calls of a play without a failure, each by its site."""
        injection = Injection(where)
        self._play(injection)
        return injection.sites

    def sites(self, where: Where) -> dict[int, tuple[str, ...]]:
        """Each innermost pair of the engine's lines that makes a call, with the number of its first call."""
        return _first_calls(self.calls(where))

    def run(self, every: int = 1) -> Iterator[str]:
        """Make each call fail with each error, or one call in `every`. Yields problems as they are found."""
        for where in PLACES:
            for at in range(1, len(self.calls(where)) + 1, every):
                for error in ERRORS:
                    yield from self.fail(where, at, error)

    def entries(self, every: int = 1, first: int = 0) -> Iterator[str]:
        """Make each function of the engine fail, called from each line that calls it, or one such site in `every`,
        beginning with number `first`. The errors take turns. Yields problems as they are found.
        """
        played = Entries()
        self._play(played)
        for place, at in enumerate([*_first_calls(played.sites)][first::every]):
            yield from self.fail_at("function", Entries(at, entries.ERRORS[place % len(entries.ERRORS)]))

    def fail(self, where: Where, at: int, error: Exception) -> list[str]:
        """The problems after call number `at` has raised `error`."""
        return self.fail_at(where, Injection(where, at, error))

    def fail_at(self, what: str, injection: Injection | Entries) -> list[str]:
        """The problems of a play with this failure. Reports call it `what`."""
        at, error = injection.at, injection.error
        problems = self._play(injection).problems
        site = " of ".join(injection.sites[at - 1][:2]) if len(injection.sites) >= at else "never reached"
        return [f"{what} call {at} ({site}), {error!r}: {problem}" for problem in problems]

    def _play(self, injection: Injection | Entries) -> Play:
        self.plays += 1
        with tempfile.TemporaryDirectory(dir=self._folder) as home:
            play = Play(self._model, Path(home), injection, self._truth, self._expected)
            play.run()
        return play


def _first_calls(calls: list[tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    """The number of the first call from each site, with the two innermost parts of the site."""
    first: dict[tuple[str, ...], int] = {}
    for number, site in enumerate(calls, 1):
        first.setdefault(site[:2], number)
    return {number: site for site, number in first.items()}


def _loaded(family: Family, folder: Path) -> LoadedModel:
    path = tiny_models.build(folder, family.name, **dict(family.changes))
    return load_model(LoadModel(str(path), family.kv_bits), WeightDigests(path / "weights.json"))
