"""Every setting is found in the command palette, and is changed there or reached from there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.intents import heard
from tests.fakes.palette import current_entry
from tests.fakes.views import PRESETS, asked, chat, row
from ui.dialogs.settings_dialog import SettingsDialog
from ui.intents.chat import InChat
from ui.intents.chat_settings import SetPreset
from ui.intents.settings import SetPreferences
from ui.state import settings_table as table
from ui.state.chat_settings import ChatSettingsView
from ui.state.preferences import Preferences
from ui.state.settings_table import PAGES, SETTINGS, Setting, rows_of
from ui.widgets.settings_group import SettingsRow
from ui.window.main_window import MainWindow


@pytest.fixture
def speaking(window: MainWindow, request: pytest.FixtureRequest) -> MainWindow:
    """The window in German."""
    request.getfixturevalue("german")
    window.rebuild()
    return window


def first(window: MainWindow, words: str) -> str:
    """The entry that Return would use for these words."""
    window.commands.open_palette()
    window.palette_box.field.setText(words)
    entry = current_entry(window.palette_box)
    return "" if entry is None else entry.title


def use(window: MainWindow, words: str) -> None:
    first(window, words)
    QTest.keyClick(window.palette_box.field, Qt.Key.Key_Return)


def settings(window: MainWindow) -> SettingsDialog:
    assert window.dialogs.settings is not None
    return window.dialogs.settings


def marks(owner: QWidget) -> list[QWidget]:
    """The marks of places that were looked for."""
    QApplication.processEvents()
    return [one for one in owner.findChildren(QWidget, "placeMark") if one.isVisible()]


def place_of(widget: QWidget, within: QWidget) -> QRect:
    return QRect(widget.mapTo(within, QPoint()), widget.size())


def in_front(window: MainWindow) -> None:
    window.store.presets.put(PRESETS)
    window.store.conversations.put((row("a"),))
    window.chats.open(chat("a", asked("q")))


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("dark", "Appearance: Dark"),
        ("theme", "Appearance"),
        ("appear", "Appearance"),
        ("dark mode", "Appearance: Dark"),
        ("german", "Language: Deutsch"),
        ("deutsch", "Language: Deutsch"),
        ("animations", "Reduce motion"),
        ("delete old chats", "Deleted chats"),
        ("local models folder", table.HELD_MODELS),
        ("disk limit", "Storage"),
        ("waiting", "Storage"),
        ("restore", "Backups of deleted chats"),
        ("temperature", "Temperature"),
        ("creativity", "Temperature"),
        ("top-p", "Top-p"),
        ("length", "Longest answer"),
        ("system prompt", "Instructions of new chats"),
        ("precise", "Preset: Precise"),
    ],
)
def test_a_setting_is_found_by_its_name_and_by_other_words(window: MainWindow, words: str, title: str) -> None:
    """People do not know what Hearth calls a setting."""
    in_front(window)
    assert first(window, words) == title


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("Dunkel", "Erscheinungsbild: Dunkel"),
        ("dark", "Erscheinungsbild: Dunkel"),
        ("Englisch", "Sprache: English"),
        ("Deutsch", "Sprache: Deutsch"),
        ("Temperatur", "Temperatur"),
        ("Wartezeit", "Speicher"),
        ("gespart", "Speicher"),
        ("alte Chats löschen", "Gelöschte Chats"),
        ("Länge", "Längste Antwort"),
    ],
)
def test_german_has_its_own_words(speaking: MainWindow, words: str, title: str) -> None:
    """And the English ones find a setting there too."""
    in_front(speaking)
    assert first(speaking, words) == title


def test_a_choice_and_a_switch_are_set_at_once(window: MainWindow) -> None:
    """Without the settings being opened. A switch says which way it goes, a choice whether it holds."""
    in_front(window)
    said = heard(window, SetPreferences, SetPreset)
    window.store.preferences.put(Preferences(zoom=120))
    for words in ("appearance dark", "reduce motion: on", "preset: precise"):
        use(window, words)
    dark, calm, precise = said
    assert dark == SetPreferences(Preferences(zoom=120, theme="dark"))
    assert calm == SetPreferences(Preferences(zoom=120, reduce_motion=True))
    assert precise == InChat("a", SetPreset("precise"))
    window.store.preferences.put(Preferences(theme="dark", reduce_motion=True))
    assert first(window, "reduce motion: o") == "Reduce motion: off"
    assert first(window, "appearance dark") == "Appearance: Dark"
    entry = current_entry(window.palette_box)
    assert entry is not None
    assert entry.about() == "in use"
    assert window.dialogs.settings is None


def test_an_entry_sets_its_own_value_alone(window: MainWindow) -> None:
    """The text was made larger by a key while the palette was open."""
    said = heard(window, SetPreferences)
    first(window, "dark")
    window.store.preferences.put(Preferences(zoom=150))
    QTest.keyClick(window.palette_box.field, Qt.Key.Key_Return)
    assert said == [SetPreferences(Preferences(zoom=150, theme="dark"))]


def test_every_row_leads_to_itself(window: MainWindow) -> None:
    """Its page opens, scrolled to it, and a ring marks it."""
    window.dialogs.open_settings()
    pages = settings(window)
    pages.resize(pages.minimumSize())
    by_hand = {"Macs", "Storage", "Shortcuts"}
    for page in (name for _, name in PAGES if name not in by_hand):
        for setting in rows_of(page):
            first(window, setting.name)
            offered = (one.entry for one in window.palette_box.model._rows if one.entry)
            entry = next(one for one in offered if one.key == f"settings:{setting.name}")
            window.palette_box.close_palette()
            entry.run()
            [mark] = marks(pages)
            area = pages.panes.currentWidget()
            assert area is not None
            [marked] = [one for one in area.findChildren(SettingsRow) if one.name.text() == setting.name]
            assert place_of(mark, pages).contains(place_of(marked, pages))
            assert area.rect().contains(marked.mapTo(area, marked.rect().center())), f"{setting.name} is in view"
            mark.hide()


def test_the_control_of_a_row_has_the_keyboard_and_the_mark_goes(window: MainWindow, qtbot: QtBot) -> None:
    """The user can change the setting with the next key."""
    window.dialogs.open_settings_at("Appearance", "Reduce motion")
    assert settings(window).focusWidget() is settings(window).appearance.controls["reduce_motion"]
    assert marks(settings(window))
    qtbot.waitUntil(lambda: not marks(settings(window)))


def test_a_new_setting_is_found_without_another_line(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its row in the table is enough."""
    fresh = Setting(
        "Colour of bubbles", "", "choice", "density", {"comfortable": "Green", "compact": "Purple"}, words="violet"
    )
    monkeypatch.setitem(SETTINGS, table.CHATS, (*SETTINGS[table.CHATS], fresh))
    assert first(window, "violet") == "Colour of bubbles"
    assert first(window, "bubbles purple") == "Colour of bubbles: Purple"
    use(window, "colour of bubbles")
    assert settings(window).chats.isVisible()


