"""The settings window: what it shows and what it reports."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPushButton

from tests.fakes.intents import heard, is_a, unasked
from ui.dialogs.settings_dialog import SettingsDialog
from ui.intents.settings import ClearCaches, RestoreBackup, Reveal, SetCaching, SetQuota
from ui.state.settings import StorageView
from ui.theme.theme import DARK, LIGHT

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

GIB = 2**30
VIEW = StorageView(
    held_bytes=10 * GIB,
    quota_bytes=40 * GIB,
    most_bytes=90 * GIB,
    written_today=3 * GIB // 2,
    facts=("143 records of 23 chats.",),
    backups=(("b2", "Today 09:12 · 1.2 MB"), ("b1", "Yesterday 18:40 · 1.1 MB")),
    folder="/home/someone/Hearth",
)


@pytest.fixture
def settings(qtbot: QtBot) -> SettingsDialog:
    dialog = SettingsDialog(LIGHT)
    qtbot.addWidget(dialog)
    dialog.show_storage(VIEW)
    dialog.show()
    return dialog


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
    assert storage.usage_label.text() == "10 GB of 40 GB"
    assert storage.usage.about.text() == "Written today: 1.5 GB"
    assert storage.limit_label.text() == "40 GB"
    assert storage.facts.text() == "143 records of 23 chats."
    assert settings.privacy.folder.about.text() == "/home/someone/Hearth"
    assert list(settings.backups.buttons) == ["b2", "b1"]


def test_nothing_can_be_set_before_the_values_arrive(qtbot: QtBot) -> None:
    """A switch that shows a default could be turned the wrong way."""
    dialog = SettingsDialog(LIGHT)
    qtbot.addWidget(dialog)
    assert not dialog.storage.caching.isEnabled()
    dialog.show_storage(VIEW)
    assert dialog.storage.caching.isEnabled()


def test_pages_are_picked_and_name_the_window(settings: SettingsDialog) -> None:
    """One page is shown, and the window has its name."""
    for number, name in enumerate(("Storage", "Models", "Backups", "Privacy")):
        settings.pane_buttons[number].click()
        assert settings.windowTitle() == name
        assert settings.panes.currentIndex() == number
        assert [button.isChecked() for button in settings.pane_buttons].count(True) == 1


def test_the_caching_switch_reports_the_users_choice(qtbot: QtBot, settings: SettingsDialog) -> None:
    """Showing a value reports nothing."""
    assert settings.storage.caching.isChecked()
    with qtbot.waitSignal(settings.requested, check_params_cb=is_a(SetCaching)) as reported:
        settings.storage.caching.click()
    assert reported.args == [SetCaching(enabled=False)]
    with unasked(settings, SetCaching):
        settings.show_storage(replace(VIEW, cached=True))
    assert settings.storage.caching.isChecked()


def test_the_users_limit_replaces_the_automatic_one(qtbot: QtBot, settings: SettingsDialog) -> None:
    """The slider starts at the automatic limit. 0 lets Hearth choose again."""
    storage = settings.storage
    assert not storage.slider.isEnabled()
    with qtbot.waitSignal(settings.requested, check_params_cb=is_a(SetQuota)) as reported:
        storage.automatic.click()
    assert reported.args == [SetQuota(40 * GIB)]
    assert storage.slider.isEnabled()
    with qtbot.waitSignal(settings.requested, check_params_cb=is_a(SetQuota)) as reported:
        storage.automatic.click()
    assert reported.args == [SetQuota(0)]


def test_the_slider_reports_its_final_position_once(qtbot: QtBot, settings: SettingsDialog) -> None:
    """A limit on the way would evict caches that the user wants to keep."""
    settings.show_storage(replace(VIEW, automatic=False))
    reported = heard(settings, SetQuota)
    for _ in range(3):
        QTest.keyClick(settings.storage.slider, Qt.Key.Key_Left)
    assert settings.storage.limit_label.text() == "20 GB"
    assert reported == []
    qtbot.waitUntil(lambda: bool(reported))
    assert reported == [SetQuota(20 * GIB)]


def test_the_slider_does_not_move_while_it_is_dragged(settings: SettingsDialog) -> None:
    """New figures do not move the handle."""
    settings.show_storage(replace(VIEW, automatic=False))
    slider = settings.storage.slider
    slider.setSliderDown(True)
    slider.setValue(2)
    settings.show_storage(replace(VIEW, automatic=False, held_bytes=GIB))
    assert (slider.value(), settings.storage.limit_label.text()) == (2, "3 GB")


@pytest.mark.parametrize("most", [0, GIB, 3 * GIB, 90 * GIB, 900 * GIB])
def test_no_more_is_offered_than_the_disk_has(qtbot: QtBot, settings: SettingsDialog, most: int) -> None:
    """The highest limit fits on the disk."""
    settings.show_storage(replace(VIEW, automatic=False, most_bytes=most, quota_bytes=min(most, 40 * GIB)))
    storage = settings.storage
    storage.slider.setValue(storage.slider.maximum())
    with qtbot.waitSignal(storage.requested) as offered:
        storage.slider.sliderReleased.emit()
    assert offered.args is not None
    assert offered.args[0].quota < most or offered.args[0].quota == GIB


def test_clearing_needs_a_confirmation(qtbot: QtBot, settings: SettingsDialog) -> None:
    """Cancelling the question clears nothing."""
    with unasked(settings, ClearCaches):
        settings.storage.clear_button.click()
        question(settings).button(QMessageBox.StandardButton.Cancel).click()
    qtbot.waitUntil(lambda: settings.findChild(QMessageBox, "question") is None)
    with qtbot.waitSignal(settings.requested, check_params_cb=is_a(ClearCaches)):
        settings.storage.clear_button.click()
        answer(settings, "Clear")


def test_using_a_copy_needs_a_confirmation(qtbot: QtBot, settings: SettingsDialog) -> None:
    """The question names the copy, and the signal carries its id."""
    with qtbot.waitSignal(settings.requested, check_params_cb=is_a(RestoreBackup)) as reported:
        settings.backups.buttons["b1"].click()
        assert question(settings).text() == "Use the copy of Yesterday 18:40?"
        answer(settings, "Use this copy")
    assert reported.args == [RestoreBackup("b1")]


def test_a_text_says_that_there_is_no_copy(settings: SettingsDialog) -> None:
    """An empty card would look like a fault."""
    settings.show_storage(replace(VIEW, backups=()))
    assert settings.backups.group.isHidden()
    assert settings.backups.empty_label.text() == "There is no copy yet."


def test_each_button_shows_its_folder(settings: SettingsDialog) -> None:
    """Each button reports the folder to open."""
    reported = heard(settings, Reveal)
    settings.backups.reveal_button.click()
    settings.privacy.data_button.click()
    settings.privacy.logs_button.click()
    assert reported == [Reveal("backups"), Reveal("data"), Reveal("logs")]


def test_trouble_is_shown_while_it_lasts(settings: SettingsDialog) -> None:
    """A text above the figures describes it."""
    assert settings.storage.trouble.isHidden()
    settings.show_storage(replace(VIEW, trouble="The disk is full."))
    assert settings.storage.trouble.text() == "The disk is full."
    assert not settings.storage.trouble.isHidden()
    settings.show_storage(VIEW)
    assert settings.storage.trouble.isHidden()


def test_return_presses_no_button(settings: SettingsDialog) -> None:
    """No button is the default one."""
    QTest.keyClick(settings, Qt.Key.Key_Return)
    assert settings.findChild(QMessageBox, "question") is None
    assert settings.isVisible()


def test_it_is_painted_in_both_themes(settings: SettingsDialog) -> None:
    """The used part of the bar has the accent colour of the theme."""
    bar = settings.storage.bar
    for theme in (DARK, LIGHT):
        settings.set_theme(theme)
        image = bar.grab().toImage()
        ratio = image.devicePixelRatio()
        assert image.pixelColor(round(8 * ratio), round(4 * ratio)).name() == theme.accent
        assert image.pixelColor(image.width() - round(8 * ratio), round(4 * ratio)).name() == theme.field
