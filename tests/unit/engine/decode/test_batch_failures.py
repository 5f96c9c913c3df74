"""Changes of a batch that fail or do not fit: the other rows stay as they were."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from typing import Any

import pytest
from mlx_lm.models.cache import ArraysCache, KVCache, RotatingKVCache

from engine.decode import batch as batch_module
from engine.decode.batch import Batch
from engine.decode.cache_merging import regrouped
from engine.model.loader import LoadedModel
from engine.protocol.messages import Batching
from engine.schedule.sequence import Sequence
from tests.fakes.batch_rows import ROUNDING, UNEQUAL, each
from tests.fakes.decoding import Listener, ids, ready
from tests.fakes.rigs import Rig


@each
def test_caches_that_do_not_fit_affect_no_other_row(model: LoadedModel, batching: Batching) -> None:
    """Caches that are too few, of another class or window, or empty: the row decodes or fails by itself."""
    listener = Listener(model.model, model.fresh_caches, batching)
    good = [listener.ready(tokens) for tokens in UNEQUAL[:2]]
    bad = [listener.ready(ids(12, 7)) for _ in range(4)]
    bad[0].caches = bad[0].caches[:-1]
    bad[1].caches = [RotatingKVCache(4), *bad[1].caches[1:]]
    bad[2].caches = [ArraysCache(2), *bad[2].caches[1:]]
    bad[3].caches = [KVCache() for _ in bad[3].caches]
    listener.batch.join_all([good[0], *bad, good[1]])
    for row in bad:
        listener.batch.drop(row)
    listener.step(4)
    assert len(listener.batch) == 2
    assert [listener.error(row) < ROUNDING for row in good] == [True, True]


Act = Callable[[Batch, list["Sequence"]], object]
ACTS: dict[str, Act] = {
    "join": lambda batch, rows: batch.join_all(rows[3:]),
    "leave": lambda batch, rows: batch.leave(rows[0]),
    "drop": lambda batch, rows: batch.drop(rows[1]),
}


def fails(act: Act, listener: Listener, rows: list[Sequence], at: int) -> bool:
    """Whether `act` fails when the copy of layer number `at` does. It may copy fewer layers."""
    copies = itertools.count(1)

    def failing(*given: Any) -> Any:
        if next(copies) == at:
            raise MemoryError("no memory for the copy")
        return regrouped(*given)

    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(MemoryError):
        patch.setattr(batch_module, "regrouped", failing)
        act(listener.batch, rows)
        return False
    return True


@pytest.mark.sweep
@pytest.mark.parametrize("name", ACTS)
@each
def test_a_change_that_fails_leaves_the_batch_as_it_was(listener: Listener, name: str) -> None:
    """If an inner layer or the last cannot be copied when rows join, leave or are dropped, every row keeps its own
    state, and the change can be made later.
    """
    for at in (2, len(listener.fresh_caches())):
        rows = [listener.ready(tokens) for tokens in UNEQUAL]
        listener.batch.join_all(rows[:3])
        listener.step(1)
        before = listener.batch.sequences
        if fails(ACTS[name], listener, rows, at):
            assert listener.batch.sequences == before
            assert all(row.caches and row.drawn is not None for row in rows[3:])
            assert [row.drawn for row in rows[:3]] == [None] * 3
            listener.step(1)
            ACTS[name](listener.batch, rows)
        listener.step(1)
        heard = [row for row in rows if row in listener.heard]
        assert [listener.error(row) < ROUNDING for row in heard] == [True] * len(heard)
        listener.batch.clear()
        listener.heard.clear()


def test_a_group_can_be_dropped_without_a_copy(llama: Rig) -> None:
    """If its neighbours cannot be regrouped, a row leaves with all of them. Other groups stay."""
    batch = Batch(llama.model, batching="merged")
    rows = [ready(llama.model, llama.fresh_caches(), tokens) for tokens in UNEQUAL]
    batch.join_all(rows)
    assert batch.drop_group(rows[0]) == [rows[0], rows[1], rows[3]]
    assert batch.sequences == [rows[2], rows[4]]


def test_a_row_that_is_not_in_the_batch_is_named(llama: Rig) -> None:
    """Removing a row twice raises an error that names its request."""
    row = ready(llama.model, llama.fresh_caches(), UNEQUAL[0])
    with pytest.raises(LookupError, match=row.request):
        Batch(llama.model, batching="together").leave(row)
