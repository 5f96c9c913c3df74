"""What a store that has grown takes: in proportion where all of it is asked for, no more where a chat of it is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from storage.segments.records import NewSegment
from storage.segments.store import SegmentStore
from tests.fakes.segments import MUCH, linked
from tests.fakes.steps import steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CHAIN = 20
GROWN = 4

Stores = tuple[SegmentStore, SegmentStore]


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    """One of 30 chats, and one of four times as many."""
    small, large = (SegmentStore.open(tmp_path / name, MUCH) for name in ("small", "large"))
    for store, chats in ((small, 30), (large, 30 * GROWN)):
        for chat in range(chats):
            store.commit(f"chat{chat}", _chain(f"c{chat}_"))
    yield small, large
    small.close()
    large.close()


def _chain(name: str) -> list[NewSegment]:
    """Rows alone: no files are needed to count what is done with them."""
    return linked([f"{name}{number}" for number in range(CHAIN)])


@pytest.mark.parametrize(
    "act",
    [
        SegmentStore.gc,
        SegmentStore.disagreements,
        SegmentStore.conversations,
        SegmentStore.holding,
        SegmentStore.stats,
        partial(SegmentStore.roots, identity="model"),
        partial(SegmentStore.forget, conversation="chat7"),
    ],
)
def test_what_is_asked_of_all_grows_with_it(stores: Stores, act: Callable[[SegmentStore], object]) -> None:
    """Four times as many rows take about four times the work: none are gone through for each of the others."""
    small, large = (steps(store, partial(act, store)) for store in stores)
    assert large <= 1.5 * GROWN * small + 20


def _go_on(store: SegmentStore) -> None:
    store.commit("chat7", [NewSegment("new", f"c7_{CHAIN - 1}", "model", CHAIN, CHAIN + 1, ())])


@pytest.mark.parametrize(
    "act",
    [
        partial(SegmentStore.lookup, keys=[f"c7_{number}" for number in range(CHAIN)]),
        partial(SegmentStore.touch, conversation="chat7", keys=[f"c7_{CHAIN - 1}"]),
        partial(SegmentStore.holders, keys=["c7_0"]),
        partial(SegmentStore.held, conversation="chat7", kind="kv"),
        _go_on,
    ],
)
def test_what_is_asked_of_a_chat_does_not(stores: Stores, act: Callable[[SegmentStore], object]) -> None:
    """Whatever else is stored, the chat's own rows alone are read."""
    small, large = (steps(store, partial(act, store)) for store in stores)
    assert large <= 1.5 * small + 20
