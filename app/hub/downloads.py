"""The downloads of a window: starts one worker after the other, keeps their queue in a file, and deletes models. Runs
on the window's thread and never blocks it.

Invariants:

- At most one worker runs. The next one starts when the process before is gone.
- The queue is saved whenever the user or a worker changes it, so a killed app continues where it was.
- Deleting files happens on the file thread.
- `FetchProcess` is the process `hearth models fetch`. A kill ends it, which is the normal case: a later one continues.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import Signal

from app.base.errors import AppError, notice, reason
from app.base.line_process import LineProcess
from app.base.model_names import display_name
from app.base.own_files import remembered
from app.base.paths import Paths
from app.base.ports import NoticeSink, Tasks
from app.base.program import Program, this_app
from app.hub import removal
from app.hub.errors import HubBusy, HubUnreachable
from app.hub.fetch import names, progress, staging
from app.hub.fetch.progress import Done, Failed, FetchProgress, FetchWaiting, Report, Started, Verifying
from app.hub.fetch.staging import ModelPlace
from app.hub.queue import STILL, Queue
from resources.language.sentence import sentence
from resources.language.text import mark, tr
from storage.folders import write_durably
from storage.untrusted import MEBIBYTE, UntrustedDataError
from ui.intents.notice import Notice
from ui.state.models import DownloadState, DownloadView

_LARGEST: Final = MEBIBYTE


def load(path: Path) -> Queue:
    """The queue in the file. A damaged file is an empty queue: the partial downloads themselves stay."""
    queue = remembered(path, _LARGEST, Queue, Queue())
    is_sound = names.is_repository
    return Queue(tuple(one for one in queue if is_sound(one.repository) and (not one.head or is_sound(one.head))))


_LONGEST: Final = 1 << 20
_log = logging.getLogger(__name__)


class FetchProcess(LineProcess):
    """`reported` carries each `Report`."""

    reported = Signal(object)

    def __init__(self) -> None:
        super().__init__(_LONGEST)
        self.arrived.connect(self._read)
        self.logged.connect(lambda line: _log.warning("the download says: %s", line))

    def _read(self) -> None:
        for line in self.lines():
            try:
                report = progress.decode(line or b"")
            except UntrustedDataError:
                _log.warning("a line of %d bytes from a download is no report", len(line or b""))
            else:
                self.reported.emit(report)


NOTICE: Final = "download"
BROKE_OFF: Final = mark("The download ended unexpectedly. Try again to continue it; the log has the details.")
_UNREACHABLE: Final = frozenset({HubUnreachable.code, HubBusy.code})
"""The codes of failures that end without the user's help. They are reported after several attempts."""
_FILE: Final = "downloads.json"
_SAVE_S: Final = 5.0
"""Progress alone is saved this often: it is only shown."""


def worker_program(repository: str, revision: str, head: str) -> Program:
    """Return the worker that downloads a model. It ends with this process."""
    told = *(("--revision", revision) if revision else ()), *(("--head", head) if head else ())
    return this_app("models", "fetch", "--json", "--lifeline", *told, "--", repository)


