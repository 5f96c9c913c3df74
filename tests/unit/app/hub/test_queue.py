"""The queue of downloads, as a value."""

from __future__ import annotations

from app.hub.queue import Queue, QueuedDownload
from ui.state.models import DownloadState, DownloadView

QUEUED, RUNNING, PAUSED, FAILED = (
    DownloadState.QUEUED,
    DownloadState.RUNNING,
    DownloadState.PAUSED,
    DownloadState.FAILED,
)


def states(queue: Queue) -> dict[str, DownloadState]:
    return {download.repository: download.state for download in queue}


def test_downloads_run_one_at_a_time_in_their_order() -> None:
    """The first that waits is next, and only while none runs."""
    queue = Queue().requested("a/1").requested("a/2")
    assert queue.next == QueuedDownload("a/1")
    assert queue.with_("a/1", state=RUNNING).next is None
    assert queue.with_("a/1", state=RUNNING).without("a/1").next == QueuedDownload("a/2")


def test_a_repository_is_in_the_queue_once() -> None:
    """A second click changes nothing."""
    queue = Queue().requested("a/1", "c0ffee").with_("a/1", state=RUNNING)
    assert queue.requested("a/1") == queue


def test_a_paused_download_keeps_its_place_and_its_commit() -> None:
    """It waits again when the user continues it."""
    queue = Queue().requested("a/1", "c0ffee").requested("a/2").paused("a/1")
    assert states(queue) == {"a/1": PAUSED, "a/2": QUEUED}
    assert queue.next == QueuedDownload("a/2")
    assert queue.requested("a/1").next == QueuedDownload("a/1", "c0ffee")


def test_a_failed_download_tries_again_without_its_old_fault() -> None:
    """The sentence is gone with the attempt that it is about."""
    queue = Queue().requested("a/1").with_("a/1", state=FAILED, text="The disk is full.")
    assert queue.requested("a/1").of("a/1") == QueuedDownload("a/1")


def test_a_download_that_waits_for_its_next_attempt_can_be_tried_again_at_once() -> None:
    """The window shows it as failed, with the sentence, until it runs again."""
    queue = Queue().requested("a/1", "c0ffee").with_("a/1", state=RUNNING, text="No connection.")
    assert queue.downloads[0].view == DownloadView(FAILED, text="No connection.")
    assert queue.requested("a/1").next == QueuedDownload("a/1", "c0ffee")


def test_a_download_without_a_network_is_tried_again() -> None:
    """In its place and for its commit. A refusal waits for the user."""
    refused = QueuedDownload("a/2", state=FAILED, text="The disk is full.")
    offline = QueuedDownload("a/1", "c0ffee", state=FAILED, done=5, text="No connection.", unreachable=True)
    queue = Queue((offline, refused, QueuedDownload("a/3", state=PAUSED)))
    assert queue.at_rest() == queue
    again = queue.retried()
    assert again.next == QueuedDownload("a/1", "c0ffee", done=5)
    assert states(again) == {"a/1": QUEUED, "a/2": FAILED, "a/3": PAUSED}
    assert queue.requested("a/1").of("a/1") == again.of("a/1")


def test_what_is_over_cannot_be_paused() -> None:
    """A late click on Pause changes no failed download."""
    queue = Queue((QueuedDownload("a/1", state=FAILED, text="No."),))
    assert queue.paused("a/1") == queue
    assert queue.paused("a/2") == queue


def test_the_download_that_ran_comes_first_after_a_restart() -> None:
    """It is continued; paused and failed ones stay as they are; complete ones are forgotten."""
    queue = Queue(
        (
            QueuedDownload("a/1", state=PAUSED, done=5),
            QueuedDownload("a/2"),
            QueuedDownload("a/3", state=RUNNING, done=7, total=9, rate=3.0, seconds_left=1.0, text="Waiting"),
            QueuedDownload("a/4", state=DownloadState.DONE),
            QueuedDownload("a/5", state=FAILED, text="The disk is full."),
        )
    ).at_rest()
    assert queue.next == QueuedDownload("a/3", done=7, total=9)
    assert states(queue) == {"a/3": QUEUED, "a/1": PAUSED, "a/2": QUEUED, "a/5": FAILED}


def test_what_a_command_began_is_offered_as_paused() -> None:
    """A download that no queue knows is shown, and one that it knows stays as it is."""
    queue = Queue((QueuedDownload("a/1"),)).known("a/1", 3).known("a/2", 4)
    assert queue.downloads == (QueuedDownload("a/1"), QueuedDownload("a/2", state=PAUSED, done=4))


def test_the_head_of_a_model_is_fetched_with_it_again() -> None:
    """After a pause, and after the end of the app."""
    queue = Queue().requested("a/1", "c0ffee", "a/1-MTP").paused("a/1")
    assert queue.requested("a/1").at_rest().next == QueuedDownload("a/1", "c0ffee", "a/1-MTP")
