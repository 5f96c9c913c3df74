"""The welcome page: when it is shown, what it offers, and that it never returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.base import settings
from app.base.model_names import DEMO
from app.base.paths import Paths
from app.base.settings import Settings
from app.desktop.workspace import Workspace
from app.models.fit import Machine
from app.models.local_models import LocalModel
from app.models.sources import ModelSource, Origin
from app.models.welcome import GIBIBYTE, Welcome, found_words
from resources.language import catalogue, text
from resources.language.text import Language
from tests.fakes.foreign import never
from tests.fakes.window import FakeWindow
from ui.state.models import DownloadState, DownloadView, ModelState, WelcomeView
from ui.window.main_window import MainWindow

MACHINE = Machine(48 * GIBIBYTE, "Apple M4 Max")


class Sink(FakeWindow):
    """Records what is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.views: list[WelcomeView | None] = []
        self.store.welcome.follow(self.views.append)

    @property
    def view(self) -> WelcomeView:
        shown = self.views[-1]
        assert shown is not None
        return shown


@dataclass
class Known:
    """The models and the downloads that the page asks for."""

    models: list[LocalModel] = field(default_factory=list)
    downloads: dict[str, DownloadView] = field(default_factory=dict)


def welcome_on(sink: Sink, workspace: Workspace, known: Known | None = None, *, first_run: bool = True) -> Welcome:
    known = known or Known()
    return Welcome(sink, workspace, lambda: known.models, lambda: known.downloads, first_run=first_run)


@pytest.fixture
def sink() -> Sink:
    return Sink()


@pytest.fixture
def workspace(qtbot: QtBot, places: Paths) -> Workspace:
    window = MainWindow()
    qtbot.addWidget(window)
    return Workspace(places.settings, window)


def local(repository: str, origin: Origin, state: ModelState = ModelState.READY, base: str = "") -> LocalModel:
    folder = Path("/models") / repository
    return LocalModel(str(folder), repository, repository, ModelSource(origin, folder.parent), state, base=base)


def test_the_first_run_offers_two_picks_for_this_machine(sink: Sink, workspace: Workspace) -> None:
    """The picks say what they take of this machine's memory."""
    welcome_on(sink, workspace).start(MACHINE)
    assert [pick.label for pick in sink.view.picks] == ["Smart", "Quick"]
    assert all("of your 48 GB" in pick.text for pick in sink.view.picks)
    assert sink.view.found == ""


def test_a_home_in_use_is_not_welcomed(sink: Sink, workspace: Workspace) -> None:
    """An update of Hearth shows no welcome page to its users."""
    known = Known([local("one/model", Origin.LM_STUDIO)], {"one/model": DownloadView(DownloadState.RUNNING)})
    welcome = welcome_on(sink, workspace, known, first_run=False)
    welcome.start(MACHINE)
    welcome.show_again()
    assert sink.views == []


def test_the_page_returns_until_the_user_leaves_it(sink: Sink, workspace: Workspace, places: Paths) -> None:
    """If the app ends while the page is open, the next start shows it again; after it was left, never."""
    welcome_on(sink, workspace).start(MACHINE)
    assert settings.load(places.settings, never).welcoming
    again = welcome_on(sink, workspace, first_run=False)
    again.start(MACHINE)
    assert len(sink.views) == 2
    again.finish()
    assert sink.views[-1] is None
    assert settings.load(places.settings, never) == Settings()
    welcome_on(sink, workspace, first_run=False).start(MACHINE)
    assert sink.views[-1] is None


def test_models_on_this_machine_are_counted_by_place(sink: Sink, workspace: Workspace) -> None:
    """Only models that can be used count; the built-in one does not."""
    known = Known()
    welcome = welcome_on(sink, workspace, known)
    welcome.start(MACHINE)
    demo = LocalModel(DEMO, "Hearth demo", "demo", ModelSource(Origin.BUILT_IN, Path(DEMO).parent))
    known.models = [
        demo,
        *(local(f"one/{name}", Origin.HUGGING_FACE) for name in "abc"),
        local("one/d", Origin.LM_STUDIO),
        local("one/e", Origin.LM_STUDIO, ModelState.INCOMPLETE),
        local("one/f", Origin.LM_STUDIO, base="/models/one/d"),
    ]
    welcome.show_again()
    assert sink.view.found == "3 in your Hugging Face cache, 1 from LM Studio. Used in place, never copied."


def test_no_models_are_no_line() -> None:
    """Without models the page has a line of its own."""
    assert found_words([]) == ""


def test_a_pick_that_is_here_need_not_be_downloaded(sink: Sink, workspace: Workspace) -> None:
    """A pick in the Hugging Face cache can be started at once."""
    known = Known()
    welcome = welcome_on(sink, workspace, known)
    welcome.start(MACHINE)
    smart = sink.view.picks[0].id
    known.models = [local(smart, Origin.HUGGING_FACE)]
    welcome.show_again()
    assert [pick.model for pick in sink.view.picks] == [f"/models/{smart}", ""]


def test_a_download_is_shown_at_its_pick(sink: Sink, workspace: Workspace) -> None:
    """The progress ends with a cancelled download."""
    known = Known()
    welcome = welcome_on(sink, workspace, known)
    welcome.start(MACHINE)
    quick = sink.view.picks[1].id
    running = DownloadView(DownloadState.RUNNING, 1, 2)
    known.downloads = {quick: running, "other/model": running}
    welcome.show_again()
    assert [pick.download for pick in sink.view.picks] == [None, running]
    known.downloads = {}
    welcome.show_again()
    assert [pick.download for pick in sink.view.picks] == [None, None]


def test_the_picks_follow_the_language(sink: Sink, workspace: Workspace) -> None:
    """A user may change it in the settings while the page is open."""
    welcome = welcome_on(sink, workspace)
    welcome.start(MACHINE)
    text.install(Language("de", catalogue.read("de")))
    welcome.show_again()
    assert [pick.label for pick in sink.view.picks] == ["Klug", "Schnell"]
    assert "Läuft ab" in sink.view.picks[0].text


def test_nothing_is_shown_after_the_end(sink: Sink, workspace: Workspace) -> None:
    """A download that goes on does not bring the page back."""
    known = Known()
    welcome = welcome_on(sink, workspace, known)
    welcome.start(MACHINE)
    known.downloads = {sink.view.picks[1].id: DownloadView(DownloadState.RUNNING)}
    welcome.finish()
    welcome.show_again()
    assert sink.views[-1] is None
