from __future__ import annotations

import pytest

from tests.fakes.model_views import GB, TIGHT, TOO_LARGE, download, downloading, local, remote
from ui.intents.models import CancelDownload, ChatWith, Download, PauseDownload
from ui.models.row_words import (
    RowAction,
    actions,
    badge,
    intent_of,
    menu_actions,
    progress_line,
    progress_lines,
    second_line,
    spoken,
    time_left,
)
from ui.state.models import DownloadState, DownloadView, FitView, ModelRow, ModelState
from ui.theme.phrases import of_total


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        (local("a"), ("Fits well", "success")),
        (local("a", fit=TIGHT), ("Tight", "warning")),
        (local("a", fit=TOO_LARGE), ("Does not fit", "danger")),
        (local("a", state=ModelState.INCOMPLETE), ("Incomplete", "danger")),
        (local("a", state=ModelState.MISSING), ("Not found", "danger")),
        (local("a", state=ModelState.UNUSABLE), ("Not usable", "danger")),
        (local("a", fit=FitView(), checking=True), ("Checking…", "quiet")),
    ],
)
def test_a_badge_says_what_matters_most(row: ModelRow, wanted: tuple[str, str]) -> None:
    """Whether the model can be used comes before whether it fits."""
    assert badge(row) == wanted


def test_a_model_that_is_being_examined_is_not_offered() -> None:
    """Neither by a button nor in the menu of its row, which still leads to its files."""
    row = local("a", checking=True)
    assert actions(row) == ()
    assert menu_actions(row) == (RowAction.SETTINGS, RowAction.FILES)


def test_a_model_that_is_not_there_shows_no_files() -> None:
    """Its folder cannot be opened."""
    assert menu_actions(local("a", state=ModelState.MISSING)) == ()


def test_an_unknown_fit_and_a_download_have_no_badge() -> None:
    """A row without a figure makes no claim; a download shows its progress there."""
    assert badge(local("a", fit=FitView())) is None
    assert badge(downloading("a")) is None
    done = local("a", download=download(DownloadState.DONE))
    assert badge(done) == ("Fits well", "success"), "a download that is done is a model like others"


@pytest.mark.parametrize(
    ("view", "line"),
    [
        (DownloadView(DownloadState.RUNNING, 3 * GB, 5 * GB, 48 * 2**20, 45), "3 of 5 GB · 48 MB/s · 45 s left"),
        (DownloadView(DownloadState.RUNNING, 0, 5 * GB), "0 bytes of 5 GB"),
        (DownloadView(DownloadState.QUEUED, 0, 5 * GB), "Waiting · 0 bytes of 5 GB"),
        (DownloadView(DownloadState.PAUSED, 300 * 2**20, 5 * GB), "Paused · 300 MB of 5 GB"),
        (DownloadView(DownloadState.VERIFYING, 5 * GB, 5 * GB), "Checking 5 GB"),
        (DownloadView(DownloadState.FAILED, GB, 5 * GB, text="The disk is full."), "Stopped · 1 of 5 GB"),
        (DownloadView(DownloadState.DONE, 5 * GB, 5 * GB), "5 GB"),
        (DownloadView(DownloadState.RUNNING), "Starting"),
        (DownloadView(DownloadState.QUEUED), "Waiting"),
        (DownloadView(DownloadState.PAUSED, 3 * GB), "Paused"),
        (DownloadView(DownloadState.FAILED, text="The disk is full."), "Stopped"),
    ],
)
def test_progress_in_words(view: DownloadView, line: str) -> None:
    """Amount, speed and remaining time. Unknown figures are left out."""
    assert progress_line(view) == line


def test_shorter_texts_about_the_progress() -> None:
    """For rows with less room. A download of unknown size does not divide by zero."""
    assert progress_lines(download()) == ("1 of 4 GB · 48 MB/s · 45 s left", "1 of 4 GB", "25%")
    assert progress_lines(DownloadView(DownloadState.QUEUED))[-1] == "0%"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (0.2, "1 s left"),
        (59.4, "59 s left"),
        (60, "1 min left"),
        (200, "3 min left"),
        (3600, "1 h left"),
        (4800, "1 h 20 min left"),
    ],
)
def test_remaining_time(seconds: float | None, words: str) -> None:
    """In the unit that a person would say."""
    assert time_left(seconds) == words


def test_the_unit_is_said_once() -> None:
    """Unless the two amounts have different units."""
    assert of_total(int(3.1 * GB), int(5.2 * GB)) == "3.1 of 5.2 GB"
    assert of_total(5000, 5 * GB) == "5 KB of 5 GB"


def test_use_is_said_behind_the_detail() -> None:
    """A loaded model is in use by the chats that it answers, kept warm or not; another one is only kept warm."""
    assert second_line(local("a", loaded=True, chats=3, warm_chats=1)) == "Hybrid · 2.8 GB · in use by 3 chats"
    assert second_line(local("a", warm_chats=1)) == "Hybrid · 2.8 GB · ready for 1 chat"
    assert second_line(local("a", loaded=True, warm_chats=1)) == "Hybrid · 2.8 GB · loaded"
    assert second_line(local("a", note="It needs custom code.")) == "It needs custom code."


def test_a_screen_reader_hears_all_of_a_row() -> None:
    """Name, badge and lines; of a failed download also why."""
    assert spoken(local("a")) == "a, Fits well, Hybrid · 2.8 GB"
    failed = downloading("a", DownloadState.FAILED, text="The disk is full.")
    assert spoken(failed) == "a, Stopped · 1 of 4 GB, The disk is full."


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        (local("a"), [RowAction.NEW_CHAT]),
        (remote("a"), [RowAction.DOWNLOAD]),
        (local("a", state=ModelState.INCOMPLETE, repository="org/a"), [RowAction.CONTINUE]),
        (local("a", state=ModelState.INCOMPLETE), []),
        (local("a", state=ModelState.UNUSABLE), []),
        (downloading("a", DownloadState.RUNNING), [RowAction.PAUSE]),
        (downloading("a", DownloadState.QUEUED), [RowAction.PAUSE, RowAction.CANCEL]),
        (downloading("a", DownloadState.PAUSED), [RowAction.CONTINUE, RowAction.CANCEL]),
        (downloading("a", DownloadState.FAILED), [RowAction.TRY_AGAIN, RowAction.CANCEL]),
        (downloading("a", DownloadState.VERIFYING), []),
    ],
)
def test_a_row_offers_what_can_be_done_now(row: ModelRow, wanted: list[RowAction]) -> None:
    """An incomplete model can be continued only if it is known where it comes from."""
    assert list(actions(row)) == wanted


def test_actions_ask_the_app_by_the_right_name() -> None:
    """A model is used by its id, a download is named by its repository."""
    row = downloading("a")
    assert intent_of(RowAction.NEW_CHAT, row) == ChatWith("/models/a")
    assert intent_of(RowAction.PAUSE, row) == PauseDownload("org/a")
    assert intent_of(RowAction.CANCEL, row) == CancelDownload("org/a")
    assert intent_of(RowAction.CONTINUE, row) == Download("org/a")
    assert intent_of(RowAction.DOWNLOAD, remote("b"), "c0ffee") == Download("org/b", "c0ffee")
