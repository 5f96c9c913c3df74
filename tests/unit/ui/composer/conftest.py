"""A visible composer."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.fakes.context import context
from ui.composer.composer import Composer


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer(context())
    qtbot.addWidget(made)
    made.resize(700, made.sizeHint().height())
    made.show()
    return made
