"""ChildProcess: a process of this app that answers each line with a line, for work that a hostile file may stop.

It is started when it is needed, and ended if it does not answer. `LineProcess` is for the thread of the window.

Invariants:

- `ask` blocks, so it is called on a worker thread. A second caller waits for the first. `close` may be called on any
  thread, and ends what is being asked.
- A question takes at most `Patience.answer_s` seconds: a hostile file costs one process and no more.
- The first answer of a process is that of the question `hello`. It shows that the imports are done, which take longer
  on a busy machine and are not the file's fault.
"""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock
from typing import Final, Generic, TypeVar

from app.base.logs import ENGINE
from app.base.program import Program
from engine.protocol.framing import Lines
from storage.untrusted import UntrustedDataError

Answer = TypeVar("Answer")

_PORTION: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Patience:
    """How long the process may take for its start and for an answer."""

    start_s: float = 60.0
    answer_s: float = 5.0


class ChildUnavailable(Exception):  # noqa: N818 - named after what happened
    """The process cannot be started, or is closed."""


class ChildStuck(Exception):  # noqa: N818 - named after what happened
    """The process was ended because of a question: it was too slow, or it had crashed."""

    def __init__(self, *, is_slow: bool) -> None:
        super().__init__()
        self.is_slow = is_slow


class ChildProcess(Generic[Answer]):
    """One process, as long as it behaves. A question is a line with its newline. `decode` raises UntrustedDataError for
    what is no answer, such as one of more than `longest` bytes. `closed` is set by `close`.
    """

    def __init__(
        self, program: Program, hello: bytes, decode: Callable[[bytes], Answer], longest: int, patience: Patience
    ) -> None:
        self._program = program
        self._hello = hello
        self._decode = decode
        self._longest = longest
        self._patience = patience
        self._process: _Process | None = None
        self._asking = Lock()
        self.closed = Event()

    def ask(self, question: bytes) -> Answer:
        """Return the answer. A question that ends or blocks the process raises ChildStuck, and the next one starts
        another process. Raises ChildUnavailable.
        """
        with self._asking:
            process = self._started()
            try:
                return self._decode(process.ask(question, self._patience.answer_s))
            except (OSError, UntrustedDataError) as error:
                is_slow = process.is_running
                self._end()
                raise (ChildUnavailable if self.closed.is_set() else ChildStuck(is_slow=is_slow)) from error

    def close(self) -> None:
        """End the process. Questions after that are refused."""
        self.closed.set()
        if (process := self._process) is not None:
            process.popen.kill()
        with self._asking:
            self._end()

    def _started(self) -> _Process:
        """Raises ChildUnavailable."""
        if self._process is not None and self._process.is_running:
            return self._process
        self._end()
        if self.closed.is_set():
            raise ChildUnavailable
        try:
            self._process = process = _Process(self._program, self._longest)
            if self.closed.is_set():  # `close` may not have seen the process
                process.popen.kill()
            self._decode(process.ask(self._hello, self._patience.start_s))
        except (OSError, UntrustedDataError) as error:
            self._end()
            raise ChildUnavailable from error
        return process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.end()


class _Process:
    """The process and its pipes. If it is killed, an `ask` in another thread returns at once."""

    def __init__(self, program: Program, longest: int) -> None:
        """Raises OSError."""
        self.popen = program.popen(bufsize=0)
        assert self.popen.stdin is not None
        assert self.popen.stdout is not None
        assert self.popen.stderr is not None
        self._stdin = self.popen.stdin
        os.set_blocking(self._stdin.fileno(), False)  # a process that is stopped does not read
        self._unsent = memoryview(b"")
        self._lines = Lines(longest)
        self._log = Lines(longest)
        self._pipes = selectors.DefaultSelector()
        self._pipes.register(self.popen.stdout, selectors.EVENT_READ, self._lines)
        self._pipes.register(self.popen.stderr, selectors.EVENT_READ, self._log)

    @property
    def is_running(self) -> bool:
        return self.popen.poll() is None

    def ask(self, question: bytes, seconds: float) -> bytes:
        """Raises OSError if the process has ended, has not answered in time, or writes what is no answer."""
        deadline = time.monotonic() + seconds
        self._unsent = memoryview(question)
        self._pipes.register(self._stdin, selectors.EVENT_WRITE)
        while (left := deadline - time.monotonic()) > 0:
            for line in self._exchange(left):
                if line is None or self._unsent:
                    raise BrokenPipeError
                return line
        raise TimeoutError

    def _exchange(self, seconds: float) -> list[bytes | None]:
        """Write and read what is possible within `seconds`. Return the lines that came, and log those of stderr. Raises
        OSError at the end of stdout.
        """
        found: list[bytes | None] = []
        for key, _ in self._pipes.select(seconds):
            if key.fileobj is self._stdin:
                self._unsent = self._unsent[os.write(key.fd, self._unsent[:_PORTION]) :]
                if not self._unsent:
                    self._pipes.unregister(self._stdin)
                continue
            data = os.read(key.fd, _PORTION)
            if not data:
                self._pipes.unregister(key.fileobj)
            if key.data is self._log:
                for line in self._log.feed(data):
                    ENGINE.info("%s", (line or b"").decode("utf-8", "replace"))
            elif data:
                found += self._lines.feed(data)
            else:
                self.popen.wait()
                raise BrokenPipeError
        return found

    def end(self) -> None:
        """Kill the process and close the pipes. No other thread may be in `ask`."""
        self._pipes.close()
        with self.popen:
            self.popen.kill()
