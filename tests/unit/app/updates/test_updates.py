"""When Hearth checks for updates, what it shows and what it saves."""

from __future__ import annotations

import base64
import logging
import os
from typing import TYPE_CHECKING

import msgspec
import pytest

from app.base.settings import UpdateMemory
from app.updates.release import KEY_BYTES, Release, public_key, sealed
from app.updates.updates import EVERY_S, KEY, NOT_CHECKED, REST_TICKS, Updates
from tests.fakes.web import Answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.fakes.web import Web
    from ui.state.notice import Notice
    from ui.state.settings import UpdateView

SEED = os.urandom(KEY_BYTES)
NOW = 2_000_000_000
RELEASE = Release("0.2.0", NOW - 60, NOW + 60 * 24 * 3600, "https://example.org/hearth", "# New")


class Scene:
    """Updates of Hearth 0.1.0, with a store, window, browser and clock that the test sets."""

    def __init__(self, qtbot: QtBot, web: Web, key_file: Path) -> None:
        self.qtbot, self.web = qtbot, web
        self.updates_memory = UpdateMemory()
        self.view: UpdateView | None = None
        self.notices: dict[str, Notice] = {}
        self.pages: list[str] = []
        self.now = float(NOW)
        self.key_file = key_file
        key_file.write_bytes(base64.b64encode(public_key(SEED)) + b"\n")
        self.subject = self.started()

    def started(self) -> Updates:
        """Do what a start of Hearth does."""
        return Updates(self, self, "0.1.0", self.key_file, lambda: self.now, self.pages.append)

    @property
    def updates(self) -> UpdateMemory:
        return self.updates_memory

    def keep_updates(self, updates: UpdateMemory) -> None:
        self.updates_memory = updates

    def show_update(self, view: UpdateView) -> None:
        self.view = view

    def show_notice(self, notice: Notice) -> None:
        self.notices[notice.key] = notice

    def clear_notice(self, key: str) -> None:
        self.notices.pop(key, None)

    def publish(self, **changed: object) -> None:
        self.web.answers["/release.json"] = Answer(sealed(msgspec.structs.replace(RELEASE, **changed), SEED))

    def rest(self, seconds: int = REST_TICKS) -> None:
        for _ in range(seconds):
            self.subject.tick()

    def settled(self) -> UpdateView:
        """Return the view once no check is running."""
        self.qtbot.waitUntil(lambda: self.view is not None and not self.view.checking)
        assert self.view is not None
        return self.view

    def check(self) -> UpdateView:
        self.subject.check()
        return self.settled()


@pytest.fixture
def scene(qtbot: QtBot, web: Web, tmp_path: Path) -> Iterator[Scene]:
    scene = Scene(qtbot, web, tmp_path / "key.pub")
    scene.publish()
    yield scene
    scene.subject.close()


def test_nothing_is_asked_before_it_is_allowed(scene: Scene) -> None:
    """Without the user's permission there is no request, even after days."""
    for _ in range(3):
        scene.rest()
        scene.now += 2 * EVERY_S
    scene.subject.show()
    assert scene.view is not None
    assert (scene.view.allowed, scene.view.checking, scene.view.status) == (False, False, "")
    assert (scene.web.asked, scene.updates_memory) == ([], UpdateMemory())


def test_allowing_looks_at_once_and_then_once_a_day(scene: Scene) -> None:
    """Another start on the same day does not check again. A day later Hearth does, but never in the first seconds of a
    start.
    """
    scene.subject.allow(True)  # noqa: FBT003 - as the signal brings it
    scene.settled()
    assert (len(scene.web.asked), scene.updates_memory.allowed) == (1, True)
    scene.subject = scene.started()
    scene.rest(2 * REST_TICKS)
    assert len(scene.web.asked) == 1
    scene.now += EVERY_S
    scene.subject = scene.started()
    scene.rest(REST_TICKS - 1)
    assert not scene.settled().checking
    scene.rest(1)
    scene.settled()
    assert len(scene.web.asked) == 2


def test_clock_that_was_set_back_does_not_end_the_looking(scene: Scene) -> None:
    """A saved time in the future does not prevent a check."""
    scene.updates_memory = UpdateMemory(allowed=True, checked=NOW + 400 * EVERY_S)
    scene.rest()
    scene.settled()
    assert len(scene.web.asked) == 1


