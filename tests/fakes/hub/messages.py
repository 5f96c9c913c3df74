"""A request to the loopback hub and its answer, as values."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Asked:
    """A request. The names of `headers` are in lower case."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]

    @property
    def token(self) -> str:
        """The token that came along; "" if none did."""
        return self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass(frozen=True)
class Reply:
    """An answer. `ranged`: the client may ask for a part of `body`."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    ranged: bool = False
