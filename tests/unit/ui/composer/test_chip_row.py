"""The line of buttons below the text of a message."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from ui.composer.button_row import ChipRow
from ui.widgets.face_button import Pill


def pill(icon: str, words: str) -> Pill:
    made = Pill(icon)
    made.setText(words)
    return made


@pytest.fixture
def pills() -> tuple[Pill, Pill, Pill]:
    """One that comes and goes, one that stays, and the name of a model."""
    return pill("pause", "Pause the answer"), pill("brain", "Think before answering"), pill("", "A model")


@pytest.fixture
def row(qtbot: QtBot, pills: tuple[Pill, Pill, Pill]) -> ChipRow:
    passing, lasting, name = pills
    made = ChipRow((lasting,), (passing, name))
    qtbot.addWidget(made)
    made.resize(600, 30)
    made.show()
    return made


def whole(*pills: Pill) -> int:
    """The width of a row in which all words are seen."""
    return sum(pill.whole_width() + 7 for pill in pills)


def is_short(pill: Pill) -> bool:
    return pill.sizeHint().width() < pill.whole_width()


def test_words_go_before_anything_is_cut_off(row: ChipRow, pills: tuple[Pill, Pill, Pill], qtbot: QtBot) -> None:
    """First those of the buttons that come and go. The words come back with the room, and readers keep them."""
    passing, lasting, _ = pills
    seen, wide = [], whole(*pills)
    for width in (wide, wide - 1, wide - passing.whole_width(), wide):
        row.resize(width, 30)
        seen.append((is_short(passing), is_short(lasting)))
        qtbot.waitUntil(lambda: all(each.width() >= each.sizeHint().width() for each in pills))
    assert seen == [(False, False), (True, False), (True, True), (False, False)]
    assert passing.text() == "Pause the answer"


def test_a_button_that_goes_leaves_its_room(row: ChipRow, pills: tuple[Pill, Pill, Pill], qtbot: QtBot) -> None:
    """The words of the others come back, and go again with it."""
    passing, lasting, name = pills
    row.resize(whole(lasting, name), 30)
    assert is_short(lasting)
    passing.hide()
    qtbot.waitUntil(lambda: not is_short(lasting))
    passing.show()
    qtbot.waitUntil(lambda: is_short(lasting))


def test_a_long_name_takes_no_words(row: ChipRow, pills: tuple[Pill, Pill, Pill], qtbot: QtBot) -> None:
    """The name of a model may have any length: it is elided before other buttons lose their words."""
    passing, lasting, name = pills
    name.minimumSizeHint = lambda: QSize(60, 26)  # type: ignore[method-assign] # as the chip of models has it
    name.setText("A model with a name that nobody can read to its end")
    row.resize(whole(passing, lasting) + 150, 30)
    qtbot.waitUntil(lambda: name.width() < name.sizeHint().width())
    assert not is_short(passing)


def test_the_row_has_one_height(row: ChipRow) -> None:
    """The message box never jumps."""
    heights = set()
    for width in (600, 200):
        row.resize(width, 30)
        heights.add(row.sizeHint().height())
    assert len(heights) == 1
