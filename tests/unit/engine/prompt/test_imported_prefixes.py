"""Imported prefixes: the longest one that a text begins with is found, also after a restart."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cache.disk.io_thread import Failure
from engine.prompt import imported_prefixes
from engine.prompt.imported_prefixes import ImportedPrefix, ImportedPrefixes, mark
from storage.segments.store import SegmentStore
from tests.fakes.segments import MUCH, new_record, new_segment


@given(st.lists(st.text("ab", max_size=6), max_size=6), st.text("ab", max_size=12))
def test_the_longest_prefix_of_a_text_counts(known: list[str], text: str) -> None:
    """Any number of prefixes may begin with each other."""
    own = ImportedPrefixes()
    own.add(map(ImportedPrefix.of, known))
    assert own.longest(text) == max((len(one) for one in known if text.startswith(one)), default=0)


def test_an_imported_prefix_is_known_after_a_restart(tmp_path: Path) -> None:
    """The note with its records tells it from the beginnings of other conversations."""
    root = ImportedPrefix.of("The beginning")
    with_kv_and_state = new_segment("ra", None, new_record("kv"), new_record("state"))
    store = SegmentStore.open(tmp_path, MUCH)
    store.commit("imported", [mark(with_kv_and_state, root)])
    store.commit("other", [new_segment("oa"), new_segment("ob", "oa")])
    store.close()
    store = SegmentStore.open(tmp_path, MUCH)
    assert imported_prefixes.stored_prefixes(store, "model") == (root,)
    assert imported_prefixes.stored_prefixes(store, "another model") == ()
    store.forget("imported")
    assert imported_prefixes.stored_prefixes(store, "model") == ()
    store.close()


@pytest.mark.parametrize(
    ("outcome", "found"),
    [((ImportedPrefix.of("abc"),), 3), (Failure("disk_lost", "The disk is away."), 0)],
    ids=["the disk answers", "it fails"],
)
def test_a_search_waits_for_the_disk(outcome: tuple[ImportedPrefix, ...] | Failure, found: int) -> None:
    """A prompt is tokenized as the next one will be."""
    stored: Future[tuple[ImportedPrefix, ...] | Failure] = Future()
    own = ImportedPrefixes()
    own.expect(stored)
    threading.Timer(0.05, stored.set_result, [outcome]).start()
    assert own.longest("abcd") == found


def test_only_the_first_search_waits_for_a_disk_that_hangs() -> None:
    """For a limited time. Its answer counts whenever it comes."""

    class Hanging(Future[Any]):
        waits: ClassVar[list[float | None]] = []

        def result(self, timeout: float | None = None) -> Any:
            self.waits.append(timeout)
            return super().result(0)

    own, stored = ImportedPrefixes(), Hanging()
    own.expect(stored)
    assert (own.longest("abcd"), own.longest("abcd")) == (0, 0)
    stored.set_result((ImportedPrefix.of("abc"),))
    assert own.longest("abcd") == 3
    assert stored.waits == [imported_prefixes.MOST_SECONDS, 0.0, 0.0]
