"""A user's own model: found in a folder that is added, examined, used, and remembered."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.base import paths, settings
from tests.end2end.conftest import Desk
from tests.fakes.foreign import never
from tests.fakes.tiny_models import build
from ui.intents.library import DeleteChats
from ui.intents.models import AddModelFolder, ConfigureModel, PickModel
from ui.models.model_list import ModelList
from ui.state.models import FitLevel, ModelRow, ModelSettingsView, ModelState


@pytest.fixture(autouse=True)
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine has no models of other programs."""
    for name in ("HF_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)


def _row(desk: Desk, folder: str) -> ModelRow:
    rows = desk.app.window.models.listings[0].list.rows
    return rows.row_at(rows.index_of(folder)) or ModelRow("", "")


def _knows_the_speed(desk: Desk, folder: str) -> None:
    """The page shows the speed of the last answer beside the model's other facts."""
    page = desk.app.window.models
    page.listings[0].list.chosen.emit(folder)
    desk.until(lambda: page.pane.detail is not None and "Writing speed" in dict(page.pane.detail.technical))
    assert page.pane.detail is not None
    assert page.pane.detail.row.id == folder


def test_a_model_in_the_users_folder_is_examined_used_and_remembered(
    desk: Desk, answers: Callable[[int], None], tmp_path: Path
) -> None:
    """The page says that it fits. After a chat and a restart it counts that chat as warm and knows the speed."""
    answers(40)
    folder = str(build(tmp_path / "mine" / "Tiny-4bit"))
    window = desk.open().window
    desk.until(lambda: desk.app.connection.ready)
    window.stage.show_models()
    window.requested.emit(AddModelFolder(str(tmp_path / "mine")))
    desk.until(lambda: _row(desk, folder).fit.level is FitLevel.FITS)
    assert (_row(desk, folder).name, _row(desk, folder).state) == ("Tiny · 4-bit", ModelState.READY)
    window.requested.emit(ConfigureModel(folder, ModelSettingsView(alias="Mine")))
    window.requested.emit(PickModel(folder))
    desk.until(lambda: desk.app.connection.ready and _row(desk, folder).loaded)
    chat = desk.new_chat()
    desk.send(chat, "Hello, is anyone there?")
    desk.until(lambda: desk.is_idle(chat) and bool(desk.answer(chat).text))
    _knows_the_speed(desk, folder)
    desk.close()

    window = desk.open().window
    desk.until(lambda: desk.app.connection.ready)
    window.stage.show_models()
    desk.until(lambda: _row(desk, folder).warm_chats == 1)
    assert (_row(desk, folder).name, _row(desk, folder).loaded) == ("Mine", True)
    _knows_the_speed(desk, folder)


def _has_answered(desk: Desk, chat: str) -> bool:
    return desk.is_idle(chat) and bool(desk.answer(chat).text)


def _texts(list_: ModelList, folder: str) -> str:
    return str(list_.rows.index_of(folder).data(Qt.ItemDataRole.AccessibleTextRole))


def test_a_row_counts_the_chats_and_the_card_says_how_the_model_runs(
    desk: Desk, answers: Callable[[int], None], tmp_path: Path
) -> None:
    """The user picks the model for the chat in front by the accent button, chats with it twice, deletes one of the
    chats, and unfolds what engineers ask.
    """
    answers(40)
    folder = str(build(tmp_path / "mine" / "Tiny-4bit"))
    window = desk.open().window
    desk.until(lambda: desk.app.connection.ready)
    first = desk.new_chat()
    window.stage.show_models()
    window.requested.emit(AddModelFolder(str(tmp_path / "mine")))
    desk.until(lambda: _row(desk, folder).fit.level is FitLevel.FITS)
    page = window.models
    models, pane = page.listings[0].list, page.pane
    place = models.visualRect(models.rows.index_of(folder)).center()
    QTest.mouseClick(models.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert pane.buttons.use.text() == "Use in this chat"
    QTest.mouseClick(pane.buttons.use, Qt.MouseButton.LeftButton)
    desk.until(lambda: desk.app.connection.ready and _row(desk, folder).loaded)
    for chat in (first, desk.new_chat()):
        desk.send(chat, "Hello, is anyone there?")
        desk.until(partial(_has_answered, desk, chat))
    window.stage.show_models()
    desk.until(lambda: "in use by 2 chats" in _texts(models, folder))
    assert "4k context" in _texts(models, folder)
    assert "Fits well" in _texts(models, folder)
    assert pane.runs.text().startswith("It fits well. A chat can be up to 4,096 tokens long.")
    assert "tokens a second here." in pane.runs.text()
    assert not pane.buttons.use.isVisible()
    assert not pane.strip.isVisible()
    QTest.mouseClick(pane.fold_button, Qt.MouseButton.LeftButton)
    assert pane.strip.isVisible()
    window.requested.emit(DeleteChats((first,)))
    window.stage.show_models()
    desk.until(lambda: "in use by 1 chat" in _texts(models, folder))


def test_the_welcome_page_counts_the_models_that_can_run(
    desk: Desk, answers: Callable[[int], None], tmp_path: Path
) -> None:
    """Weights that are cut off look whole in the folder's list of files, so the page has the models examined. The two
    others are in the folder and in use.
    """
    answers(8)
    build(tmp_path / "mine" / "Whole-4bit")
    weights = build(tmp_path / "mine" / "Cut-4bit") / "model.safetensors"
    os.truncate(weights, weights.stat().st_size // 2)
    file = paths.find().settings
    saved = settings.load(file, never)
    settings.save(replace(saved, welcoming=True, model_folders=(str(tmp_path / "mine"),)), file)
    window = desk.open_damaged().window
    desk.until(window.stage.shows_welcome)
    desk.until(lambda: "2 in your folders." in window.welcome.found.text())
    assert _row(desk, str(weights.parent)).note == (
        "Its file model.safetensors is not complete. Get its files again, or remove the folder."
    )
