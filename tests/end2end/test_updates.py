"""Updates through the whole app: menu, dialog, and a server on this machine."""

from __future__ import annotations

import base64
import os
import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QDesktopServices

import resources
from app.base import paths, settings
from app.updates.release import KEY_BYTES, Release, public_key, sealed
from tests.fakes.foreign import never
from tests.fakes.web import Answer, served
from ui.dialogs.update_dialog import UpdateDialog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.end2end.conftest import Desk
    from tests.fakes.web import Web

pytestmark = pytest.mark.usefixtures("echo")

SEED = os.urandom(KEY_BYTES)


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Web]:
    """A server with a release 99, signed with the key that this Hearth trusts."""
    key = tmp_path / "key.pub"
    key.write_bytes(base64.b64encode(public_key(SEED)))
    monkeypatch.setattr(resources, "UPDATE_KEY", key)
    now = int(time.time())
    with served() as web:
        monkeypatch.setenv("HEARTH_UPDATE_URL", web.url("/release.json"))
        release = Release("99.0", now, now + 1000, "https://example.org/hearth", "# All new")
        web.answers["/release.json"] = Answer(sealed(release, SEED))
        yield web


def dialog(desk: Desk) -> UpdateDialog:
    desk.app.window.actions_by_name["updates"].trigger()
    found = desk.app.window.findChild(UpdateDialog)
    assert found is not None
    return found


def test_a_newer_version_is_found_shown_and_opened(desk: Desk, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """No request is sent until the switch is on. Then notes, notice and page appear, and the switch stays on."""
    pages: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: pages.append(url.toString()))
    desk.open()
    shown = dialog(desk)
    assert shown.status.text() == "Not checked yet."
    assert web.asked == []
    shown.allow.click()
    desk.until(lambda: shown.status.text() == "Hearth 99.0 is available.")
    assert shown.notes.toPlainText() == "All new"
    assert "update" in desk.app.window.notices.keys()  # noqa: SIM118 - not a dict's
    shown.page_button.click()
    assert pages == ["https://example.org/hearth"]
    shown.skip_button.click()
    assert "update" not in desk.app.window.notices.keys()  # noqa: SIM118 - as above
    desk.close()
    kept = settings.load(paths.find().settings, never).updates
    assert (kept.allowed, kept.skipped) == (True, "99.0")


def test_a_forged_release_is_ignored(desk: Desk, web: Web) -> None:
    """The dialog only says that updates could not be checked."""
    now = int(time.time())
    forged = sealed(Release("99.0", now, now + 1000, "https://example.org/", "# Forged"), os.urandom(KEY_BYTES))
    web.answers["/release.json"] = Answer(forged)
    desk.open()
    shown = dialog(desk)
    shown.check_button.click()
    desk.until(lambda: shown.status.text() == "Could not be checked.")
    assert not shown.page_button.isVisible()
    assert desk.app.window.notices.keys() == ()


def test_the_window_closes_during_a_check(desk: Desk, web: Web) -> None:
    """A server that never answers does not delay closing."""
    web.answers["/release.json"] = Answer(held=True)
    desk.open()
    dialog(desk).check_button.click()
    desk.until(lambda: bool(web.asked))
    desk.close()
    assert "updates could not" not in (paths.find().logs / "hearth.log").read_text()
