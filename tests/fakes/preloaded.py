"""Engines and inspectors that start with everything imported, for tests whose promise is not about a start.

An import of mlx-lm takes a second of a core. So one process, the nursery, has imported what an engine imports, and
forks itself for each start. The app starts a tiny process in the engine's place, which hands its pipes to the nursery,
waits for the end, and ends in the same way. If that process is killed, so is the engine. `tests/process` starts engines
as the app does. For Linux: what MLX has imported on macOS does not survive a fork.
"""

from __future__ import annotations

import array
import gc
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from app.base.program import Program

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT: Final = Path(__file__).resolve().parents[2]
_BYTES: Final = 1 << 20
"""Most bytes of a request: arguments and environment."""

_START: Final = """
import array, json, os, signal, socket, sys
nursery = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
nursery.connect(sys.argv[1])
request = json.dumps([sys.argv[2:], dict(os.environ), os.getcwd()]).encode()
nursery.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
for pipe in 0, 1:
    os.close(pipe)
status = os.waitstatus_to_exitcode(int(nursery.recv(16) or 9))
if status < 0:
    signal.signal(-status, signal.SIG_DFL) if -status != signal.SIGKILL else None
    os.kill(os.getpid(), -status)
os._exit(status)
"""
"""The process in the engine's place. Its arguments are the nursery's address and those of the engine."""


@dataclass(frozen=True)
class Nursery:
    """The process that forks itself for each start. It ends with this one."""

    address: str
    process: subprocess.Popen[bytes]

    def instead_of(self, program: Callable[..., Program]) -> Callable[..., Program]:
        """The same programs, started by the nursery."""

        def started(*arguments: Any) -> Program:
            real = program(*arguments)
            parents = {str(os.getpid()): str(self.process.pid)}
            given = [parents.get(argument, argument) for argument in real.arguments[2:]]  # without `-m app`
            return Program(real.program, ("-I", "-S", "-c", _START, self.address, *given), real.folder)

        return started

    def end(self) -> None:
        """End it. Those that it has started end with the processes in their place."""
        self.process.communicate()


def begin(folder: Path) -> Nursery:
    """Start one. It listens in `folder`."""
    address = str(folder / "nursery")
    command = [sys.executable, "-m", "tests.fakes.preloaded", address]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.read(1) == b"."  # it listens
    return Nursery(address, process)


def _serve(address: str) -> None:
    """Fork for each connection until stdin ends, on one thread: other threads would not survive a fork."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen()
    waiting = selectors.DefaultSelector()
    waiting.register(sys.stdin, selectors.EVENT_READ)
    waiting.register(listener, selectors.EVENT_READ, lambda: _fork(waiting, listener))
    os.write(1, b".")
    while True:
        for key, _ in waiting.select():
            if key.data is None:
                return
            key.data()


def _fork(waiting: selectors.BaseSelector, listener: socket.socket) -> None:
    """Start what the next connection asks for. Its end is told by the end of a pipe that it holds."""
    starter, _ = listener.accept()
    pipes = array.array("i")
    request, ancillary, *_ = starter.recvmsg(_BYTES, socket.CMSG_SPACE(3 * pipes.itemsize))
    for _, _, data in ancillary:
        pipes.frombytes(data)
    end, held = os.pipe()
    pid = os.fork()
    if pid == 0:
        for inherited in (waiting, listener, starter):
            inherited.close()
        _become(json.loads(request), pipes)
    for pipe in (*pipes, held):
        os.close(pipe)

    def killed() -> None:
        with suppress(KeyError):  # the engine has ended, too
            waiting.unregister(starter)
            os.kill(pid, signal.SIGKILL)

    def ended() -> None:
        waiting.unregister(end)
        os.close(end)
        _, status = os.waitpid(pid, 0)
        with starter, suppress(KeyError, BrokenPipeError):  # its process was killed
            waiting.unregister(starter)
            starter.send(str(status).encode())

    waiting.register(starter, selectors.EVENT_READ, killed)
    waiting.register(end, selectors.EVENT_READ, ended)


def _become(request: Any, pipes: array.array[int]) -> None:
    """Run the app with these arguments in this process, and end it."""
    status = 1
    try:
        arguments, environment, folder = request
        for number, pipe in enumerate(pipes):
            os.dup2(pipe, number)
            os.close(pipe)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
        sys.argv[1:] = arguments
        from app.__main__ import main

        status = main()
        sys.stdout.flush()
    finally:
        os._exit(status)


if __name__ == "__main__":
    gc.disable()
    from engine.__main__ import _import_mlx_lm

    _import_mlx_lm()
    import engine.cache.disk.disk_tier
    import engine.inspect.process
    import engine.memory.footprint
    import engine.server.parts
    import engine.server.server  # noqa: F401

    gc.freeze()
    _serve(sys.argv[1])