class Downloads:
    """`changed` is called whenever a view changes, `arrived` with the report of each model that is complete."""

    def __init__(self, paths: Paths, tasks: Tasks, worker: FetchProcess, sink: NoticeSink) -> None:
        self.changed: Callable[[], object] = lambda: None
        self.arrived: Callable[[Done], object] = lambda _done: None
        self._models = paths.models
        self._file = paths.data / _FILE
        self._tasks = tasks
        self._worker = worker
        self._sink = sink
        self._queue = Queue()
        self._saved_at = 0.0
        self._closed = False
        self._at_work = ""
        self._dropped: set[str] = set()
        worker.reported.connect(self._take)
        worker.ended.connect(self._gone)

    def views(self) -> Mapping[str, DownloadView]:
        """The downloads by repository, in their order."""
        return {download.repository: download.view for download in self._queue}

    def start(self) -> None:
        """Continue what ran or waited when the app ended, or lost the hub on its way, and say so."""
        self._queue = load(self._file).at_rest().retried()
        waiting = self._queue.next
        if waiting is not None:
            name = display_name(waiting.repository.partition("/")[2])
            self._sink.show_notice(Notice(NOTICE, tr("Hearth continues to download {name}.", name=name), passing=True))
        self._tasks.apart(partial(staging.sweep, self._models), lambda _none: None, self._complain)
        self._tasks.apart(partial(staging.begun, self._models), self._offer, self._complain)
        self._turn()

    def request(self, repository: str, revision: str = "", head: str = "") -> None:
        """Download a repository, or continue its download. `head` has the model's draft head, if that is wanted."""
        try:
            self._change(self._queue.requested(names.checked(repository), revision, head and names.checked(head)))
        except AppError as error:
            self._complain(error)

    def retry(self) -> None:
        """Continue the downloads that lost the hub on their way."""
        retried = self._queue.retried()
        if retried != self._queue:
            self._change(retried)

    def repeat(self, repository: str) -> None:
        """Try a download again if it has failed."""
        known = self._queue.of(repository)
        if known is not None and known.state is DownloadState.FAILED:
            self.request(repository)

    def pause(self, repository: str) -> None:
        """Pause a download. Its files stay."""
        self._change(self._queue.paused(repository))

    def cancel(self, repository: str) -> None:
        """End a download and delete its files."""
        if self._queue.of(repository) is None:
            return
        if self._at_work == repository:
            self._dropped.add(repository)
        else:
            self._discard(repository)
        self._change(self._queue.without(repository))

    def remove(self, folder: str, wanted: str, gone: Callable[[], object]) -> None:
        """Delete a model that was downloaded, unless it is `wanted`, which is that of the chats, loaded or not. Then
        call `gone`.
        """
        if folder == wanted:
            self._complain(removal.in_use(Path(folder)))
        else:
            remove = partial(removal.remove, self._models, Path(folder))
            self._tasks.apart(remove, lambda _none: gone(), self._complain)

    def close(self) -> None:
        """End the worker at once. The next start continues."""
        if not self._closed:
            self._closed = True
            self._save()
            self._worker.close()

    def _offer(self, begun: dict[str, int]) -> None:
        """Show what a command left, which the user may continue."""
        for repository, done in begun.items():
            self._queue = self._queue.known(repository, done)
        self.changed()

    def _change(self, queue: Queue) -> None:
        self._queue = queue
        self._save()
        self._turn()
        self.changed()

    def _turn(self) -> None:
        """End a worker that is no longer wanted, or else start the next."""
        active = self._queue.active
        if self._at_work and (active is None or active.repository != self._at_work):
            self._worker.kill()
        elif not self._at_work and not self._closed and (download := self._queue.next) is not None:
            self._at_work = download.repository
            self._queue = self._queue.with_(download.repository, state=DownloadState.RUNNING)
            self._worker.start(worker_program(download.repository, download.revision, download.head))

    def _take(self, report: Report) -> None:
        known = self._queue.of(self._at_work)
        if known is None or not known.active:
            return  # paused or cancelled; its process is about to end
        self._queue = self._queue.with_(self._at_work, **_changes(report, known.total))
        if isinstance(report, Done | Failed):
            self._sink.clear_notice(NOTICE)
        if isinstance(report, Done):
            self.arrived(report)
        if not isinstance(report, FetchProgress) or time.monotonic() - self._saved_at > _SAVE_S:
            self._save()
        self.changed()

    def _gone(self) -> None:
        """The process has ended: the next one may start."""
        if self._closed:
            return
        repository, self._at_work = self._at_work, ""
        if repository in self._dropped:
            self._dropped.discard(repository)
            self._discard(repository)
        if (active := self._queue.active) is not None:
            self._sink.clear_notice(NOTICE)
            self._queue = self._queue.with_(active.repository, state=DownloadState.FAILED, text=sentence(BROKE_OFF))
        self._change(self._queue)

    def _discard(self, repository: str) -> None:
        place = ModelPlace(self._models, repository)
        self._tasks.apart(partial(removal.discard, place), lambda _none: None, self._complain)

    def _save(self) -> None:
        """Replace the file in one step. A full disk loses the newest change of the order, nothing else."""
        self._saved_at = time.monotonic()
        content = msgspec.json.encode(self._queue.at_rest())
        try:
            write_durably(self._file, self._file.with_name(self._file.name + ".new"), content)
        except OSError as error:
            _log.warning("the queue of downloads cannot be saved: %s", reason(error))

    def _complain(self, error: Exception) -> None:
        self._sink.show_notice(notice(error))


def _changes(report: Report, total: int) -> dict[str, object]:
    """The fields of a download of `total` bytes that a report changes."""
    match report:
        case Started():
            return {"state": DownloadState.RUNNING, "done": report.done, "total": report.total, "text": ""}
        case FetchProgress():
            return {"state": DownloadState.RUNNING, "text": "", **msgspec.structs.asdict(report)}
        case FetchWaiting():
            return {"state": DownloadState.RUNNING, "text": report.told or report.text, **STILL}
        case Verifying():
            return {"state": DownloadState.VERIFYING, **STILL}
        case Done():
            return {"state": DownloadState.DONE, "done": total, "text": "", **STILL}
        case Failed():
            text, unreachable = report.told or report.message, report.code in _UNREACHABLE
            return {"state": DownloadState.FAILED, "text": text, "unreachable": unreachable, **STILL}
