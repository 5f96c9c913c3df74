"""Our own JSON."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from hypothesis import given, settings

from app.exchange import hearth_json
from storage.library.store import Library
from tests.fakes.archives import archives, renamed

if TYPE_CHECKING:
    from storage.library.archive import Archive


@given(archives())
def test_a_round_trip_changes_nothing(archive: Archive) -> None:
    """What was written is what is read, to the last byte of every attachment."""
    assert hearth_json.decode(hearth_json.encode(archive)) == archive


@settings(max_examples=25)
@given(archives())
def test_a_library_goes_through_a_file_into_another(archive: Archive) -> None:
    """Export and import carry everything: two libraries hold the same chats."""
    with closing(Library.in_memory()) as one, closing(Library.in_memory()) as other:
        one.add_archive(archive)
        other.add_archive(hearth_json.decode(hearth_json.encode(one.archive())))
        assert renamed(other.archive()) == renamed(one.archive()) == renamed(archive)
