"""The soak itself: tabs ask, stop, edit and fork at once, and every reply goes to its twin.

One loop receives the engine's events and lets the tab of each event act on it.
"""

from __future__ import annotations

import random
import statistics
import time
from collections import Counter

import msgspec

from engine.protocol import messages as protocol
from engine.protocol.cache_messages import Forget, Memory, TurnStored
from engine.protocol.messages import TurnFinished
from tests.soak.engine_pipe import EnginePipe
from tests.soak.tab import Asked, Deed, Tab
from tests.soak.twin import Reply, Twins

FLAT = 1.1
"""The most that memory outside weights and hot caches may grow from the second quarter of the run to the last."""


FEW_BYTES = 256 * 1024
"""What MLX has outside the hot caches differs by so much between two steps: it is half a megabyte with a tiny model."""


class Soak:
    """Some tabs over one engine."""

    def __init__(self, engine: EnginePipe, twins: Twins, tabs: int, seed: int) -> None:
        self._engine = engine
        self._twins = twins
        self._tabs = [Tab(f"tab{index}", random.Random(seed * 1000 + index)) for index in range(tabs)]  # noqa: S311 - a game of chance, no secret
        self._asked: dict[str, tuple[Tab, Asked]] = {}
        self._pending: Counter[str] = Counter()
        self._ends_at = 0.0
        self._replies_left = 0
        self._memory: list[tuple[int, int]] = []
        self._hot = 0
        self.deeds: Counter[Deed] = Counter()
        self.sources: Counter[str] = Counter()
        self.failures: list[str] = []

    def run(self, seconds: float = 0.0, replies: int = 0) -> None:
        """Let every tab ask until `seconds` are over and `replies` have arrived, then wait for its last request."""
        self._ends_at = time.monotonic() + seconds
        self._replies_left = replies
        for tab in self._tabs:
            tab.new_chat()
            self._act(tab)
        self._serve()

    def continue_with(self, engine: EnginePipe) -> None:
        """The engine was lost, and this is the next one: every tab that waited asks again, as the app does."""
        self._engine = engine
        lost, self._asked = self._asked, {}
        self._pending.clear()
        for _, asked in lost.values():
            self._twins.compare(Reply(asked.command, asked.text, asked.tokens, whole=False))
        for tab in {tab.name: tab for tab, _ in lost.values()}.values():
            if tab.messages[-1].role == "user":
                self._send(tab, tab.ask())
            else:
                self._act(tab)
        self._serve()

    def _serve(self) -> None:
        while self._asked:
            self._hear(self._engine.hear())

    @property
    def sound(self) -> bool:
        """Whether everything passed."""
        return not self.failures and not self._twins.different and self._growth <= FLAT

    def report(self) -> str:
        """The tally as text."""
        deeds = ", ".join(f"{count} {deed}" for deed, count in self.deeds.most_common())
        sources = ", ".join(f"{count} from {source}" for source, count in self.sources.most_common())
        lines = [
            f"deeds: {deeds}",
            f"answers: {sources}",
            f"twins: {self._twins.equal} equal, {len(self._twins.different)} different",
            *(
                f"memory outside the hot caches, {of}: {_mb(*self._held(kind))}"
                for kind, of in enumerate(("process", "MLX"))
            ),
            f"failures: {len(self.failures)}",
        ]
        return "\n".join([*lines, *self.failures[:5], *self._twins.different[:5]])

    # --- events

    def _hear(self, event: protocol.Event) -> None:
        match event:
            case protocol.Deltas():
                for row in event.rows:
                    self._delta(row)
            case protocol.TurnFinished():
                self._finished(event)
            case TurnStored() if event.error:
                self.failures.append(f"{event.conversation} was not stored: {event.error}")
            case Memory():
                self._memory.append(
                    (self._engine.resident_bytes - event.hot_bytes, event.active_bytes - event.hot_bytes)
                )
            case protocol.Rejected() | protocol.ModelUnloaded() | protocol.ModelFailed():
                self.failures.append(str(event))

    def _delta(self, row: protocol.Delta) -> None:
        _, asked = self._asked[row.request]
        asked.text += row.text
        asked.tokens = row.tokens
        if asked.cancel_after and row.tokens >= asked.cancel_after:
            self._stop(row.request, asked)

    def _stop(self, request: str, asked: Asked) -> None:
        asked.cancel_after = 0
        self.deeds[Deed.CANCELLED] += 1
        self._engine.say(protocol.Cancel(request))

    def _finished(self, end: TurnFinished) -> None:
        tab, asked = self._asked.pop(end.request)
        self._pending[tab.name] -= 1
        self._replies_left -= 1
        if end.reason == "failed":
            self.failures.append(f"{end.request}: {end.code}: {end.message}")
        self.sources[end.usage.cached_from] += 1
        self._twins.compare(Reply(asked.command, asked.text, end.usage.completion_tokens))
        if tab.messages[-1].role == "user":
            tab.heard(asked.text, end.ledger)
        if not self._pending[tab.name] and (time.monotonic() < self._ends_at or self._replies_left > 0):
            self._act(tab)

    # --- deeds

    def _act(self, tab: Tab) -> None:
        if tab.long:
            self._leave(tab)
        deed = tab.next_deed()
        self.deeds[deed] += 1
        if tab.chance.random() < 0.5:
            self._engine.say(protocol.Focus(tab.conversation))
        self._send(tab, self._wish(tab, deed))

    def _wish(self, tab: Tab, deed: Deed) -> Asked:
        match deed:
            case Deed.REGENERATED:
                return tab.regenerate()
            case Deed.EDITED:
                return tab.edit()
            case Deed.ALTERNATIVES:
                del tab.messages[-1]
                return tab.ask(alternatives=tab.chance.randint(1, 3))
            case Deed.FORKED:
                tab.new_chat(tab.messages)
                self._engine.say(protocol.Warm(tab.conversation, tuple(tab.messages)))
        return tab.say()

    def _leave(self, tab: Tab) -> None:
        self.deeds[Deed.FORGOTTEN] += 1
        self._engine.say(Forget(tab.conversation))
        tab.new_chat()

    def _send(self, tab: Tab, asked: Asked) -> None:
        command = asked.command
        self._asked[command.request] = (tab, asked)
        for place, request in enumerate(command.alternatives, 1):
            self._asked[request] = (tab, Asked(_alternative(command, request, place)))
        self._pending[tab.name] += 1 + len(command.alternatives)
        self._engine.say(command)

    def _held(self, kind: int) -> tuple[float, float]:
        """The median bytes in the second quarter of the run and in the last, for one kind: the process's, or MLX's."""
        count = len(self._memory)
        second, last = self._memory[count // 4 : count // 2], self._memory[-max(1, count // 4) :]
        return statistics.median(row[kind] for row in second or last), statistics.median(row[kind] for row in last)

    @property
    def _growth(self) -> float:
        """The larger growth of both; 1.0 if the run was too short. A few arrays more are no growth."""
        if len(self._memory) < 8:
            return 1.0
        held = [self._held(kind) for kind in (0, 1)]
        return max([1.0, *(last / second for second, last in held if last - second > FEW_BYTES)])


def _alternative(command: protocol.Generate, request: str, place: int) -> protocol.Generate:
    """An alternative as a request of its own: the same with the next seed."""
    seed = command.sampling.seed
    assert seed is not None
    sampling = msgspec.structs.replace(command.sampling, seed=seed + place)
    return msgspec.structs.replace(command, request=request, sampling=sampling, alternatives=())


def _mb(second: float, last: float) -> str:
    return f"{second / 1e6:.1f} MB in the second quarter, {last / 1e6:.1f} MB in the last"