def test_no_longer_allowed_is_silence(scene: Scene) -> None:
    """The user's refusal holds at once."""
    scene.subject.allow(True)  # noqa: FBT003 - as the signal brings it
    scene.settled()
    scene.subject.allow(False)  # noqa: FBT003 - as the signal brings it
    scene.now += 2 * EVERY_S
    scene.rest(2 * REST_TICKS)
    assert len(scene.web.asked) == 1


def test_a_newer_version_is_shown_and_its_page_opened(scene: Scene) -> None:
    """There is a notice with the notes, and the page opens only if the user asks. Nothing else happens by itself."""
    view = scene.check()
    assert (view.version, view.notes, view.status) == ("0.2.0", "# New", "Hearth 0.2.0 is available.")
    assert scene.notices[KEY].text == "Hearth 0.2.0 is available."
    assert scene.pages == []
    scene.subject.open_page()
    assert scene.pages == ["https://example.org/hearth"]


def test_the_newest_version_is_confirmed(scene: Scene) -> None:
    """There is no notice and no page."""
    scene.publish(version="0.1.0")
    assert scene.check().status == "Hearth 0.1.0 is the newest version."
    scene.subject.open_page()
    scene.subject.skip()
    assert (scene.notices, scene.pages, scene.updates_memory.skipped) == ({}, [], "")


def test_a_skipped_version_is_not_offered_again(scene: Scene) -> None:
    """The sheet still shows it, and the next version is offered."""
    scene.check()
    scene.subject.skip()
    assert scene.notices == {}
    scene.subject = scene.started()
    assert scene.check().version == "0.2.0"
    assert scene.notices == {}
    scene.publish(version="0.3.0")
    scene.check()
    assert scene.notices[KEY].text == "Hearth 0.3.0 is available."


def test_replay_is_refused_after_a_restart_too(scene: Scene) -> None:
    """An old file with a good signature does not hide later releases."""
    scene.publish(version="0.3.0", issued=NOW - 10)
    scene.check()
    scene.subject = scene.started()
    scene.publish(version="0.2.0", issued=NOW - 60)
    assert scene.check().status == NOT_CHECKED
    assert scene.updates_memory.issued == NOW - 10


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b"page", 500),
        Answer(b"{}"),
        Answer(sealed(RELEASE, bytes(KEY_BYTES))),
        Answer(sealed(msgspec.structs.replace(RELEASE, expires=NOW), SEED)),
        Answer(sealed(msgspec.structs.replace(RELEASE, page="file:///x"), SEED)),
        Answer(sealed(msgspec.structs.replace(RELEASE, version="soon"), SEED)),
    ],
    ids=["not there", "no sheet", "other key", "expired", "no page", "no version"],
)
def test_what_cannot_be_trusted_is_one_quiet_line(
    scene: Scene, answer: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    """The sheet says that the check failed, and the log says why in one line. There is no notice, and
    nothing is saved.
    """
    scene.web.answers["/release.json"] = answer
    with caplog.at_level(logging.INFO, "app.updates"):
        view = scene.check()
    assert (view.status, view.version, view.notes) == (NOT_CHECKED, "", "")
    assert (scene.notices, scene.updates_memory.issued) == ({}, 0)
    [record] = caplog.records
    assert record.levelno == logging.INFO
    assert "\n" not in record.getMessage()


def test_missing_key_is_no_reason_to_trust(scene: Scene) -> None:
    """A damaged installation checks nothing, and says so."""
    scene.key_file.unlink()
    assert scene.check().status == NOT_CHECKED


def test_a_look_that_failed_forgets_no_news(scene: Scene) -> None:
    """A release that was found stays available while the net is away."""
    scene.check()
    scene.web.answers.clear()
    assert scene.check().version == "0.2.0"
    scene.subject.open_page()
    assert scene.pages == ["https://example.org/hearth"]


def test_two_clicks_are_one_question(scene: Scene) -> None:
    """A second click does not send a second request."""
    scene.subject.check()
    assert scene.check().version == "0.2.0"
    assert len(scene.web.asked) == 1
