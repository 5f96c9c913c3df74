"""The real inspector process, its answers, and the memory that each of them took."""

from __future__ import annotations

import selectors
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil

from app.base.program import inspector
from engine.protocol.framing import Inspection, Lines, decode_inspection, encode
from engine.protocol.inspection import InspectModel

START_SECONDS = 60.0
_PEAK = "VmHWM:"
_RESET_PEAK = "5"


class NoAnswer(AssertionError):  # noqa: N818 # a verdict of a test
    """The process ended or took too long. The message has what it logged."""


class Inspector:
    """The process. It ends with the context."""

    def __init__(self) -> None:
        program = inspector()
        self._process = subprocess.Popen(
            [program.program, *program.arguments],
            cwd=program.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._in, self._out = self._process.stdin, self._process.stdout
        self._lines = Lines()

    def ask(self, question: InspectModel, seconds: float = START_SECONDS) -> Inspection:
        """Raises NoAnswer."""
        self._in.write(encode(question))
        (answer,) = self.answers(1, seconds)
        return answer

    def answers(self, count: int, seconds: float = START_SECONDS) -> list[Inspection]:
        """The next answers. Raises NoAnswer."""
        found: list[Inspection] = []
        until = time.monotonic() + seconds
        with selectors.DefaultSelector() as ready:
            ready.register(self._out, selectors.EVENT_READ)
            while len(found) < count:
                if not ready.select(max(0.0, until - time.monotonic())):
                    raise NoAnswer(f"no answer within {seconds:.0f} s")
                if not (data := self._out.read(1 << 16)):
                    raise NoAnswer(f"the process ended with status {self._process.wait()}")
                found += [decode_inspection(line or b"") for line in self._lines.feed(data)]
        return found

    def send(self, data: bytes) -> None:
        self._in.write(data)

    def forget_peak(self) -> int:
        """Begin to measure the memory of the next answers. Returns the bytes in use now."""
        if sys.platform == "linux":
            Path(f"/proc/{self._process.pid}/clear_refs").write_text(_RESET_PEAK)
        return self.peak()

    def peak(self) -> int:
        """The most bytes of memory since then; 0 where the kernel does not say."""
        status = Path(f"/proc/{self._process.pid}/status")
        lines = status.read_text().splitlines() if status.exists() else []
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(_PEAK))

    def processor_seconds(self) -> float:
        """The processor time of the process so far."""
        times = psutil.Process(self._process.pid).cpu_times()
        return float(times.user + times.system)

    def end(self) -> int:
        """Close the pipe and wait for the end."""
        self._process.communicate()
        return self._process.returncode

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        with self._process:
            pass


def folder_bytes(folder: Path) -> int:
    """The bytes of all files in `folder`."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def question(folder: Path, **options: Any) -> InspectModel:
    return InspectModel(str(folder), **options)
