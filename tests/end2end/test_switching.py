"""Stories of a user who switches, unloads and waits for models, with the real engine and the real stores."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox

from app.base import paths
from app.desktop.hearth import Hearth
from app.engine_client.connection import MODEL_KEY
from tests.end2end.conftest import Desk
from tests.fakes import adapters
from tests.fakes.segments import flip
from tests.fakes.tiny_models import build
from ui.intents.chat import Extend, InChat
from ui.intents.chat_settings import SetSwitch
from ui.intents.models import FreeModel, PickModel
from ui.intents.settings import CheckCaches
from ui.state.chat import MessageState


def answered(desk: Desk, chat: str, text: str) -> None:
    """Send a message and wait for the whole answer."""
    before = desk.tab(chat).transcript.messages.newest_of("assistant")
    desk.send(chat, text)
    desk.until(lambda: desk.is_idle(chat) and desk.answer(chat) != before and bool(desk.answer(chat).footer))


def in_memory(app: Hearth) -> str:
    """The model in the engine's memory; "" if there is none."""
    wanted = app.connection._wanted
    return wanted.former.path if wanted.in_memory and wanted.former is not None else ""


def pick(desk: Desk, model: Path) -> None:
    desk.app.window.requested.emit(PickModel(str(model)))


def test_a_message_wakes_an_unloaded_model_and_finds_the_chat_warm(desk: Desk, answers: Callable[[int], None]) -> None:
    """The user unloads the model and goes on as if it were there."""
    answers(16)
    app = desk.open()
    chat = app.window.tabs.current()
    answered(desk, chat, "My code word is marigold")
    kept = app.conversations.sessions.of(chat).status.context_tokens
    app.window.requested.emit(FreeModel())
    desk.until(lambda: in_memory(app) == "")
    assert app.window.tabs.current() == chat
    desk.send(chat, "What is my code word?")
    desk.until(lambda: app.connection.ready)
    desk.until(lambda: desk.is_idle(chat) and len(desk.tab(chat).transcript.messages) == 4)
    status = app.conversations.sessions.of(chat).status
    assert (status.cause, status.cached_tokens >= kept) == ("", True)


def test_a_switch_asks_and_keeps_the_text_and_both_caches(desk: Desk, model: Path, tmp_path: Path) -> None:
    """During an answer the user picks another model, first declines, then agrees. The text stays and is continued by
    the new model. Back at the first model the chat is warm.
    """
    other = build(tmp_path / "other", "llama")
    app = desk.open()
    chat = app.window.tabs.current()
    desk.send(chat, "Tell me a story")
    desk.until(lambda: desk.is_generating(chat) and len(desk.answer(chat).text) > 20)
    pick(desk, other)
    box = app.window.findChild(QMessageBox, "question")
    assert isinstance(box, QMessageBox)
    assert "Tell me a story" in box.informativeText()
    box.reject()
    grown = len(desk.answer(chat).text)
    desk.until(lambda: len(desk.answer(chat).text) > grown)
    assert app.connection.model == str(model)
    pick(desk, other)
    box = app.window.findChildren(QMessageBox, "question")[-1]
    next(button for button in box.buttons() if button.text() == "Switch").click()
    desk.until(lambda: desk.answer(chat).state is MessageState.STOPPED)
    desk.until(lambda: in_memory(app) == str(other) and app.connection.ready)
    stopped = desk.answer(chat)
    app.window.requested.emit(InChat(chat, Extend(stopped.id)))
    desk.until(lambda: desk.is_generating(chat) and len(desk.answer(chat).text) > len(stopped.text))
    assert desk.answer(chat).text.startswith(stopped.text)
    app.conversations.sessions.of(chat).stop()
    desk.until(lambda: desk.is_idle(chat))
    pick(desk, model)
    desk.until(lambda: in_memory(app) == str(model) and app.connection.ready)
    desk.until(lambda: app.conversations.sessions.of(chat).status.cached_tokens > 20)


