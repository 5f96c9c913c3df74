"""A visible transcript with a question and an open answer."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from tests.fakes.transcripts import OPEN, USER, make
from ui.transcript.transcript import Transcript


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = make(qtbot, USER, OPEN)
    made.show()
    return made
