"""An engine process at the end of its pipe. The caller decides which commands it gets."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import psutil

from engine.protocol import framing
from engine.protocol import messages as protocol

HOT_BYTES = 1 << 22
"""So small that it is soon full. Later growth is a leak, and evicted records come from disk."""

PATIENCE_SECONDS = 120.0
"""An engine that is silent for this long during a request hangs."""


class EngineEndedError(RuntimeError):
    """The engine has ended with `status`."""

    def __init__(self, status: int, last_words: str) -> None:
        super().__init__(f"the engine ended with status {status}:\n{last_words}")
        self.status = status


class EnginePipe:
    """A real engine as a child process, with its log and, by default, its store under `home`."""

    def __init__(
        self,
        home: Path,
        quota: int,
        segments: Path | None = None,
        hot: int = HOT_BYTES,
        program: str = "engine",
        options: Sequence[str] = (),
    ) -> None:
        self._log = (home / "engine.log").open("ab")
        command = [sys.executable, "-m", program, "--segments", str(segments or home / "segments")]
        command += ["--quota", str(quota), "--hot", str(hot), *options]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log)
        self._events: queue.SimpleQueue[protocol.Event | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, name="soak-events", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._log):
            if pipe is not None:
                with suppress(BrokenPipeError):  # it still has what an ended engine did not take
                    pipe.close()

    def say(self, command: protocol.Command) -> None:
        """Send a command."""
        self.write(framing.encode(command))

    def write(self, data: bytes) -> None:
        """Send any bytes."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # an engine that has ended: `hear` says so
            self._process.stdin.write(data)
            self._process.stdin.flush()

    def hear(self) -> protocol.Event:
        """The next event. Raises EngineEndedError, queue.Empty if it hangs."""
        event = self._events.get(timeout=PATIENCE_SECONDS)
        if event is None:
            raise EngineEndedError(self._process.wait(), self._last_words())
        return event

    def last(self) -> protocol.Event | None:
        """The last event of an engine that has ended, if there is one that the test has not heard."""
        last = None
        while (event := self._events.get(timeout=PATIENCE_SECONDS)) is not None:
            last = event
        return last

    def load(self, model: Path) -> protocol.ModelLoaded:
        """Load a model and wait for it."""
        self.say(protocol.LoadModel(str(model)))
        while not isinstance(event := self.hear(), protocol.ModelLoaded):
            if isinstance(event, protocol.ModelFailed):
                raise TypeError(event.message)
        return event

    def close(self) -> int:
        """Ask it to end. Returns its exit status."""
        self.say(protocol.Shutdown())
        return self._process.wait(PATIENCE_SECONDS)

    def hang_up(self) -> int:
        """Close its stdin, as an app that ends does. Returns its exit status."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._process.wait(PATIENCE_SECONDS)

    def ended(self, seconds: float) -> int:
        """Its exit status. Raises TimeoutExpired if it has not ended within `seconds`."""
        return self._process.wait(seconds)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def resident_bytes(self) -> int:
        """The resident memory of the process."""
        return int(psutil.Process(self._process.pid).memory_info().rss)

    def _last_words(self) -> str:
        return "\n".join(Path(self._log.name).read_text("utf-8", "replace").splitlines()[-12:])

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._events.put(framing.decode_event(line))
        self._events.put(None)
