"""The places in which the app should not stay."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.desktop import installation
from app.desktop.installation import advice_on

HOME = Path("/Users/someone")
INSIDE = "Hearth.app/Contents/MacOS/Hearth"


@pytest.mark.parametrize(
    ("folder", "is_read_only", "word"),
    [
        ("/Volumes/Hearth", True, "disk image"),
        ("/private/var/folders/x/T/AppTranslocation/1-2/d", True, "temporary copy"),
        ("/Users/someone/Downloads", False, "Downloads"),
        ("/Users/someone/Downloads/Hearth 0.1", False, "Downloads"),
    ],
)
def test_move_is_offered_in_words(folder: str, word: str, *, is_read_only: bool) -> None:
    """Each place has its reason, and the advice is the same."""
    told = advice_on(Path(folder, INSIDE), HOME, is_read_only=is_read_only)
    assert told is not None
    assert word in told.text
    assert "Applications folder" in told.text
    assert told.action == ""


@pytest.mark.parametrize(
    ("program", "is_read_only"),
    [
        (f"/Applications/{INSIDE}", False),
        (f"/Users/someone/Applications/{INSIDE}", False),
        (f"/Volumes/Work/{INSIDE}", False),
        ("/Users/someone/Downloads/hearth/.venv/bin/python", False),
        ("/usr/bin/python3", True),
    ],
)
def test_good_places_are_left_alone(program: str, *, is_read_only: bool) -> None:
    """An external disk is as good as any other place, and a working copy is not an app."""
    assert advice_on(Path(program), HOME, is_read_only=is_read_only) is None


def test_a_user_without_a_home_gets_no_advice(monkeypatch: pytest.MonkeyPatch, without_home: None) -> None:
    """The window opens all the same."""
    del without_home
    monkeypatch.setattr(sys, "executable", f"/Applications/{INSIDE}")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert installation.advice() is None


def test_only_a_bundle_is_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hearth gives no advice if it was started from its sources; a bundle looks at its own place."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "Downloads" / INSIDE))
    assert installation.advice() is None
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert installation.advice() is not None
