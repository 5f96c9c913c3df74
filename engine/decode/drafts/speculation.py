"""Speculative decoding of at most two rows: one forward pass over a row's pending token and a draft of its next ones.

On the MLX thread. The pass gives the logits after each of these tokens. A token is drawn from each with its own random
key, as a step would draw it, and the draft is accepted up to its first difference. So a row emits the tokens that it
would emit without drafts, except if rounding decides: a pass over several tokens rounds as prefill does.

Two rows that share steps are parted if both repeat a long run, and united when one of them no longer uses drafts: a
shared step costs less than two steps of one row, so passes of one row alone would delay the other.

Invariants:
- After a step, the caches cover exactly the prompt and the emitted tokens, as without drafts.
- Unless a row is due for a draft, a step is an ordinary one: nothing waits for its pending token.
- Once a row has left the batch, nothing of its caches is held here: a second holder would make MLX copy them.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import mlx.core as mx

from engine.decode.drafts.budget import DraftBudget
from engine.decode.drafts.drafter import Drafter
from engine.decode.drafts.snapshot import Snapshot
from engine.decode.drafts.whole_buffers import gains_from_whole_buffers, whole_buffers
from engine.decode.last_logits import LastLogits
from engine.decode.ragged_cache import RowPositions
from engine.decode.row_layouts import PaddedRows
from engine.decode.sampling import draw_all, recent_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Sequence as Many

    from engine.schedule.sequence import Sequence

    Emitted = list[tuple[Sequence, int]]

MOST_ROWS = 2
"""Rows that may use drafts. Each takes its passes alone, so more rows would lose more than drafts gain."""

PART_MATCHED = 8
"""Tokens of a run that is worth parting two rows: a shorter one often ends before it has paid for the copies."""
APART_STEPS = 8
"""Steps of a row without a draft after which parted rows are united. A changed word takes fewer."""


class RowGroup(Protocol):
    """A group of the batch: rows that share a forward pass."""

    rows: list[Sequence]
    caches: list[Any]
    pending: mx.array
    positions: RowPositions
    restorable: bool


@dataclass(frozen=True, slots=True)
class _Fed:
    """The tokens that the last step fed to a row's caches, and the caches before them."""

    tokens: list[int]
    before: Snapshot


@dataclass(frozen=True, slots=True)
class _Step:
    """A step of few rows: its longest draft, and the tokens that it emitted of each row, on average. `plain`: the rows
    shared it as without drafts, and it waited for no pending token. `prepares`: the device prepared a pass of a new
    shape, which takes far longer than the pass and happens once.
    """

    rows: int
    plain: bool
    drafted: int
    emitted: float
    prepares: bool = False


