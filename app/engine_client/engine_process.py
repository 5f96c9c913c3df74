"""The engine's process: starts it, writes commands to its pipe, reads events from it, pings it, and ends it.

Runs on the window's thread and never blocks it. The supervisor decides when to restart; the listener handles the
events.
"""

from __future__ import annotations

import logging
import re
import signal
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import groupby
from typing import Final

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from app.base.line_process import LineProcess
from app.base.logs import ENGINE
from app.base.ports import EngineListener
from app.base.program import Program
from app.engine_client.supervisor import USUAL, HeartbeatAction, ProcessState, RestartLimits, Supervisor
from engine.protocol import messages
from engine.protocol.cache_messages import CacheMoved, ImportCache
from engine.protocol.errors import ContextFull, ModelStuck
from engine.protocol.framing import decode_event, encode
from engine.protocol.group import GROUP_LOST, GroupEnded
from resources.language.text import mark, present, tr
from storage.untrusted import UntrustedDataError

_log = logging.getLogger(__name__)

FRAME_MS = 40
"""Text that comes within this time after other text is read together: the transcript writes no more often."""

MOVING_SECONDS = 27.0
"""An engine that is replaced has this long to finish its cache writes."""
REGROUPING_SECONDS = 0.5
"""The other machines of a lost group notice its end within this time."""

STUCK = mark("It made no progress, so Hearth gave it up.")
FATAL = mark("The engine stopped while it loaded the model.")
TOO_LARGE = mark("The engine stopped while it loaded the model: memory has probably run out.")
KEEPS_STOPPING = mark("The engine keeps stopping. Hearth does not start it again by itself; the log has the details.")
OUT_OF_MEMORY = mark(
    "The engine keeps stopping: memory has probably run out. Pick a smaller model, or let fewer chats answer at once, "
    "and start it again; the log has the details."
)
NOT_STARTED = mark("The engine's program cannot be started.")
NOT_FORMED = mark("The Macs could not connect to each other for the data of the model.")
OTHER_VERSION = mark("The engine does not belong to this version of Hearth. Install Hearth again.")

_TOO_LONG: Final = mark("This conversation is longer than any model can read.")

_LAST_WORDS: Final = 10
"""Lines of the log before the engine's end that tell why it ended."""
_NO_MEMORY: Final = re.compile(r"\[malloc\]|insufficient memory|out ?of ?memory|MemoryError|bad_alloc", re.IGNORECASE)
"""What MLX, Metal, Python and C++ say of it."""


