"""The window's downloads, with a worker that the test plays."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QObject, Signal

from app.base import paths
from app.base.paths import Paths
from app.base.program import Program
from app.hub.downloads import BROKE_OFF, Downloads, FetchProcess
from app.hub.errors import NO_CONNECTION, HubClosed
from app.hub.fetch import progress
from app.hub.fetch.progress import Done, Failed, FetchProgress, FetchWaiting, Started, Verifying
from resources.language import catalogue, text
from resources.language.sentence import sentence
from resources.language.text import Language
from storage.library.library import Library
from tests.fakes.tasks import InlineTasks
from ui.intents.notice import Notice
from ui.state.models import DownloadState, DownloadView

COMMIT = "0123456789abcdef0123456789abcdef01234567"
QUEUED, RUNNING, PAUSED = DownloadState.QUEUED, DownloadState.RUNNING, DownloadState.PAUSED


class PlayedWorker(QObject):
    """A worker whose process is the test."""

    reported = Signal(object)
    ended = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.started: list[tuple[str, ...]] = []
        self.killed = 0
        self.closed = False

    def start(self, program: Program) -> None:
        told = dict(pairwise(program.arguments))
        head = (told["--head"],) if "--head" in told else ()
        self.started.append((told["--"], told.get("--revision", ""), *head))

    def kill(self) -> None:
        self.killed += 1

    def close(self) -> None:
        self.closed = True


class Rig:
    """The downloads of a home."""

    def __init__(self, places: Paths, library: Library) -> None:
        self.worker = PlayedWorker()
        self.notices: list[Notice] = []
        self.arrived: list[Done] = []
        self.downloads = Downloads(places, InlineTasks(library), cast("FetchProcess", self.worker), self)
        self.downloads.arrived = self.arrived.append

    def show_notice(self, notice: Notice) -> None:
        self.notices.append(notice)

    def clear_notice(self, key: str) -> None:
        self.notices = [notice for notice in self.notices if notice.key != key]

    def states(self) -> dict[str, DownloadState]:
        return {repository: view.state for repository, view in self.downloads.views().items()}

    def view(self, repository: str) -> DownloadView:
        return self.downloads.views()[repository]


@pytest.fixture
def places(home: Path) -> Paths:
    found = paths.under(home)
    paths.prepare(found)
    return found


@pytest.fixture
def library() -> Iterator[Library]:
    library = Library.in_memory()
    yield library
    library.close()


@pytest.fixture
def rig(places: Paths, library: Library) -> Rig:
    return Rig(places, library)


def test_the_second_download_waits_for_the_process_of_the_first(rig: Rig) -> None:
    """At most one worker runs."""
    rig.downloads.request("a/1")
    rig.downloads.request("a/2", COMMIT)
    rig.worker.reported.emit(Done("a/1", COMMIT, "/models/a/1", "mit"))
    assert rig.worker.started == [("a/1", "")]
    rig.worker.ended.emit()
    assert rig.worker.started == [("a/1", ""), ("a/2", COMMIT)]
    assert rig.states() == {"a/1": DownloadState.DONE, "a/2": RUNNING}
    assert rig.arrived == [Done("a/1", COMMIT, "/models/a/1", "mit")]


def test_a_view_has_what_the_worker_reports(rig: Rig) -> None:
    """Bytes, speed and time left; then that it is verified; the reason while it waits."""
    rig.downloads.request("a/1")
    rig.worker.reported.emit(Started("a/1", COMMIT, 100, 10))
    assert rig.view("a/1") == DownloadView(RUNNING, 10, 100)
    rig.worker.reported.emit(FetchProgress(50, 100, 25.0, 2.0))
    assert rig.view("a/1") == DownloadView(RUNNING, 50, 100, 25.0, 2.0)
    rig.worker.reported.emit(FetchWaiting(4.0, "The hub cannot be reached: it does not answer."))
    assert rig.view("a/1").text == "The hub cannot be reached: it does not answer."
    assert rig.view("a/1").state is DownloadState.FAILED
    rig.worker.reported.emit(Verifying())
    assert rig.view("a/1").state is DownloadState.VERIFYING
    rig.worker.reported.emit(Done("a/1", COMMIT, "/models/a/1"))
    assert rig.view("a/1") == DownloadView(DownloadState.DONE, 100, 100)


def test_a_download_that_waits_for_its_next_attempt_can_be_tried_again_at_once(rig: Rig) -> None:
    """By another worker, in the place of the one that waits."""
    rig.downloads.request("a/1")
    rig.worker.reported.emit(FetchWaiting(40.0, "The hub cannot be reached: it does not answer."))
    rig.downloads.request("a/1")
    assert rig.worker.killed == 1
    rig.worker.ended.emit()
    assert rig.worker.started == [("a/1", ""), ("a/1", "")]
    assert rig.view("a/1") == DownloadView(RUNNING)


def test_a_failure_shows_its_sentence_and_the_next_one_runs(rig: Rig) -> None:
    """One model that fails does not hold up the others."""
    rig.downloads.request("a/1")
    rig.downloads.request("a/2")
    rig.worker.reported.emit(Failed("disk_refused", "The disk is full."))
    rig.worker.ended.emit()
    assert rig.view("a/1") == DownloadView(DownloadState.FAILED, text="The disk is full.")
    assert rig.states()["a/2"] is RUNNING


def test_a_failure_is_told_in_the_language_of_the_window(rig: Rig, places: Paths, library: Library) -> None:
    """The window may speak another language than at the failure, also after a restart."""
    rig.downloads.request("a/1")
    error = HubClosed(sentence(NO_CONNECTION))
    rig.worker.reported.emit(progress.decode(progress.encode(Failed(error.code, str(error), error.told))))
    rig.worker.ended.emit()
    rig.downloads.close()
    started = Rig(places, library)
    started.downloads.start()
    assert started.view("a/1").text == "Hugging Face cannot be reached: this computer seems to be offline."
    text.install(Language("de", catalogue.read("de")))
    assert started.view("a/1").text == "Hugging Face ist nicht erreichbar: Sie sind wohl offline."
    assert rig.view("a/1") == started.view("a/1")


def test_a_worker_that_only_ends_is_a_failure(rig: Rig) -> None:
    """A crash of the worker is not taken for success."""
    rig.downloads.request("a/1")
    rig.worker.ended.emit()
    assert rig.view("a/1") == DownloadView(DownloadState.FAILED, text=BROKE_OFF)


def test_pause_ends_the_process_and_continue_starts_it_again(rig: Rig) -> None:
    """Also if the user continues before the process is gone. Its late reports change nothing."""
    rig.downloads.request("a/1")
    rig.downloads.pause("a/1")
    assert rig.worker.killed == 1
    rig.worker.reported.emit(FetchProgress(1, 2))
    assert rig.states() == {"a/1": PAUSED}
    rig.downloads.request("a/1")
    assert rig.states() == {"a/1": QUEUED}
    assert len(rig.worker.started) == 1
    rig.worker.ended.emit()
    assert len(rig.worker.started) == 2
    assert rig.states() == {"a/1": RUNNING}


def test_cancel_deletes_the_files_after_the_process_is_gone(rig: Rig, places: Paths) -> None:
    """A file that is still written is not deleted under the worker."""
    staging = places.models / ".partial" / f"a--1@{COMMIT}"
    staging.mkdir(parents=True)
    (staging / "model.safetensors.part").write_bytes(b"half")
    rig.downloads.request("a/1")
    rig.downloads.cancel("a/1")
    assert rig.states() == {}
    assert staging.exists()
    rig.worker.ended.emit()
    assert not staging.exists()


def test_cancel_deletes_the_files_of_a_paused_download(rig: Rig, places: Paths) -> None:
    """No process has to end first."""
    staging = places.models / ".partial" / f"a--1@{COMMIT}"
    staging.mkdir(parents=True)
    rig.downloads.start()
    assert rig.states() == {"a/1": PAUSED}
    rig.downloads.cancel("a/1")
    assert not staging.exists()
    assert rig.states() == {}


def test_the_queue_survives_the_app(rig: Rig, places: Paths, library: Library) -> None:
    """What ran continues and the app says so; what was paused stays paused."""
    for repository in ("a/1", "a/2", "a/3"):
        rig.downloads.request(repository)
    rig.downloads.pause("a/3")
    rig.worker.reported.emit(Started("a/1", COMMIT, 100, 10))
    later = Rig(places, library)  # the first one was killed, so it never closed
    later.downloads.start()
    assert later.worker.started == [("a/1", "")]
    assert later.states() == {"a/1": RUNNING, "a/2": QUEUED, "a/3": PAUSED}
    assert later.view("a/1").done == 10
    assert [notice.text for notice in later.notices] == ["Hearth continues to download 1."]
    later.worker.reported.emit(Done("a/1", COMMIT, "/models/a/1"))
    assert later.notices == []


@pytest.mark.parametrize(("code", "tries"), [("hub_unreachable", 1), ("hub_busy", 1), ("hub_closed", 0)])
def test_a_download_that_lost_the_network_continues_by_itself(
    rig: Rig, places: Paths, library: Library, code: str, tries: int
) -> None:
    """At the next start, and when the user looks at the models. A refusal waits for the user."""
    rig.downloads.request("a/1", COMMIT)
    rig.worker.reported.emit(Started("a/1", COMMIT, 100, 10))
    rig.worker.reported.emit(Failed(code, "No."))
    rig.worker.ended.emit()
    assert rig.states() == {"a/1": DownloadState.FAILED}
    later = Rig(places, library)
    later.downloads.start()
    rig.downloads.retry()
    assert rig.worker.started == [("a/1", COMMIT)] * (1 + tries)
    assert later.worker.started == [("a/1", COMMIT)] * tries
    assert rig.states() == later.states() == {"a/1": RUNNING if tries else DownloadState.FAILED}


def test_a_download_that_never_began_waits_for_the_user(rig: Rig, places: Paths, library: Library) -> None:
    """It was asked for without a network, and failed: gigabytes do not arrive by surprise days later."""
    rig.downloads.request("a/1", COMMIT)
    rig.worker.reported.emit(Failed("hub_unreachable", "No."))
    rig.worker.ended.emit()
    later = Rig(places, library)
    later.downloads.start()
    later.downloads.retry()
    assert (later.worker.started, later.notices) == ([], [])
    assert later.states() == {"a/1": DownloadState.FAILED}


@pytest.mark.parametrize("report", [Failed("hub_unreachable", "No."), None])
def test_a_failure_ends_the_notice_about_the_download(
    rig: Rig, places: Paths, library: Library, report: Failed | None
) -> None:
    """It does not continue any more, whether the worker says why or only ends."""
    rig.downloads.request("a/1")
    later = Rig(places, library)
    later.downloads.start()
    assert len(later.notices) == 1
    if report is not None:
        later.worker.reported.emit(report)
    later.worker.ended.emit()
    assert later.notices == []


def test_closing_ends_the_worker_and_starts_no_other(rig: Rig, places: Paths, library: Library) -> None:
    """Quitting asks nothing; the next start continues."""
    rig.downloads.request("a/1")
    rig.downloads.request("a/2")
    rig.downloads.close()
    assert rig.worker.closed
    rig.worker.ended.emit()
    assert len(rig.worker.started) == 1
    later = Rig(places, library)
    later.downloads.start()
    assert later.worker.started == [("a/1", "")]


@pytest.mark.parametrize("content", [b"", b"{", b'{"downloads": [{"repository": "../../x"}]}', b"[]", b"\xff"])
def test_a_damaged_queue_is_an_empty_one(rig: Rig, places: Paths, content: bytes) -> None:
    """The app starts; the partial downloads themselves are found in their folders."""
    (places.data / "downloads.json").write_bytes(content)
    rig.downloads.start()
    assert rig.states() == {}


def test_a_name_that_is_no_repository_is_refused(rig: Rig) -> None:
    """It never becomes an argument or a path."""
    rig.downloads.request("../x")
    assert rig.states() == {}
    assert [notice.text for notice in rig.notices] == [
        "'../x' names no model. A name is publisher/name, as on the model's page."
    ]


def test_only_a_failed_download_is_repeated(rig: Rig) -> None:
    """The one of the model in front. A paused one stays paused, and an unknown one is not begun."""
    rig.downloads.request("a/1")
    rig.downloads.request("a/2")
    rig.downloads.pause("a/2")
    rig.worker.reported.emit(Failed("model_gated", "It is gated."))
    rig.worker.ended.emit()
    for repository in ("a/1", "a/2", "a/3"):
        rig.downloads.repeat(repository)
    assert rig.states() == {"a/1": RUNNING, "a/2": PAUSED}


def test_a_model_is_fetched_with_its_draft_head(rig: Rig) -> None:
    """If that is wanted. A name that is none is refused."""
    rig.downloads.request("a/1", "", "a/1-MTP")
    assert rig.worker.started == [("a/1", "", "a/1-MTP")]
    rig.downloads.request("a/2", "", "../2")
    assert list(rig.downloads.views()) == ["a/1"]
    assert rig.notices
