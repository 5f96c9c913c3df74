"""What the window's intents about the models on this machine do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QDesktopServices

from app.base.model_names import DEMO
from app.base.settings import ModelSettings
from app.desktop.macs import Macs
from app.desktop.models_on_disk import DROPPED, LOOK_TICKS, ModelsOnDisk
from app.desktop.workspace import Workspace
from app.engine_client.connection import EngineConnection
from engine.protocol.inspection import ModelFacts
from engine.protocol.messages import ModelLoaded
from tests.fakes.tiny_models import build
from ui.state.models import ModelSettingsView
from ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from PySide6.QtCore import QUrl
    from pytestqt.qtbot import QtBot

    from app.base.paths import Paths
    from tests.unit.app.conftest import Scene

pytestmark = pytest.mark.usefixtures("preloaded")


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    window = MainWindow()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def workspace(places: Paths, window: MainWindow) -> Workspace:
    return Workspace(places.settings, window)


@pytest.fixture
def models(
    places: Paths,
    window: MainWindow,
    workspace: Workspace,
    scene: Scene,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[ModelsOnDisk]:
    """The models of a window without an engine, on a machine without models of other programs."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    connection = EngineConnection(DEMO, window, lambda _command: None, 1000)
    macs = Macs(places, window, workspace)
    models = ModelsOnDisk(places, window, workspace, connection, scene.conversations(), macs)
    yield models
    models.close()
    macs.close()


def test_the_times_of_a_load_divide_the_layers_at_the_next_one(
    models: ModelsOnDisk, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the Macs are of equal memory, the one that is twice as fast gets twice the layers. Without a group a load
    changes nothing.
    """
    facts = ModelFacts("llama", 1, 30, 0, 0, ("attention",) * 30, 1, 0, splits=("pipeline",))
    monkeypatch.setattr(models.presenter, "facts_of", lambda _model: facts)
    monkeypatch.setattr(models._macs, "memory", lambda macs: (64,) * (1 + len(macs)))
    assert models.configure(DEMO, ModelSettingsView(macs=("studio",)))
    assert workspace.settings.of_model(DEMO).shares == (15, 15)
    models.engine_event(ModelLoaded(DEMO, 0, shares=(1, 1), layer_times=(200, 100)))
    kept = workspace.settings.of_model(DEMO)
    assert (kept.shares, kept.layer_times) == ((10, 20), (200, 100))
    models.engine_event(ModelLoaded("/other", 0))
    assert workspace.settings.models.keys() == {DEMO}


def test_settings_of_a_model_are_kept(models: ModelsOnDisk, workspace: Workspace) -> None:
    """Only those of the wanted model that concern its load lead to another load. The base of an adapter stays."""
    workspace.change_model("/m", ModelSettings(base="/base"))
    view = ModelSettingsView(alias="Mine", context_limit=4096, kv_bits=8, system="Be brief.", thinking=True, top_p=0.5)
    assert not models.configure("/m", view)
    assert workspace.settings.of_model("/m") == ModelSettings(
        "Mine", "/base", 4096, 8, "Be brief.", thinking=True, top_p=0.5
    )
    assert not models.configure(DEMO, ModelSettingsView(alias="Mine"))
    assert models.configure(DEMO, ModelSettingsView(alias="Mine", kv_bits=8))
    assert models.configure(DEMO, ModelSettingsView(alias="Mine", kv_bits=8, context_limit=1000))


def test_another_system_prompt_shows_the_open_chats_as_they_are_then(models: ModelsOnDisk, scene: Scene) -> None:
    """Their caches are looked up again, if the prompt is that of the model that answers and has changed."""
    chats = models._conversations
    chat = scene.library.conversations.create().id
    scene.converse(chats, chat, "One", "Two")
    chats.tabs.open(chat)
    scene.engine.sent.clear()
    models.configure(DEMO, ModelSettingsView(system="Be brief."))
    models.configure(DEMO, ModelSettingsView(system="Be brief.", alias="Mine"))
    models.configure("/m", ModelSettingsView(system="Be kind."))
    assert [type(command).__name__ for command in scene.engine.sent] == ["Warm"]


def test_a_folder_of_the_user_is_looked_into_until_it_is_dropped(
    models: ModelsOnDisk, workspace: Workspace, tmp_path: Path, qtbot: QtBot
) -> None:
    """Its files stay."""
    folder = build(tmp_path / "mine" / "Tiny-4bit")
    models.add_folder(str(tmp_path / "mine"))
    models.add_folder(str(tmp_path / "mine"))
    assert list(workspace.settings.model_folders) == [str(tmp_path / "mine")]
    models.presenter.show(str(folder))
    qtbot.waitUntil(lambda: models.presenter.has(str(folder)), timeout=20_000)
    models.drop_folder(str(tmp_path / "mine"))
    assert not workspace.settings.model_folders
    qtbot.waitUntil(lambda: not models.presenter.has(str(folder)), timeout=20_000)
    assert (folder / "config.json").exists()


def test_a_dropped_folder_comes_back_by_undo(
    models: ModelsOnDisk, window: MainWindow, workspace: Workspace, tmp_path: Path
) -> None:
    """A click on the wrong cross costs nothing."""
    models.add_folder(str(tmp_path))
    models.drop_folder(str(tmp_path))
    (told,) = window.notices.notices()
    assert (told.text, told.action, told.undoes) == (
        f"Models in {tmp_path} are no longer listed. Their files stay where they are.",
        "Undo",
        True,
    )
    models.add_folder(told.key.removeprefix(DROPPED))
    assert (workspace.settings.model_folders, window.notices.notices()) == ((str(tmp_path),), ())


def test_the_visible_page_notices_what_comes(
    models: ModelsOnDisk, window: MainWindow, places: Paths, qtbot: QtBot
) -> None:
    """A hidden page looks at nothing."""
    folder = str(build(places.models / "Tiny"))
    for _ in range(2 * LOOK_TICKS):
        models.tick()
    qtbot.wait(1)
    assert not models.presenter.has(folder)
    window.show()
    window.stage.show_models()
    for _ in range(LOOK_TICKS):
        models.tick()
    qtbot.waitUntil(lambda: models.presenter.has(folder), timeout=20_000)


def test_only_listed_models_are_revealed(models: ModelsOnDisk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system opens no other path."""
    opened: list[str] = []

    def open_path(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_path)
    models.presenter.refresh()
    qtbot.waitUntil(lambda: models.presenter.has(DEMO), timeout=20_000)
    models.reveal("/etc")
    models.reveal(DEMO)
    assert opened == [DEMO]
