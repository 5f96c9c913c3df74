"""What the inspector shows of a chat's memory."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent, store
from tests.fakes.intents import heard
from ui.inspector.memory_section import MemorySection, widths
from ui.intents.chat_settings import ClearMemory, UndoClearMemory
from ui.state.chat_memory import ChatMemoryView, TurnBlock
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT

VIEW = ChatMemoryView(
    "a",
    "success",
    "Ready at once",
    (
        TurnBlock(900, "kept", 1, 1, "m1", "Tell me\na story"),
        TurnBlock(100, "again", 2, 4, "m2", "Why?"),
        TurnBlock(10, "writing", 5, 5, "m5"),
    ),
    (("On disk", "3 MB"),),
    (("Checkpoints", "1"), ("", "Answers one chat at a time.")),
    can_clear=True,
)


@pytest.fixture
def section(qtbot: QtBot) -> MemorySection:
    made = MemorySection(context())
    qtbot.addWidget(made)
    made.resize(260, made.sizeHint().height())
    made.show()
    made.show_memory(VIEW)
    return made


def test_the_keyboard_stays_in_the_section_after_clearing(qtbot: QtBot, section: MemorySection) -> None:
    """The button has nothing to clear any more. The next control of the pane changes the sampling."""
    qtbot.waitUntil(section.isActiveWindow)
    section.clear_button.setFocus()
    section.show_memory(replace(VIEW, can_clear=False))
    assert section.more_button.hasFocus()
    section.clear_button.setFocus()
    section.show_memory(VIEW)
    assert section.more_button.hasFocus()


def test_a_block_is_as_wide_as_its_turn_is_long() -> None:
    """All fit, and even a short one can be seen."""
    found = widths(VIEW.turns, 260)
    assert sum(found) == pytest.approx(256)
    assert found[0] > 8 * found[1] > 0
    assert min(found) >= 3


def test_an_answer_moves_nothing_while_it_is_written(section: MemorySection) -> None:
    """The values of the chat are below, perhaps under the user's hand."""
    height = section.sizeHint().height()
    section.show_memory(replace(VIEW, turns=tuple(replace(turn, state="kept") for turn in VIEW.turns)))
    assert section.sizeHint().height() == height


def test_it_shows_the_map_and_its_figures(section: MemorySection) -> None:
    """The map can be heard, too."""
    assert section.pill.accessibleName() == "Ready at once"
    assert section.map.accessibleName() == "1 of 3 turns kept"
    assert section.about.text().endswith("blue is new.")
    colours = {section.grab().toImage().pixelColor(x, section.map.y() + 12).name() for x in range(0, 260, 1)}
    assert {LIGHT.chats_share, LIGHT.button_off, LIGHT.accent} <= colours
    appearance.turn_to(DARK)
    section.show_memory(ChatMemoryView("a"))
    assert (section.map.isHidden(), section.pill.isHidden(), section.clear_button.isEnabled()) == (True, True, False)


def test_a_block_says_which_turn_it_is_and_leads_there(section: MemorySection) -> None:
    """To the pointer by a tool tip, and to the keyboard and a screen reader by the map's name."""
    led: list[str] = []
    section.map.chosen.connect(led.append)
    QTest.mouseMove(section.map, QPoint(40, 10))
    assert section.map.toolTip() == "Turn 1 · “Tell me a story” · 900 tokens · kept ready"
    QTest.mouseClick(section.map, Qt.MouseButton.LeftButton, pos=QPoint(240, 10))
    QTest.mouseMove(section, QPoint(40, 2))
    names = []
    for _ in range(4):
        QTest.keyClick(section.map, Qt.Key.Key_Right)
        names.append(section.map.accessibleName())
    QTest.keyClick(section.map, Qt.Key.Key_Left)
    QTest.keyClick(section.map, Qt.Key.Key_Return)
    assert names[-1] == names[-2] == "Turn 5 · 10 tokens · being written"
    assert section.map.accessibleName() == "Turns 2 to 4 · “Why?” · 100 tokens · will be read"
    assert led == ["m2", "m2"]


def test_what_is_being_freed_is_told_and_can_be_kept(section: MemorySection) -> None:
    """The app shows it as gone, and the button undoes that for seconds. It stays under the pointer, though a figure
    goes: the words above it are the same.
    """
    section.show_memory(replace(VIEW, facts=(("Restored", "2 ms"), *VIEW.facts)))
    QApplication.processEvents()
    height = section.sizeHint().height()
    store().clearing.put({"a": 8})
    section.show_memory(replace(VIEW, can_clear=False))
    QApplication.processEvents()
    assert section.sizeHint().height() == height
    assert (section.clear_button.text(), section.clear_button.isEnabled()) == ("Undo (8 s)", True)
    said = heard(sent())
    section.clear_button.click()
    store().clearing.put({})
    assert said == [UndoClearMemory()]


def test_no_line_ends_inside_of_a_figure(section: MemorySection) -> None:
    """A value that is too long breaks between its figures."""
    section.show_memory(replace(VIEW, facts=(("Restored", "10 ms instead of about 33 s"),)))
    value = section.facts.findChildren(QLabel, "memoryValue")[-1].text()
    assert value == "10\u00a0ms instead of about 33\u00a0s"


def test_the_engines_words_are_folded_away(section: MemorySection) -> None:
    """A button shows them."""
    assert section.details.isHidden()
    section.more_button.click()
    assert (section.details.isHidden(), section.more_button.text()) == (False, "Hide details")


def test_what_is_kept_can_be_dropped(section: MemorySection) -> None:
    """The button asks for it."""
    said = heard(sent())
    section.clear_button.click()
    assert said == [ClearMemory()]
