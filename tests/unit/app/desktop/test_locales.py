"""Which language is spoken, and how the system writes it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTime
from pytestqt.qtbot import QtBot

from app.desktop import locales
from resources.language import text


def test_the_users_choice_comes_before_the_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a choice, the first language of the system that Hearth speaks is taken, else English."""
    monkeypatch.setattr(QLocale, "uiLanguages", lambda _self: ["fr-FR", "fr", "de-AT", "de", "en"])
    assert locales.chosen("en") == "en"
    assert locales.chosen("system") == "de"
    monkeypatch.setattr(QLocale, "uiLanguages", lambda _self: ["fr-FR"])
    assert locales.chosen("system") == "en"


def test_german_numbers_and_dates_are_written_as_germans_do() -> None:
    """The signs and names come from the system's data of languages."""
    formats = locales.formats_of("de")
    assert formats.number(1_234.5, ",.1f") == "1.234,5"
    assert formats.months[4] == "Mai"
    assert formats.date(datetime(2026, 5, 3, tzinfo=UTC), has_year=False) == "3. Mai"
    assert formats.time(datetime(2026, 9, 9, 14, 5, tzinfo=UTC)) == "14:05"


def test_qts_own_words_follow(qtbot: QtBot) -> None:
    """The buttons of a system dialog speak the language too. The same language again is no change."""
    del qtbot
    speech = locales.Speech()
    assert speech.speak("de")
    assert not speech.speak("de")
    assert text.present().code == "de"
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    assert speech.speak("en")
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel"


def test_english_at_the_start_is_written_as_the_system_does(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The language is the one of the code, but the clock and the dates are those of the computer. A system that names
    no language writes plain English.
    """
    del qtbot
    american, moment = QLocale("en_US"), datetime(2026, 5, 3, 14, 5, tzinfo=UTC)
    monkeypatch.setattr(QLocale, "system", lambda: american)
    assert not locales.Speech().speak("en")
    assert text.present().formats.time(moment) == american.toString(QTime(14, 5), QLocale.FormatType.ShortFormat)
    assert text.present().formats.date(moment, has_year=False) == "May 3"
    monkeypatch.setattr(QLocale, "system", QLocale.c)
    locales.Speech().speak("en")
    assert text.present().formats.date(moment, has_year=False) == "3 May"


def test_the_clock_is_the_systems_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """A switch of the language does not change a clock of 24 hours into one of 12."""
    swiss = QLocale("de_CH")
    monkeypatch.setattr(QLocale, "system", lambda: swiss)
    assert locales.formats_of("en").time(datetime(2026, 9, 9, 14, 5, tzinfo=UTC)) == "14:05"
