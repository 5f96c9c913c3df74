"""A real engine whose store gets into trouble between and during answers: its files rot, or its disk fills up.

A chat must not notice it. Every answer equals its cold, lone twin, none fails, and as soon as the trouble is over,
turns are stored and restored from disk again. The class that makes the trouble decides when it excuses a turn that was
not stored.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Final, Protocol

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import TurnStored
from resources import DEMO_MODEL
from tests.soak import spoiling
from tests.soak.engine_pipe import EnginePipe
from tests.soak.small_disk import SmallDisk
from tests.soak.tab import Asked, Tab
from tests.soak.twin import Reply, Twins

QUOTA: Final = 1 << 30
CHATS: Final = 3
_NOTHING_HOT: Final = 1
"""So that every reused record comes from the disk."""
_RELAUNCH: Final = 1 / 12
_LEFT: Final = (0, 4096, 65_536)


class Trouble(Protocol):
    """Trouble with the store at `segments`."""

    segments: Path

    def strike(self, chance: random.Random, engine: EnginePipe) -> bool:
        """Make or end trouble just before or during a turn. Returns whether this turn may remain unstored."""

    def between_engines(self, chance: random.Random) -> bool:
        """The same while no engine runs. Returns whether the next turn may remain unstored."""


class Rotting:
    """Damages record files while the engine runs, and the index while it does not."""

    def __init__(self, segments: Path) -> None:
        self.segments = segments

    def strike(self, chance: random.Random, engine: EnginePipe) -> bool:  # noqa: ARG002 - as Trouble
        """As Trouble."""
        records = [path for path in sorted(self.segments.glob("??/*.safetensors")) if path.is_file()]
        for path in chance.sample(records, min(len(records), chance.randint(0, 3))):
            if path.is_file():
                spoiling.patch(path, chance)
        return False

    def between_engines(self, chance: random.Random) -> bool:
        """As Trouble."""
        index = self.segments / "segments.sqlite"
        if chance.random() < 1 / 2:
            spoiling.spoil_rows(index, chance, 2)
        else:
            spoiling.spoil_index(index, chance, *spoiling.PAGES)
        return False


class Filling:
    """Fills the disk and frees it."""

    def __init__(self, disk: SmallDisk) -> None:
        self.segments = disk.folder / "segments"
        self._disk = disk
        self._full = False

    def strike(self, chance: random.Random, engine: EnginePipe) -> bool:
        """As Trouble."""
        was_full, self._full = self._full, chance.random() < 1 / 2
        if self._full:
            self._disk.fill(chance.choice(_LEFT), engine.pid)
        else:
            self._disk.free(engine.pid)
        return was_full or self._full

    def between_engines(self, chance: random.Random) -> bool:  # noqa: ARG002 - as Trouble
        """As Trouble."""
        return self._full


class Chats:
    """Some chats over an engine in trouble. `stored` counts turns by whether they were stored."""

    def __init__(self, home: Path, trouble: Trouble, twins: Twins, seed: int) -> None:
        self.problems: list[str] = []
        self.sources: Counter[str] = Counter()
        self.causes: Counter[str] = Counter()
        self.stored: Counter[bool] = Counter()
        self._home = home
        self._trouble = trouble
        self._twins = twins
        self._chance = random.Random(seed)  # noqa: S311 - a game of chance, no secret
        self._tabs = [Tab(f"chat{number}", random.Random(seed * 1000 + number)) for number in range(CHATS)]  # noqa: S311 - as above

    def run(self, turns: int) -> None:
        """Run this many turns, over as many engines as necessary."""
        left, excused = turns, False
        while left > 0:
            with EnginePipe(self._home, QUOTA, self._trouble.segments, _NOTHING_HOT) as engine:
                engine.load(DEMO_MODEL)
                while left > 0:
                    left -= 1
                    self._turn(turns - left, engine, excused=excused)
                    excused = False
                    if self._chance.random() < _RELAUNCH:
                        break
                if status := engine.close():
                    self.problems.append(f"turn {turns - left}: the engine ended with status {status}")
            excused = self._trouble.between_engines(self._chance)

    def report(self) -> str:
        """The tally as text."""
        answers = ", ".join(f"{count} from {source}" for source, count in self.sources.most_common())
        stored = f"{self.stored[True]} turns stored, {self.stored[False]} refused"
        causes = ", ".join(f"{count} {cause}" for cause, count in self.causes.most_common() if cause)
        return f"{stored}; answers: {answers}; misses: {causes}; {self._twins.equal} equal to their twins"

    def _turn(self, number: int, engine: EnginePipe, *, excused: bool) -> None:
        tab = self._chance.choice(self._tabs)
        if tab.long or not tab.messages:
            tab.new_chat()
        excused |= self._trouble.strike(self._chance, engine)
        asked = tab.say()
        engine.say(asked.command)
        error = self._hear(number, engine, tab, asked)
        self.stored[not error] += 1
        if error and not excused:
            self.problems.append(f"turn {number}: not stored without a reason: {error}")

    def _hear(self, number: int, engine: EnginePipe, tab: Tab, asked: Asked) -> str:
        """Wait for the answer, until it is stored or refused. Returns why it was not stored."""
        while True:
            match engine.hear():
                case protocol.Deltas(rows=rows):
                    asked.text += "".join(row.text for row in rows)
                case protocol.TurnFinished() as end:
                    self._finished(number, tab, asked, end)
                case TurnStored(error=error):
                    return error
                case protocol.Rejected() | protocol.ModelFailed() as event:
                    self.problems.append(f"turn {number}: {event}")

    def _finished(self, number: int, tab: Tab, asked: Asked, end: protocol.TurnFinished) -> None:
        if end.reason == "failed":
            self.problems.append(f"turn {number}: {end.code}: {end.message}")
        self.sources[end.usage.cached_from] += 1
        self.causes[end.usage.miss_cause] += 1
        self._twins.compare(Reply(asked.command, asked.text, end.usage.completion_tokens))
        tab.heard(asked.text, end.ledger)


def run(turns: int, home: Path, trouble: Trouble, seed: int) -> Chats:
    """Run this many turns in trouble, and each again without a cache and alone."""
    lone, troubled = home / "lone", home / "troubled"
    lone.mkdir()
    troubled.mkdir()
    with EnginePipe(lone, QUOTA) as other:
        twins = Twins(other, DEMO_MODEL)
        twins.start()
        chats = Chats(troubled, trouble, twins, seed)
        chats.run(turns)
        twins.finish()
        chats.problems += twins.different
        other.close()
    return chats
