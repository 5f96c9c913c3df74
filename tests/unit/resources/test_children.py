"""How the app's other processes learn the language."""

from __future__ import annotations

import os

import pytest

from resources.language import children, text


def test_a_process_speaks_as_it_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its environment names the language. Numbers are written as there, without Qt."""
    monkeypatch.setattr(os, "environ", {})
    children.tell("de")
    children.speak_as_told()
    assert text.tr("{rate:.1f} tok/s", rate=1.5) == "1,5 Tok/s"


def test_an_unknown_language_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command in a terminal was told none, and speaks English."""
    monkeypatch.setattr(os, "environ", {"HEARTH_LANGUAGE": "tlh"})
    children.speak_as_told()
    assert text.present().code == "en"
    monkeypatch.setattr(os, "environ", {})
    children.speak_as_told()
    assert text.present().code == "en"