class EngineProcess(QObject):
    """Starts the engine, restarts it if it crashes, and carries messages in both directions.

    `program` is the engine. If a group of machines cannot be kept, the engine that leads it is replaced by `program`.
    `ended` is emitted once after `shutdown`, when the process has ended.
    """

    ended = Signal()
    _listener: EngineListener

    def __init__(self, program: Program, limits: RestartLimits = USUAL) -> None:
        super().__init__()
        self.bad_lines = 0
        self.program = self._alone = program
        self._limits = limits
        self._supervisor = Supervisor(limits)
        self._process = LineProcess(limits.line_bytes)
        self._process.arrived.connect(self._read)
        self._process.logged.connect(self._log)
        self._process.ended.connect(self._gone)
        self._closing = False
        self._asked: set[str] = set()
        self._loading = 0
        self._last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._is_killed = self._is_out_of_memory = False
        self._heartbeat = QTimer(self, interval=int(limits.ping * 1000))
        self._heartbeat.timeout.connect(self._beat)
        self._backoff = QTimer(self, singleShot=True)
        self._backoff.timeout.connect(self._start)
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self.kill)
        self._frame = QTimer(self, interval=FRAME_MS, singleShot=True)
        self._frame.timeout.connect(self._read)
        self._load = ""
        self._giving_up = self._moving = False
        self._group_end: GroupEnded | None = None
        self._overtaken = QTimer(self, singleShot=True)
        self._overtaken.timeout.connect(self._give_up)

    @property
    def pid(self) -> int:
        """The process id; 0 if there is no process."""
        return self._process.pid

    @property
    def life(self) -> ProcessState:
        """The state of the process."""
        return self._supervisor.life

    def start(self, listener: EngineListener) -> None:
        """Start the engine. `listener` receives all later events."""
        self._listener = listener
        self._start()

    def restart(self) -> None:
        """Start again after a failure."""
        if not self._process.is_there and not self._closing:
            self._supervisor.pardon()
            self._start()

    def send(self, command: messages.Command) -> None:
        """Write one command. Without a process, and after `shutdown`, the command is dropped: the listener knows that
        all requests are lost. A command that is too long for the pipe is answered as if the engine had refused it.
        """
        if not self._process.is_there or self._closing or self._moving:
            return
        frame = encode(command)
        if len(frame) > self._limits.line_bytes:
            _log.warning("a command is too long for the engine: %s", type(command).__name__)
            for event in _answers_to(command):
                QTimer.singleShot(0, self, partial(self._dispatch, event))
            return
        if isinstance(command, messages.Generate):
            self._asked.update(command.requests)
        if self._load and isinstance(command, messages.LoadModel | messages.CancelLoad):
            self._overtaken.start(int(1000 * self._limits.loading))
        self._loading += isinstance(command, messages.LoadModel)
        self._process.write(frame)

    def shutdown(self, patience_s: float) -> None:
        """Let the engine finish its cache writes and end. After `patience_s` seconds it is killed.

        A load gets less time, because it can take minutes.
        """
        self.send(messages.Shutdown())
        self._closing = True
        self._backoff.stop()
        if self._process.is_there:
            self._end_within(patience_s)
        else:
            QTimer.singleShot(0, self, self.ended.emit)

    def move(self, program: Program) -> None:
        """Let `program` be the engine from now on. One that runs ends as in `shutdown`, and the listener does not hear
        of it any more.
        """
        self.program = program
        self._supervisor.pardon_group()
        if not self._process.is_there or self._closing or self._moving:
            return
        self.send(messages.Shutdown())
        self._moving = True
        self._end_within(MOVING_SECONDS)
        self._listener.engine_replaced()

    def _end_within(self, patience_s: float) -> None:
        self._process.close_stdin()
        self._patience.start(int(1000 * (min(patience_s, self._limits.loading) if self._loading else patience_s)))

    def kill(self) -> None:
        """End the process at once."""
        self._is_killed = True
        self._process.kill()

    def _start(self) -> None:
        self._loading, self._load = 0, ""
        self._giving_up = self._moving = self._is_killed = False
        self._last_words.clear()
        self._group_end = None
        self._supervisor.started(time.monotonic())
        self._backoff.stop()
        self._heartbeat.start()
        self._process.start(self.program)

    def _read(self) -> None:
        """Read what has arrived, unless text was read a moment ago: the window shows text once a frame."""
        if self._frame.isActive():
            return
        events = [event for line in self._process.lines() if (event := self._decoded(line)) is not None]
        if events and all(isinstance(event, messages.Deltas) for event in events):
            self._frame.start()
        for event in merged(events):
            try:
                self._dispatch(event)
            except Exception:  # noqa: BLE001 - the edge of the bridge: one bad event must not silence the others
                _log.exception("an event was not dealt with: %s", type(event).__name__)

    def _decoded(self, line: bytes | None) -> messages.Event | None:
        with suppress(UntrustedDataError):
            if line is not None:
                return decode_event(line)
        self.bad_lines += 1
        size = "too many" if line is None else len(line)
        _log.warning("a line of %s bytes from the engine is no event (%d so far)", size, self.bad_lines)
        return None

    def _tell(self, event: messages.Event) -> None:
        if not self._moving:
            self._listener.engine_event(event)

    def _dispatch(self, event: messages.Event) -> None:
        match event:
            case messages.Pong():
                self._supervisor.answered()
                return
            case messages.Ready() if event.version != messages.PROTOCOL_VERSION:
                self._supervisor.refused()
                self.kill()
                return
            case messages.Ready():
                self._supervisor.greeted()
            case messages.TurnFinished():
                self._asked.discard(event.request)
            case messages.LoadProgress():
                self._load = event.path
                self._supervisor.load_moved(time.monotonic(), event.stage)
            case messages.ModelLoaded():
                self._load_ended()
                self._supervisor.worked(time.monotonic())
            case messages.ModelFailed():
                self._load_ended()
            case GroupEnded():
                self._group_end = event
                return
        self._tell(event)

    def _load_ended(self) -> None:
        self._loading = max(0, self._loading - 1)  # the model before comes back unasked if another one failed
        self._load = ""
        self._overtaken.stop()
        self._supervisor.load_ended()

    def _log(self, line: str) -> None:
        ENGINE.info("%s", line)
        self._last_words.append(line)

    def _beat(self) -> None:
        awaited = bool(self._asked) or self._loading > 0
        match self._supervisor.beat(time.monotonic(), generating=awaited):
            case HeartbeatAction.PING:
                self.send(messages.Ping(present().code))
            case HeartbeatAction.KILL:
                _log.error("the engine does not answer and is killed")
                self.kill()
            case HeartbeatAction.END_LOAD if not self._giving_up:
                _log.error("loading %s makes no progress", self._load)
                self._tell(messages.ModelFailed(self._load, ModelStuck.code, tr(STUCK)))
                self._give_up()

    def _give_up(self) -> None:
        """End an engine whose load is no longer wanted, and start another one."""
        self._giving_up = True
        self.kill()

    def _gone(self, status: int | None) -> None:
        """`status` is None if the program cannot be started."""
        self._frame.stop()
        self._read()
        for timer in (self._heartbeat, self._frame, self._patience, self._overtaken):
            timer.stop()
        self._asked.clear()
        if status is None:
            _log.error("the engine cannot be started: %s", self.program.program)
            self._supervisor.refused()
        else:
            level = logging.INFO if self._closing or self._moving else logging.ERROR
            _log.log(level, "the engine ended with status %d", status)
            self._group_end = self._group_end or self._unreported_end(status)
        # A system that runs out of memory kills the largest process.
        is_victim = status == -signal.SIGKILL and not self._is_killed
        self._is_out_of_memory = is_victim or any(map(_NO_MEMORY.search, self._last_words))
        self._go_on(tr(NOT_STARTED if status is None else OTHER_VERSION))

    def _unreported_end(self, code: int) -> GroupEnded | None:
        """How a group has ended whose leader did not say so. While MLX forms the group, no thread of the engine can say
        what is wrong: after some seconds a guard ends the process, before its first event. A leader that hangs most
        likely waits for a machine that runs, but does not do its part of a pass.
        """
        is_group, is_forming = self.program != self._alone, self._supervisor.life is ProcessState.STARTING
        if code == GROUP_LOST or (is_group and self._is_killed and not is_forming):
            return GroupEnded(0)
        return GroupEnded(0, detail=tr(NOT_FORMED)) if is_group and is_forming else None

    def _go_on(self, refusal: str) -> None:
        """`refusal` is the sentence for the user if the supervisor has already ruled out another start."""
        if self._closing:
            self._supervisor.stopped()
            self.ended.emit()
        elif self._supervisor.life is ProcessState.FAILED:
            self._listener.engine_failed(refusal)
        elif self._moving:
            self._supervisor.load_given_up()
            self._backoff.start(0)
        elif self._giving_up:
            self._begin_again()
        elif self._group_end is not None:
            self._regroup(self._group_end)
        elif self._load:
            self._tell(
                messages.ModelFailed(self._load, ModelStuck.code, tr(TOO_LARGE if self._is_out_of_memory else FATAL))
            )
            self._begin_again()
        elif (delay := self._supervisor.crashed(time.monotonic())) is None:
            self._listener.engine_failed(tr(OUT_OF_MEMORY if self._is_out_of_memory else KEEPS_STOPPING))
        else:
            self._backoff.start(int(delay * 1000))
            self._listener.engine_lost()

    def _begin_again(self) -> None:
        self._supervisor.load_given_up()
        self._backoff.start(0)
        self._listener.engine_replaced()

    def _regroup(self, end: GroupEnded) -> None:
        """Start the group again, or the engine of this Mac alone, which loads no model by itself."""
        again = self._supervisor.group_lost(time.monotonic(), end.reason)
        if not again:
            self.program = self._alone
        self._backoff.start(int(1000 * REGROUPING_SECONDS) if again else 0)
        self._listener.group_ended(end, again=again)


