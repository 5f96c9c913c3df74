"""AppNap: keeps macOS from slowing the app down while answers are written, also if its window is covered.

It runs on the window's thread. Between answers the app may nap, and the computer may sleep at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from app.desktop.objective_c import ObjectiveC

_USER_INITIATED: Final = 0x00FFFFFF & ~(1 << 20)
"""NSActivityUserInitiatedAllowingIdleSystemSleep."""
_REASON: Final = "Answers are being written"


def due(*, held: bool, busy: bool) -> Literal["begin", "end", ""]:
    """What to do now: an activity is held exactly while the app is busy."""
    if busy == held:
        return ""
    return "begin" if busy else "end"


class AppNap:
    """Without the runtime of a Mac it does nothing."""

    def __init__(self, runtime: ObjectiveC | None) -> None:
        self._runtime = runtime
        self._activity = 0

    def follow(self, *, busy: bool) -> None:
        """Begin or end the activity. Called every second."""
        if self._runtime is None:
            return
        match due(held=bool(self._activity), busy=busy):
            case "begin":
                self._begin(self._runtime)
            case "end":
                self._end(self._runtime)

    def _begin(self, runtime: ObjectiveC) -> None:
        begin = "beginActivityWithOptions:reason:"
        activity = runtime.send_options(_process(runtime), begin, _USER_INITIATED, runtime.string(_REASON))
        self._activity = runtime.send(activity, "retain")

    def _end(self, runtime: ObjectiveC) -> None:
        runtime.send(_process(runtime), "endActivity:", self._activity)
        runtime.send(self._activity, "release")
        self._activity = 0


def _process(runtime: ObjectiveC) -> int:
    return runtime.send(runtime.named("NSProcessInfo"), "processInfo")
