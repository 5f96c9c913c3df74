"""The notice for a home that was used before and has no library now."""

from __future__ import annotations

from contextlib import closing

import pytest

from app.backup.recovery import missing_library
from app.base.paths import Paths
from app.base.settings import Settings
from storage.library.library import Library

_USED = Settings(started=1)


def test_a_home_without_its_library_says_so(places: Paths) -> None:
    """An empty list of chats would look like a total loss. The notice names the folder, and how its chats come back."""
    told = missing_library(places, _USED, was_logged=False)
    assert missing_library(places, Settings(), was_logged=True) == told, "if all of the folder is gone"
    assert told is not None
    assert told.text == (
        f"Hearth finds none of its chats in {places.data} any more. If you moved or renamed this folder, quit Hearth, "
        "put the old folder back in its place, and start Hearth again."
    )


def test_a_new_home_says_nothing(places: Paths) -> None:
    """Nothing is missing before the first window. Settings that no window wrote do not count."""
    assert missing_library(places, Settings(model="/m"), was_logged=False) is None


@pytest.mark.parametrize("lost", [False, True])
def test_a_library_or_its_copies_need_no_notice(places: Paths, *, lost: bool) -> None:
    """If the library is lost, the recovery offers its copies."""
    with closing(Library.open(places.library_file)) as library:
        library.backups.make(places.backups)
    if lost:
        places.library_file.unlink()
    assert missing_library(places, _USED, was_logged=False) is None
