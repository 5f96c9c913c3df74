"""The seam through which all texts pass, without Qt."""

from __future__ import annotations

from datetime import UTC, datetime

from resources.language.formats import Formats
from resources.language.text import Language, install, number, plural, present, tr

GERMAN = Language(
    "de",
    {
        ("Delete {name}?", ""): ("{name} löschen?",),
        ("{count} chats", ""): ("{count} Chat", "{count} Chats"),
        ("Open", ""): ("Öffnen",),
        ("Open", "state"): ("Offen",),
        ("{rate:.1f} tok/s", ""): ("{rate:.1f} Token/s",),
    },
    Formats(group=".", decimal=","),
)


def test_without_a_language_texts_are_those_of_the_code() -> None:
    """Pure code and the command line need no set-up."""
    assert tr("Delete {name}?", name="Bread") == "Delete Bread?"
    assert [plural("{count} chat", "{count} chats", n) for n in (0, 1, 1234)] == ["0 chats", "1 chat", "1,234 chats"]


def test_a_text_is_looked_up_and_its_fields_are_filled() -> None:
    """The order of the fields is the translator's."""
    install(GERMAN)
    assert tr("Delete {name}?", name="Bread") == "Bread löschen?"
    assert present().code == "de"


def test_a_number_picks_the_form_and_is_written_as_the_language_does() -> None:
    """Plural forms, groups of digits and the decimal sign are those of the language."""
    install(GERMAN)
    assert plural("{count} chat", "{count} chats", 1) == "1 Chat"
    assert plural("{count} chat", "{count} chats", 12_345) == "12.345 Chats"
    assert tr("{rate:.1f} tok/s", rate=63.84) == "63,8 Token/s"
    assert number(1_234.5, ",.2f") == "1.234,50"


def test_a_comment_tells_two_meanings_apart() -> None:
    """One English word may need two in another language."""
    install(GERMAN)
    assert (tr("Open"), tr("Open", "state")) == ("Öffnen", "Offen")


def test_a_text_without_a_translation_is_shown_in_english() -> None:
    """Its fields are filled all the same."""
    install(GERMAN)
    assert tr("Rename {name}", name="Bread") == "Rename Bread"


def test_the_users_braces_are_shown_as_they_are() -> None:
    """A chat called {name} is no field."""
    assert tr("Delete {name}?", name="{name}") == "Delete {name}?"


def test_a_time_of_day_is_written_by_the_language() -> None:
    """English has 24 hours unless the system says otherwise."""
    assert Formats().time(datetime(2026, 9, 9, 9, 5, tzinfo=UTC)) == "09:05"


def test_a_name_cannot_turn_a_sentence_back_to_front() -> None:
    """The signs of direction in a field are dropped; letters written from right to left stay."""
    assert tr("“{name}” is not text.", name="odd\u202etxt.exe") == "“oddtxt.exe” is not text."
    assert tr("{count} of {name}", count=2, name="\u2067\u05d0\u05d1\u2069\u202b") == "2 of \u05d0\u05d1"
