"""Chats that are longer than the model's context."""

from __future__ import annotations

from app.chat.session import ChatSession
from engine.protocol.messages import PromptFitted
from tests.unit.app.conftest import Scene


def refuse(scene: Scene, session: ChatSession, code: str = "context_full") -> None:
    session.engine_event(scene.engine.finished(session.id, "failed", code=code, message="Too long."))


def overflowing(scene: Scene, turns: int) -> ChatSession:
    """A chat of `turns` turns whose last message does not fit."""
    session = scene.session(system="Be brief.")
    for number in range(1, turns):
        scene.turn(session, f"q{number}", f"a{number}")
    session.submit(f"q{turns}")
    refuse(scene, session)
    return session


def report_fit(scene: Scene, session: ChatSession, place: int = 0, code: str = "") -> None:
    """The engine finds that the chat fits from the turn number `place` of its question on, -1: from none."""
    asked = scene.engine.fits[-1]
    start = asked.starts[place] if place >= 0 else -1
    session.engine_event(PromptFitted(asked.request, session.id, start, code, "No." if code else ""))


def texts_asked(scene: Scene) -> list[str]:
    return [message.content for message in scene.engine.requests[-1].messages]