class Speculation:
    """Drafts for the rows of one model, whose `context_limit` is in tokens (0: unknown). `took` tells it the time of
    each step: drafts must be worth theirs. In each step the batch first asks whether to part its rows or to unite them.
    """

    def __init__(self, model: Any, context_limit: int) -> None:
        self._model = model
        self._forward = LastLogits(model)
        self._context_limit = context_limit
        self._whole = gains_from_whole_buffers(model)
        self._prepared: set[tuple[int, int]] = set()
        """The tokens and the room of each pass over whole buffers so far."""
        self._budgets = {rows: DraftBudget(rows) for rows in range(1, MOST_ROWS + 1)}
        self._fed: dict[Sequence, _Fed] = {}
        self._parted: list[Sequence] = []
        self._idle: dict[Sequence, int] = {}
        self._step: _Step | None = None
        self._step_before: _Step | None = None

    def parts(self, groups: Many[RowGroup]) -> bool:
        """Whether rows that share steps should each get a group of their own: both repeat a long run."""
        if len(groups) != 1 or len(groups[0].rows) != MOST_ROWS:
            return False
        group = groups[0]
        due = [row for row in group.rows if self._is_due(group, row, MOST_ROWS)]
        if len(due) < MOST_ROWS or any(row.drafter.matched < PART_MATCHED for row in due):
            return False
        self._parted, self._idle = list(group.rows), {}
        return True

    def unites(self, groups: Many[RowGroup]) -> bool:
        """Whether rows that were parted should share steps again: one of them has had no draft for some steps."""
        if max(self._idle.values(), default=0) < APART_STEPS or [group.rows for group in groups] != [
            [row] for row in self._parted
        ]:
            return False
        self._parted = []
        return True

    def step(self, groups: Many[RowGroup], ordinary: Callable[[Many[Any]], Emitted]) -> Emitted:
        """One step of all rows, as `ordinary` takes it. If there are few and some repeat a text, the step may instead
        emit several tokens of those.
        """
        self._fed, self._step_before, self._step = {}, self._step, None
        rows = sum(len(group.rows) for group in groups)
        if rows > MOST_ROWS or len(groups) < rows:
            self._parted = []
            self._step = _Step(rows, plain=True, drafted=0, emitted=1) if rows == MOST_ROWS else None
            return ordinary(groups)
        prepared = len(self._prepared)
        due = [group for group in groups if self._is_due(group, group.rows[0], rows)]
        drafts = {group: draft for group in due if (draft := self._draft(group, rows))}
        emitted = ordinary([group for group in groups if group not in drafts])
        for group, draft in drafts.items():
            emitted += self._verify(group, draft)
        for group in groups:
            row = group.rows[0]
            self._idle[row] = 0 if group in drafts else self._idle.get(row, 0) + 1
        longest = max(map(len, drafts.values()), default=0)
        plain, prepares = not due and not self._parted, len(self._prepared) > prepared
        self._step = _Step(rows, plain, longest, len(emitted) / rows, prepares)
        return emitted

    def took(self, seconds: float, *, undisturbed: bool) -> None:
        """The last step took `seconds`. `undisturbed`: no other work was done between the step before and this one.

        A GPU computes the pending token while other work is waited for. Then only a pass over a draft is measured
        rightly: it is waited for itself. A step after one that was not measured is not measured either. Nor is a pass
        that the device prepared, or the step that waited for it.
        """
        step, before = self._step, self._step_before
        counts = not any(one and one.prepares for one in (step, before))
        if counts and step and step.drafted:
            self._budgets[step.rows].drafted(step.drafted, step.emitted, seconds)
        elif counts and step and before and undisturbed and step.rows == before.rows:
            self._measure(step.rows, seconds, plain=step.plain and before.plain)
        if not undisturbed:
            self._step = None

    def _measure(self, rows: int, seconds: float, *, plain: bool) -> None:
        """A step without a draft took `seconds`. `plain`: it and the one before were as without drafts."""
        if plain:
            self._budgets[rows].ordinary(seconds)
        else:
            self._budgets[rows].drafted(0, 1, seconds)

    def retract(self, group: RowGroup, row: Sequence) -> None:
        """Take the tokens back that the last step emitted beyond the end of a row's answer."""
        fed = self._fed.pop(row, None)
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

    def keep(self, rows: Many[Sequence]) -> None:
        """Release what belongs to rows that have left the batch. `rows` are those in it."""
        self._fed = {row: fed for row, fed in self._fed.items() if row in rows}
        self._idle = {row: idle for row, idle in self._idle.items() if row in rows}
        self._parted = self._parted if all(row in rows for row in self._parted) else []

    # --- the draft

    def _is_due(self, group: RowGroup, row: Sequence, rows: int) -> bool:
        """Whether the known tokens of a row, one of `rows`, repeat a text, and a draft is worth its time."""
        if row.drafter is None:
            row.drafter = Drafter([*row.prompt.ids, *row.emitted])
        for token in row.emitted[row.drafter.known - len(row.prompt.ids) :]:
            row.drafter.add(token)
        return group.restorable and bool(self._length(row, rows))

    def _draft(self, group: RowGroup, rows: int) -> list[int]:
        """The tokens to try after the pending one, which it waits for. Empty if that one ends the repetition."""
        row = group.rows[0]
        if row.drafter.known == row.position:
            row.drafter.add(_ids(group.pending)[0])
        draft: list[int] = row.drafter.draft(self._length(row, rows))
        return draft

    def _length(self, row: Sequence, rows: int) -> int:
        """The tokens to draft for a row: none beyond the end of its answer, the memory granted to it, or the context
        limit.
        """
        length: int = row.drafter.length
        if not length:
            return 0
        ends = [end - row.position for end in (row.granted, self._context_limit) if end]
        room = min([row.command.sampling.max_tokens - row.covered, *ends])
        return self._budgets[rows].best_length(min(length, room - 1))

    # --- the pass

    def _verify(self, group: RowGroup, draft: list[int]) -> Emitted:
        """Feed the pending token and `draft`, and accept what the row draws itself."""
        row = group.rows[0]
        fed, before = [*_ids(group.pending), *draft], Snapshot(group.caches)
        with self._whole_buffers(group, len(fed)):
            logits = self._model(mx.array([fed]), cache=group.caches)[0]
        drawn = _ids(_draw_each(row, logits, fed))
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
        self._fed[row] = _Fed(kept, before)
        _advance(group, len(kept))
        return [(row, token) for token in kept]

    def _feed_again(self, group: RowGroup, tokens: list[int]) -> None:
        """Feed the accepted tokens and the one drawn after them, and draw the next: an ordinary step after them."""
        with self._whole_buffers(group, len(tokens)):
            logits = self._forward(tokens, group.caches)
        row = group.rows[0]
        group.pending = _draw_each(row, logits, tokens)
        mx.async_eval(group.pending)  # type: ignore[no-untyped-call] # the stub lacks this signature

    @contextmanager
    def _whole_buffers(self, group: RowGroup, tokens: int) -> Iterator[None]:
        """A pass over so many tokens, on this device."""
        with whole_buffers(group.caches, tokens if self._whole else 0) as room:
            if room:
                self._prepared.add((tokens, room))
            yield


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
