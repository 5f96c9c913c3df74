"""Which Macs run a model: from the settings and the list of paired Macs to the engine's arguments."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.base import paths
from app.base.paths import Paths
from app.base.settings import ModelSettings
from app.desktop.workspace import Workspace
from app.macs import macs as macs_module
from app.macs import pairing
from app.macs.copies import COPY
from app.macs.macs import MISSING, Macs
from app.macs.placement import Holding
from app.macs.presenter import LOOK_SECONDS
from app.macs.reach import MacState
from app.macs.roster import Mac, folder, workers
from app.models.choice import USE
from engine.protocol.messages import ModelFailed, ModelLoaded, ModelUnloaded, Ready
from engine.workers.group_file import GroupFile
from tests.fakes.macs import other_mac, paired_mac
from ui.state.macs import GroupPace
from ui.window.main_window import MainWindow

STUDIO = paired_mac("studio", "10.0.0.2:42517")


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    """The window, with nothing open."""
    window = MainWindow()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def workspace(places: Paths, window: MainWindow) -> Workspace:
    """Settings by which the model /m runs on the studio too."""
    workspace = Workspace(places.settings, window)
    workspace.change_model("/m", ModelSettings(macs=(STUDIO.fingerprint,), split="tensor", shares=(1, 2)))
    return workspace


@pytest.fixture
def macs(places: Paths, window: MainWindow, workspace: Workspace) -> Iterator[Macs]:
    """The Macs of a window."""
    models = SimpleNamespace(show_again=lambda: None, repository_of=lambda model: f"publisher/{Path(model).name}")
    macs = Macs(places, workspace, window, lambda: models)  # type: ignore[arg-type,return-value] # what it needs of them
    yield macs
    macs.close()


def answers(macs: Macs) -> bool:
    """Whether a Mac has answered. A busy machine may take more than the five seconds of one attempt."""
    states = macs.presenter.states.values()
    if states and not any(state.reachable for state in states):
        macs.presenter.look()
    return any(state.reachable for state in states)


def test_a_model_runs_on_this_mac_alone_unless_the_user_wants_others(macs: Macs, window: MainWindow) -> None:
    """Without a word."""
    assert macs.group_of("/other") is None
    assert window.notices.keys() == ()


def test_a_group_is_written_for_the_engine(macs: Macs, places: Paths) -> None:
    """The engine reads the Macs, their certificates and their shares from a file, whose name changes with them."""
    workers(places).add(STUDIO)
    group = macs.group_of("/m")
    assert group is not None
    assert group == macs.group_of("/m"), "the same engine runs it"
    option, file = group.arguments
    read = GroupFile.read(Path(file))
    assert (group.macs, option) == (("studio",), "--group")
    assert (read.own, read.split, read.shares) == (str(folder(places)), "tensor", (1, 2))
    assert [(one.name, one.address, one.certificate) for one in read.workers] == [
        ("studio", STUDIO.address, STUDIO.certificate)
    ]
    workers(places).add(paired_mac("studio", "10.0.0.9:42517"))
    moved = macs.group_of("/m")
    assert moved is not None
    assert moved.arguments != group.arguments
    macs.close()
    assert not [*folder(places).glob("group-*")], "nothing is left of it after the end of the app"


def test_a_mac_that_is_no_longer_paired_leaves_the_model_here(macs: Macs, places: Paths, window: MainWindow) -> None:
    """The window says so, until the Mac is paired again."""
    assert macs.group_of("/m") is None
    assert window.notices.keys() == (MISSING,)
    workers(places).add(STUDIO)
    assert macs.group_of("/m") is not None
    assert window.notices.keys() == ()


def test_a_list_that_cannot_be_read_leaves_the_model_here(macs: Macs, places: Paths, window: MainWindow) -> None:
    """With the reason in the window."""
    folder(places).mkdir(parents=True, exist_ok=True)
    (folder(places) / "workers.json").write_text("{")
    assert macs.group_of("/m") is None
    assert len(window.notices.keys()) == 1


def test_what_other_macs_hold_counts_as_free_for_the_next_model(macs: Macs, places: Paths) -> None:
    """It is replaced. A Mac that is away has nothing."""
    workers(places).add(STUDIO)
    macs.group_of("/m")
    macs.presenter.states = {
        STUDIO.fingerprint: MacState(memory_bytes=64, free_bytes=40),
        "away": MacState(problem="It does not answer.", free_bytes=99),
    }
    assert (macs.memory_elsewhere(), macs.memory((STUDIO.fingerprint, "nobody"))[1:]) == (40, (64, 0))
    macs.engine_event(ModelLoaded("/m", 0, shares=(10, 20)))
    assert macs.memory_elsewhere() == 60
    for gone in (ModelUnloaded("/m", "", ""), Ready(1)):
        macs.engine_event(ModelLoaded("/m", 0, shares=(10, 20)))
        macs.engine_event(gone)
        assert macs.memory_elsewhere() == 40


def test_the_page_says_why_a_mac_has_more_layers_than_its_memory_says(
    macs: Macs, places: Paths, workspace: Workspace
) -> None:
    """By the settings with which the model was loaded. What was measured then is for the next load."""
    workers(places).add(STUDIO)
    (own,) = macs.memory(())
    macs.presenter.states = {STUDIO.fingerprint: MacState(memory_bytes=own)}
    settings = ModelSettings(macs=(STUDIO.fingerprint,), shares=(10, 20))
    workspace.change_model("/m", settings)
    macs.group_of("/m")
    workspace.change_model("/m", msgspec.structs.replace(settings, layer_times=(2, 1)))
    macs.engine_event(ModelLoaded("/m", 0, shares=(1, 2)))
    assert dict(macs._held().paces) == {}
    macs.group_of("/m")
    assert dict(macs._held().paces) == {"": GroupPace.SLOWER, STUDIO.fingerprint: GroupPace.FASTER}
    macs.engine_event(ModelUnloaded("/m", "", ""))
    assert macs._held() == Holding()


def test_a_mac_is_paired_and_asked_from_the_window(
    macs: Macs, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a real worker at the other end; the window's thread never waits for it."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    with other_mac(tmp_path / "there") as studio:
        macs.presenter.pair(studio.worker.offer.renew(), studio.worker.address)
        qtbot.waitUntil(lambda: bool(macs.others()), timeout=30_000)
        qtbot.waitUntil(lambda: answers(macs), timeout=30_000)
    [(mac, name)] = macs.others()
    assert name
    assert macs.memory((mac,))[1] > 0


def test_this_mac_is_lent_again_at_the_next_start(macs: Macs, workspace: Workspace, qtbot: QtBot) -> None:
    """As the user left it."""
    macs.start()
    assert not macs.lending.view().is_on
    macs.lend(wanted=True)
    assert workspace.settings.lends_mac
    qtbot.waitUntil(lambda: not macs.lending.view().is_busy, timeout=10_000)
    macs.tick()
    macs.lend(wanted=False)
    qtbot.waitUntil(lambda: not macs.lending.view().is_busy, timeout=10_000)
    assert not workspace.settings.lends_mac


def test_a_model_that_the_other_mac_lacks_is_copied_there(
    macs: Macs, workspace: Workspace, window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The notice offers it, and then offers to use the model. A copy that is there is not offered again."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    model = tmp_path / "publisher" / "tiny"
    model.mkdir(parents=True)
    (model / "config.json").write_text('{"model_type": "llama"}')
    (model / "model.safetensors").write_bytes(b"weights" * 1000)
    with other_mac(tmp_path / "there") as studio:
        macs.presenter.pair(studio.worker.offer.renew(), studio.worker.address)
        qtbot.waitUntil(lambda: bool(macs.others()), timeout=30_000)
        qtbot.waitUntil(lambda: answers(macs), timeout=30_000)
        workspace.change_model(str(model), ModelSettings(macs=(macs.others()[0][0],)))
        macs.presenter.states.clear()  # the load has failed before the Mac was asked, or its answer is an old one
        macs.engine_event(ModelFailed(str(model), "model_failed", "It is not there."))
        qtbot.waitUntil(lambda: COPY + str(model) in window.notices.keys(), timeout=30_000)  # noqa: SIM118 - not a dict's
        macs.copies.begin(str(model))
        qtbot.waitUntil(lambda: window.notices.keys() == (USE + str(model),), timeout=30_000)
        assert [file.read_bytes() for file in studio.places.models.rglob("model.safetensors")] == [b"weights" * 1000]


def test_nothing_is_copied_to_a_mac_that_is_not_paired_any_more(macs: Macs, window: MainWindow, qtbot: QtBot) -> None:
    """The notice that offered the copy may still be there, and a Mac that ignores its removal would take it."""
    copies = macs.copies
    copies.begin("/m")
    assert window.notices.keys() == ()
    copies._lacking["/m"] = STUDIO
    copies.begin("/m")
    told = "studio is not paired with this Mac, or no longer. Pair the two again."
    qtbot.waitUntil(lambda: told in {one.text for one in window.notices.notices()}, timeout=10_000)


def test_no_thread_stays_behind_a_mac_that_was_lent(macs: Macs, qtbot: QtBot) -> None:
    """Nothing waits for it, but it ends what runs here, and then itself."""
    before = set(threading.enumerate())
    macs.lend(wanted=True)
    qtbot.waitUntil(lambda: not macs.lending.view().is_busy, timeout=10_000)
    macs.close()
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= before, timeout=10_000)


def test_the_end_waits_for_no_mac_but_keeps_that_one_was_removed(
    macs: Macs, places: Paths, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user removes a Mac because it does not answer, and quits while it is still being asked."""
    monkeypatch.setattr(macs_module, "PATIENCE_S", 3600.0)
    own = pairing.own(paths.under(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        workers(places).add(Mac("silent", address, own.fingerprint, 1.0, own.certificate))
        macs.start()
        qtbot.waitUntil(lambda: bool(macs.others()), timeout=10_000)
        connection, _ = listener.accept()
        with connection:
            macs.presenter.unpair(own.fingerprint)
            macs.close()
            (asking,) = [thread for thread in threading.enumerate() if thread.name == f"mac-{own.fingerprint[:8]}"]
            assert workers(places).paired() == ()
    asking.join(60)


def lookouts() -> int:
    """How many threads look for Macs."""
    return [thread.name for thread in threading.enumerate()].count("nearby")


def test_nothing_looks_for_macs_unless_the_page_is_open(macs: Macs, qtbot: QtBot) -> None:
    """A start costs nothing. The thread ends soon after the page, which repeats its request, or with the app."""
    before = set(threading.enumerate())
    macs.start()
    macs.tick()
    assert lookouts() == 0
    macs.presenter.look_around()
    macs.presenter.look_around()
    assert lookouts() == 1
    for _second in range(LOOK_SECONDS - 1):
        macs.tick()
    assert lookouts() == 1
    macs.tick()
    qtbot.waitUntil(lambda: lookouts() == 0, timeout=10_000)
    macs.presenter.look_around()
    macs.close()
    qtbot.waitUntil(lambda: set(threading.enumerate()) <= before, timeout=10_000)


def test_a_paired_mac_is_found_where_it_is_now(
    macs: Macs, places: Paths, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the page is open. Its new address is kept for the groups to come."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    with other_mac(tmp_path / "there") as studio:
        mac = studio.pair(places)
        workers(places).move(mac.fingerprint, "127.0.0.1:1")

        def is_back() -> bool:
            macs.presenter.look_around()  # as the page does again and again
            macs.tick()
            return answers(macs)

        qtbot.waitUntil(is_back, timeout=30_000)
    assert [one.address for one in workers(places).paired()] == [mac.address]
