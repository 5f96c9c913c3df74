"""Looks for newer versions of Hearth once a day if the user allows it, and shows them. Never installs anything.

Runs on the window's thread.
"""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

import msgspec
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.base.errors import UpdateNotChecked, reason
from app.updates import fetch, release_check
from resources.language.text import mark, tr
from ui.state.notice import Notice
from ui.state.settings import UpdateView

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.base.settings import UpdateMemory
    from app.updates.release import Release

_log = logging.getLogger(__name__)

KEY: Final = "update"
"""The key of the notice about a newer version."""
EVERY_S: Final = 24 * 3600
REST_TICKS: Final = 20
"""Ticks (seconds) after the start without any request: the first chat is more urgent."""
NOT_CHECKED: Final = mark("Could not be checked.")


class UpdateSink(Protocol):
    """The part of the window that shows updates."""

    def show_update(self, view: UpdateView) -> None:
        """Refresh the update sheet, if it is open."""

    def show_notice(self, notice: Notice) -> None:
        """Show a notice in place of one with the same key."""

    def clear_notice(self, key: str) -> None:
        """Remove a notice."""


class UpdateStore(Protocol):
    """Stores the state of the update check beyond this run."""

    @property
    def updates(self) -> UpdateMemory:
        """The current state."""

    def keep_updates(self, updates: UpdateMemory) -> None:
        """Replace the state."""


def open_in_browser(page: str) -> None:
    """Show a page in the user's browser."""
    QDesktopServices.openUrl(QUrl(page))


class Updates:
    """`running` is the version of this Hearth, `key_file` holds the public key. Nothing is requested from the net
    before the user calls `allow` or `check`.
    """

    def __init__(
        self,
        memory: UpdateStore,
        window: UpdateSink,
        running: str,
        key_file: Path,
        clock: Callable[[], float] = time.time,
        open_page: Callable[[str], object] = open_in_browser,
    ) -> None:
        self._memory = memory
        self._window = window
        self._key_file = key_file
        self._clock = clock
        self._open_page = open_page
        self._fetch = fetch.Fetcher()
        self._rest = REST_TICKS
        self._newest: Release | None = None
        self._view = UpdateView(running, allowed=memory.updates.allowed)

    def show(self) -> None:
        """Show the current state."""
        self._window.show_update(self._view)

    def tick(self) -> None:
        """Called every second; checks for a newer version if that is allowed and a day has passed."""
        self._rest = max(0, self._rest - 1)
        past = self._clock() - self._memory.updates.checked
        if self._memory.updates.allowed and not self._rest and not self._fetch.is_busy and not 0 <= past < EVERY_S:
            self.check()

    def allow(self, allowed: bool) -> None:  # noqa: FBT001 - a signal's value
        """Allow the daily check, or forbid it."""
        self._remember(allowed=allowed)
        self._say(replace(self._view, allowed=allowed))
        if allowed:
            self.check()

    def check(self) -> None:
        """Check now. Does nothing while a check is running."""
        if not self._fetch.is_busy:
            self._remember(checked=int(self._clock()))
            self._say(replace(self._view, checking=True, status=tr("Checking for updates…")))
            self._fetch.begin(fetch.address(), self._take, self._fail)

    def open_page(self) -> None:
        """Show the page of the newer version."""
        if self._newest is not None:
            self._open_page(self._newest.page)

    def skip(self) -> None:
        """Do not offer this version again."""
        if self._newest is not None:
            self._remember(skipped=self._newest.version)
            self._window.clear_notice(KEY)

    def close(self) -> None:
        """Abort a running check."""
        self._fetch.close()

    def _take(self, sheet: bytes) -> None:
        from app.updates.release import key_of, opened  # most starts have no signature to check

        try:
            release = opened(sheet, key_of(self._key_file.read_bytes()))
            newer = release_check.is_newer(release, self._view.running, self._memory.updates.issued, self._clock())
        except OSError as error:
            self._fail(UpdateNotChecked(tr("The key for updates cannot be read: {reason}.", reason=reason(error))))
        except UpdateNotChecked as error:
            self._fail(error)
        else:
            self._remember(issued=release.issued)
            self._settle(release if newer else None)

    def _settle(self, newest: Release | None) -> None:
        self._newest = newest
        if newest is None:
            self._window.clear_notice(KEY)
            status = tr("Hearth {running} is the newest version.", running=self._view.running)
            self._say(replace(self._view, checking=False, status=status, version="", notes=""))
            return
        status = tr("Hearth {version} is available.", version=newest.version)
        self._say(replace(self._view, checking=False, status=status, version=newest.version, notes=newest.notes))
        if newest.version != self._memory.updates.skipped:
            self._window.show_notice(Notice(KEY, status, tr("What is new"), tr("Skip this version")))

    def _fail(self, error: UpdateNotChecked) -> None:
        _log.info("updates could not be checked: %s", error)
        self._say(replace(self._view, checking=False, status=tr(NOT_CHECKED)))

    def _say(self, view: UpdateView) -> None:
        self._view = view
        self.show()

    def _remember(self, **changed: object) -> None:
        self._memory.keep_updates(msgspec.structs.replace(self._memory.updates, **changed))
