"""The sequence: one request on its way through the engine. Owns everything that changes about it; decides nothing.

The one mutable thing of the engine: queued -> restoring -> prefill -> decode -> finished. Pure: caches and checkpoints
are carried as opaque values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from msgspec import structs

from engine.cache.planner import MissCause
from engine.protocol.sampling_settings import MOST_SEED
from engine.schedule.metrics import Timing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from engine.cache.segment import Segment
    from engine.output.parser import Speech
    from engine.prompt.layout import Prompt
    from engine.protocol.messages import Generate, Phase, Source


@dataclass(eq=False)
class Sequence:
    """One request. `position` counts the tokens that its caches cover; `emitted` those of the new answer.

    `sampler` draws its tokens (None: nothing is drawn, its prompt is only read); `drawn` is the one that was drawn but
    not emitted yet, while it is not in the batch. `siblings` are alternatives that share this one's prompt: they wait
    until it is read and their first tokens are drawn too, then go on from copies of its caches.

    `granted` counts the tokens that memory was found for (0: none yet).
    """

    command: Generate
    arrived: int
    prompt: Prompt | None = None
    chain: list[Segment] = field(default_factory=list)
    phase: Phase = "queued"
    granted: int = 0
    position: int = 0
    caches: list[Any] = field(default_factory=list)
    checkpoints: list[Any] = field(default_factory=list)
    emitted: list[int] = field(default_factory=list)
    sampler: Any = None
    drawn: int | None = None
    restoration: Iterator[None] | None = None
    speech: Speech | None = None
    ledger: str = ""
    cached_tokens: int = 0
    cached_from: Source = "none"
    miss_cause: MissCause = MissCause.NONE
    timing: Timing = field(default_factory=Timing)
    siblings: list[Sequence] = field(default_factory=list)

    @property
    def read(self) -> bool:
        """Whether its prompt is in its caches."""
        return self.prompt is not None and self.unread <= 0

    @property
    def unread(self) -> int:
        """The tokens of its prompt that are not in its caches."""
        return len(self.laid_out.ids) - self.position

    @property
    def rows(self) -> int:
        """Places in the batch that it takes once its prompt is read."""
        return 1 + len(self.siblings)

    @property
    def request(self) -> str:
        """The request's id."""
        return self.command.request

    @property
    def conversation(self) -> str:
        """The conversation it belongs to."""
        return self.command.conversation

    @property
    def laid_out(self) -> Prompt:
        """The prompt of a sequence that has left the queue."""
        assert self.prompt is not None, "a queued sequence has no prompt yet"
        return self.prompt

    def share(self, other: Sequence) -> None:
        """Let `other`, which asks the same, stand where this one stands. Caches are the caller's to copy."""
        other.prompt, other.chain, other.checkpoints = self.prompt, list(self.chain), list(self.checkpoints)
        other.phase, other.position, other.speech = self.phase, self.position, None
        other.granted = self.granted
        other.cached_tokens, other.cached_from, other.miss_cause = self.cached_tokens, self.cached_from, self.miss_cause
        other.timing.restore_ms = self.timing.restore_ms


def well_named(command: Generate, taken: Collection[str]) -> bool:
    """Whether each request of `command` has a name, and one that neither another has nor is `taken`."""
    names = [command.request, *command.alternatives]
    return len({"", *names, *taken}) == 1 + len(names) + len(taken)


def without(command: Generate, request: str) -> Generate | None:
    """`command` for its other requests; None if it has no other."""
    rest = [one for one in (command, *alternatives(command)) if one.request != request]
    return structs.replace(rest[0], alternatives=tuple(one.request for one in rest[1:])) if rest else None


def alternatives(command: Generate) -> list[Generate]:
    """The further requests of `command`, each as a request of its own. With a seed, each draws from the next one; the
    first follows the last.
    """
    seed = command.sampling.seed
    return [
        structs.replace(
            command,
            request=request,
            alternatives=(),
            sampling=structs.replace(command.sampling, seed=None if seed is None else (seed + place) % (MOST_SEED + 1)),
        )
        for place, request in enumerate(command.alternatives, 1)
    ]
