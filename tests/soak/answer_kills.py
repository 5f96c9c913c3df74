"""Kills of the engine around the end of an answer, in one long chat whose old states are thinned all the time.

One second after an answer, or as soon as the engine reports it as stored, the chat must be warm up to its end. An
engine that is killed earlier leaves the chat warm up to the answer before. After each kill rows and files agree, and
few states are held.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from engine.cache.retention import LEFT, MOST
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import TurnStored
from engine.protocol.messages import ChatMessage, Generate, TurnFinished
from engine.protocol.sampling_settings import Sampling
from resources import DEMO_MODEL
from storage.segments.records import RecordKind
from storage.segments.store import SegmentStore
from tests.soak.engine_pipe import EnginePipe

QUOTA: Final = 1 << 28
NAME: Final = "chat"
SAMPLING: Final = Sampling(temperature=0.0, max_tokens=8)
_NOTHING_HOT: Final = 1
"""So that every reused record comes from the disk."""


class Moment(StrEnum):
    """When an engine is killed."""

    ASKED = "asked"  # before the first word of the answer
    ANSWERING = "answering"
    FINISHED = "finished"  # before its state is stored, or while that happens
    STORED = "stored"
    LATER = "later"  # a second after the end, whatever was reported


@dataclass
class Chat:
    """A chat over many engines. `ends` are the tokens at the end of each answer, `durable` is the last of them that
    must survive.
    """

    home: Path
    model: Path
    messages: list[ChatMessage] = field(default_factory=lambda: [ChatMessage("system", "Answer briefly.")])
    ends: list[int] = field(default_factory=list)
    durable: int = 0
    problems: list[str] = field(default_factory=list)

    def live(self, turns: int, moment: Moment) -> None:
        """Answer so many questions with a new engine, and kill it at that moment of the next one."""
        with EnginePipe(self.home, QUOTA, hot=_NOTHING_HOT, program="tests.fakes.large_states_engine") as engine:
            engine.load(self.model)
            for _ in range(turns):
                self._turn(engine, Moment.STORED)
            self._turn(engine, moment)
        self._judge(moment)

    def _turn(self, engine: EnginePipe, until: Moment) -> None:
        number = len(self.messages)
        asked = (*self.messages, ChatMessage("user", f"What is number {number}?"))
        engine.say(Generate(f"r{number}", NAME, asked, SAMPLING))
        text = ""
        while until is not Moment.ASKED:
            match engine.hear():
                case protocol.Deltas(rows=rows):
                    text += "".join(row.text for row in rows)
                    if until is Moment.ANSWERING:
                        return
                case TurnFinished() as end:
                    self._answered(asked, text, end)
                    if until is Moment.FINISHED:
                        return
                    if until is Moment.LATER:
                        time.sleep(1.0)
                        self.durable = self.ends[-1]
                        return
                case TurnStored(error=error):
                    if error:
                        self.problems.append(f"answer {number} was not stored: {error}")
                    self.durable = self.ends[-1]
                    return

    def _answered(self, asked: Sequence[ChatMessage], text: str, end: TurnFinished) -> None:
        usage = end.usage
        if usage.cached_tokens not in {0, *self.ends} or usage.cached_tokens < self.durable:
            self.problems.append(f"{usage.cached_tokens} tokens were restored, and {self.durable} were stored")
        self.messages = [*asked, ChatMessage("assistant", text, end.ledger)]
        self.ends.append(usage.prompt_tokens + usage.completion_tokens)

    def _judge(self, moment: Moment) -> None:
        with closing(SegmentStore.open(self.home / "segments", QUOTA)) as store:
            found = [*store.reconcile(), *store.verify().causes, *store.index.stats().causes]
            self.problems += [f"killed when {moment}: {problem}" for problem in found]
            for identity in store.index.identities(NAME):
                if (states := len(store.index.records(NAME, RecordKind.STATE, identity))) > MOST + LEFT:
                    self.problems.append(f"killed when {moment}: {states} states are held")


def run(kills: int, home: Path, seed: int = 1) -> list[str]:
    """Kill so many engines. Returns the problems found, in words."""
    chance = random.Random(seed)  # noqa: S311 - a game of chance, no secret
    chat = Chat(home, DEMO_MODEL)
    for _ in range(kills):
        chat.live(chance.randint(0, 4), chance.choice([*Moment, Moment.LATER]))
    return chat.problems
