"""A visible sidebar with three chats."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.fakes.context import context
from tests.fakes.views import clock, row
from ui.sidebar.sidebar import Sidebar


@pytest.fixture
def sidebar(qtbot: QtBot) -> Sidebar:
    made = Sidebar(context(), clock)
    qtbot.addWidget(made)
    made.resize(made.width(), 700)
    made.show_conversations(tuple(row(name, 0.1) for name in "abc"))
    with qtbot.waitActive(made):
        made.show()
    return made
