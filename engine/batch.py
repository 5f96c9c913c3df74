"""The decode batch: rows that take one step together. The only module that touches merged caches.

Owns joining, leaving and stepping. A row alone decodes on its own caches, without padding or masks; from the second
row on the caches are merged by mlx-lm's own classes. Rows of a model that must not be merged each step alone.

The step is pipelined: the next token of every row is put on its way before the current one is read, so that at any
moment the caches cover exactly the tokens that were emitted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx_lm.models.cache import ArraysCache, CacheList

from engine.sampling import RowSampler, draw_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.sequence import Sequence


@dataclass(eq=False)
class _Row:
    sequence: Sequence
    sampler: RowSampler
    started: bool = False
    """Whether its pending token is one of the answer; before that it is the last of the prompt."""


@dataclass
class _Group:
    """Rows that share a forward pass. `caches` are merged from two rows on, plain for one; `pending` is (rows,)."""

    rows: list[_Row]
    caches: list[Any]
    pending: mx.array


class Batch:
    """All rows of one model that are decoding."""

    def __init__(self, model: Any, *, alone: bool) -> None:
        self._model = model
        self._alone = alone
        self._groups: list[_Group] = []

    def __len__(self) -> int:
        return sum(len(group.rows) for group in self._groups)

    @property
    def sequences(self) -> list[Sequence]:
        """The sequences that are decoding."""
        return [row.sequence for group in self._groups for row in group.rows]

    def join(self, sequence: Sequence) -> None:
        """Let a prefilled or paused sequence decode; its caches belong to the batch until it leaves."""
        sequence.sampler = sequence.sampler or RowSampler(sequence.command.sampling)
        row = _Row(sequence, sequence.sampler, started=sequence.drawn is not None)
        pending = sequence.laid_out.ids[-1] if sequence.drawn is None else sequence.drawn
        new = _Group([row], sequence.caches, mx.array([pending]))
        company = None if self._alone else next((g for g in self._groups if _fit(g, new)), None)
        if company:
            _merge_into(company, new)
        else:
            self._groups.append(new)
        sequence.caches = []

    def leave(self, sequence: Sequence) -> list[Any]:
        """Take a sequence out and return its own caches, which hold its prompt and every token it emitted."""
        group, index = next(self._find(sequence))
        if group.rows[index].started:
            sequence.drawn = int(group.pending[index].item())  # type: ignore[arg-type] # ids are whole numbers
        caches = [_extract(cache, index) for cache in group.caches] if len(group.rows) > 1 else group.caches
        mx.eval([cache.state for cache in caches])
        self._remove(group, index)
        return caches

    def drop(self, sequence: Sequence) -> None:
        """Take a sequence out, if it is here, and let its caches go."""
        for group, index in list(self._find(sequence)):
            self._remove(group, index)

    def step(self) -> list[tuple[Sequence, int]]:
        """One token of every row that has one ready. A row that has just joined has its first one at the next step."""
        return [emitted for group in self._groups for emitted in self._step(group)]

    def clear(self) -> None:
        """Drop all rows and their caches."""
        self._groups.clear()

    def _step(self, group: _Group) -> list[tuple[Sequence, int]]:
        current = group.pending
        logits = self._model(current[:, None], cache=group.caches)[:, -1, :]
        positions = [row.sequence.position + 1 for row in group.rows]
        group.pending = draw_all(logits, [row.sampler for row in group.rows], positions)
        mx.async_eval(group.pending)  # type: ignore[no-untyped-call] # the stub lacks this signature
        tokens: list[int] = current.tolist()  # type: ignore[assignment] # a vector of ids is a list of ints
        emitted = [(row.sequence, token) for row, token in zip(group.rows, tokens, strict=True) if row.started]
        for row in group.rows:
            row.started = True
            row.sequence.position += 1
        return emitted

    def _find(self, sequence: Sequence) -> Iterator[tuple[_Group, int]]:
        for group in self._groups:
            yield from ((group, i) for i, row in enumerate(group.rows) if row.sequence is sequence)

    def _remove(self, group: _Group, index: int) -> None:
        keep = [i for i in range(len(group.rows)) if i != index]
        if not keep:
            self._groups.remove(group)
            return
        if len(keep) == 1:
            group.caches = [_extract(cache, keep[0]) for cache in group.caches]
        else:
            for cache in group.caches:
                cache.filter(mx.array(keep))
        group.pending = group.pending[mx.array(keep)]
        group.rows = [group.rows[i] for i in keep]
        mx.eval([cache.state for cache in group.caches])


def _merge_into(group: _Group, new: _Group) -> None:
    """Let the one row of `new` join `group`."""
    if len(group.rows) == 1:
        group.caches = [type(old).merge([old, own]) for old, own in zip(group.caches, new.caches, strict=True)]
    else:
        for merged, own in zip(group.caches, new.caches, strict=True):
            merged.extend(type(own).merge([own]))
    group.rows += new.rows
    group.pending = mx.concatenate([group.pending, new.pending])


def _fit(group: _Group, new: _Group) -> bool:
    """Whether caches may be merged: one that is empty, or cannot merge, would poison the whole group."""
    return all(hasattr(type(c), "merge") and not c.empty() for c in new.caches) and not any(
        c.empty() for c in group.caches
    )


def _extract(cache: Any, index: int) -> Any:
    """One row's own cache, in buffers of its own: mlx-lm's extract of recurrent state is a view that would keep the
    whole batch alive, and fails on a slot that is still empty.
    """
    if isinstance(cache, CacheList):
        return CacheList(*(_extract(part, index) for part in cache.caches))
    if isinstance(cache, ArraysCache):
        own = ArraysCache(len(cache.cache))
        row = mx.array([index])
        own.cache = [None if array is None else mx.take(array, row, axis=0) for array in cache.cache]
        return own
    return cache.extract(index)
