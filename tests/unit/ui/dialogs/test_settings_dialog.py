"""The settings window: what it shows and what it reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from resources.language import catalogue, text
from resources.language.formats import FORMATS
from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard, is_a, unasked
from tests.fakes.views import PRESETS
from ui.dialogs.key_conflict import ShortcutSpec
from ui.dialogs.settings_dialog import PaneButton, SettingsDialog
from ui.dialogs.storage_pane import _parts
from ui.intents.chat import InChat
from ui.intents.chat_settings import ClearMemory
from ui.intents.library import PinChats
from ui.intents.settings import (
    CheckCaches,
    ClearCaches,
    MakeBackup,
    RemoveArrived,
    RestoreBackup,
    Reveal,
    SetCaching,
    SetPreferences,
    SetQuota,
    StopCheck,
    UndoClearCaches,
)
from ui.state.preferences import Preferences
from ui.state.settings import CheckView, StorageView, StoredChat
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT
from ui.widgets.focus_ring import FocusRing

GIB = 2**30
NEW_KEYS = (("quit", "Ctrl+Alt+Q"), ("new_chat", "Ctrl+J"))
ACTIONS = (
    ShortcutSpec("new_chat", "File", "New chat", ("Ctrl+N",)),
    ShortcutSpec("quit", "File", "Quit Hearth", ("Ctrl+Q",)),
)
VIEW = StorageView(
    held_bytes=10 * GIB,
    quota_bytes=40 * GIB,
    most_bytes=90 * GIB,
    facts=("143 records of 23 chats.",),
    backups=(("b2", "Today 09:12 · 1.2 MB"), ("b1", "Yesterday 18:40 · 1.1 MB")),
    folder="/home/someone/Hearth",
)


@pytest.fixture
def settings(qtbot: QtBot) -> Iterator[SettingsDialog]:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = SettingsDialog(context(), window)  # deletes itself if the test closes it
    store().storage.put(VIEW)
    dialog.show()
    yield dialog
    window.close()


def question(settings: SettingsDialog) -> QMessageBox:
    box = settings.findChild(QMessageBox, "question")
    assert isinstance(box, QMessageBox)
    return box


def answer(settings: SettingsDialog, words: str) -> None:
    """Click a button of the question, and wait until the question is closed."""
    box = question(settings)
    next(button for button in box.findChildren(QPushButton) if button.text() == words).click()
    box.done(0)


def test_it_shows_the_figures(settings: SettingsDialog) -> None:
    """Sizes are shown as text, one page for each subject."""
    storage = settings.storage
    assert storage.usage.name.text() == "Ready chats take 10 of 40 GB"
    assert storage.limit_label.text() == "40 GB"
    assert storage.facts.text() == "143 records of 23 chats."
    assert settings.advanced.rows["Folder"].about.text() == "/home/someone/Hearth"
    assert list(settings.backups.buttons) == ["b2", "b1"]


def test_nothing_can_be_set_before_the_values_arrive(qtbot: QtBot) -> None:
    """A switch that shows a default could be turned the wrong way."""
    dialog = SettingsDialog(context())
    qtbot.addWidget(dialog)
    assert not dialog.storage.caching.isEnabled()
    store().storage.put(VIEW)
    assert dialog.storage.caching.isEnabled()


def test_pages_are_picked_at_the_left(settings: SettingsDialog) -> None:
    """One page is shown; the window keeps its own name."""
    names = [button.text() for button in settings.pane_buttons]
    assert names == [
        *(
            "General",
            "Appearance",
            "Models",
            "Macs",
            "Chats",
            "Storage",
            "Privacy",
            "Shortcuts",
            "Advanced",
        ),
    ]
    for number, button in enumerate(settings.pane_buttons):
        button.click()
        assert (settings.windowTitle(), settings.panes.currentIndex()) == ("Settings", number)
        assert [button.isChecked() for button in settings.pane_buttons].count(True) == 1


def test_the_keyboard_reaches_the_page_that_is_shown(settings: SettingsDialog, qtbot: QtBot) -> None:
    """Tab brings the ring to the button of that page, also after a click, and the arrow keys turn to its neighbours."""
    settings.open_page("Storage")
    settings.show()
    settings.activateWindow()
    qtbot.waitUntil(settings.isActiveWindow)
    settings.setFocus()
    QTest.keyClick(settings, Qt.Key.Key_Tab)
    names = list[str]()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up):
        button = settings.focusWidget()
        assert isinstance(button, PaneButton)
        assert settings.panes.currentIndex() == settings.pane_buttons.index(button)
        names.append(button.text())
        QTest.keyClick(button, key)
    assert names == ["Storage", "Privacy", "Storage"]


def test_the_arrow_keys_turn_the_pages_at_once(settings: SettingsDialog, qtbot: QtBot) -> None:
    """The list of pages has the keyboard when the settings open. The ring shows it once a key is used: the page that
    was clicked is marked already.
    """
    qtbot.waitUntil(settings.isActiveWindow)
    rings = [ring for button in settings.pane_buttons for ring in button.findChildren(FocusRing)]
    assert not any(ring.isVisible() for ring in rings)
    QTest.keyClick(settings.focusWidget(), Qt.Key.Key_Down)
    assert rings[1].isVisible()
    assert settings.panes.currentIndex() == 1
    assert settings.pane_buttons[1].hasFocus()
    QTest.mouseClick(settings.pane_buttons[5], Qt.MouseButton.LeftButton)
    assert settings.panes.currentIndex() == 5
    assert settings.pane_buttons[5].hasFocus()
    assert not any(ring.isVisible() for ring in rings)
    last = len(settings.pane_buttons) - 1
    for key, page in ((Qt.Key.Key_End, last), (Qt.Key.Key_Up, last - 1), (Qt.Key.Key_Home, 0)):
        QTest.keyClick(settings.focusWidget(), key)
        assert (settings.panes.currentIndex(), settings.pane_buttons[page].isChecked()) == (page, True)


def test_the_caching_switch_reports_the_users_choice(qtbot: QtBot, settings: SettingsDialog) -> None:
    """Showing a value reports nothing."""
    assert settings.storage.caching.isChecked()
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(SetCaching)) as reported:
        settings.storage.caching.click()
    assert reported.args == [SetCaching(enabled=False)]
    with unasked(sent(), SetCaching):
        store().storage.put(replace(VIEW, cached=True))
    assert settings.storage.caching.isChecked()


def test_the_users_limit_replaces_the_automatic_one(qtbot: QtBot, settings: SettingsDialog) -> None:
    """The slider starts at the automatic limit. 0 lets Hearth choose again."""
    storage = settings.storage
    assert not storage.slider.isEnabled()
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(SetQuota)) as reported:
        storage.automatic.click()
    assert reported.args == [SetQuota(40 * GIB)]
    assert storage.slider.isEnabled()
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(SetQuota)) as reported:
        storage.automatic.click()
    assert reported.args == [SetQuota(0)]


def test_the_slider_reports_its_final_position_once(qtbot: QtBot, settings: SettingsDialog) -> None:
    """A limit on the way would evict caches that the user wants to keep."""
    store().storage.put(replace(VIEW, automatic=False))
    reported = heard(sent(), SetQuota)
    for _ in range(3):
        QTest.keyClick(settings.storage.slider, Qt.Key.Key_Left)
    assert settings.storage.limit_label.text() == "20 GB"
    assert reported == []
    qtbot.waitUntil(lambda: bool(reported))
    assert reported == [SetQuota(20 * GIB)]


def test_the_slider_does_not_move_while_it_is_dragged(settings: SettingsDialog) -> None:
    """New figures do not move the handle."""
    store().storage.put(replace(VIEW, automatic=False))
    slider = settings.storage.slider
    slider.setSliderDown(True)
    slider.setValue(2)
    store().storage.put(replace(VIEW, automatic=False, held_bytes=GIB))
    assert (slider.value(), settings.storage.limit_label.text()) == (2, "3 GB")


@pytest.mark.parametrize("most", [0, GIB, 3 * GIB, 90 * GIB, 900 * GIB])
def test_no_more_is_offered_than_the_disk_has(qtbot: QtBot, settings: SettingsDialog, most: int) -> None:
    """The highest limit fits on the disk."""
    store().storage.put(replace(VIEW, automatic=False, most_bytes=most, quota_bytes=min(most, 40 * GIB)))
    storage = settings.storage
    storage.slider.setValue(storage.slider.maximum())
    with qtbot.waitSignal(sent().requested) as offered:
        storage.slider.sliderReleased.emit()
    assert offered.args is not None
    assert offered.args[0].quota < most or offered.args[0].quota == GIB


def test_removing_what_has_arrived_needs_a_confirmation(qtbot: QtBot, settings: SettingsDialog) -> None:
    """Cancelling the question changes nothing."""
    store().storage.put(replace(VIEW, arrived_bytes=5 * GIB))
    asks = settings.storage.remove_button
    with unasked(sent(), RemoveArrived):
        asks.click()
        question(settings).button(QMessageBox.StandardButton.Cancel).click()
    qtbot.waitUntil(lambda: settings.findChild(QMessageBox, "question") is None)
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(RemoveArrived)):
        asks.click()
        answer(settings, "Remove")


def test_unfinished_copies_of_other_macs_are_shown_with_their_size(settings: SettingsDialog) -> None:
    """If there are any."""
    row = settings.storage.arrived
    store().storage.put(VIEW)
    assert row.isHidden()
    store().storage.put(replace(VIEW, arrived_bytes=5 * GIB))
    assert not row.isHidden()
    assert row.about.text().startswith("5 GB of models that paired Macs began to copy")
    store().storage.put(VIEW)
    assert row.isHidden()


def test_using_a_copy_needs_a_confirmation(qtbot: QtBot, settings: SettingsDialog) -> None:
    """The question names the copy, and the signal carries its id."""
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(RestoreBackup)) as reported:
        settings.backups.buttons["b1"].click()
        assert question(settings).text() == "Use this copy?"
        assert question(settings).informativeText().startswith("Yesterday 18:40: all chats become")
        answer(settings, "Use this copy")
    assert reported.args == [RestoreBackup("b1")]


@pytest.mark.parametrize(("left", "focused"), [(("b3", "b2", "b1"), "b1"), (("b3",), "")])
def test_the_focus_stays_at_the_copy_that_was_used(
    qtbot: QtBot, settings: SettingsDialog, left: tuple[str, ...], focused: str
) -> None:
    """The list is made anew then. If the copy is gone, the focus stays on the page."""
    settings.open_page("Privacy")
    settings.backups.buttons["b1"].setFocus()
    store().storage.put(replace(VIEW, backups=tuple((copy, f"{copy} · 1 MB") for copy in left)))
    expected = settings.backups.buttons.get(focused, settings.backups.make_button)
    qtbot.waitUntil(expected.isVisible)
    assert settings.focusWidget() is expected


def test_a_text_says_that_there_is_no_copy(settings: SettingsDialog) -> None:
    """An empty card would look like a fault."""
    store().storage.put(replace(VIEW, backups=()))
    assert settings.backups.group.isHidden()
    assert settings.backups.empty_label.text().startswith("There is no copy yet.")


def test_each_button_shows_its_folder(settings: SettingsDialog) -> None:
    """Each button reports the folder to open."""
    reported = heard(sent(), Reveal)
    settings.backups.reveal_button.click()
    settings.advanced.data_button.click()
    settings.advanced.logs_button.click()
    assert reported == [Reveal("backups"), Reveal("data"), Reveal("logs")]


def test_trouble_is_shown_while_it_lasts(settings: SettingsDialog) -> None:
    """A text above the figures describes it."""
    assert settings.storage.trouble.isHidden()
    store().storage.put(replace(VIEW, trouble="The disk is full."))
    assert settings.storage.trouble.text() == "The disk is full."
    assert not settings.storage.trouble.isHidden()
    store().storage.put(VIEW)
    assert settings.storage.trouble.isHidden()


def test_return_presses_no_button(settings: SettingsDialog) -> None:
    """No button is the default one."""
    QTest.keyClick(settings, Qt.Key.Key_Return)
    assert settings.findChild(QMessageBox, "question") is None
    assert settings.isVisible()


def test_it_is_painted_in_both_themes(settings: SettingsDialog) -> None:
    """The used part of the bar has a colour of the theme."""
    gauge = settings.storage.gauge
    for theme in (DARK, LIGHT):
        appearance.turn_to(theme)
        image = gauge.grab().toImage()
        ratio = image.devicePixelRatio()
        assert image.pixelColor(round(8 * ratio), round(4 * ratio)).name() == theme.chats_share
        assert image.pixelColor(image.width() - round(8 * ratio), round(4 * ratio)).name() == theme.rim


def changed(act: Callable[[], object]) -> Preferences:
    """The preferences that are asked for by this act."""
    said = heard(sent(), SetPreferences)
    act()
    assert len(said) == 1
    assert isinstance(said[0], SetPreferences)
    return said[0].preferences


@pytest.mark.parametrize(
    ("act", "wanted"),
    [
        (lambda dialog: dialog.general.controls["startup"].segments[1].click(), {"startup": "new"}),
        (lambda dialog: dialog.general.controls["send"].segments[1].click(), {"send": "command"}),
        (lambda dialog: dialog.appearance.controls["theme"].segments[2].click(), {"theme": "dark"}),
        (lambda dialog: dialog.appearance.controls["column"].segments[2].click(), {"column": "wide"}),
        (lambda dialog: dialog.appearance.controls["density"].segments[1].click(), {"density": "compact"}),
        (lambda dialog: dialog.appearance.controls["reduce_motion"].click(), {"reduce_motion": True}),
        (lambda dialog: dialog.appearance.controls["zoom"].slider.setValue(6), {"zoom": 130}),
        (lambda dialog: dialog.chats.controls["titles"].click(), {"titles": False}),
        (lambda dialog: dialog.general.controls["notifications"].click(), {"notifications": False}),
        (lambda dialog: dialog.chats.controls["preset"].choices.actions()[0].trigger(), {"preset": "precise"}),
        (lambda dialog: dialog.shortcuts.buttons["new_chat"].pressed_keys.emit("Ctrl+J"), {"shortcuts": NEW_KEYS}),
    ],
)
def test_each_control_changes_its_own_preference(
    settings: SettingsDialog, act: Callable[[SettingsDialog], object], wanted: dict[str, Any]
) -> None:
    """And keeps all others as they are."""
    before = Preferences(system="Be brief.", shortcuts=(("quit", "Ctrl+Alt+Q"),))
    store().presets.put(PRESETS)
    settings.shortcuts.set_actions(ACTIONS)
    store().preferences.put(before)
    assert changed(lambda: act(settings)) == replace(before, **wanted)


def test_showing_preferences_asks_for_nothing(settings: SettingsDialog) -> None:
    """Or the window would talk to itself."""
    with unasked(sent(), SetPreferences):
        store().preferences.put(
            Preferences("new", "command", "dark", 150, "wide", "compact", reduce_motion=True, titles=False)
        )
    assert settings.appearance.controls["zoom"].text.text() == "150%"


def test_instructions_of_new_chats_are_saved_when_the_window_closes(settings: SettingsDialog) -> None:
    """They may still have the focus."""
    settings.chats.controls["system"].setPlainText(" Be kind. ")
    assert changed(settings.close).system == "Be kind."


def test_instructions_of_new_chats_are_saved_when_the_user_pauses(settings: SettingsDialog, qtbot: QtBot) -> None:
    """So that a crash loses no more than the last words."""
    said = heard(sent(), SetPreferences)
    QTest.keyClicks(settings.chats.controls["system"], "Be kind.")
    qtbot.waitUntil(lambda: said == [SetPreferences(Preferences(system="Be kind."))])


def test_keys_are_pressed_not_typed(settings: SettingsDialog) -> None:
    """A click asks for keys, Escape keeps the old ones, Backspace takes them away."""
    settings.shortcuts.set_actions(ACTIONS)
    settings.open_page("Shortcuts")
    button, said = settings.shortcuts.buttons["new_chat"], heard(sent(), SetPreferences)
    button.click()
    assert button.text() == "Press the keys…"
    QTest.keyClick(button, Qt.Key.Key_Escape)
    assert (button.text(), said) == ("Ctrl+N", [])
    button.click()
    QTest.keyClick(button, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    button.click()
    QTest.keyClick(button, Qt.Key.Key_Backspace)
    wanted = [(("new_chat", "Ctrl+J"),), (("new_chat", ""),)]
    assert [one.preferences.shortcuts for one in said if isinstance(one, SetPreferences)] == wanted


@pytest.mark.parametrize(
    ("keys", "words"),
    [("Ctrl+Q", "Ctrl+Q belongs to “Quit Hearth”. Give that other keys first."), ("J", "J is needed to write.")],
)
def test_keys_that_are_needed_are_refused_in_words(settings: SettingsDialog, keys: str, words: str) -> None:
    """One sentence names the other action, and nothing changes."""
    settings.shortcuts.set_actions(ACTIONS)
    with unasked(sent(), SetPreferences):
        settings.shortcuts.buttons["new_chat"].pressed_keys.emit(keys)
    assert settings.shortcuts.trouble.text().startswith(words)
    assert not settings.shortcuts.trouble.isHidden()


def test_changed_keys_can_be_reset(settings: SettingsDialog) -> None:
    """Only if some were changed."""
    store().preferences.put(Preferences())
    assert not settings.shortcuts.reset_button.isEnabled()
    store().preferences.put(Preferences(shortcuts=NEW_KEYS))
    assert changed(settings.shortcuts.reset_button.click) == Preferences()


def test_the_keys_of_one_action_can_be_reset(settings: SettingsDialog) -> None:
    """The other changes stay. Only an action with other keys has that button."""
    settings.shortcuts.set_actions(ACTIONS)
    store().preferences.put(Preferences(shortcuts=(("new_chat", "Ctrl+J"),)))
    assert [name for name, reset in settings.shortcuts.resets.items() if not reset.isHidden()] == ["new_chat"]
    store().preferences.put(Preferences(shortcuts=NEW_KEYS))
    after = changed(settings.shortcuts.resets["new_chat"].click)
    assert after == Preferences(shortcuts=NEW_KEYS[:1])


def test_all_settings_can_be_reset(settings: SettingsDialog) -> None:
    """After a question that says what stays: what the user wrote, too."""
    store().preferences.put(Preferences(theme="dark", system="Be brief.", shortcuts=NEW_KEYS))
    said = heard(sent(), SetPreferences)
    settings.advanced.reset_button.click()
    assert said == []
    answer(settings, "Reset")
    assert said == [SetPreferences(Preferences(system="Be brief."))]


def test_a_copy_can_be_made_now(settings: SettingsDialog) -> None:
    """The button waits for the list that has the new copy, and keeps the focus meanwhile."""
    said = heard(sent(), MakeBackup)
    button = settings.backups.make_button
    settings.show()
    settings.open_page("Privacy")
    button.setFocus()
    for _ in range(2):
        button.click()
    assert (said, button.text(), button.isEnabled()) == ([MakeBackup()], "Making a copy…", True)
    assert settings.focusWidget() is button
    store().storage.put(VIEW)
    assert button.text() == "Make a copy now"


def test_chats_are_listed_with_what_is_kept_of_them(settings: SettingsDialog) -> None:
    """The largest first. Its space can be freed, and a chat pinned."""
    chats = (
        StoredChat("a", "Zebra", 100, 5 << 20, updated=3),
        StoredChat("b", "Apple", 200, 9 << 20, pinned=True, updated=1),
        StoredChat("c", "Moon", updated=2),
    )
    store().storage.put(replace(VIEW, chats=chats))
    stored = settings.storage.chats
    assert list(stored.rows) == ["b", "a", "c"]
    assert stored.rows["a"].about.text().replace("\u00a0", " ") == "100 tokens · used 1 Jan 1970"
    assert stored.rows["a"].pill.accessibleName() == "ready"
    assert stored.rows["c"].pill.accessibleName() == "not kept"
    assert not stored.rows["c"].free.isEnabled()
    said = heard(sent())
    stored.rows["a"].free.click()
    stored.rows["b"].pin.click()
    assert said == [InChat("a", ClearMemory()), PinChats(("b",), pinned=False)]


def test_a_large_library_lists_only_the_first(settings: SettingsDialog) -> None:
    """And says how many more there are."""
    store().storage.put(replace(VIEW, chats=tuple(StoredChat(str(n), f"Chat {n}") for n in range(100))))
    assert len(settings.storage.chats.rows) == 60
    assert settings.storage.chats.rest.text() == "40 smaller chats are not shown."


def test_a_page_is_as_wide_with_a_scroll_bar_as_without(settings: SettingsDialog, qtbot: QtBot) -> None:
    """Nothing jumps sideways from page to page."""
    store().storage.put(replace(VIEW, chats=tuple(StoredChat(name, name, 10, GIB) for name in "abcdef")))
    settings.show()
    settings.open_page("Storage")
    area, pane, margins = settings.panes.currentWidget(), settings.storage, 2 * 26
    assert isinstance(area, QScrollArea)
    bar = area.verticalScrollBar()
    settings.resize(settings.width(), 1400)
    qtbot.waitUntil(lambda: not bar.isVisible() and pane.width() == area.width() - margins)
    settings.resize(settings.width(), settings.minimumHeight())
    qtbot.waitUntil(lambda: bar.isVisible() and pane.width() == area.width() - margins)


@pytest.mark.parametrize("language", catalogue.NAMES)
def test_no_page_is_cut_off_in_the_smallest_window(qtbot: QtBot, language: str) -> None:
    """In each language, and with rows of chats in the page about storage."""
    text.install(text.Language(language, catalogue.read(language), FORMATS[language]))
    dialog = SettingsDialog(context())
    qtbot.addWidget(dialog)
    store().storage.put(
        replace(VIEW, chats=(StoredChat("a", "A week in Lisbon", 8_102, 96 << 20), StoredChat("b", "B")))
    )
    dialog.resize(dialog.minimumSize())
    dialog.show()
    for button in dialog.pane_buttons:
        button.click()
        area = dialog.panes.currentWidget()
        assert isinstance(area, QScrollArea)
        inside = area.widget()
        assert inside is not None
        assert inside.minimumSizeHint().width() <= area.viewport().width(), button.text()


def test_the_key_that_closes_a_window_closes_the_settings(settings: SettingsDialog, qtbot: QtBot) -> None:
    """As Escape does."""
    settings.show()
    qtbot.waitUntil(settings.isActiveWindow)
    with qtbot.waitSignal(settings.rejected):
        QTest.keyClick(settings, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert not settings.isVisible()


def test_a_check_shows_its_progress_and_can_be_stopped(settings: SettingsDialog) -> None:
    """The outcome stays until the next check."""
    asked, button, row = heard(sent()), settings.advanced.check_button, settings.advanced.rows["Check for damage"]
    button.click()
    store().storage.put(replace(VIEW, check=CheckView(is_running=True, done=2 << 30, total=10 << 30)))
    assert row.about.text() == "Checking 2 of 10 GB"
    button.click()
    assert asked == [CheckCaches(), StopCheck()]
    store().storage.put(replace(VIEW, check=CheckView(text="Nothing is wrong.")))
    assert (row.about.text(), button.text()) == ("Nothing is wrong.", "Verify")


def test_the_limit_is_changed_behind_its_button(settings: SettingsDialog) -> None:
    """The page begins with what there is, in one sentence and a bar with its parts."""
    settings.open_page("Storage")
    storage = settings.storage
    store().storage.put(replace(VIEW, shared_bytes=1 << 30, deleted_bytes=2 << 30))
    assert [part.words for part in _parts(store().storage.now)] == [
        "chats 7 GB", "shared by several chats 1 GB", "recently deleted chats 2 GB", "free 30 GB"
    ]  # fmt: skip
    store().storage.put(replace(VIEW, shared_bytes=1 << 30, deleted_bytes=0))
    shown = [label.text() for label in storage.gauge.findChildren(QLabel) if label.isVisible()]
    assert shown == ["chats 9 GB", "shared by several chats 1 GB", "free 30 GB"], "what has no byte is left out"
    assert not storage.slider.isVisible()
    storage.limit_button.click()
    assert storage.slider.isVisible()
    storage.limit_button.click()
    assert not storage.slider.isVisible()


def test_the_waiting_that_was_saved_has_two_cards(settings: SettingsDialog) -> None:
    """Estimates say "about". Before there is any, they say so."""
    saved = settings.storage.saved
    store().storage.put(VIEW)
    assert not saved.isHidden()
    assert (saved.today.text(), saved.all.text()) == ("nothing yet", "nothing yet")
    store().storage.put(replace(VIEW, saved_s=11_520.0))
    assert (saved.today.text(), saved.all.text()) == ("nothing yet", "about 3 h 12 min")
    store().storage.put(replace(VIEW, saved_today_s=252.0, saved_s=11_520.0))
    assert saved.today.text() == "about 4 min"


def test_freeing_the_space_of_all_chats_can_be_undone(settings: SettingsDialog) -> None:
    """By the same button, for seconds."""
    asked, button = heard(sent()), settings.storage.clear_button
    button.click()
    store().clearing.put({"": 9})
    assert button.text() == "Undo (9 s)"
    button.click()
    assert asked == [ClearCaches(), UndoClearCaches()]
