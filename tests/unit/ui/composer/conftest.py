"""A visible composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.context import context
from ui.composer.composer import Composer

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def composer(qtbot: QtBot) -> Composer:
    made = Composer(context())
    qtbot.addWidget(made)
    made.resize(700, made.sizeHint().height())
    made.show()
    return made
