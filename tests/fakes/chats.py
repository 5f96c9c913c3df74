"""New chats, answered ones, and the titles in the list."""

from __future__ import annotations

from app.conversations.conversations import Conversations
from tests.unit.app.conftest import Scene


def new_chat(scene: Scene, chats: Conversations) -> str:
    chats.creation.new()
    return scene.window.opened[-1].id


def listed_titles(scene: Scene) -> list[str]:
    return [row.title for row in scene.window.rows]


def answered_chat(scene: Scene, chats: Conversations, conversation: str, text: str) -> None:
    chats.sessions.engine_event(scene.engine.deltas((conversation, text)))
    chats.sessions.engine_event(scene.engine.finished(conversation))