def test_each_chat_is_answered_by_its_own_model(
    desk: Desk, answers: Callable[[int], None], model: Path, tmp_path: Path
) -> None:
    """A chat keeps its model while another chat gets another one, also after a restart. A message loads it first, and
    asks if that would stop the other chat's answer.
    """
    answers(16)
    other = build(tmp_path / "other", "llama")
    app = desk.open()
    one = app.window.tabs.current()
    answered(desk, one, "Tell me a story")
    app.conversations.creation.new()
    desk.until(lambda: app.window.tabs.current() != one)
    two = app.window.tabs.current()
    answered_by(desk, two, other)
    desk.close()
    answers(4_000)
    app = desk.open()
    desk.until(lambda: app.connection.ready and desk.app.window.chats.tab(one) is not None)
    assert in_memory(app) == str(model)
    desk.send(two, "And now a long one")
    desk.until(lambda: in_memory(app) == str(other) and desk.is_generating(two))
    desk.send(one, "Go on")
    box = app.window.findChild(QMessageBox, "question")
    assert isinstance(box, QMessageBox)
    assert desk.is_generating(two)
    next(button for button in box.buttons() if button.text() == "Switch").click()
    desk.until(lambda: in_memory(app) == str(model) and desk.is_generating(one))
    assert desk.answer(two).state is MessageState.STOPPED
    app.conversations.sessions.of(one).stop()
    desk.until(lambda: desk.is_idle(one))


def test_what_is_kept_is_verified_by_the_real_engine(desk: Desk, answers: Callable[[int], None]) -> None:
    """A damaged file is found, its chat is named, and the next check finds nothing."""
    answers(16)
    app = desk.open()
    chat = app.window.tabs.current()
    answered(desk, chat, "My code word is marigold")
    segments = paths.find().segments
    desk.until(lambda: any(segments.glob("??/*.safetensors")))
    damaged = next(segments.glob("??/*.safetensors"))
    flip(damaged, -1)
    check = app.cache_monitor.store_check

    def has_found(words: str) -> bool:
        """The answer may still be on its way to the disk: look again."""
        text = check.view.text
        if not text or text.endswith("No damage was found."):
            app.window.requested.emit(CheckCaches())
        return words in text

    desk.until(lambda: has_found("damaged part of"))
    assert "code word" in check.view.text
    assert not damaged.exists()
    app.window.requested.emit(CheckCaches())
    desk.until(lambda: "No damage was found." in check.view.text)


def test_a_message_that_waits_for_a_model_that_fails_is_given_back(desk: Desk, model: Path, tmp_path: Path) -> None:
    """One notice says why and what to do, and the former model stays."""
    broken = build(tmp_path / "broken", "llama")
    (broken / "tokenizer_config.json").write_text('{"tokenizer_class": "PreTrainedTokenizerFast"}')
    app = desk.open()
    desk.until(lambda: app.connection.ready)
    chat = app.window.tabs.current()
    pick(desk, broken)
    desk.send(chat, "Hello")
    desk.until(lambda: app.connection.ready and desk.tab(chat).composer.edit.toPlainText() == "Hello")
    assert app.connection.model == str(model)
    assert app.window.notices.keys() == (MODEL_KEY,)
    assert len(desk.tab(chat).transcript.messages) == 0


def test_an_adapter_is_picked_and_survives_a_restart(desk: Desk, model: Path, tmp_path: Path) -> None:
    """Its base is found by the folder that its configuration names, and remembered for the next start."""
    adapter = adapters.build(tmp_path / "models" / "pirate", model)
    app = desk.open()
    desk.until(lambda: app.connection.ready)
    app.models.add_folder(str(tmp_path / "models"))
    app.models.add_folder(str(model.parent))
    desk.until(lambda: any(one.folder == str(adapter) and one.base == str(model) for one in app.models.models))
    pick(desk, adapter)
    desk.until(lambda: in_memory(app) == str(adapter) and app.connection.ready)
    desk.close()
    app = desk.open()
    desk.until(lambda: in_memory(app) == str(adapter) and app.connection.ready)


def marked(desk: Desk, chat: str) -> set[str]:
    """The models that the picker of a chat marks."""
    entries = desk.tab(chat).composer.model_chip.choices.actions()
    return {entry.data() for entry in entries if "ready for this chat" in entry.text()}


