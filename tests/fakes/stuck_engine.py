"""The engine's process with a main thread that hangs right after its greeting. Run as a script.

The first argument says how it hangs: `sleep` in C, `spin` in Python, or `locked` in C with the interpreter's lock held.
`tell` prints the signal that the kernel sends when the parent dies, and ends. The other arguments are the engine's.
"""

from __future__ import annotations

import ctypes
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from engine import __main__ as engine
from engine.process import lifeline
from engine.protocol.messages import PROTOCOL_VERSION, Event, Ready

_PR_GET_PDEATHSIG = 2


def _spin() -> None:
    while True:
        pass


def _tell() -> None:
    number = ctypes.c_int()
    ctypes.CDLL(None).prctl(_PR_GET_PDEATHSIG, ctypes.byref(number))
    sys.stderr.write(f"{number.value}\n")


_WAYS = {
    "sleep": lambda: time.sleep(3600),
    "spin": _spin,
    "locked": lambda: ctypes.PyDLL(None).sleep(3600),
    "tell": _tell,
}


def _hang(_options: Any, emit: Callable[[Event], Any], _ending: Any) -> None:
    emit(Ready(PROTOCOL_VERSION))
    _WAYS[sys.argv[1]]()


def main() -> int:
    """Run the engine with short limits: ten seconds become less than one."""
    engine._import_mlx_lm = lambda: None
    engine._parts = lambda _options, _inbox, emit, _ending: emit  # type: ignore[assignment, return-value]  # all that is used
    engine._run = _hang  # type: ignore[assignment]  # its parameters have other names
    lifeline.STUCK_SECONDS = 0.5  # type: ignore[misc]  # in its own process
    lifeline.DEATH_SIGNAL = signal.SIGHUP  # type: ignore[misc]  # its number is the seconds until the end
    return engine.main(sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
