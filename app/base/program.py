"""Builds the command line that starts this app again: as an engine, for example. Bounds the time and the memory of a
process that reads hostile files.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen

import msgspec

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Program:
    """The program, its arguments, and its working directory. That is never the user's, which may have a folder named
    `app`.
    """

    program: str
    arguments: tuple[str, ...]
    folder: Path

    def popen(self, *, stdin: int = PIPE, stderr: int = PIPE, bufsize: int = -1) -> Popen[bytes]:
        """Start the program for a thread that may wait for it, in a session of its own: the terminal's Ctrl+C is for
        this process alone. Raises OSError.
        """
        return Popen(  # noqa: S603 - our own program
            [self.program, *self.arguments],
            cwd=self.folder,
            stdin=stdin,
            stdout=PIPE,
            stderr=stderr,
            bufsize=bufsize,
            start_new_session=True,
        )


def this_app(*arguments: str) -> Program:
    """Return this app with other arguments. In a bundle the interpreter's path is the app's own."""
    if getattr(sys, "frozen", False):
        return Program(sys.executable, arguments, _ROOT)
    return Program(sys.executable, ("-m", "app", *arguments), _ROOT)


def engine(segments: Path, quota: int | None = None) -> Program:
    """Return the engine, with its segments in the folder `segments` and at most `quota` bytes of them. It ends with
    this process.

    If `quota` is None, the engine evicts nothing until it receives the quota and the pins as a command.
    """
    told = () if quota is None else ("--quota", str(quota))
    return this_app("--engine", "--parent", str(os.getpid()), "--segments", str(segments), *told)


def reader(document: Path) -> Program:
    """Return the process that reads the document at an absolute path."""
    return this_app("--read-document", str(document))


def images() -> Program:
    """Return the process that reads images. It ends with this process."""
    return this_app("--read-images")


def colours() -> Program:
    """Return the process that colours source code. It ends with this process."""
    return this_app("--colour-code")


def inspector() -> Program:
    """Return the inspector, which describes model folders. It ends with this process."""
    return this_app("--inspector", "--parent", str(os.getpid()))


def bound(seconds: int, memory: int) -> None:
    """End this process if it computes for more than `seconds` from now on, and let it have `memory` bytes at most. Not
    every system enforces both.
    """
    for what, most in ((resource.RLIMIT_CPU, int(time.process_time()) + seconds), (resource.RLIMIT_AS, memory)):
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


def answer_lines(seconds: int, memory: int, answer: Callable[[bytes], object]) -> int:
    """Be the process that a `ChildProcess` asks: write an answer for each line of stdin, as JSON, until that ends. Each
    is bound to so many `seconds`, and to so many bytes of `memory`. Returns the exit status.
    """
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no part of the answer
    for line in sys.stdin.buffer:
        bound(seconds, memory)
        output.write(msgspec.json.encode(answer(line)) + b"\n")
        output.flush()
    return 0
