"""Asks the inspector process about model folders. Starts it when it is needed, and ends it if it does not answer.

Invariants:

- `inspect` blocks, so it is called on a worker thread. A second caller waits for the first. `close` may be called on
  any thread, and ends what is being asked.
- An inspection takes at most `Patience.answer_s` seconds: a hostile folder costs one process and no more.
- The first answer of a process is that of a question without a folder. It shows that the imports are done, which take
  longer on a busy machine and are not the folder's fault.
"""

from __future__ import annotations

import logging
import os
import selectors
import subprocess
import time
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Final

import msgspec

from app.base.errors import ModelNotInspected
from app.base.logs import ENGINE
from engine.protocol.errors import ModelStuck
from engine.protocol.framing import Lines, decode_inspection, encode
from engine.protocol.inspection import InspectionFailed, InspectModel
from resources.language.text import mark, present, tr
from storage.untrusted import UntrustedDataError

if TYPE_CHECKING:
    from app.base.program import Program
    from engine.protocol.framing import Inspection

_log = logging.getLogger(__name__)

_LONGEST: Final = 1 << 20
"""The most bytes in an answer. The kinds of 16,384 layers take 200,000."""
_PORTION: Final = 1 << 16
SLOW: Final = mark("Hearth could not examine its files within {seconds:.0f} seconds.")
CRASHED: Final = mark("The process that examined its files ended.")
CLOSED: Final = mark("Hearth is closing, so it examines no more models.")
NOT_STARTED: Final = mark("The process that examines models cannot be started. Install Hearth again.")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the inspector may take for its start and for an answer."""

    start_s: float = 60.0
    answer_s: float = 5.0


class _NoAnswer(Exception):  # noqa: N818 - a verdict about the process, which never leaves this module
    """The process has ended, or has not answered in time."""


class Inspector:
    """One inspector process, as long as it behaves."""

    def __init__(self, program: Program, patience: Patience | None = None) -> None:
        self._program = program
        self._patience = patience or Patience()
        self._process: _Process | None = None
        self._closed = False
        self._asking = Lock()

    def inspect(self, question: InspectModel) -> Inspection:
        """Return the answer. A folder that ends or blocks the process is refused as stuck, and the next question
        starts another process. Raises ModelNotInspected.
        """
        asked = msgspec.structs.replace(question, language=present().code)
        with self._asking:
            return self._inspect(self._started(), asked)

    def close(self) -> None:
        """End the process. Questions after that are refused."""
        self._closed = True
        if (process := self._process) is not None:
            process.kill()
        with self._asking:
            self._end()

    def _inspect(self, process: _Process, question: InspectModel) -> Inspection:
        try:
            return process.ask(question, self._patience.answer_s)
        except _NoAnswer:
            why = tr(SLOW, seconds=self._patience.answer_s) if process.is_running else tr(CRASHED)
            self._end()
        if self._closed:
            raise ModelNotInspected(tr(CLOSED))
        _log.warning("%s: %s", ascii(question.path), why)
        return InspectionFailed(question.path, ModelStuck.code, why, question.adapter)

    def _started(self) -> _Process:
        """Raises ModelNotInspected."""
        if self._process is not None and self._process.is_running:
            return self._process
        self._end()
        if self._closed:
            raise ModelNotInspected(tr(CLOSED))
        self._process = process = _Process(self._program)
        try:
            process.ask(InspectModel(""), self._patience.start_s)
        except _NoAnswer as error:
            self._end()
            raise ModelNotInspected(tr(CLOSED) if self._closed else tr(NOT_STARTED)) from error
        return process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


class _Process:
    """The process and its pipes."""

    def __init__(self, program: Program) -> None:
        """Raises ModelNotInspected."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - this app itself
                [program.program, *program.arguments],
                cwd=program.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise ModelNotInspected(tr(NOT_STARTED)) from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin = self._process.stdin
        self._lines = Lines(_LONGEST)
        self._log = Lines(_LONGEST)
        self._pipes = selectors.DefaultSelector()
        self._pipes.register(self._process.stdout, selectors.EVENT_READ, self._lines)
        self._pipes.register(self._process.stderr, selectors.EVENT_READ, self._log)

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def ask(self, question: InspectModel, seconds: float) -> Inspection:
        """Raises _NoAnswer."""
        deadline = time.monotonic() + seconds
        try:
            self._stdin.write(encode(question))
        except OSError as error:
            raise _NoAnswer from error
        while (left := deadline - time.monotonic()) > 0:
            for line in self._read(left):
                return _decoded(line)
        raise _NoAnswer

    def _read(self, seconds: float) -> list[bytes | None]:
        """Return the lines that came within `seconds`, and log those of stderr. Raises _NoAnswer at the end of
        stdout.
        """
        found: list[bytes | None] = []
        for key, _ in self._pipes.select(seconds):
            data = os.read(key.fd, _PORTION)
            if not data:
                self._pipes.unregister(key.fileobj)
            if key.data is self._log:
                for line in self._log.feed(data):
                    ENGINE.info("%s", (line or b"").decode("utf-8", "replace"))
            elif data:
                found += self._lines.feed(data)
            else:
                self._process.wait()
                raise _NoAnswer
        return found

    def end(self) -> None:
        """Kill the process and close the pipes. No other thread may be in `ask`."""
        self._pipes.close()
        with self._process:
            self.kill()

    def kill(self) -> None:
        """End the process. An `ask` in another thread returns at once."""
        self._process.kill()


def _decoded(line: bytes | None) -> Inspection:
    """Raises _NoAnswer for what is no answer."""
    try:
        return decode_inspection(line or b"")
    except UntrustedDataError as error:
        raise _NoAnswer from error
