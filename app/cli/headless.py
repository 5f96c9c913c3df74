"""Runs Hearth without a window: starts the library, the engine and the asker for one run, and ends them.

Runs on the main thread, in an event loop of its own.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

from app.base import locks, logs, program
from app.base.library_thread import LibraryThread
from app.base.own_values import OwnValues
from app.base.paths import Paths, temporary
from app.base.ports import Ports
from app.base.settings import ModelSettings
from app.chat.sessions import JOT_MS
from app.cli.asker import AskedQuestion, Asker
from app.cli.printer import Printer
from app.desktop import excepthook, signals
from app.desktop.shutdown import AppShutdown
from app.engine_client.connection import EngineConnection, EnginePorts
from app.engine_client.engine_process import EngineProcess
from app.engine_client.hosting import MacGroup, mac_of, reason_of
from engine.protocol.group import GroupEnded
from engine.protocol.messages import Event, LoadModel
from engine.protocol.sampling_settings import Sampling
from storage.library.library import Library

LOCK_SECONDS = 1.0
"""Long enough for an earlier command to end, short enough not to be felt beside a window."""


@dataclass(frozen=True, slots=True)
class Request:
    """The questions of one run. `load` loads the model, `settings` are the user's for that model. `quota` is the limit
    of the caches in bytes. `sampling` replaces values that the conversations set themselves. `group` are the Macs that
    run the model with this one.
    """

    questions: tuple[AskedQuestion, ...]
    load: LoadModel
    sampling: OwnValues
    quota: int
    settings: ModelSettings = field(default_factory=ModelSettings)
    system: str = ""
    cached: bool = True
    thinking: bool = False
    group: MacGroup | None = None


def run(paths: Paths, request: Request, printer: Printer, log: str) -> int:
    """Answer all questions and end; the log files are named `log`. Returns the exit status: 128 + N if signal N
    interrupted the run, else that of the replies. Raises nothing that a question can cause: its reply has the error.
    """
    application = QCoreApplication(["hearth"])
    with ExitStack() as stack:
        stack.enter_context(logs.written(paths.logs, log))
        lock = locks.take_engine(paths, LOCK_SECONDS) if request.cached else None
        if request.cached and lock is None:
            printer.warn("another Hearth is using the cache on disk, so this starts cold and is not kept warm")
        if lock is not None:
            stack.callback(lock.close)
        segments = paths.segments if lock else stack.enter_context(temporary())
        number = Run(paths, request, printer, segments, alone=lock is not None).live()
    del application
    return 128 + number if number else printer.status


class Run:
    """One run, from the first question to the end of the engine."""

    def __init__(self, paths: Paths, request: Request, printer: Printer, segments: Path, *, alone: bool) -> None:
        """`alone`: no other process is writing an answer, so the library's open answers are broken ones."""
        self._request = request
        self._printer = printer
        self._told_uncached = False
        self._alone = alone
        self._signal = 0
        self._tasks = LibraryThread(partial(Library.open, paths.library_file))
        engine = program.engine(segments, request.quota)
        self._process = EngineProcess(engine)
        if request.group is not None:  # if the group is lost, the engine of this Mac alone follows
            self._process.move(request.group.leader(engine))
        about = EnginePorts(lambda _model: request.load, mac_of=partial(mac_of, request.group))
        self._connection = EngineConnection(request.load.subject, printer, self._process.send, about)
        ports = Ports(
            tasks=self._tasks,
            engine=self._connection,
            sink=printer,
            model=lambda: request.load.subject,
            model_settings=lambda: request.settings,
            sampling=lambda chat: request.sampling.over(OwnValues.of(chat.sampling).over(Sampling())),
            stored=self._stored,
            cached=request.cached,
            thinking=request.thinking,
        )
        self._asker = Asker(ports, request.system, printer.replied, self._end)
        self._shutdown = AppShutdown(self._asker.sessions, self._process, self._tasks)
        self._second = QTimer(interval=1000)
        self._second.timeout.connect(self._asker.sessions.tick)
        self._jotting = QTimer(interval=JOT_MS)
        self._jotting.timeout.connect(self._asker.sessions.jot)

    def live(self) -> int:
        """Run until the engine and the library are closed. Returns the number of the signal that interrupted the run,
        else 0.
        """
        loop = QEventLoop()
        self._shutdown.done.connect(loop.quit)
        with signals.received(self._interrupt), excepthook.installed(self._fault):
            self._connection.serve(self._asker.sessions, self._watch)
            if self._alone:
                self._tasks.run(lambda library: library.messages.interrupt_open(), lambda _: None, lambda _: None)
            self._process.start(self._connection)
            self._second.start()
            self._jotting.start()
            self._asker.start(self._request.questions)
            loop.exec()
        return self._signal

    def _watch(self, event: Event) -> None:
        if isinstance(event, GroupEnded):
            self._asker.group_ended(reason_of(event, mac_of(self._request.group, event.rank)))
        self._asker.engine_event(event)

    def _stored(self, error: str) -> None:
        if error and not self._told_uncached:
            self._told_uncached = True
            self._printer.warn(f"a turn is not kept warm on disk: {error}")

    def _interrupt(self, number: int) -> None:
        if self._signal:
            self._asker.give_up()
        self._signal = number
        self._asker.stop_all()

    def _fault(self, error: Exception) -> None:
        self._end()
        self._printer.failed(error)

    def _end(self) -> None:
        self._second.stop()
        self._jotting.stop()
        self._asker.stop_all()
        self._shutdown.begin()
