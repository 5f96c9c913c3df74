"""The pane of a chat, with the real engine: its values reach the model, and it shows what the model kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from ui.state.chat import Warmth

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.end2end.conftest import Desk


def test_the_settings_of_a_chat_hold_from_its_next_turn_on(desk: Desk, answers: Callable[[int], None]) -> None:
    """By keyboard: the pane opens, a shorter answer and other instructions are typed. The next answer is as short, the
    chat is read again because of the instructions, and all of that is there after a restart.
    """
    answers(16)
    app = desk.open()
    chat = app.window.chats.current()
    desk.send(chat, "My code word is marigold")
    desk.until(lambda: desk.is_idle(chat) and bool(desk.answer(chat).footer))
    app.window.actions_by_name["toggle_inspector"].trigger()
    inspector = app.window.desk.inspector
    desk.until(lambda: inspector.memory.pill.accessibleName() == "Ready at once")
    desk.until(lambda: inspector.memory.facts.isVisible() and inspector.memory.clear_button.isEnabled())
    field = inspector.sampling.rows["max_tokens"].field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    inspector.instructions.setFocus()
    QTest.keyClicks(inspector.instructions, "Be kind.")
    inspector.instructions.clearFocus()
    desk.until(lambda: inspector.sampling.preset.text() == "Balanced, changed")
    desk.until(lambda: inspector.memory.pill.accessibleName() == "Read again")
    assert app.conversations.sessions.of(chat).status.warmth is Warmth.COLD
    desk.send(chat, "What is my code word?")
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).footer.startswith("5 tokens"))
    assert app.conversations.sessions.of(chat).status.cause == "the system prompt was changed"
    desk.close()

    app = desk.open()
    inspector = app.window.desk.inspector
    desk.until(lambda: inspector.instructions.toPlainText() == "Be kind.")
    assert app.window.desk.inspecting
    assert inspector.sampling.rows["max_tokens"].field.text() == "5"
    desk.until(lambda: inspector.memory.pill.accessibleName() == "Ready at once")
