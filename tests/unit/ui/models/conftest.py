"""A visible models page."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.fakes.context import context
from ui.models.models_page import ModelsPage


@pytest.fixture
def page(qtbot: QtBot) -> ModelsPage:
    """A page of the size that it has in a window of 1280 x 840."""
    made = ModelsPage(context())
    qtbot.addWidget(made)
    made.resize(1008, 840)
    with qtbot.waitActive(made):
        made.show()
    return made
