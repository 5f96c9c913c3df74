"""Questions that are asked again."""

from __future__ import annotations

from app.chat.session import ChatSession
from tests.unit.app.conftest import Scene


def ask_again(scene: Scene, count: int) -> ChatSession:
    """A chat whose answer gets `count` more alternatives."""
    session = scene.session()
    scene.turn(session, "One", "Two")
    session.regenerate(scene.branch(session)[-1].id, count)
    return session
