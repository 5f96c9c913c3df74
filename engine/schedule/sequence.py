"""One request on its way through the engine: the `Sequence`, the one mutable value of the engine, and its times.

A sequence is Waiting, then Restoring, Prefilling and Decoding.

Invariants:
- The state changes by the named transitions of `Sequence` alone. Each asserts the state that it starts from.
- Caches, checkpoints and the sampler are opaque values here: this module imports no mlx.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from msgspec import structs

from engine.cache.segment import MissCause, Segment
from engine.output.parser import OutputParser
from engine.prompt.tokenization import PromptTokens
from engine.protocol.messages import Generate, Phase, Source
from engine.protocol.sampling_settings import MOST_SEED

_MS = 1000.0


@dataclass(slots=True)
class Timing:
    """The moments of one request, in seconds of one monotonic clock; 0.0 until they are reached. `decoded` counts
    tokens but the first one.
    """

    arrived: float = 0.0
    first_token: float = 0.0
    last_token: float = 0.0
    decoded: int = 0
    restore_ms: float = 0.0

    def token(self, now: float) -> None:
        """A token was emitted at `now`."""
        if not self.first_token:
            self.first_token = now
        else:
            self.decoded += 1
        self.last_token = now

    @property
    def ttft_ms(self) -> float:
        """Milliseconds from the arrival of the command to the first token; 0.0 before it."""
        return (self.first_token - self.arrived) * _MS if self.first_token else 0.0

    @property
    def decode_tps(self) -> float:
        """Tokens per second after the first one; 0.0 below two tokens."""
        elapsed = self.last_token - self.first_token
        return self.decoded / elapsed if self.decoded and elapsed > 0 else 0.0


class Waiting:
    """Its prompt is not known yet, or its leader prefills it."""

    phase: ClassVar[Phase] = "queued"


@dataclass(eq=False, slots=True)
class Restoring:
    """Its caches are empty. `found` is what they are filled with: None until the lookup is answered. `portions` are the
    arrays that are still to be evaluated once they are filled: None before.
    """

    phase: ClassVar[Phase] = "restoring"
    found: Any = None
    portions: list[list[Any]] | None = None


@dataclass(eq=False, slots=True)
class Prefilling:
    """Its caches cover a part of its prompt, or all of it until it joins the batch.

    `chunk` is the chunk that was begun: the caches then cover more than `position`. `logits` are those after the
    prompt, found or computed, until the first token is drawn and the end is taken.
    """

    phase: ClassVar[Phase] = "prefill"
    chunk: Any = None
    logits: Any = None


class Decoding:
    """It is a row of the batch, which has its caches."""

    phase: ClassVar[Phase] = "decode"


State = Waiting | Restoring | Prefilling | Decoding

S = TypeVar("S", bound=State)


@dataclass(eq=False)
class Sequence:
    """One request.

    - `position` is the number of tokens that its caches cover, of its prompt and its answer. `emitted` are the tokens
      of its answer so far.
    - `sampler` draws its tokens. None if its prompt is prefilled ahead of a request.
    - `drafter` guesses its next tokens from those before. None until it decodes beside at most one other row.
    - `head_drafter` guesses them by the model's head, and reads the end of its prompt. None without a head that gains.
    - `drafted` counts the tokens of its drafts, `accepted` those that were right.
    - `drawn` is the next token, which its caches do not cover yet. It is set while the sequence is not in the batch,
      and after the end of its answer. The step that feeds it emits it. The first token is emitted at once if the
      sequence has prefilled the prompt itself.
    - `siblings` are the alternatives that share its prompt. They wait until it is prefilled and their first tokens are
      drawn too, then start from copies of its caches.
    - `granted` counts the tokens for which memory is reserved (0: none yet).
    - `ending` is the tokens of its prompt after the last bound, as a segment. None: the end of the prompt is not kept.
    - `prompt_end` is what memory holds, or will hold, of that end.
    - `replies_stand` tells whether every reply goes into the next prompt as it was generated. One that a stop sequence
      may cut does not.
    """

    command: Generate
    granted: int = 0
    position: int = 0
    chain: list[Segment] = field(default_factory=list)
    caches: list[Any] = field(default_factory=list)
    checkpoints: list[Any] = field(default_factory=list)
    emitted: list[int] = field(default_factory=list)
    sampler: Any = None
    drafter: Any = None
    head_drafter: Any = None
    drafted: int = 0
    accepted: int = 0
    drawn: int | None = None
    ending: Segment | None = None
    prompt_end: Any = None
    replies_stand: bool = False
    parser: OutputParser | None = None
    ledger: str = ""
    cached_tokens: int = 0
    cached_from: Source = "none"
    miss_cause: MissCause = MissCause.NONE
    timing: Timing = field(default_factory=Timing)
    siblings: list[Sequence] = field(default_factory=list)
    state: State = field(default_factory=Waiting, init=False)
    _prompt: PromptTokens | None = field(default=None, init=False)

    @property
    def request(self) -> str:
        """The request's id."""
        return self.command.request

    @property
    def conversation(self) -> str:
        """The conversation it belongs to."""
        return self.command.conversation

    def state_as(self, state: type[S]) -> S:
        """Its state, which is one of this class."""
        assert isinstance(self.state, state), f"a sequence in {self.state.phase} is not in {state.phase}"
        return self.state

    @property
    def prompt(self) -> PromptTokens:
        """The prompt of a sequence that has left the queue."""
        assert self._prompt is not None, "a queued sequence has no prompt yet"
        return self._prompt

    @property
    def prompt_tokens(self) -> int:
        """The length of its prompt; 0 while it is queued."""
        return len(self._prompt.ids) if self._prompt else 0

    @property
    def prefilled(self) -> bool:
        """Whether its caches cover its whole prompt, no logits wait to be taken, and its first token is drawn, if it
        draws any.
        """
        if not isinstance(self.state, Prefilling) or self.state.logits is not None:
            return False
        return self.pending_tokens <= 0 and (self.sampler is None or self.drawn is not None)

    @property
    def pending_tokens(self) -> int:
        """The tokens of its prompt that its caches do not cover yet."""
        return len(self.prompt.ids) - self.position

    @property
    def covered(self) -> int:
        """The tokens of its answer that its caches cover."""
        return max(0, self.position - self.prompt_tokens)

    @property
    def rows(self) -> int:
        """The rows of the batch that it takes once its prompt is prefilled."""
        return 1 + len(self.siblings)

    # --- transitions

    def start_restoring(self, prompt: PromptTokens, chain: list[Segment], caches: list[Any]) -> None:
        """Waiting -> Restoring: its prompt is known. `caches` are empty."""
        self._enter(Restoring(), after=Waiting)
        self._prompt, self.chain, self.caches = prompt, chain, caches

    def start_prefill(self, position: int = 0, source: Source = "none") -> None:
        """Restoring -> Prefilling: its caches cover `position` tokens, which came from `source`."""
        self._enter(Prefilling(), after=Restoring)
        self.position = self.cached_tokens = position
        self.cached_from = source

    def start_decoding(self) -> None:
        """Prefilling -> Decoding: it has joined the batch, and so have its siblings."""
        self._enter(Decoding(), after=Prefilling)
        self.siblings = []

    def fork(self, sibling: Sequence, caches: list[Any]) -> None:
        """Waiting -> Prefilling for `sibling`, whose prompt this one has prefilled: it continues on `caches`."""
        assert self.prefilled, "only a prefilled sequence is forked"
        sibling._enter(Prefilling(), after=Waiting)
        sibling._prompt, sibling.chain = self._prompt, list(self.chain)
        sibling.position, sibling.caches, sibling.checkpoints = self.position, caches, list(self.checkpoints)
        sibling.granted, sibling.miss_cause = self.granted, self.miss_cause
        sibling.replies_stand, sibling.ending = self.replies_stand, self.ending
        sibling.prompt_end = self.prompt_end
        sibling.cached_tokens, sibling.cached_from = self.cached_tokens, self.cached_from
        sibling.timing.restore_ms = self.timing.restore_ms

    def continue_as_sibling(self) -> None:
        """This request has ended. The first of its siblings goes on here, with the prompt and the caches."""
        heir, *self.siblings = self.siblings
        self.command, self.sampler, self.drawn = heir.command, heir.sampler, heir.drawn
        heir.timing.restore_ms = self.timing.restore_ms
        self.timing, self.emitted, self.ledger = heir.timing, [], ""

    def _enter(self, state: State, *, after: type[State]) -> None:
        self.state_as(after)
        self.state = state


def well_named(command: Generate, taken: Collection[str]) -> bool:
    """Whether the requests of `command` have names that differ from each other and from all that are `taken`."""
    return len({"", *command.requests, *taken}) == 1 + len(command.requests) + len(taken)


def without(command: Generate, request: str) -> list[Generate]:
    """What is left of `command` without one of its requests: those before it and those after it as a command each, so
    that all keep their seeds.
    """
    every = [command, *alternatives(command)]
    at = [one.request for one in every].index(request)
    rest = [part for part in (every[:at], every[at + 1 :]) if part]
    return [structs.replace(first, alternatives=tuple(one.request for one in others)) for first, *others in rest]


def alternatives(command: Generate) -> list[Generate]:
    """The alternatives of `command`, each as a command of its own. If there is a seed, each alternative gets the next
    one; the first seed follows the last.
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
