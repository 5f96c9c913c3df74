"""Metrics: the times of one answer, and the figures computed from them. Pure.

All times are seconds of one monotonic clock; the caller reads it.
"""

from __future__ import annotations

from dataclasses import dataclass

_MS = 1000.0


@dataclass(slots=True)
class Timing:
    """The moments of one request; 0.0 until they are reached. `decoded` counts tokens after the first."""

    arrived: float = 0.0
    first_token: float = 0.0
    last_token: float = 0.0
    decoded: int = 0
    restore_ms: float = 0.0

    def token(self, now: float) -> None:
        """A token was emitted at `now`."""
        if not self.first_token:
            self.first_token = now
        else:
            self.decoded += 1
        self.last_token = now

    @property
    def ttft_ms(self) -> float:
        """Milliseconds from the arrival of the command to the first token; 0.0 before it."""
        return (self.first_token - self.arrived) * _MS if self.first_token else 0.0

    @property
    def decode_tps(self) -> float:
        """Tokens per second after the first one; 0.0 below two tokens."""
        elapsed = self.last_token - self.first_token
        return self.decoded / elapsed if self.decoded and elapsed > 0 else 0.0
