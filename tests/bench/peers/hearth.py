"""Hearth's engine process at the end of its pipe, as a peer."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from pathlib import Path

from engine.protocol.messages import ChatMessage, Delta, Deltas, Generate, Rejected, TurnFinished
from engine.protocol.sampling_settings import Sampling
from tests.bench.peers.peer import ANSWER_TOKENS, Answer, Question
from tests.soak.engine_pipe import EnginePipe

_QUOTA = _HOT = 1 << 34
_GREEDY = Sampling(temperature=0.0, max_tokens=ANSWER_TOKENS)


class Hearth:
    """The engine, with its store in `home`."""

    name = "Hearth"

    def __init__(self, model: Path, home: Path) -> None:
        home.mkdir()
        self._model = model
        self._home = home
        self._names = map(str, itertools.count())
        self._pipe: EnginePipe | None = None

    def start(self) -> None:
        self._pipe = EnginePipe(self._home, _QUOTA, hot=_HOT)
        self._pipe.load(self._model)
        self.ask([Question("warm-up", [ChatMessage("user", "Hello.")])])

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        assert self._pipe is not None, "it was started"
        asked = [Generate(next(self._names), q.chat, tuple(q.messages), _GREEDY) for q in questions]
        began = time.perf_counter()
        for command in asked:
            self._pipe.say(command)
        heard = _Heard(began)
        while len(heard.ends) < len(asked):
            heard.take(self._pipe.hear())
        return [heard.answer(command.request) for command in asked]

    def stop(self) -> None:
        assert self._pipe is not None, "it was started"
        self._pipe.close()
        self.close()

    def close(self) -> None:
        if self._pipe is not None:
            self._pipe.__exit__()
        self._pipe = None


class _Heard:
    """The events of some requests that were sent at the time `began`."""

    def __init__(self, began: float) -> None:
        self.ends: dict[str, TurnFinished] = {}
        self._began = began
        self._first: dict[str, float] = {}
        self._texts: dict[str, str] = {}

    def take(self, event: object) -> None:
        match event:
            case Deltas(rows=rows):
                for row in rows:
                    self._add(row)
            case TurnFinished():
                assert event.reason in ("stop", "length"), event
                self.ends[event.request] = event
            case Rejected():
                raise ValueError(event.message)

    def _add(self, row: Delta) -> None:
        if row.text:
            self._first.setdefault(row.request, (time.perf_counter() - self._began) * 1000)
            self._texts[row.request] = self._texts.get(row.request, "") + row.text

    def answer(self, request: str) -> Answer:
        end = self.ends[request]
        return Answer(self._texts[request], self._first[request], end.usage.cached_tokens, end.ledger)
