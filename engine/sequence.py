"""The sequence: one request on its way through the engine. Owns everything that changes about it; decides nothing.

The one mutable thing of the engine: queued -> restoring -> prefill -> decode -> finished. Pure: caches and checkpoints
are carried as opaque values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.cache.planner import MissCause
from engine.metrics import Timing

if TYPE_CHECKING:
    from engine.cache.segment import Segment
    from engine.detokenize import RowText
    from engine.prompt import Prompt
    from engine.protocol import Generate, Phase, Source
    from engine.sampling import RowSampler


@dataclass(eq=False)
class Sequence:
    """One request. `position` counts the tokens that its caches cover; `emitted` those of the new answer.

    `sampler` and `drawn` outlast a pause: who draws, and the token that was drawn but not emitted yet.
    """

    command: Generate
    arrived: int
    prompt: Prompt | None = None
    chain: list[Segment] = field(default_factory=list)
    phase: Phase = "queued"
    position: int = 0
    caches: list[Any] = field(default_factory=list)
    checkpoints: list[Any] = field(default_factory=list)
    emitted: list[int] = field(default_factory=list)
    sampler: RowSampler | None = None
    drawn: int | None = None
    text: RowText | None = None
    cached_tokens: int = 0
    cached_from: Source = "none"
    miss_cause: MissCause = MissCause.NONE
    timing: Timing = field(default_factory=Timing)

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

    @property
    def prefill_end(self) -> int:
        """Where prefill stops: the last token of the prompt is the first one that decode feeds."""
        return len(self.laid_out.ids) - 1
