"""How the cost of operations grows with the store."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from storage.segments.index import Index
from storage.segments.records import NewSegment
from storage.segments.store import SegmentStore
from tests.fakes.segments import MUCH, linked, opened_with_index
from tests.fakes.steps import steps

CHAIN = 20
GROWN = 4

Stores = tuple[tuple[SegmentStore, Index], ...]
"""Each with its index."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store of 30 chats, and one of four times as many, to be copied."""
    folder = tmp_path_factory.mktemp("growth")
    for name, chats in (("small", 30), ("large", 30 * GROWN)):
        with closing(SegmentStore.open(folder / name, MUCH)) as store:
            for chat in range(chats):
                store.commit(f"chat{chat}", _chain(f"c{chat}_"))
    return folder


@pytest.fixture
def stores(filled: Path, tmp_path: Path) -> Iterator[Stores]:
    """A store of 30 chats, and one of four times as many."""
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    with opened_with_index(tmp_path / "small") as small, opened_with_index(tmp_path / "large") as large:
        yield small, large


def _chain(name: str) -> list[NewSegment]:
    """Rows only: counting SQLite's steps needs no files."""
    return linked([f"{name}{number}" for number in range(CHAIN)])


def _go_on(store: SegmentStore) -> None:
    store.commit("chat7", [NewSegment("new", f"c7_{CHAIN - 1}", "model", CHAIN, CHAIN + 1, ())])


WHOLE_STORE: list[Callable[[SegmentStore], object]] = [
    SegmentStore.reconcile,
    lambda store: store.index.conversations(),
    lambda store: store.index.stats(),
    lambda store: store.index.stats().shared_bytes,
    lambda store: store.index.roots("model"),
    partial(SegmentStore.forget, conversation="chat7"),
]
ONE_CHAT: list[Callable[[SegmentStore], object]] = [
    lambda store: store.index.lookup([f"c7_{number}" for number in range(CHAIN)]),
    lambda store: store.index.touch("chat7", [f"c7_{CHAIN - 1}"]),
    lambda store: store.index.holders(["c7_0"]),
    lambda store: store.index.records("chat7", "kv", "model"),
    lambda store: store.index.conversations("chat7"),
    _go_on,
]


@pytest.mark.parametrize(("act", "grown"), [(act, GROWN) for act in WHOLE_STORE] + [(act, 1) for act in ONE_CHAT])
def test_the_cost_of_an_operation_grows_no_faster_than_what_it_reads(
    stores: Stores, act: Callable[[SegmentStore], object], grown: int
) -> None:
    """Four times as many rows cost an operation on the whole store about four times the work, and one on a chat no
    more: it reads only the chat's own rows.
    """
    small, large = (steps(index, partial(act, store)) for store, index in stores)
    assert large <= 1.5 * grown * small + 20
