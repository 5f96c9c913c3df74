"""The first evening with Hearth: from an empty home to a warm chat with a model of one's own, by mouse alone.

If HEARTH_JOURNEY_PICTURES names a folder, each step is saved there as a picture, light and dark.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.models import welcome
from app.models.choice import USE
from app.models.welcome import Recommendations, RecommendedModel, Tier
from tests.end2end.conftest import Desk
from tests.fakes.hub.faults import Fault
from tests.fakes.hub.repository import files_in
from tests.fakes.hub.server import Hub, serving
from tests.fakes.tiny_models import build
from ui.intents.intent import Intent
from ui.models.model_list import ModelList
from ui.models.models_page import HUB
from ui.models.row_words import RowAction
from ui.state.chat import ChatPhase, Warmth
from ui.state.models import ModelRow, ModelState
from ui.theme.appearance import appearance
from ui.theme.theme import DARK, LIGHT
from ui.window.main_window import MainWindow

PICTURES = os.environ.get("HEARTH_JOURNEY_PICTURES", "")
REPOSITORY = "tiny-lab/Tiny-Hybrid-bf16"
CARD = b"---\nlicense: apache-2.0\n---\n# Tiny Hybrid\n\nA hybrid of **two layers**, for tests.\n"


class Visitor:
    """A newcomer with a mouse."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._steps = 0

    @property
    def window(self) -> MainWindow:
        return self.desk.app.window

    def click(self, widget: QWidget, at: QPoint | None = None) -> None:
        """Click into a widget that can be seen."""
        self.desk.until(widget.isVisible)
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at or widget.rect().center())

    def click_row(self, models: ModelList, model: str, action: RowAction | None = None) -> None:
        """Click a row of a list of models, or one of its buttons."""
        index = models.rows.index_of(model)
        assert index.isValid()
        place = models.button(model, action) if action else models.visualRect(index)
        assert not place.isEmpty()
        self.click(models.viewport(), place.center() if action else place.topLeft() + QPoint(24, 24))

    def look(self, name: str) -> None:
        """Take a picture of the step, light and dark."""
        self._steps += 1
        if not PICTURES:
            return
        for theme, name_of_theme in ((DARK, "dark"), (LIGHT, "light")):
            appearance.turn_to(theme)
            for _ in range(3):  # a new text moves what is below it, which moves the rest
                QApplication.processEvents()
            self.window.grab().save(str(Path(PICTURES) / f"{self._steps}-{name}-{name_of_theme}.png"))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """A hub with one tiny hybrid. This machine has no other models."""
    for name in ("HF_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    files = files_in(build(tmp_path / "tiny-hybrid")) | {"README.md": CARD}
    with serving() as hub:
        hub.lead(monkeypatch)
        hub.add(REPOSITORY, files, downloads=7, card={"license": "apache-2.0"})
        yield hub


@pytest.fixture
def visitor(qtbot: QtBot) -> Iterator[Visitor]:
    """A newcomer before an empty home."""
    desk = Desk(qtbot)
    yield Visitor(desk)
    desk.close()


@pytest.mark.timeout(300)
def test_the_first_evening(visitor: Visitor, hub: Hub) -> None:
    """Welcome, search, download, chat, quit, relaunch: no step needs the keyboard, and the chat resumes warm."""
    welcomes(visitor)
    finds_a_model(visitor)
    folder = downloads_it(visitor, hub)
    chat = chats(visitor, folder)
    visitor.desk.close()
    resumes(visitor, folder, chat)


def welcomes(visitor: Visitor) -> None:
    """The first window of an empty home offers two models that fit."""
    window = visitor.desk.open().window
    window.resize(1280, 840)
    visitor.desk.until(window.stage.shows_welcome)
    assert [card.pick.label for card in window.welcome.cards] == ["Smart", "Quick"]
    visitor.desk.until(lambda: visitor.desk.app.connection.ready)
    visitor.look("welcome")


def finds_a_model(visitor: Visitor) -> None:
    """The hub's models are listed without a word typed, and a model says everything before its download."""
    window = visitor.window
    visitor.click(window.welcome.find_button)
    found = window.models.listings[HUB].list
    visitor.desk.until(lambda: found.rows.index_of(REPOSITORY).isValid())
    visitor.click_row(found, REPOSITORY)
    pane = window.models.pane
    visitor.desk.until(lambda: pane.detail is not None and bool(pane.detail.layers))
    assert pane.detail is not None
    assert set(pane.detail.layers) == {"recurrent", "attention"}
    assert pane.detail.licence == "apache-2.0"
    assert pane.detail.card == "Tiny Hybrid\n\nA hybrid of two layers, for tests."
    visitor.look("found")


def downloads_it(visitor: Visitor, hub: Hub) -> str:
    """The download shows its progress. Returns the folder of the model."""
    window = visitor.window
    found = window.models.listings[HUB].list
    hub.misbehave(Fault(rate=60_000), "/cdn/*")
    visitor.click_row(found, REPOSITORY, RowAction.DOWNLOAD)
    visitor.desk.until(lambda: any(row.download is not None and row.download.done for row in rows_of(found)))
    visitor.look("downloading")
    visitor.desk.until(lambda: any(row.state is ModelState.READY for row in rows_of(found)))
    visitor.look("downloaded")
    return next(row.id for row in rows_of(found) if row.state is ModelState.READY)


def rows_of(models: ModelList) -> list[ModelRow]:
    """The listed models."""
    rows = (models.rows.row_at(models.rows.index(number)) for number in range(models.rows.rowCount()))
    return [row for row in rows if row is not None]


def chats(visitor: Visitor, folder: str) -> str:
    """The new model answers in a new chat, and the welcome page is gone. Returns the chat."""
    window, app = visitor.window, visitor.desk.app
    before = window.tabs.current()
    visitor.click_row(window.models.listings[HUB].list, folder, RowAction.NEW_CHAT)
    visitor.desk.until(lambda: window.tabs.current() not in ("", before) and window.stage.shows_chats())
    visitor.desk.until(lambda: app.connection.ready and app.connection.model == folder)
    assert window.store.welcome.now is None
    chat = window.tabs.current()
    visitor.look("new-chat")
    answers(visitor, chat)
    visitor.look("answered")
    return chat


def answers(visitor: Visitor, chat: str) -> None:
    """Click an example question, send it, and stop the answer after some words if it has not ended by then."""
    tab, desk = visitor.desk.tab(chat), visitor.desk
    example = tab.findChild(QPushButton, "example2")
    assert isinstance(example, QPushButton)
    visitor.click(example)
    if tab.composer.edit.toPlainText():
        visitor.click(tab.composer.button)
    desk.until(lambda: tab.transcript.messages.newest_of("assistant") is not None and len(desk.answer(chat).text) > 40)
    if desk.phase(chat) is ChatPhase.GENERATING:
        visitor.click(tab.composer.button)
    desk.until(lambda: desk.is_idle(chat) and bool(desk.answer(chat).footer))


def resumes(visitor: Visitor, folder: str, chat: str) -> None:
    """The relaunched window has the chat, warm from disk, and no welcome page."""
    app = visitor.desk.open()
    visitor.window.resize(1280, 840)
    visitor.desk.until(lambda: app.conversations.sessions.of(chat).status.warmth is Warmth.WARM)
    assert app.conversations.sessions.of(chat).status.cached_tokens > 0
    assert app.connection.model == folder
    assert visitor.window.store.welcome.now is None
    assert len(visitor.desk.answer(chat).text) > 40
    visitor.look("resumed")


@pytest.mark.timeout(300)
def test_the_built_in_model_answers_while_a_pick_is_downloaded(
    visitor: Visitor, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who looks around first can chat at once. The pick becomes the model of new chats when it is here. If it arrives
    during the answer, as on a busy machine, the notice offers it. The chat is answered by it if the user says so.
    """
    recommend(monkeypatch, hub)
    hub.misbehave(Fault(rate=20_000), "/cdn/*")
    welcomes(visitor)
    window, desk = visitor.window, visitor.desk
    demo = desk.app.connection.model
    smart = window.welcome.cards[0]
    visitor.click(smart.button)
    desk.until(lambda: smart.pick.download is not None and bool(smart.pick.download.done))
    visitor.look("pick")
    visitor.click(window.welcome.built_in_button)
    desk.until(window.stage.shows_chats)
    chat = window.tabs.current()
    assert desk.app.connection.model == demo
    answers(visitor, chat)
    desk.until(lambda: bool(_offers(visitor)))
    for offer in _offers(visitor):
        window.requested.emit(offer)
    desk.until(lambda: desk.tab(chat).composer.model_chip.text().startswith("Tiny Hybrid"))
    desk.until(lambda: desk.app.connection.model != demo and desk.app.connection.ready)
    assert Path(desk.app.connection.model).parts[-2:] == tuple(REPOSITORY.split("/"))
    desk.close()
    assert desk.open().window.store.welcome.now is None
    assert Path(desk.app.connection.model).parts[-2:] == tuple(REPOSITORY.split("/"))


def _offers(visitor: Visitor) -> list[Intent | None]:
    """What the notices about models that have arrived offer."""
    return [notice.intent for notice in visitor.window.notices.notices() if notice.key.startswith(USE)]


def recommend(monkeypatch: pytest.MonkeyPatch, hub: Hub) -> None:
    """Recommend the model of the loopback hub, at its commit."""
    model = RecommendedModel(
        name="Tiny Hybrid",
        revision=hub.repositories[REPOSITORY].branches["main"],
        bytes=100_000,
        memory=1_000_000,
        licence="Apache 2.0",
        text="Tiny answers.",
        source="this test",
    )
    told = Recommendations("2026-11-22", (), {REPOSITORY: model}, (Tier(0, REPOSITORY, REPOSITORY),))
    monkeypatch.setattr(welcome, "load", lambda: told)
