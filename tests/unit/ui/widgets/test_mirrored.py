"""Parts of painted widgets, from left to right and mirrored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter

from ui.theme.theme import LIGHT
from ui.widgets.icon_button import IconButton
from ui.widgets.mirrored import Mirrored
from ui.widgets.pill import Pill
from ui.widgets.switch import Switch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

LEFT, RIGHT = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft


@pytest.fixture
def sheets() -> Iterator[dict[Qt.LayoutDirection, Mirrored]]:
    canvases = [QImage(100, 20, QImage.Format.Format_RGB32) for _ in range(2)]
    made = dict(zip((LEFT, RIGHT), map(QPainter, canvases), strict=True))
    for direction, painter in made.items():
        canvases[0 if direction == LEFT else 1].fill(Qt.GlobalColor.white)
        painter.setLayoutDirection(direction)
    yield {direction: Mirrored(painter, QRect(10, 0, 80, 20)) for direction, painter in made.items()}
    for painter in made.values():
        painter.end()


def test_a_part_keeps_its_distance_from_the_other_edge(sheets: dict[Qt.LayoutDirection, Mirrored]) -> None:
    """What is 5 pixels from the left edge is 5 pixels from the right one when mirrored, also at fractions."""
    assert sheets[LEFT].place(QRect(15, 2, 10, 10)) == QRect(15, 2, 10, 10)
    assert sheets[RIGHT].place(QRect(15, 2, 10, 10)) == QRect(75, 2, 10, 10)
    assert sheets[RIGHT].place_f(QRectF(15.5, 2, 10, 10)) == QRectF(74.5, 2, 10, 10)


def has_more_ink_at_right(image: QImage) -> bool:
    """Whether more is painted in the right half than in the left."""
    half = image.width() // 2
    ink = [sum(255 - image.pixelColor(x, y).lightness() for y in range(image.height())) for x in range(image.width())]
    return sum(ink[half:]) > sum(ink[:half])


@pytest.fixture
def _direction_kept() -> Iterator[None]:
    yield
    QGuiApplication.setLayoutDirection(LEFT)


@pytest.mark.usefixtures("_direction_kept")
@pytest.mark.parametrize("direction", [LEFT, RIGHT])
def test_painted_widgets_follow_the_direction_of_the_window(qtbot: QtBot, direction: Qt.LayoutDirection) -> None:
    """The chevron of a pill stands at the end of it, and the knob of a switch that is off at its beginning."""
    QGuiApplication.setLayoutDirection(direction)
    pill, switch = Pill("", LIGHT), Switch("Think", LIGHT)
    for widget in (pill, switch):
        qtbot.addWidget(widget)
    pill.setFixedWidth(200)
    assert has_more_ink_at_right(pill.grab(QRect(8, 4, 184, 18)).toImage()) is (direction == LEFT)
    assert has_more_ink_at_right(switch.grab(QRect(4, 4, 34, 18)).toImage()) is (direction == LEFT)


def test_icons_that_point_to_a_side_change_it(qtbot: QtBot) -> None:
    """The button that leads back points to where the window begins."""
    back, forth = IconButton("chevron-left", "Back", LIGHT), IconButton("chevron-right", "Forth", LIGHT)
    for button in (back, forth):
        qtbot.addWidget(button)
    back.setLayoutDirection(RIGHT)
    back.set_theme(LIGHT)
    assert back.icon().pixmap(18, 18).toImage() == forth.icon().pixmap(18, 18).toImage()


def test_a_mirrored_icon_stands_at_its_place(sheets: dict[Qt.LayoutDirection, Mirrored]) -> None:
    """The corner is given as from left to right."""
    sheets[RIGHT].icon("x", "#ff0000", 10, QPoint(15, 2))
    canvas = sheets[RIGHT].painter.device()
    assert isinstance(canvas, QImage)
    reds = [x for x in range(100) if any(canvas.pixelColor(x, y).green() < 200 for y in range(20))]
    assert 75 <= min(reds) <= max(reds) < 85
