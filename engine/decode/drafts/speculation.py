"""Speculative decoding of at most two rows: one forward pass over a row's pending token and a draft of its next ones.

On the MLX thread. The pass gives the logits after each of these tokens. A token is drawn from each with its own random
key, as a step would draw it, and the draft is accepted up to its first difference. So a row emits the tokens that it
would emit without drafts, except if rounding decides: a pass over several tokens rounds as prefill does.

`Parting` decides when two rows that share steps take their passes apart, `DraftBudget` which drafts are worth their
time, and `StepClock` which measured time counts for which budget.

Invariants:
- After a step, the caches cover exactly the prompt and the emitted tokens, as without drafts. No token comes after one
  that ends the answer. A step may emit tokens after a stop sequence: no ledger and no checkpoint covers these.
- Unless a row is due for a draft, a step is an ordinary one: nothing waits for its pending token.
- After a step, nothing of the rows' caches is held here: a second holder would make MLX copy them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from collections.abc import Sequence as Many
from typing import Any

import mlx.core as mx

from engine.decode.clustering import PaddedRows
from engine.decode.drafts.budget import (
    DEPTHS,
    LENGTHS,
    MOST_ROWS,
    Acceptance,
    DraftBudget,
    MeasuredStep,
    Parting,
    StepClock,
)
from engine.decode.drafts.drafter import Drafter
from engine.decode.drafts.head import DraftHead, HeadDrafter, RecentDrafters
from engine.decode.drafts.replay import Replay, install
from engine.decode.drafts.whole_buffers import WholeBuffers
from engine.decode.group import Group
from engine.decode.last_logits import hidden_states
from engine.decode.ragged_attention import RowPositions
from engine.decode.sampling import draw_all, ids_of, recent_tokens
from engine.schedule.sequence import Sequence

Emitted = list[tuple[Sequence, int]]


class Speculation:
    """Drafts for the rows of one model, whose `context_limit` is in tokens (0: unknown) and whose answers end after one
    of the tokens `ends`. `took` tells it the time of each step: drafts must be worth theirs. In each step the batch
    first asks whether to part its rows or to unite them.
    """

    def __init__(
        self, model: Any, context_limit: int, ends: Collection[int] = (), head: DraftHead | None = None
    ) -> None:
        install(model)
        self._model = model
        self._ends = ends
        self._context_limit = context_limit
        self._whole = WholeBuffers(model, LENGTHS if head is None else (*DEPTHS, *LENGTHS))
        self.growth = self._whole.growth
        """The buffers of a row may grow by so many tokens at once."""
        self._budgets = {rows: DraftBudget(rows) for rows in range(1, MOST_ROWS + 1)}
        self._drafters = None if head is None else RecentDrafters(head, self._whole)
        self._acceptance = Acceptance()
        self._head_budget = DraftBudget(1, DEPTHS, self._acceptance)
        self._clock = StepClock(self._budgets, self._head_budget)
        self._parting = Parting()

    def parts(self, groups: Many[Group]) -> bool:
        """Whether rows that share steps should each get a group of their own."""
        if len(groups) != 1 or len(groups[0].rows) != MOST_ROWS:
            return False
        group = groups[0]
        due = [row for row in group.rows if self._is_due(row, MOST_ROWS)]
        return self._parting.part({row: row.drafter.matched for row in due})

    def unites(self, groups: Many[Group]) -> bool:
        """Whether rows that were parted should share steps again."""
        return self._parting.unite(group.rows for group in groups)

    def step(self, groups: Many[Group], ordinary: Callable[[Many[Group]], Emitted]) -> Emitted:
        """One step of all rows, as `ordinary` takes it. If there are few and some repeat a text, the step may instead
        emit several tokens of those.
        """
        rows = sum(len(group.rows) for group in groups)
        if rows <= MOST_ROWS and len(groups) == rows:
            return self._step_alone(groups, ordinary)
        self._parting.end()
        _rest(groups)
        self._clock.note(MeasuredStep(rows) if rows == MOST_ROWS else None)
        return ordinary(groups)

    def begin(self, sequence: Sequence) -> None:
        """A chunk of a prompt is about to be prefilled. If the model's head may gain, it reads the end of it."""
        if self._drafters is not None and not sequence.siblings and self._head_budget.is_hopeful:
            self._head_drafter(sequence)

    def took(self, seconds: float, *, undisturbed: bool) -> None:
        """The last step took `seconds`. `undisturbed`: no other work was done between the step before and this one."""
        self._clock.took(seconds, undisturbed=undisturbed)

    def keep(self, rows: Many[Sequence]) -> None:
        """Only `rows` are left in the batch."""
        self._parting.keep(rows)

    def _step_alone(self, groups: Many[Group], ordinary: Callable[[Many[Group]], Emitted]) -> Emitted:
        """One step of rows that each have a group of their own, with drafts for those that are due."""
        rows, prepared = len(groups), len(self._whole.prepared)
        due = [group for group in groups if self._is_due(group.rows[0], rows)]
        copied = ((group, self._draft(group, rows)) for group in due)
        drafts = {group: mx.array(draft) for group, draft in copied if draft}
        by_head = None if due or self._parting else self._head_draft(groups)
        plain = not due and not self._parting and by_head is None
        if by_head is not None:
            drafts[groups[0]] = by_head
        emitted = self._noted([group for group in groups if group not in drafts], ordinary, rows)
        for group, draft in drafts.items():
            emitted += self._verify(group, draft, self._acceptance if by_head is not None else group.rows[0].drafter)
        self._parting.stepped([group.rows[0] for group in drafts])
        longest = max((draft.size for draft in drafts.values()), default=0)
        step = MeasuredStep(rows, plain, longest, len(emitted) / rows, by_head is not None)
        self._clock.note(step if len(self._whole.prepared) == prepared else None)
        return emitted

    def _noted(self, groups: Many[Group], ordinary: Callable[[Many[Group]], Emitted], rows: int) -> Emitted:
        """An ordinary step of `groups`. If a row is alone and the head may gain, its drafter notes what is fed."""
        if not groups or rows > 1 or self._drafters is None or not self._head_budget.is_hopeful:
            _rest(groups)
            return ordinary(groups)
        fed = groups[0].pending
        with hidden_states() as states:
            emitted = ordinary(groups)
        self._head_drafter(groups[0].rows[0]).note(states[0], fed)
        return emitted

    # --- the draft

    def _is_due(self, row: Sequence, rows: int) -> bool:
        """Whether the known tokens of a row, one of `rows`, repeat a text, and a draft is worth its time."""
        if row.drafter is None:
            row.drafter = Drafter([*row.prompt.ids, *row.emitted])
        for token in row.emitted[row.drafter.known - len(row.prompt.ids) :]:
            row.drafter.add(token)
        return bool(self._length(row, rows))

    def _draft(self, group: Group, rows: int) -> list[int]:
        """The tokens to try after the pending one, which it waits for. Empty if that one ends the repetition."""
        row = group.rows[0]
        if row.drafter.known == row.position:
            row.drafter.add(ids_of(group.pending)[0])
        draft: list[int] = row.drafter.continuation(self._length(row, rows))
        return draft

    def _length(self, row: Sequence, rows: int) -> int:
        """The tokens to draft for a row: none beyond the end of its answer, the memory granted to it, or the context
        limit.
        """
        length: int = row.drafter.length
        return self._budgets[rows].best_length(min(length, self._room(row))) if length else 0

    def _head_draft(self, groups: Many[Group]) -> mx.array | None:
        """A draft by the model's head for a row alone, shape (tokens,). None if there is no row, head or gain."""
        if self._drafters is None or len(groups) != 1:
            return None
        group, row = groups[0], groups[0].rows[0]
        drafter = self._head_drafter(row)
        length = self._head_budget.best_length(self._room(row)) if drafter.is_ready else 0
        if not length:
            return None
        return drafter.draft(length, group.pending, lambda logits, fed: _draw_each(row, logits, fed))

    def _head_drafter(self, row: Sequence) -> HeadDrafter:
        assert self._drafters is not None, "only a model with a head has drafts by it"
        drafter: HeadDrafter = row.head_drafter or self._drafters.take(row)
        row.head_drafter = drafter
        return drafter

    def _room(self, row: Sequence) -> int:
        """The most tokens of a draft that a row has room for."""
        ends = [end - row.position for end in (row.granted, self._context_limit) if end]
        room: int = min([row.command.sampling.max_tokens - row.covered, *ends]) - 1
        return room

    # --- the pass

    def _verify(self, group: Group, draft: mx.array, drafter: Drafter | Acceptance) -> Emitted:
        """Feed the pending token and `draft`, and accept what the row draws itself, up to the end of the answer. The
        `drafter` learns how much that was.
        """
        row, given = group.rows[0], mx.concatenate([group.pending, draft])
        with (
            Replay(group.caches) as before,
            hidden_states() as states,
            self._whole.attended(group.caches, row.position, given.size),
        ):
            logits = self._model(given[None], cache=group.caches)[0]
        drawn = _draw_each(row, logits, given)
        ids = ids_of(mx.concatenate([given, drawn]))
        fed, right = ids[: given.size], ids[given.size :]
        wrong = (place for place, token in enumerate(fed[1:]) if token != right[place] or fed[place] in self._ends)
        accepted = next(wrong, draft.size)
        drafter.learn(draft.size, accepted)
        row.drafted += draft.size
        row.accepted += accepted
        kept = fed[: accepted + 1]
        before.keep(len(kept), len(fed))
        if self._drafters is not None:
            self._head_drafter(row).note(states[0][:, : len(kept)], given[: len(kept)])
        group.pending = drawn[accepted : accepted + 1]
        row.position += len(kept)
        group.positions = RowPositions([PaddedRows([row.position])])
        return [(row, token) for token in kept]


def _rest(groups: Many[Group]) -> None:
    """What the next step feeds these rows is not noted for the head."""
    for row in (row for group in groups for row in group.rows):
        if row.head_drafter is not None:
            row.head_drafter.rest()


def _draw_each(row: Sequence, logits: mx.array, fed: mx.array) -> mx.array:
    """A token after each of the last tokens of `fed`, for which there are `logits` of shape (tokens, vocabulary). The
    pending token comes first in `fed`.
    """
    count, first = logits.shape[0], row.position + 1 + fed.size - logits.shape[0]
    positions = range(first, first + count)
    before: list[list[int]] = []
    if row.sampler.penalised:
        written = [*row.emitted[: row.covered], *ids_of(fed)]
        before = [recent_tokens(row.prompt.ids, written, position - 1) for position in positions]
    return draw_all(logits, [row.sampler] * count, positions, before, fed[-count:])
