"""The queue of downloads as a value: one runs, others wait in their order. Pure.

A download that runs, or waits, when the app ends is continued at the next start, and so is one that lost the hub after
it had fetched something. A paused one and other failed ones stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from resources.language.sentence import Sentence
from ui.state.models import DownloadState, DownloadView

_ACTIVE = (DownloadState.RUNNING, DownloadState.VERIFYING)
_OVER = (DownloadState.PAUSED, DownloadState.FAILED, DownloadState.DONE)
_Bytes = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]


class QueuedDownload(msgspec.Struct, frozen=True, omit_defaults=True):
    """A download in the queue. `text` says why it failed or waits. `unreachable`: it failed because the hub could not
    be reached, so another attempt makes sense. `head` is the repository of the draft head that comes with it.
    """

    repository: str
    revision: str = ""
    head: str = ""
    state: DownloadState = DownloadState.QUEUED
    done: _Bytes = 0
    total: _Bytes = 0
    text: Sentence | str = ""
    rate: float = 0.0
    seconds_left: float | None = None
    unreachable: bool = False

    @property
    def active(self) -> bool:
        """Whether a worker is at it."""
        return self.state in _ACTIVE

    @property
    def is_cut_off(self) -> bool:
        """Whether its worker waits for the next attempt, after one that failed."""
        return self.state is DownloadState.RUNNING and bool(self.text)

    @property
    def view(self) -> DownloadView:
        """The download as the window shows it. One that is cut off looks failed: the user may try again at once."""
        state = DownloadState.FAILED if self.is_cut_off else self.state
        return DownloadView(state, self.done, self.total, self.rate, self.seconds_left, str(self.text))


class Queue(msgspec.Struct, frozen=True):
    """The downloads in their order, each repository once."""

    downloads: tuple[QueuedDownload, ...] = ()

    def __iter__(self) -> Iterator[QueuedDownload]:
        return iter(self.downloads)

    def of(self, repository: str) -> QueuedDownload | None:
        """The download of a repository."""
        return next((download for download in self if download.repository == repository), None)

    @property
    def active(self) -> QueuedDownload | None:
        """The one that runs."""
        return next((download for download in self if download.active), None)

    @property
    def next(self) -> QueuedDownload | None:
        """The first that waits; None while one runs."""
        waiting = (download for download in self if download.state is DownloadState.QUEUED)
        return None if self.active else next(waiting, None)

    def requested(self, repository: str, revision: str = "", head: str = "") -> Queue:
        """A new download comes last. A paused, failed or cut off one waits again, in its old place and for its own
        revision.
        """
        known = self.of(repository)
        if known is None or known.state is DownloadState.DONE:
            return Queue((*self.without(repository), QueuedDownload(repository, revision, head)))
        if known.state not in _OVER and not known.is_cut_off:
            return self
        return self.with_(repository, **_AGAIN)

    def retried(self) -> Queue:
        """Downloads that lost the hub after they had fetched something wait again, in their old places."""
        return Queue(
            tuple(
                msgspec.structs.replace(download, **_AGAIN) if download.unreachable and download.done else download
                for download in self
            )
        )

    def known(self, repository: str, done: int) -> Queue:
        """A download of `done` bytes that no queue held is paused."""
        if self.of(repository) is not None:
            return self
        return Queue((*self.downloads, QueuedDownload(repository, state=DownloadState.PAUSED, done=done)))

    def paused(self, repository: str) -> Queue:
        """A download that runs or waits is paused."""
        known = self.of(repository)
        if known is None or known.state in _OVER:
            return self
        return self.with_(repository, state=DownloadState.PAUSED, text="", **STILL)

    def without(self, repository: str) -> Queue:
        """The queue without a download."""
        return Queue(tuple(download for download in self if download.repository != repository))

    def with_(self, repository: str, **changes: object) -> Queue:
        """The queue with changed fields of a download."""
        return Queue(
            tuple(
                msgspec.structs.replace(download, **changes) if download.repository == repository else download
                for download in self
            )
        )

    def at_rest(self) -> Queue:
        """The queue as it is kept: the download that runs waits, in front; those that are done are dropped."""
        kept = sorted(self, key=lambda download: not download.active)
        return Queue(
            tuple(
                msgspec.structs.replace(download, **_WAITING if download.active else STILL)
                for download in kept
                if download.state is not DownloadState.DONE
            )
        )


STILL = {"rate": 0.0, "seconds_left": None}
_WAITING = {"state": DownloadState.QUEUED, "text": "", **STILL}
_AGAIN = {"unreachable": False, **_WAITING}
