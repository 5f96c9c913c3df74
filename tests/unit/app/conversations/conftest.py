"""The use cases of all conversations."""

from __future__ import annotations

import pytest

from app.conversations.conversations import Conversations
from tests.unit.app.conftest import Scene


@pytest.fixture
def chats(scene: Scene) -> Conversations:
    return scene.conversations()