def _answers_to(command: messages.Command) -> tuple[messages.Event, ...]:
    """Return an end for each request of a command that is too long for the pipe, in place of the engine. The outcome of
    other commands is not awaited.
    """
    match command:
        case messages.Generate(request=request, conversation=conversation, alternatives=others):
            return tuple(
                messages.TurnFinished(
                    name, conversation, "failed", messages.Usage(), code=ContextFull.code, message=tr(_TOO_LONG)
                )
                for name in (request, *others)
            )
        case ImportCache(request=request) | messages.ExportCache(request=request):
            return (CacheMoved(request, code=ContextFull.code, message=tr(_TOO_LONG)),)
        case _:
            return ()


def merged(events: Iterable[messages.Event]) -> Iterator[messages.Event]:
    """The events in their order, with each run of `Deltas` as one event: the window handles their text once."""
    for kind, run in groupby(events, type):
        if kind is messages.Deltas:
            yield messages.Deltas(
                _joined(row for step in run if isinstance(step, messages.Deltas) for row in step.rows)
            )
        else:
            yield from run


def _joined(deltas: Iterable[messages.Delta]) -> tuple[messages.Delta, ...]:
    """The text of a request keeps its order, also over its channels."""
    rows: list[messages.Delta] = []
    newest: dict[str, int] = {}
    for row in deltas:
        place = newest.get(row.request)
        if place is not None and rows[place].channel == row.channel:
            rows[place] = msgspec.structs.replace(row, text=rows[place].text + row.text)
        else:
            newest[row.request] = len(rows)
            rows.append(row)
    return tuple(rows)
