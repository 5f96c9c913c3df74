"""Metrics: the times of one answer, and the figures computed from them. Pure.

All times are seconds of one monotonic clock; the caller reads it.
"""

from __future__ import annotations

from dataclasses import dataclass

_MS = 1000.0


@dataclass(slots=True)
class Timing:
    """The moments of one request; 0.0 until they are reached. `decoded` counts tokens but the first one and the first
    after each pause, and `rested` are the seconds before those.
    """

    arrived: float = 0.0
    first_token: float = 0.0
    last_token: float = 0.0
    decoded: int = 0
    rested: float = 0.0
    restore_ms: float = 0.0
    is_resumed: bool = False

    def token(self, now: float) -> None:
        """A token was emitted at `now`."""
        if not self.first_token:
            self.first_token = now
        elif self.is_resumed:
            self.is_resumed = False
            self.rested += now - self.last_token
        else:
            self.decoded += 1
        self.last_token = now

    def resume(self) -> None:
        """The answer goes on after a pause, whose time is none of its own."""
        self.is_resumed = True

    @property
    def ttft_ms(self) -> float:
        """Milliseconds from the arrival of the command to the first token; 0.0 before it."""
        return (self.first_token - self.arrived) * _MS if self.first_token else 0.0

    @property
    def decode_tps(self) -> float:
        """Tokens per second after the first one, without pauses; 0.0 below two tokens."""
        elapsed = self.last_token - self.first_token - self.rested
        return self.decoded / elapsed if self.decoded and elapsed > 0 else 0.0
