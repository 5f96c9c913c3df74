"""The model that a start begins with, if the chosen one is away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.base import settings
from app.base.model_names import DEMO
from app.base.paths import Paths
from app.base.settings import ModelSettings, Settings
from app.desktop.workspace import Workspace
from app.models.choice import MISSING, USE, ModelChoice
from app.models.local_models import LocalModel
from app.models.sources import ModelSource, Origin
from tests.fakes.foreign import never
from ui.state.models import ModelState
from ui.theme.long_texts import shortened
from ui.window.main_window import MainWindow
from ui.window.notice_bar import NoticeCard

Opened = tuple[ModelChoice, MainWindow]


@pytest.fixture
def opened(qtbot: QtBot, places: Paths) -> Callable[[Settings], Opened]:
    """Start with these settings."""

    def start(kept: Settings) -> Opened:
        settings.save(kept, places.settings)
        window = MainWindow()
        qtbot.addWidget(window)
        choice = ModelChoice(Workspace(places.settings, window), window)
        choice.start()
        return choice, window

    return start


def at(folder: Path, state: ModelState = ModelState.READY) -> LocalModel:
    return LocalModel(str(folder), folder.name, folder.name, ModelSource(Origin.ADDED, folder.parent), state)


def texts(window: MainWindow) -> list[str]:
    return [card.accessibleName() for card in window.notices.findChildren(NoticeCard) if not card.isHidden()]


def test_a_model_that_is_away_is_named(opened: Callable[[Settings], Opened], places: Paths, tmp_path: Path) -> None:
    """The built-in model answers meanwhile, and the choice stays in the settings."""
    folder = tmp_path / "disk" / "Tiny-4bit"
    choice, window = opened(Settings(model=str(folder)))
    assert choice.first == DEMO
    away = shortened(str(folder.parent), 80)
    assert texts(window) == [
        f"“Tiny · 4-bit” is not here: its folder {away} is away. The built-in model answers meanwhile."
    ]
    assert settings.load(places.settings, never).model == str(folder)
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    choice, window = opened(settings.load(places.settings, never))
    assert (choice.first, window.notices.keys()) == (str(folder), ())


def test_the_folder_that_is_away_is_named(opened: Callable[[Settings], Opened], tmp_path: Path) -> None:
    """The model's own, if the one around it is there."""
    folder = tmp_path / "disk" / "Tiny-4bit"
    folder.parent.mkdir()
    _, window = opened(Settings(model=str(folder)))
    assert f"its folder {shortened(str(folder), 80)} is away" in texts(window)[0]


def test_a_model_that_is_back_is_offered(opened: Callable[[Settings], Opened], tmp_path: Path) -> None:
    """By the name that the user gave it, once, and only if it can be loaded."""
    folder = tmp_path / "Tiny"
    choice, window = opened(Settings(model=str(folder), models={str(folder): ModelSettings(alias="Mine")}))
    choice.show_models([at(tmp_path / "Other"), at(folder, ModelState.INCOMPLETE)])
    assert window.notices.keys() == (MISSING,)
    choice.show_models([at(folder)])
    assert window.notices.keys() == (USE + str(folder),)
    assert texts(window) == ["“Mine” is here again."]
    window.clear_notice(USE + str(folder))
    choice.show_models([at(folder)])
    assert window.notices.keys() == ()


def test_another_choice_ends_the_notice(opened: Callable[[Settings], Opened], places: Paths, tmp_path: Path) -> None:
    """The missing model is not offered any more."""
    choice, window = opened(Settings(model=str(tmp_path / "gone")))
    choice.keep("/models/b")
    choice.show_models([at(tmp_path / "gone")])
    assert window.notices.keys() == ()
    assert settings.load(places.settings, never).model == "/models/b"


def test_the_first_download_becomes_the_model(opened: Callable[[Settings], Opened]) -> None:
    """The notice says so."""
    choice, window = opened(Settings())
    folder = "/models/org/Tiny-4bit"
    choice.arrived(folder, "mit", lambda picked: picked == folder)
    assert texts(window) == ["Tiny · 4-bit is downloaded and answers new chats. Its licence is mit."]
    assert window.notices.findChildren(QPushButton, "noticeAction") == []


@pytest.mark.parametrize("model", ["", "/models/other"])
def test_a_download_that_may_not_take_over_is_offered(opened: Callable[[Settings], Opened], model: str) -> None:
    """An answer runs, or the user has chosen a model: nothing is asked, and the notice has a button."""
    choice, window = opened(Settings(model=model))
    window.clear_notice(MISSING)
    choice.arrived("/models/org/Tiny", "", lambda _folder: bool(model))
    assert texts(window) == ["Tiny is downloaded."]
    assert window.notices.keys() == (USE + "/models/org/Tiny",)
    assert [button.text() for button in window.notices.findChildren(QPushButton, "noticeAction")] == ["Use it"]


@pytest.mark.parametrize(("model", "buttons"), [("", []), ("/models/other", ["Use it"])])
def test_a_download_is_offered_once_to_the_chats_of_the_built_in_model(
    opened: Callable[[Settings], Opened], places: Paths, model: str, buttons: list[str]
) -> None:
    """The notice of the first one has a button for that, also after a restart of Hearth. Without such chats it does not
    count as offered.
    """
    choice, window = opened(Settings(model=model))
    window.clear_notice(MISSING)
    words: list[list[str]] = []
    for has_built_in in (False, True, True):
        choice.arrived(f"/models/{len(words)}/Tiny", "", lambda _folder: not model, has_built_in=has_built_in)
        card = window.notices.findChildren(NoticeCard)[-1]
        words.append(sorted(button.text() for button in card.findChildren(QPushButton) if button.text()))
    assert words == [buttons, ["Answer your chats with Tiny", *buttons], buttons]
    assert settings.load(places.settings, never).offered


@pytest.mark.parametrize("model", ["", DEMO])
def test_the_built_in_model_is_not_missed(opened: Callable[[Settings], Opened], model: str) -> None:
    """Neither before the first choice nor as a choice."""
    choice, window = opened(msgspec.structs.replace(Settings(), model=model))
    assert (choice.first, window.notices.keys()) == (DEMO, ())


@pytest.mark.parametrize("model", ["a" * 5000, "nul\0"])
def test_a_damaged_choice_has_a_short_notice(opened: Callable[[Settings], Opened], model: str) -> None:
    """The start goes on."""
    choice, window = opened(Settings(model=model))
    assert choice.first == DEMO
    assert len(texts(window)[0]) < 250
