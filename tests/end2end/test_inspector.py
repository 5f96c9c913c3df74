"""The pane of a chat, with the real engine: its values reach the model, and it shows what the model kept."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.end2end.conftest import Desk
from ui.intents.settings import ClearCaches
from ui.state.chat_memory import ChatMemoryView
from ui.store import Store


def shown_in(store: Store) -> list[ChatMemoryView]:
    """What is shown of a chat's memory from now on. The engine reads a chat again within milliseconds."""
    shown: list[ChatMemoryView] = []
    store.chat_memory.follow(shown.append)
    return shown


def test_the_settings_of_a_chat_hold_from_its_next_turn_on(desk: Desk, answers: Callable[[int], None]) -> None:
    """By keyboard: the pane opens, a shorter answer and other instructions are typed. The chat is read again because of
    the instructions, the next answer is as short, and all of that is there after a restart.
    """
    answers(16)
    app = desk.open()
    chat = app.window.tabs.current()
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
    shown = shown_in(app.window.store)
    inspector.instructions.setFocus()
    QTest.keyClicks(inspector.instructions, "Be kind.")
    inspector.instructions.clearFocus()
    desk.until(lambda: inspector.sampling.preset.text() == "Balanced, changed")
    desk.until(lambda: "Will be read again" in [view.words for view in shown])
    again = next(view for view in shown if view.words == "Will be read again")
    assert ("Read again because", "the instructions were changed") in again.details
    desk.until(lambda: inspector.memory.pill.accessibleName() == "Ready at once")
    desk.send(chat, "What is my code word?")
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat).footer.startswith("5 tokens"))
    desk.close()

    app = desk.open()
    inspector = app.window.desk.inspector
    desk.until(lambda: inspector.instructions.toPlainText() == "Be kind.")
    assert app.window.desk.inspecting
    assert inspector.sampling.rows["max_tokens"].field.text() == "5"
    desk.until(lambda: inspector.memory.pill.accessibleName() == "Ready at once")


def test_what_is_cleared_in_the_settings_is_cleared_in_an_open_chat(desk: Desk, answers: Callable[[int], None]) -> None:
    """The engine holds an open chat in memory, too. Pane and settings agree that nothing of it is kept."""
    answers(16)
    app = desk.open()
    chat = app.window.tabs.current()
    desk.send(chat, "My code word is marigold")
    app.window.actions_by_name["toggle_inspector"].trigger()
    memory = app.window.desk.inspector.memory
    shown = shown_in(app.window.store)
    desk.until(
        lambda: bool(shown) and shown[-1].words == "Ready at once" and dict(shown[-1].facts)["On disk"] != "nothing"
    )
    app.window.requested.emit(ClearCaches())
    desk.until(lambda: memory.pill.accessibleName() == "Will be read again")
    desk.until(lambda: dict(shown[-1].facts)["On disk"] == "nothing")
    assert dict(shown[-1].facts)["Tokens kept"].startswith("0 of ")
    desk.send(chat, "What is my code word?")
    desk.until(lambda: desk.is_idle(chat) and bool(desk.answer(chat).footer))
    desk.close()
