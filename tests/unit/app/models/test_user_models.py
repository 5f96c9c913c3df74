"""What the window's intents about the models on this machine do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.base import program
from app.base.background import Background
from app.base.model_names import DEMO
from app.base.paths import Paths
from app.base.settings import ModelSettings
from app.conversations.conversations import Conversations
from app.desktop.workspace import Workspace
from app.macs.macs import Macs
from app.models.inspections import Inspections, ModelInspector
from app.models.presenter import DROPPED, LOOK_TICKS, LocalModelsPresenter, ModelsPorts
from engine.protocol.inspection import ModelFacts
from engine.protocol.messages import ModelLoaded
from tests.fakes.tiny_models import build
from tests.unit.app.conftest import Scene
from ui.intents.models import PickModel
from ui.state.models import ModelSettingsView
from ui.window.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("preloaded")


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    window = MainWindow()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def workspace(places: Paths, window: MainWindow) -> Workspace:
    return Workspace(places.settings, window)


@dataclass
class Desk:
    """The models of a window without an engine."""

    models: LocalModelsPresenter
    macs: Macs
    conversations: Conversations


@pytest.fixture
def desk(
    places: Paths,
    window: MainWindow,
    workspace: Workspace,
    scene: Scene,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Desk]:
    """On a machine without models of other programs."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    chats, inspector = scene.conversations(), ModelInspector(program.inspector())
    macs = Macs(places, workspace, window, lambda: here)
    ports = ModelsPorts(
        worker=Background("models"),
        inspections=Inspections(places.data / "inspections.json", inspector.inspect),
        models=places.models,
        measurements=places.data / "measurements.json",
        chats=tuple,
        current=lambda: DEMO,
        show_offered=lambda: None,
        ask_store=lambda: None,
        ask_listed=chats.list.ask_listed,
        warm_all=chats.tabs.warm_all,
        macs=macs.others,
        elsewhere=macs.memory_elsewhere,
        placed=macs.placed,
        downloads=dict,
    )
    here = LocalModelsPresenter(ports, workspace, window)
    yield Desk(here, macs, chats)
    inspector.close()
    here.close()
    macs.close()


@pytest.fixture
def models(desk: Desk) -> LocalModelsPresenter:
    return desk.models


def test_the_times_of_a_load_divide_the_layers_at_the_next_one(
    desk: Desk, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the Macs are of equal memory, the one that is twice as fast gets twice the layers. Without a group a load
    changes nothing.
    """
    facts = ModelFacts("llama", 1, 30, 0, 0, ("attention",) * 30, 1, 0, splits=("pipeline",))
    models, macs = desk.models, desk.macs
    monkeypatch.setattr(models, "facts_of", lambda _model: facts)
    monkeypatch.setattr(macs, "memory", lambda macs: (64,) * (1 + len(macs)))
    assert models.configure(DEMO, ModelSettingsView(macs=("studio",)))
    assert workspace.settings.of_model(DEMO).shares == (15, 15)
    macs.engine_event(ModelLoaded(DEMO, 0, shares=(1, 1), layer_times=(200, 100)))
    kept = workspace.settings.of_model(DEMO)
    assert (kept.shares, kept.layer_times) == ((10, 20), (200, 100))
    macs.engine_event(ModelLoaded("/other", 0))
    assert workspace.settings.models.keys() == {DEMO}


def test_settings_of_a_model_are_kept(models: LocalModelsPresenter, workspace: Workspace) -> None:
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


def test_another_system_prompt_shows_the_open_chats_as_they_are_then(desk: Desk, scene: Scene) -> None:
    """Their caches are looked up again, if the prompt is that of the model that answers and has changed."""
    models, chats = desk.models, desk.conversations
    chat = scene.library.conversations.create().id
    scene.converse(chats, chat, "One", "Two")
    chats.tabs.open(chat)
    scene.engine.sent.clear()
    models.configure(DEMO, ModelSettingsView(system="Be brief."))
    models.configure(DEMO, ModelSettingsView(system="Be brief.", alias="Mine"))
    models.configure("/m", ModelSettingsView(system="Be kind."))
    assert [type(command).__name__ for command in scene.engine.sent] == ["Warm"]


def test_a_folder_of_the_user_is_looked_into_until_it_is_dropped(
    models: LocalModelsPresenter, workspace: Workspace, tmp_path: Path, qtbot: QtBot
) -> None:
    """Its files stay."""
    folder = build(tmp_path / "mine" / "Tiny-4bit")
    models.add_folder(str(tmp_path / "mine"))
    models.add_folder(str(tmp_path / "mine"))
    assert list(workspace.settings.model_folders) == [str(tmp_path / "mine")]
    models.show(str(folder))
    qtbot.waitUntil(lambda: models.has(str(folder)), timeout=20_000)
    models.drop_folder(str(tmp_path / "mine"))
    assert not workspace.settings.model_folders
    qtbot.waitUntil(lambda: not models.has(str(folder)), timeout=20_000)
    assert (folder / "config.json").exists()


def test_what_is_in_an_added_folder_is_said_and_can_be_used(
    models: LocalModelsPresenter, window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """By one click. A folder without models says so."""
    folder = build(tmp_path / "mine" / "Tiny-4bit")
    models.add_folder(str(tmp_path / "mine"))
    qtbot.waitUntil(lambda: bool(window.notices.notices()), timeout=20_000)
    (told,) = window.notices.notices()
    assert told.text == f"1 model was found in {tmp_path / 'mine'}."
    assert (told.action, told.intent) == ("Use Tiny · 4-bit", PickModel(str(folder)))
    (tmp_path / "empty").mkdir()
    models.add_folder(str(tmp_path / "empty"))
    qtbot.waitUntil(lambda: window.notices.notices()[0].text != told.text, timeout=20_000)
    assert window.notices.notices()[0].text == f"0 models were found in {tmp_path / 'empty'}."


def test_a_dropped_folder_comes_back_by_undo(
    models: LocalModelsPresenter, window: MainWindow, workspace: Workspace, tmp_path: Path
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
    models: LocalModelsPresenter, window: MainWindow, places: Paths, qtbot: QtBot
) -> None:
    """A hidden page looks at nothing."""
    folder = str(build(places.models / "Tiny"))
    for _ in range(2 * LOOK_TICKS):
        models.tick(visible=window.models.isVisible())
    qtbot.wait(1)
    assert not models.has(folder)
    window.show()
    window.stage.show_models()
    for _ in range(LOOK_TICKS):
        models.tick(visible=window.models.isVisible())
    qtbot.waitUntil(lambda: models.has(folder), timeout=20_000)
