"""The pictures that `make shots` draws. `test_translated_states` looks at every state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from tests.shots.sheet import contact_sheet
from tests.shots.states import STATES
from tests.shots.studio import Studio
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT


@pytest.fixture
def studio(qtbot: QtBot) -> Iterator[Studio]:
    made = Studio(LIGHT)
    qtbot.addWidget(made.window)
    yield made
    made.close()


def test_what_lies_over_the_window_is_in_the_picture(studio: Studio) -> None:
    """A dialog is part of the picture, as it is on a screen."""
    STATES["chat"](studio)
    before = studio.picture().toImage()
    studio.do("shortcuts")
    assert studio.picture().toImage() != before


def test_a_contact_sheet_shows_every_picture(studio: Studio, tmp_path: Path) -> None:
    """Each cell of the sheet differs from its ground."""
    appearance.turn_to(DARK)
    for name in ("a", "b", "c", "d"):
        studio.picture().save(str(tmp_path / f"{name}.png"))
    contact_sheet(sorted(tmp_path.glob("?.png")), tmp_path / "sheet.png")
    sheet = QImage(str(tmp_path / "sheet.png"))
    corners = [(30, 200), (700, 200), (1350, 200), (30, 700)]
    assert {sheet.pixelColor(x, y).name() for x, y in corners} == {DARK.sidebar}
