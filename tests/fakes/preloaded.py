"""A Python that starts Hearth's processes with everything imported, for tests whose promise is not about a start.

An import of mlx-lm takes a second of a core. So one process, the nursery, has imported what the engine and the commands
import, and forks itself for each start. `Nursery.python` is a program in Python's place: it hands its pipes, arguments,
environment and umask to the nursery, forwards signals, and ends as the fork does. If it is killed, so is the fork. A
fork starts its own children in the same way. For Linux: what MLX has imported on macOS does not survive a fork.

`tests/process/conftest.py` says which tests start processes as users do.
"""

from __future__ import annotations

import array
import atexit
import gc
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

import psutil

ROOT: Final = Path(__file__).resolve().parents[2]
_BYTES: Final = 1 << 20
"""Most bytes of a request: arguments and environment."""

_IMPORTED: Final = (
    "app.cli.ask",
    "app.cli.cache_transfer",
    "app.cli.commands",
    "app.cli.macs",
    "app.desktop.hearth",
    "app.desktop.launch",
    "engine.cache.disk.disk_tier",
    "engine.cache.memory.hot_tier",
    "engine.inspect.process",
    "engine.memory.footprint",
    "engine.ranks.follower",
    "engine.ranks.meeting",
    "engine.ranks.rank",
    "engine.ranks.remote",
    "engine.server.server",
    "mlx_lm.models.qwen3_5",
    "storage.segments.store",
    "transformers.models.qwen3_5.configuration_qwen3_5",
    "transformers.models.qwen3_5.tokenization_qwen3_5",
    "typer._adapters",
    "ui.window.main_window",
)
"""What most of the processes import, some of it only when they load a model or parse their arguments."""

_PYTHON: Final = """#!{python} -IS
import array, json, os, signal, socket, sys
module, *arguments = sys.argv[2:] or [""]
forked = module.startswith(("app", "engine", "tests.")) and "models" not in arguments[:1]
if sys.argv[1:2] != ["-m"] or not forked:
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
forwarded = {{signal.SIGHUP, signal.SIGINT, signal.SIGTERM}}
signal.pthread_sigmask(signal.SIG_BLOCK, forwarded)
nursery = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
nursery.connect({address!r})
request = json.dumps([sys.argv[2:], dict(os.environ), os.getcwd(), os.umask(0), os.getppid(), os.getpid()]).encode()
nursery.sendmsg([request], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
for pipe in 0, 1:
    os.close(pipe)
pid = int(nursery.recv(16) or 0)
for number in forwarded:
    signal.signal(number, lambda number, _: os.kill(pid, number))
signal.pthread_sigmask(signal.SIG_UNBLOCK, forwarded)
status = os.waitstatus_to_exitcode(int(nursery.recv(16) or 9))
if status < 0:
    signal.signal(-status, signal.SIG_DFL) if -status != signal.SIGKILL else None
    os.kill(os.getpid(), -status)
os._exit(status)
"""
"""A program that takes Python's arguments. It leaves to Python what the nursery does not start, such as the commands
about the hub: huggingface_hub reads the environment when it is imported.
"""


@dataclass(frozen=True)
class Nursery:
    """The process that forks itself for each start. It ends with this one."""

    python: str
    process: subprocess.Popen[bytes]

    def end(self) -> None:
        """End it. Those that it has started end with the processes in their place."""
        self.process.communicate()
        assert self.process.returncode == 0, "it ended before the tests: what they started afterwards could not start"


def begin(folder: Path) -> Nursery:
    """Start one. It listens in `folder`."""
    address, python = folder / "nursery", folder / "python"
    python.write_text(_PYTHON.format(python=sys.executable, address=str(address)))
    python.chmod(0o700)
    command = [sys.executable, "-m", "tests.fakes.preloaded", str(address), str(python)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.read(1) == b"."  # it listens
    return Nursery(str(python), process)


def behind(pid: int) -> psutil.Process:
    """The process that the nursery has forked for the process `pid`, or that one itself."""
    fork = Path(sys.executable).with_name(f"{pid}.fork")
    return psutil.Process(int(fork.read_text("ascii")) if fork.is_file() else pid)


def _serve(address: str) -> Callable[[], NoReturn] | None:
    """Fork for each connection until stdin ends, on one thread: other threads would not survive a fork. Returns what a
    fork runs.
    """
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
                return None
            run: Callable[[], NoReturn] | None = key.data()
            if run:
                return run


def _fork(waiting: selectors.BaseSelector, listener: socket.socket) -> Callable[[], NoReturn] | None:
    """Start what the next connection asks for. Its end is told by the end of a pipe that it holds."""
    starter, _ = listener.accept()
    pipes = array.array("i")
    request, ancillary, *_ = starter.recvmsg(_BYTES, socket.CMSG_SPACE(3 * pipes.itemsize))
    if not request:  # its process was killed before it asked
        starter.close()
        return None
    for _, _, data in ancillary:
        pipes.frombytes(data)
    end, held = os.pipe()
    pid = os.fork()
    if pid == 0:
        for inherited in (waiting, listener, starter):
            inherited.close()
        os.close(end)
        return lambda: _become(json.loads(request), pipes)
    for pipe in (*pipes, held):
        os.close(pipe)
    note = Path(listener.getsockname()).with_name(f"{json.loads(request)[-1]}.fork")
    note.write_text(str(pid), "ascii")
    with suppress(ConnectionError):  # its process was killed already
        starter.send(str(pid).encode())

    def killed() -> None:
        if note.exists():  # the fork has not ended in the same moment
            waiting.unregister(starter)
            os.kill(pid, signal.SIGKILL)

    def ended() -> None:
        waiting.unregister(end)
        os.close(end)
        _, status = os.waitpid(pid, 0)
        note.unlink()
        with starter, suppress(KeyError, ConnectionError):  # its process was killed
            waiting.unregister(starter)
            starter.send(str(status).encode())

    waiting.register(starter, selectors.EVENT_READ, killed)
    waiting.register(end, selectors.EVENT_READ, ended)
    return None


def _become(request: Any, pipes: array.array[int]) -> NoReturn:
    """Run a module with these arguments in this process, and end it."""
    status: object = 1
    try:
        (module, *arguments), environment, folder, mask, starter, _ = request
        for number, pipe in enumerate(pipes):
            os.dup2(pipe, number)
            os.close(pipe)
        os.environ.clear()
        os.environ.update(environment)
        tempfile.tempdir = None
        os.umask(mask)
        os.chdir(folder)
        sys.path[0] = folder
        parent = {str(starter): str(os.getppid())}
        sys.argv[1:] = [parent.get(argument, argument) for argument in arguments]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as end:
        status = end.code
    finally:
        threading._shutdown()  # type: ignore[attr-defined] # what Python does at its end
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status if isinstance(status, int) else 0 if status is None else 1)


def _main(address: str, python: str) -> None:
    gc.disable()
    from engine.__main__ import _import_mlx_lm

    _import_mlx_lm()
    for name in _IMPORTED:
        import_module(name)
    for module in ("app.__main__", "engine.__main__"):  # they run as `__main__`
        sys.modules.pop(module, None)
    gc.freeze()
    if run := _serve(address):
        sys.executable = python
        run()


if __name__ == "__main__":
    _main(*sys.argv[1:])
