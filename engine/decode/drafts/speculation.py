"""Speculative decoding of a row that decodes alone: one forward pass over its pending token and a draft of the next.

On the MLX thread. The pass gives the logits after each of these tokens. A token is drawn from each with its own random
key, as a step would draw it, and the draft is accepted up to its first difference. So a row emits the tokens that it
would emit without drafts, except if rounding decides: a pass over several tokens rounds as prefill does.

Invariants:
- After a step, the caches cover exactly the prompt and the emitted tokens, as without drafts.
- Without a draft, a step is an ordinary one: nothing waits for its pending token.
- Once a row has left the batch, nothing of its caches is held here: a second holder would make MLX copy them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import mlx.core as mx

from engine.decode.drafts.budget import DraftBudget
from engine.decode.drafts.drafter import Drafter
from engine.decode.drafts.snapshot import Snapshot, can_restore
from engine.decode.last_logits import LastLogits
from engine.decode.ragged_cache import RowPositions
from engine.decode.row_layouts import PaddedRows
from engine.decode.sampling import draw_all, recent_tokens

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence as Many

    from engine.schedule.sequence import Sequence

    Emitted = list[tuple[Sequence, int]]


class RowGroup(Protocol):
    """A group of the batch: rows that share a forward pass."""

    rows: list[Sequence]
    caches: list[Any]
    pending: mx.array
    positions: RowPositions


@dataclass(frozen=True, slots=True)
class _Fed:
    """The tokens that the last step fed to a row's caches, and the caches before them."""

    tokens: list[int]
    before: Snapshot


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of one row alone, by its tokens. `waited`: it computed nothing before its pending token was known."""

    waited: bool
    drafted: int
    emitted: int


class Speculation:
    """Drafts for the rows of one model, whose `context_limit` is in tokens (0: unknown). `took` tells it the time of
    each step: drafts must be worth theirs.
    """

    def __init__(self, model: Any, context_limit: int) -> None:
        self._model = model
        self._forward = LastLogits(model)
        self._context_limit = context_limit
        self._budget = DraftBudget()
        self._fed: _Fed | None = None
        self._step: _Step | None = None
        self._step_before: _Step | None = None

    def step(self, groups: Many[RowGroup], ordinary: Callable[[], Emitted]) -> Emitted:
        """One step of all rows, as `ordinary` takes it. If one row is alone and repeats a text, the step may instead
        emit several of its tokens.
        """
        self._fed, self._step_before, self._step = None, self._step, None
        if len(groups) != 1 or len(groups[0].rows) != 1:
            return ordinary()
        waits = self._is_due(groups[0])
        draft = self._draft(groups[0]) if waits else []
        emitted = self._verify(groups[0], draft) if draft else ordinary()
        self._step = _Step(waits, len(draft), len(emitted))
        return emitted

    def took(self, seconds: float, *, undisturbed: bool) -> None:
        """The last step took `seconds`. `undisturbed`: no other work was done between the step before and this one.

        A GPU computes the pending token while other work is waited for. Then only a pass over a draft is measured
        rightly: it is waited for itself. A step after one that was not measured is not measured either.
        """
        step, before = self._step, self._step_before
        if step and step.drafted:
            self._budget.drafted(step.drafted, step.emitted, seconds)
        elif step and before and undisturbed:
            self._measure(seconds, waited=step.waited or before.waited)
        if not undisturbed:
            self._step = None

    def _measure(self, seconds: float, *, waited: bool) -> None:
        """A step without a draft took `seconds`. `waited`: it or the one before computed nothing ahead."""
        if waited:
            self._budget.drafted(0, 1, seconds)
        else:
            self._budget.ordinary(seconds)

    def retract(self, group: RowGroup) -> None:
        """Take the tokens back that the last step emitted beyond the end of a row's answer."""
        row, fed = group.rows[0], self._fed
        self.forget()
        surplus = row.position - len(row.prompt.ids) - len(row.emitted)
        if fed is None or surplus <= 0:
            return
        tokens, before = fed.tokens, fed.before
        kept = len(tokens) - surplus
        if before.trims:
            before.trim(surplus)
        else:
            before.restore(len(tokens))
            self._forward(tokens[:kept], group.caches)
        _advance(group, -surplus)
        group.pending = mx.array(tokens[kept : kept + 1])

    def forget(self) -> None:
        """Release the caches before the last step: a row has left the batch, and its caches belong to others now."""
        self._fed = None

    # --- the draft

    def _is_due(self, group: RowGroup) -> bool:
        """Whether the tokens that are known repeat a text, and a draft is worth its time."""
        row = group.rows[0]
        if row.drafter is None:
            row.drafter = Drafter([*row.prompt.ids, *row.emitted])
        for token in row.emitted[row.drafter.known - len(row.prompt.ids) :]:
            row.drafter.add(token)
        return bool(self._length(row)) and can_restore(group.caches)

    def _draft(self, group: RowGroup) -> list[int]:
        """The tokens to try after the pending one, which it waits for. Empty if that one ends the repetition."""
        row = group.rows[0]
        if row.drafter.known == row.position:
            row.drafter.add(_ids(group.pending)[0])
        draft: list[int] = row.drafter.draft(self._length(row))
        return draft

    def _length(self, row: Sequence) -> int:
        """The tokens to draft for a row: none beyond the end of its answer, the memory granted to it, or the context
        limit.
        """
        length: int = row.drafter.length
        if not length:
            return 0
        ends = [end - row.position for end in (row.granted, self._context_limit) if end]
        room = min([row.command.sampling.max_tokens - row.covered, *ends])
        return self._budget.best_length(min(length, room - 1))

    # --- the pass

    def _verify(self, group: RowGroup, draft: list[int]) -> Emitted:
        """Feed the pending token and `draft`, and accept what the row draws itself."""
        row = group.rows[0]
        fed, before = [*_ids(group.pending), *draft], Snapshot(group.caches)
        drawn = _ids(_draw_each(row, self._model(mx.array([fed]), cache=group.caches)[0], fed))
        accepted = next((right for right, token in enumerate(draft) if token != drawn[right]), len(draft))
        row.drafter.learn(len(draft), accepted)
        kept, following = fed[: accepted + 1], drawn[accepted]
        if accepted == len(draft) or before.trims:
            before.trim(len(fed) - len(kept))
            group.pending = mx.array([following])
        else:
            before.restore(len(fed))
            kept = [*kept, following]
            self._feed_again(group, kept)
        self._fed = _Fed(kept, before)
        _advance(group, len(kept))
        return [(row, token) for token in kept]

    def _feed_again(self, group: RowGroup, tokens: list[int]) -> None:
        """Feed the accepted tokens and the one drawn after them, and draw the next: an ordinary step after them."""
        logits = self._forward(tokens, group.caches)
        row = group.rows[0]
        group.pending = _draw_each(row, logits, tokens)
        mx.async_eval(group.pending)  # type: ignore[no-untyped-call] # the stub lacks this signature


def _draw_each(row: Sequence, logits: mx.array, fed: list[int]) -> mx.array:
    """A token after each of the last tokens of `fed`, for which there are `logits` of shape (tokens, vocabulary)."""
    count, first = logits.shape[0], row.position + len(fed) - logits.shape[0]
    positions = range(first + 1, first + 1 + count)
    before: list[list[int]] = []
    if row.sampler.penalised:
        written = [*row.emitted[: row.covered], *fed]
        before = [recent_tokens(row.prompt.ids, written, position - 1) for position in positions]
    return draw_all(logits, [row.sampler] * count, positions, before, mx.array(fed[-count:]))


def _advance(group: RowGroup, tokens: int) -> None:
    group.rows[0].position += tokens
    group.positions = RowPositions([PaddedRows([group.rows[0].position])])


def _ids(tokens: mx.array) -> list[int]:
    ids: list[int] = tokens.tolist()  # type: ignore[assignment] # a vector of ids is a list of ints
    return ids
