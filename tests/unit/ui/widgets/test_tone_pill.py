"""The pill of a tone."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from ui.theme.appearance import appearance
from ui.theme.phrases import Badge
from ui.theme.style_sheet import PLAIN_DESKTOP, WINDOW
from ui.theme.theme import DARK, LIGHT, Theme
from ui.widgets.tone_pill import TonePill, tone_colours


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("place", [QWidget, QDialog])
@pytest.mark.parametrize("tone", ["success", "warning", "danger", "accent", "quiet"])
def test_its_colours_are_those_of_its_tone(qtbot: QtBot, theme: Theme, place: type[QWidget], tone: str) -> None:
    """In the window, and in a dialog, whose labels have a colour of their own."""
    appearance.turn_to(theme)
    holder = place()
    qtbot.addWidget(holder)
    holder.setStyleSheet((WINDOW + PLAIN_DESKTOP).format(t=theme))
    pill = TonePill(Badge("||||||||", tone))
    QVBoxLayout(holder).addWidget(pill)
    holder.show()
    image = pill.grab().toImage()
    painted = Counter(image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height()))
    ink, surface = tone_colours(tone, theme)
    assert painted.most_common(1)[0][0] == surface
    assert ink in painted
