"""Texts that prompts begin with: which is found, and that the disk knows them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from engine.prompt import imported_prefixes
from engine.prompt.imported_prefixes import ImportedPrefix, ImportedPrefixes, mark
from storage.segments.store import SegmentStore
from tests.fakes.segments import MUCH, new_record, new_segment

if TYPE_CHECKING:
    from pathlib import Path


@given(st.lists(st.text("ab", max_size=6), max_size=6), st.text("ab", max_size=12))
def test_the_longest_that_a_text_begins_with_counts(known: list[str], text: str) -> None:
    """However many there are, and however they begin each other."""
    own = ImportedPrefixes()
    own.add(map(ImportedPrefix.of, known))
    assert own.longest(text) == max((len(one) for one in known if text.startswith(one)), default=0)


def test_the_disk_knows_a_root_again(tmp_path: Path) -> None:
    """After a restart, by the note with its records; other conversations' beginnings are none."""
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
