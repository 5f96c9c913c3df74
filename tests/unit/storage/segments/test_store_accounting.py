"""The segment store counts each byte that it holds, whatever is done to it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storage.errors import OverBudget
from storage.segments.store import SegmentStore
from tests.fakes.segments import assert_agreement, files_of, flip, new_chain


class _Act(NamedTuple):
    deed: str
    conversation: str
    name: str
    length: int


def _commit(store: SegmentStore, act: _Act) -> None:
    with suppress(OverBudget):  # beside what is pinned
        store.commit(act.conversation, new_chain(act.name, act.length, "kv", "state"))


def _damage(store: SegmentStore, act: _Act) -> None:
    for path in sorted(store._files.root.glob("??/*"))[: act.length]:
        flip(path, -1)
    store.verify()


def _set_quota(store: SegmentStore, act: _Act) -> None:
    store.set_quota(2_800 * act.length)
    left = store.index.conversations()
    assert store.index.stats().bytes <= store.quota_bytes or all(one.pinned or one.shared_bytes for one in left)


_DEEDS: dict[str, Callable[[SegmentStore, _Act], object]] = {
    "commit": _commit,
    "commit again": _commit,
    "forget": lambda store, act: store.forget(act.conversation),
    "touch": lambda store, act: store.index.touch(act.conversation, [f"{act.name}a", f"{act.name}b"][: act.length]),
    "damage": _damage,
    "pin": lambda store, act: store.index.pin([act.conversation][: act.length - 1]),
    "set_quota": _set_quota,
    "drop": lambda store, act: store.drop(store.index.records(act.conversation, "state", "model")[: act.length]),
    "reconcile": lambda store, _: store.reconcile(),
    "close": lambda store, _: store.close(),
}
_CONVERSATIONS = ("one", "two", "three")


_ACTS = st.builds(
    _Act, st.sampled_from(sorted(_DEEDS)), st.sampled_from(_CONVERSATIONS), st.sampled_from("pq"), st.integers(1, 5)
)


@settings(max_examples=15)  # each restart syncs the disk
@given(acts=st.lists(_ACTS, max_size=10))
def test_held_bytes_are_accounted_bytes(tmp_path_factory: pytest.TempPathFactory, acts: list[_Act]) -> None:
    """After any sequence of commits, evictions, pins, damage, restarts and forgetting, files and rows agree to the
    byte, the quota holds, every segment has its parent and a holder, and forgetting the last conversation empties the
    store.
    """
    root = tmp_path_factory.mktemp("store")
    store = SegmentStore.open(root, 14_000)
    try:
        for act in acts:
            _DEEDS[act.deed](store, act)
            if act.deed == "close":
                store = SegmentStore.open(root, 14_000)
            assert_agreement(store, root)
            assert store.index.stats().bytes <= 14_000
        for conversation in _CONVERSATIONS:
            store.forget(conversation)
        assert files_of(root) == {}
    finally:
        store.close()