def offered(desk: Desk, chat: str) -> set[str]:
    return {entry.data() for entry in desk.tab(chat).composer.model_chip.choices.actions()}


def answered_by(desk: Desk, chat: str, model: Path) -> None:
    pick(desk, model)
    desk.until(lambda: in_memory(desk.app) == str(model) and desk.app.connection.ready)
    answered(desk, chat, "Tell me more")


def open_picker(desk: Desk, chat: str) -> None:
    chip = desk.tab(chat).composer.model_chip
    chip.click()
    chip.choices.hide()


def test_the_picker_marks_the_models_that_would_continue_this_chat_warm(
    desk: Desk, answers: Callable[[int], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two models and an adapter are there beside the one that is loaded first. One after the other the two answer in a
    chat, and its picker marks both, also after a restart. A new chat marks none, and neither does the first once its
    cache is not kept.
    """
    answers(16)
    one, other = (build(tmp_path / "mine" / name, name) for name in ("lfm2", "llama"))
    adapter = adapters.build(tmp_path / "mine" / "pirate", one)
    both = {str(one), str(other)}
    app = desk.open()
    app.models.add_folder(str(tmp_path / "mine"))
    chat = app.window.tabs.current()
    answered_by(desk, chat, one)
    desk.until(lambda: marked(desk, chat) == {str(one)})
    answered_by(desk, chat, other)
    desk.until(lambda: marked(desk, chat) == both)
    assert offered(desk, chat) >= {*both, str(adapter)}
    fresh = desk.new_chat()
    told: list[frozenset[str]] = []
    monkeypatch.setattr(desk.tab(fresh), "show_warm_models", told.append)
    open_picker(desk, fresh)
    desk.until(lambda: told == [frozenset()])
    assert marked(desk, fresh) == set()
    desk.close()

    app = desk.open()
    app.conversations.tabs.open(chat)
    desk.until(lambda: app.window.tabs.current() == chat and marked(desk, chat) == both)
    app.window.requested.emit(InChat(chat, SetSwitch("cached", is_on=False)))
    desk.until(lambda: marked(desk, chat) == set())


def test_an_unused_model_is_unloaded(desk: Desk) -> None:
    """The line under the composer says so, and what the next message does."""
    app = desk.open()
    desk.until(lambda: app.connection.ready)
    app.connection.unload()
    strip = desk.tab(app.window.tabs.current()).strip
    desk.until(lambda: "is not in memory · the next message loads it" in strip.accessibleName())


def test_a_model_that_is_gone_is_told_where_it_is_wanted_only(
    desk: Desk, model: Path, tmp_path: Path, answers: Callable[[int], None]
) -> None:
    """The chat that was refused can try it again. Another chat says that its own model is loaded next, and is answered
    by that one. The picker names the missing model, and the folder that has its files now.
    """
    answers(8)
    other = build(tmp_path / "mine" / "other", "llama")
    app = desk.open()
    app.models.add_folder(str(tmp_path / "mine"))
    first = app.window.tabs.current()
    desk.until(lambda: app.connection.ready)
    pick(desk, model)
    answered(desk, first, "Hello")
    second = desk.new_chat()
    pick(desk, other)
    desk.until(lambda: in_memory(app) == str(other) and app.connection.ready)
    answered(desk, second, "Hello")
    app.window.requested.emit(FreeModel())
    desk.until(lambda: in_memory(app) == "")
    moved = other.rename(tmp_path / "mine" / "moved")
    desk.send(second, "Are you there?")
    desk.until(lambda: "could not be loaded" in desk.tab(second).strip.accessibleName())
    desk.until(lambda: str(moved) in {model.id for model in app.window.store.models.now.models})
    missing = next(model for model in app.window.store.models.now.models if model.id == str(other))
    assert missing.detail == "Not found"
    composer, strip = desk.tab(first).composer, desk.tab(first).strip
    assert strip.accessibleName().startswith(f"{composer.model_chip.text()} is not in memory")
    assert composer.model != str(other)
    answered(desk, first, "And you?")
    assert str(other) not in {model.id for model in app.window.store.models.now.models}
