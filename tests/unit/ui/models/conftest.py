"""A visible models page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.context import context
from ui.models.models_page import ModelsPage

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def page(qtbot: QtBot) -> ModelsPage:
    """A page of the size that it has in a window of 1280 x 840."""
    made = ModelsPage(context())
    qtbot.addWidget(made)
    made.resize(1008, 840)
    with qtbot.waitActive(made):
        made.show()
    return made
