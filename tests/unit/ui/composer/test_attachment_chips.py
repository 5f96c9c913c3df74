"""The files attached to the draft."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent
from tests.fakes.intents import is_a
from ui.composer.attachment_chips import AttachmentChips
from ui.intents.chat import Detach, ShowFile
from ui.state.chat import MOST_CHIPS, AttachmentView
from ui.theme.appearance import appearance
from ui.theme.theme import DARK

ONE = AttachmentView("1", "train.py", "4.1 KB")
TWO = AttachmentView("2", "notes.md", "980 bytes")


@pytest.fixture
def chips(qtbot: QtBot) -> AttachmentChips:
    made = AttachmentChips(context())
    qtbot.addWidget(made)
    made.resize(600, made.height())
    return made


def rest_of(chips: AttachmentChips) -> str:
    """What is said of the files without a chip."""
    label = chips.findChild(QLabel)
    assert isinstance(label, QLabel)
    return label.text()


def test_they_take_no_room_while_there_are_none(chips: AttachmentChips) -> None:
    """Without files the composer has its usual height."""
    assert chips.isHidden()
    chips.set_attachments((ONE,))
    assert not chips.isHidden()
    chips.set_attachments(())
    assert chips.isHidden()


def test_each_file_has_its_chip_in_order(chips: AttachmentChips) -> None:
    """Name and size are shown and in the accessible name."""
    chips.set_attachments((ONE, TWO))
    assert [chip.accessibleName() for chip in chips.chips()] == ["train.py · 4.1 KB", "notes.md · 980 bytes"]
    one, other = chips.chips()
    chips.show()
    assert one.geometry().right() < other.x()


def test_the_first_files_of_thousands_have_chips(chips: AttachmentChips) -> None:
    """A message of an imported file may have any number, and the window would stand still for their chips. The rest is
    a number, until chips before it go.
    """
    files = tuple(replace(ONE, id=str(number)) for number in range(1500))
    chips.set_edited(files)
    assert [chip.file for chip in chips.chips()] == list(files[:MOST_CHIPS])
    assert rest_of(chips) == "+1,400"
    chips.chips()[0].close_button.click()
    assert chips.chips()[-1].file == files[MOST_CHIPS]
    assert rest_of(chips) == "+1,399"
    chips.set_edited(files[:MOST_CHIPS])
    assert rest_of(chips) == ""


def test_a_folder_looks_like_one(chips: AttachmentChips) -> None:
    """It has an icon of its own, and its tool tip says which of its files are left out."""
    folder = replace(ONE, id="3", is_folder=True, left_out="Left out: 2 that are not text")
    chips.set_attachments((ONE, folder))
    file, other = chips.chips()
    assert file.grab().toImage() != other.grab().toImage()
    assert "Left out: 2 that are not text" in other.toolTip()


def test_a_file_that_stays_keeps_its_chip(chips: AttachmentChips) -> None:
    """The mouse may be on its cross."""
    chips.set_attachments((ONE, TWO))
    kept = chips.chips()[1]
    chips.set_attachments((TWO,))
    assert chips.chips() == [kept]


def test_chips_that_do_not_fit_beside_each_other_stand_below(chips: AttachmentChips) -> None:
    """Every file can be seen, in up to three rows; more of them scroll."""
    files = tuple(replace(ONE, id=str(number)) for number in range(6))
    chips.set_attachments(files)
    chips.show()
    width = max(chip.width() for chip in chips.chips())
    for columns, rows in ((6, 1), (3, 2), (2, 3), (1, 6)):
        chips.resize(columns * (width + 20), chips.height())
        places = [chip.geometry() for chip in chips.chips()]
        assert len({place.top() for place in places}) == rows
        assert all(place.right() <= chips.viewport().width() for place in places)
        assert chips.height() == min(places[-1].bottom() + 1, 3 * places[0].height() + 2 * 7)
    assert chips.verticalScrollBar().maximum() > 0


def test_the_cross_asks_for_its_file_to_go(chips: AttachmentChips, qtbot: QtBot) -> None:
    """The chip goes when the app removes the file."""
    chips.set_attachments((ONE, TWO))
    with qtbot.waitSignal(sent().requested, check_params_cb=is_a(Detach)) as asked:
        chips.chips()[1].close_button.click()
    assert asked.args == [Detach("2")]
    assert len(chips.chips()) == 2


def test_a_long_name_keeps_both_its_ends(chips: AttachmentChips) -> None:
    """No chip is wider than the composer."""
    chips.set_attachments((AttachmentView("1", "measurements " * 30 + "final.csv", "1.2 MB"),))
    chip = chips.chips()[0]
    assert chip.sizeHint().width() < 360
    assert chip.name.startswith("meas")
    assert chip.name.endswith("final.csv")


def test_chips_follow_the_theme(chips: AttachmentChips) -> None:
    """Also in dark."""
    chips.set_attachments((ONE,))
    appearance.turn_to(DARK)
    image = chips.chips()[0].grab().toImage()
    assert image.pixelColor(image.width() // 2, 3).name() == DARK.page


def test_a_click_or_return_shows_the_file(qtbot: QtBot, chips: AttachmentChips) -> None:
    """The user can see what the model is going to be given, by mouse and keyboard. Delete removes the file."""
    chips.set_attachments((ONE, TWO))
    chips.show()
    chip = chips.chips()[1]
    with qtbot.waitSignal(sent().requested, timeout=1000, check_params_cb=lambda asked: asked == ShowFile("2")):
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(sent().requested, timeout=1000, check_params_cb=lambda asked: asked == ShowFile("2")):
        QTest.keyClick(chip, Qt.Key.Key_Return)
    with qtbot.waitSignal(sent().requested, timeout=1000, check_params_cb=lambda asked: asked == Detach("2")):
        QTest.keyClick(chip, Qt.Key.Key_Delete)
