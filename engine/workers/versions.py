"""The versions of the software that decides the words of an answer. All machines of a group have the same."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from engine.protocol.messages import PROTOCOL_VERSION

_PACKAGES: Final = ("mlx", "mlx-lm", "transformers")


def versions() -> dict[str, str]:
    """Of the engine's protocol and of the libraries, by name."""
    return {"protocol": str(PROTOCOL_VERSION)} | {name: version(name) for name in _PACKAGES}


def differences(own: dict[str, str], other: dict[str, str]) -> str:
    """The versions of the other machine that differ, for people; empty if both are equal."""
    names = sorted(own.keys() | other.keys())
    return ", ".join(f"{name} {other.get(name, '?')}" for name in names if own.get(name) != other.get(name))
