"""The workspace that is saved, and how it is restored."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QStyle
from pytestqt.qtbot import QtBot

from app.base import settings
from app.base.own_values import OwnValues
from app.base.paths import Paths
from app.base.settings import ModelSettings, OwnPreset, Settings
from app.desktop.workspace import UNOPENED, Workspace
from engine.protocol.messages import LoadModel
from tests.fakes.foreign import never
from tests.unit.app.conftest import Scene
from ui.dialogs.settings_dialog import SettingsDialog
from ui.state.library import OpenTabs
from ui.state.preferences import Preferences
from ui.window.main_window import MainWindow
from ui.window.notice_bar import NoticeCard


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    window = MainWindow()
    qtbot.addWidget(window)
    return window


def test_tabs_and_sidebar_come_back(window: MainWindow, scene: Scene, places: Paths, qtbot: QtBot) -> None:
    """The open tabs return in their order. A chat that no longer exists is left out silently."""
    chats = scene.conversations()
    one, two = (scene.library.conversations.create(title=title).id for title in "ab")
    for chat in (one, two):
        chats.tabs.open(chat)
    window.stage.sidebar_place.toggle()
    window.sidebar.fold(("Work",))
    window.sidebar.set_width(320)
    saved = Workspace(places.settings, window)
    saved.keep_tabs((one, two), two)
    saved.clear()
    scene.library.trash.add(one)

    later = MainWindow()
    qtbot.addWidget(later)
    again = scene.conversations()
    Workspace(places.settings, later).restore(again)
    assert again.tabs.opened == (two,)
    assert later.sidebar.isHidden()
    assert later.sidebar.model.folded() == ("Work",)
    assert later.sidebar.width() == 320
    assert scene.window.notices == {}


def test_a_workspace_without_tabs_has_a_new_chat(window: MainWindow, scene: Scene, places: Paths) -> None:
    """Without open tabs the user can write at once."""
    Workspace(places.settings, window).restore(scene.conversations())
    assert [view.title for view in scene.window.opened] == ["New chat"]


def test_picked_model_lasts(window: MainWindow, places: Paths) -> None:
    """The model is saved as soon as it is picked, and nothing else changes."""
    settings.save(Settings(shown="c"), places.settings)
    Workspace(places.settings, window).change(model="/m")
    assert settings.load(places.settings, never) == Settings(model="/m", shown="c")


def test_the_note_on_damaged_models_lasts(window: MainWindow, places: Paths) -> None:
    """A later start knows which folders the user was told of, and does not tell them again."""
    Workspace(places.settings, window).change(told_unreadable=("/m/broken",))
    assert settings.load(places.settings, never) == Settings(told_unreadable=("/m/broken",))


def test_the_time_of_an_unload_lasts_and_is_shown(window: MainWindow, scene: Scene, places: Paths) -> None:
    """Settings that are opened later show it, too."""
    Workspace(places.settings, window).keep_unload_after(5)
    later = Workspace(places.settings, window)
    assert later.settings.unload_after == 5
    later.restore(scene.conversations())
    window.dialogs.open_settings()
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    assert dialog.models.controls["unload_after"].text() == "After 5 minutes"
    later.keep_unload_after(0)
    assert dialog.models.controls["unload_after"].text() == "Never"


def test_invalid_geometry_does_no_harm(window: MainWindow, scene: Scene, places: Paths) -> None:
    """A settings file that was edited by hand never prevents a start."""
    settings.save(msgspec.structs.replace(Settings(), geometry="not base64!"), places.settings)
    Workspace(places.settings, window).restore(scene.conversations())
    assert window.width() > 0


@pytest.mark.parametrize(
    ("screen", "size"),
    [
        (QRect(0, 25, 3840, 2135), QSize(1280, 840)),
        (QRect(1920, 0, 1366, 728), QSize(1280, 704)),
        (QRect(0, 0, 911, 485), QSize(911, 461)),
    ],
)
def test_the_first_window_fits_its_screen(
    window: MainWindow, scene: Scene, places: Paths, monkeypatch: pytest.MonkeyPatch, screen: QRect, size: QSize
) -> None:
    """It is in the middle, with its title bar on the screen. The last one is a small laptop at a scale of 150 %."""
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _self: screen)
    Workspace(places.settings, window).restore(scene.conversations())
    bar = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    around = window.geometry().adjusted(0, -bar, 0, 0)
    assert window.size() == size
    assert screen.contains(around)
    assert (around.center() - screen.center()).manhattanLength() <= 1


@pytest.mark.parametrize(
    ("was", "opens"), [(QRect(30, 50, 730, 600), QRect(30, 50, 730, 600)), (QRect(3000, 900, 730, 600), None)]
)
def test_a_window_opens_where_it_was(
    window: MainWindow, scene: Scene, places: Paths, was: QRect, opens: QRect | None
) -> None:
    """If that is still on a screen. Otherwise it opens on one."""
    window.setGeometry(was)
    Workspace(places.settings, window).clear()
    window.setGeometry(0, 0, 720, 520)
    Workspace(places.settings, window).restore(scene.conversations())
    assert window.screen().availableGeometry().contains(window.geometry())
    assert window.size() == was.size()
    assert opens in {None, window.geometry()}


def test_settings_that_cannot_be_saved_are_reported(window: MainWindow, places: Paths) -> None:
    """The choice holds for this run, and a notice says that it is not saved."""
    places.settings.with_name("settings.json.new").mkdir()
    desk = Workspace(places.settings, window)
    desk.change(model="/m")
    assert desk.settings.model == "/m"
    assert window.notices.isVisibleTo(window)


def test_a_folder_that_is_gone_is_reported_once(window: MainWindow, places: Paths) -> None:
    """The window goes on without a folder in its former place. If the user closes the notice, later settings bring
    none. It leaves by itself once the folder is back and settings are saved.
    """
    desk = Workspace(places.settings, window)
    elsewhere = places.data.rename(places.data.with_name("elsewhere"))
    desk.change(model="/m")
    (told,) = window.notices.notices()
    assert told.text == f"The settings cannot be saved: the folder {places.data} is no longer there."
    card = window.findChild(NoticeCard)
    assert card is not None
    card.dismissed.emit(told.key)
    desk.change(cache_quota=1)
    assert (window.notices.keys(), places.data.exists()) == ((), False)
    elsewhere.rename(places.data)
    desk.change(cache_quota=2)
    assert settings.load(places.settings, never) == Settings(model="/m", cache_quota=2)


def test_settings_that_cannot_be_read_are_reported_in_the_window(window: MainWindow, places: Paths) -> None:
    """The window opens with the defaults, and one notice says so."""
    places.settings.write_bytes(b'{"tabs":["\xe4bc"]}')
    assert Workspace(places.settings, window).settings == Settings()
    assert window.notices.keys() == ("error:settings_not_read",)


def test_what_caches_may_take_lasts(window: MainWindow, places: Paths) -> None:
    """The limit is saved, its absence too, and whether caching is on."""
    desk = Workspace(places.settings, window)
    desk.change(cache_quota=7)
    desk.change(cache_enabled=False)
    kept = settings.load(places.settings, never)
    assert (kept.cache_quota, kept.cache_enabled) == (7, False)
    desk.change(cache_quota=None)
    assert settings.load(places.settings, never).cache_quota is None


def test_another_day_begins_after_a_day_or_when_the_clock_was_set_back(places: Paths, window: MainWindow) -> None:
    """Then the daily work of a start is due in a window that stays open."""
    desk = Workspace(places.settings, window)
    day = 24 * 60 * 60 * 1000
    desk.note_start(10 * day)
    assert [desk.is_another_day(moment) for moment in (10 * day, 11 * day - 1, 11 * day, 9 * day + 1, 9 * day)] == [
        False,
        False,
        True,
        False,
        True,
    ]


def test_all_starts_of_a_day_know_the_day_before(places: Paths, window: MainWindow) -> None:
    """What is erased by its age is old on two days of use. So a clock that is wrong on one day erases nothing, however
    often Hearth starts on it, and whatever the network sets the clock to by seconds.
    """
    day = 24 * 60 * 60 * 1000
    starts = (10 * day, 11 * day, 11 * day + 1, 4000 * day, 4000 * day + 1, 4000 * day - 1, 12 * day, 13 * day)
    known = [Workspace(places.settings, window).note_start(moment) // day for moment in starts]
    assert known == [0, 10, 10, 11, 11, 11, 4000, 12]


def test_a_load_has_the_settings_of_its_model(window: MainWindow, places: Paths) -> None:
    """The context limit and the precision go with it. An adapter is loaded on its base, also at the next start."""
    desk = Workspace(places.settings, window)
    desk.change_model("/m", ModelSettings(context_limit=8192, kv_bits=8))
    desk.note_base("/m", "")
    desk.change_model("/adapter", ModelSettings(context_limit=100, alias="Pirate"))
    desk.note_base("/adapter", "/m")
    later = Workspace(places.settings, window)
    assert later.settings.load_command("/m") == LoadModel("/m", 8, context_limit=8192)
    assert later.settings.load_command("/adapter") == LoadModel("/m", 0, "/adapter", 100)
    assert later.settings.load_command("/other") == LoadModel("/other")
    assert [later.name_of(model) for model in ("/adapter", "/other")] == ["Pirate", "other"]


def test_open_tabs_are_saved_soon_without_a_quit(window: MainWindow, places: Paths, qtbot: QtBot) -> None:
    """A crash of the window loses no tab: the tabs, their order and the one in front are saved after each change."""
    desk = Workspace(places.settings, window)
    desk.keep_tabs(("a", "b"), "a")
    desk.keep_tabs(("b", "a"), "b")
    qtbot.waitUntil(lambda: settings.load(places.settings, never).tabs == ("b", "a"), timeout=5_000)
    assert settings.load(places.settings, never).shown == "b"


def test_what_ends_while_the_window_closes_is_saved_at_once(window: MainWindow, places: Paths) -> None:
    """An answer that ends then is unread at the next start. The tabs stay as they were. No timer is left."""
    workspace = Workspace(places.settings, window)
    workspace.keep_tabs(("a", "b"), "b")
    workspace.clear()
    workspace.keep_tabs(("a",), "a")
    workspace.keep_unread(("a",))
    saved = settings.load(places.settings, never)
    assert (saved.unread, saved.tabs, saved.shown) == (("a",), ("a", "b"), "b")
    assert not workspace._soon.isActive()


@pytest.mark.parametrize(("broken", "opens"), [(0, True), (1, True), (2, False), (3, False)])
def test_nothing_is_opened_after_two_broken_starts(
    window: MainWindow,
    scene: Scene,
    places: Paths,
    broken: int,
    opens: bool,  # noqa: FBT001 - a table of cases
) -> None:
    """What was shown may have ended them. The tabs stay saved, and a notice opens the last one."""
    one, two = (scene.library.conversations.create(title=title).id for title in "ab")
    settings.save(Settings(tabs=(one, two), shown=one), places.settings)
    chats = scene.conversations()
    for _start in range(broken):
        Workspace(places.settings, window).restore(scene.conversations())
        scene.window.opened.clear()
    window.clear_notice(UNOPENED)
    Workspace(places.settings, window).restore(chats)
    assert [view.id for view in scene.window.opened] == ([one, two] if opens else [])
    assert window.notices.keys() == (() if opens else (UNOPENED,))
    assert settings.load(places.settings, never).tabs == (one, two)


def test_the_notice_that_no_chat_was_opened_holds_until_one_is(window: MainWindow, scene: Scene, places: Paths) -> None:
    """By its button or otherwise."""
    settings.save(Settings(tabs=("a",), broken_starts=2), places.settings)
    desk = Workspace(places.settings, window)
    desk.restore(scene.conversations())
    desk.keep_tabs((), "")
    assert UNOPENED in window.notices.keys()  # noqa: SIM118 - the bar is no mapping
    desk.keep_tabs(("b",), "b")
    assert UNOPENED not in window.notices.keys()  # noqa: SIM118 - the bar is no mapping


@pytest.mark.parametrize("end", ["quit", "minute"])
def test_a_start_is_not_broken_once_the_user_quits_or_after_a_minute(
    window: MainWindow, scene: Scene, places: Paths, end: str
) -> None:
    """Only starts in a row count, and no timer is left of one that ends."""
    settings.save(Settings(tabs=("a",), broken_starts=1), places.settings)
    desk = Workspace(places.settings, window)
    desk.restore(scene.conversations())
    assert settings.load(places.settings, never).broken_starts == 2
    desk.clear() if end == "quit" else desk._minute.timeout.emit()
    assert settings.load(places.settings, never).broken_starts == 0
    assert not (end == "quit" and desk._minute.isActive())


def test_a_start_that_cannot_be_noted_goes_on(window: MainWindow, scene: Scene, places: Paths) -> None:
    """Settings that cannot be saved are reported, as always."""
    places.settings.with_name("settings.json.new").mkdir()
    Workspace(places.settings, window).restore(scene.conversations())
    assert [view.title for view in scene.window.opened] == ["New chat"]


def test_tabs_that_are_still_to_open_stay_saved(window: MainWindow, scene: Scene, places: Paths, qtbot: QtBot) -> None:
    """A crash or a quit while the tabs of the last run are opened loses none of them."""
    one, two = (scene.library.conversations.create(title=title).id for title in "ab")
    settings.save(Settings(tabs=(one, two), shown=two), places.settings)
    desk, chats = Workspace(places.settings, window), scene.conversations()
    scene.tasks.held = True
    desk.restore(chats)
    desk.keep_tabs((one,), one)
    desk.clear()
    assert settings.load(places.settings, never).tabs == (one, two)
    desk.keep_tabs((one, two), one)
    scene.tasks.let_go()
    qtbot.waitUntil(lambda: settings.load(places.settings, never).shown == one, timeout=5_000)


def test_home_does_not_flash_before_the_tabs_open(window: MainWindow, scene: Scene, places: Paths) -> None:
    """ "No chat is open" is shown once that is known."""
    desk, chats = Workspace(places.settings, window), scene.conversations()
    settings.save(Settings(tabs=("gone",)), places.settings)
    scene.tasks.held = True
    desk.open_tabs(chats, OpenTabs(("gone",)))
    window.show()
    assert not window.pages.home.isVisible()
    scene.tasks.let_go()
    assert window.pages.home.isVisible()


def test_preferences_are_kept_and_followed(window: MainWindow, places: Paths) -> None:
    """The window follows at once, and so does the next start."""
    desk = Workspace(places.settings, window)
    desk.keep_preferences(Preferences(theme="dark", zoom=130, shortcuts=(("quit", "Ctrl+J"),)))
    assert [key.toString() for key in window.actions_by_name["quit"].shortcuts()] == ["Ctrl+J"]
    assert settings.load(places.settings, never).preferences == desk.settings.preferences
    assert desk.settings.preferences.zoom == 130


def test_new_chats_begin_balanced_if_their_preset_is_deleted(window: MainWindow, places: Paths) -> None:
    """The settings never name a style that does not exist. The other preferences stay."""
    desk = Workspace(places.settings, window)
    desk.keep_presets({"mine": OwnPreset("Mine", OwnValues(seed=7)), "other": OwnPreset("Other", OwnValues(seed=8))})
    desk.keep_preferences(Preferences(preset="mine", system="Be kind."))
    desk.keep_presets({"mine": OwnPreset("Mine", OwnValues(seed=7))})
    assert desk.settings.preferences.preset == "mine"
    desk.keep_presets({})
    assert settings.load(places.settings, never).preferences == Preferences(system="Be kind.")


def test_a_start_can_begin_with_a_new_chat(window: MainWindow, places: Paths, scene: Scene) -> None:
    """The tabs of the last time stay closed if the user prefers that."""
    chat = scene.library.conversations.create(title="a").id
    settings.save(Settings(tabs=(chat,), shown=chat, preferences=Preferences(startup="new")), places.settings)
    Workspace(places.settings, window).restore(scene.conversations())
    assert [view.title for view in scene.window.opened] == ["New chat"]


def test_the_inspector_comes_back_as_wide_as_it_was(
    window: MainWindow, scene: Scene, places: Paths, qtbot: QtBot
) -> None:
    """If it was open."""
    window.desk.toggle_inspector()
    window.desk.inspector.set_width(350)
    Workspace(places.settings, window).clear()
    later = MainWindow()
    qtbot.addWidget(later)
    Workspace(places.settings, later).restore(scene.conversations())
    assert (later.desk.inspecting, later.desk.inspector.width()) == (True, 350)
