"""A visible transcript with a question and an open answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.transcripts import OPEN, USER, make

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.transcript.transcript import Transcript


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = make(qtbot, USER, OPEN)
    made.show()
    return made