def test_no_two_rows_have_one_name() -> None:
    """The palette knows a row by it."""
    names = [setting.name for _, page in PAGES for setting in rows_of(page)]
    assert len(names) == len(set(names))


def test_a_value_of_the_chat_leads_into_the_pane(window: MainWindow) -> None:
    """The pane opens at it once the chat's values are there, also at one that is folded away, and the field has the
    keyboard.
    """
    in_front(window)
    use(window, "seed")
    inspector = window.desk.inspector
    assert window.desk.inspecting
    window.store.chat_settings.put(ChatSettingsView("a"))
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field is inspector.sampling.rows["seed"].field
    assert field.isVisible()
    [mark] = marks(inspector)
    assert place_of(mark, window).contains(place_of(inspector.sampling.rows["seed"], window))
    use(window, "instructions")
    assert QApplication.focusWidget() is inspector.instructions
    window.store.chat_settings.put(ChatSettingsView("a", system="Be kind."))
    QTest.keyClicks(inspector.instructions, "x")
    assert inspector.instructions.hasFocus(), "the pane leads somewhere once"


def test_without_a_chat_nothing_of_one_is_offered(window: MainWindow) -> None:
    """The values belong to the chat in front."""
    window.store.presets.put(PRESETS)
    assert first(window, "preset: precise") != "Preset: Precise"
    in_front(window)
    window.stage.show_models()
    assert first(window, "temperature") != "Temperature"


def test_a_chat_with_the_best_title_comes_first_also_the_one_in_front(window: MainWindow) -> None:
    """Above settings and commands, whatever was used before. Without words, other open chats come before it."""
    window.store.conversations.put((row("b", 1, "Old"), row("a", 2, "Temperature"), row("c", 3, "Dark")))
    window.chats.open(chat("b", asked("q")))
    window.chats.open(chat("a", asked("q")))
    use(window, "reduce motion: on")
    assert first(window, "temperature") == "Temperature"
    entry = current_entry(window.palette_box)
    assert entry is not None
    assert entry.key == "a"
    assert first(window, "dark") == "Dark"
    window.palette_box._recent = []
    window.commands.open_palette()
    entry = current_entry(window.palette_box)
    assert entry is not None
    assert entry.key == "b"


def test_a_hit_begins_near_its_words(window: MainWindow) -> None:
    """Else a narrow line would end before them."""
    window.store.conversations.put((row("c", 1, "Reading list"),))
    first(window, "trams")
    before = "a very long sentence that says nothing of what is looked for and then "
    found = replace(
        row("c", 1, "Reading list"), snippet=f"{before}trams", marks=((len(before), len(before) + 5),), hit="m"
    )
    window.store.looked_up.put(("trams", (found,)))
    entry = current_entry(window.palette_box)
    assert entry is not None
    assert entry.title == "…is looked for and then trams"
    assert [entry.title[start:end] for start, end in entry.marks] == ["trams"]
    assert entry.about() == "Reading list"
